// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/native.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/abbrev_table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/** Cost of reading the values of an entry besides its bytes. */
#define ENTRY_WORK 16

struct native_reader {
	struct unit_reader reader;
	struct abbrev_table *table;
	struct bytes contents; ///< of the unit, its header included
	size_t first;          ///< start of the unit's own entry
	size_t pos;            ///< of the next entry
	unsigned depth;        ///< of the next entry; 0: the search is over
	unsigned last_depth;   ///< of the last result
	size_t wanted;         ///< address after the function seen last
};

static enum entry_step fault(struct native_reader *n, size_t pos,
                             const char *what)
{
	snprintf(n->reader.fault, sizeof(n->reader.fault), "%s at 0x%" PRIx64,
	         what, n->reader.unit.offset + pos);
	n->depth = 0;
	// Bytes read on the way are charged, too.
	n->pos = pos;
	return ENTRY_BAD;
}

/** NULL in a table whose entries have no steps. */
static const struct abbrev_step *first_step(const struct native_reader *n,
                                            const struct abbrev *abbrev)
{
	return abbrev->step_count ? &n->table->steps[abbrev->first_step] : NULL;
}

/** Read the values of an entry that are kept. */
static bool read_values(const struct native_reader *n,
                        const struct abbrev *abbrev, struct cursor *c,
                        struct entry *ret)
{
	const struct form_sizes *sizes = &n->table->sizes;
	const struct abbrev_step *step = first_step(n, abbrev);

	for (unsigned i = 0; i < abbrev->step_count; i++, step++) {
		uint64_t form = step->form;
		struct entry_value *value;

		cursor_skip(c, step->bytes);
		if (step->value == ENTRY_VALUES) {
			form_skip(form, sizes, c);
			continue;
		}
		value = &ret->values[step->value];
		if (form == FORM_INDIRECT)
			form = cursor_uleb(c);
		*value = (struct entry_value){ .form = (uint16_t)form };
		if (step->form == FORM_IMPLICIT_CONST)
			value->number = (uint64_t)step->implied;
		else if (!form_read(form, sizes, c, &value->number))
			continue;
		if (form == FORM_STRING)
			value->string = (const char *)c->in.data +
			                value->number;
		ret->has |= 1u << step->value;
	}
	return cursor_ok(c);
}

/** value_end() of any value. */
RARE static size_t any_value_end(const struct native_reader *n, uint16_t form,
                                 size_t pos)
{
	struct cursor c = cursor_at(n->contents, pos, CURSOR_LITTLE);

	form_skip(form, &n->table->sizes, &c);
	return cursor_ok(&c) ? c.pos : SIZE_MAX;
}

/** Skip a value of variable size; SIZE_MAX if it is damaged. */
static inline size_t value_end(const struct native_reader *n, uint16_t form,
                               size_t pos)
{
	const struct bytes in = n->contents;

	// Most have a one-byte length or number.
	if (pos < in.size && in.data[pos] < 0x80) {
		if (form == FORM_EXPRLOC && in.data[pos] < in.size - pos)
			return pos + 1 + in.data[pos];
		if (form == FORM_UDATA || form == FORM_SDATA)
			return pos + 1;
	}
	return any_value_end(n, form, pos);
}

/** values_end() for entries with values of variable size. */
static size_t varied_end(const struct native_reader *n,
                         const struct abbrev *abbrev, size_t pos)
{
	const struct abbrev_skip *skip = &n->table->skips[abbrev->first_skip];
	const size_t size = n->contents.size;

	for (unsigned i = 0; i < abbrev->skip_count; i++, skip++) {
		if (skip->bytes > size - pos)
			return SIZE_MAX;
		pos = value_end(n, skip->form, pos + skip->bytes);
		if (pos == SIZE_MAX)
			return pos;
	}
	return abbrev->fixed <= size - pos ? pos + abbrev->fixed : SIZE_MAX;
}

/** Skip the values of an entry; SIZE_MAX if they exceed the unit. */
static inline size_t values_end(const struct native_reader *n,
                                const struct abbrev *abbrev, size_t pos)
{
	if (abbrev->skip_count)
		return varied_end(n, abbrev, pos);
	return abbrev->fixed <= n->contents.size - pos ? pos + abbrev->fixed
	                                               : SIZE_MAX;
}

/** A number of 1 to 8 bytes, of which 8 are readable. */
static inline uint64_t load_number(const uint8_t *at, unsigned size)
{
	return cursor_load(at, 8) & UINT64_MAX >> (64 - 8 * size);
}

/**
 * Skip a function without wanted addresses, after recording its place in the
 * order: call it once for each. False if that needs a closer look.
 */
static inline bool leave_out(struct native_reader *n,
                             const struct abbrev *abbrev, size_t pos,
                             unsigned depth)
{
	const struct unit_source *source = &n->reader.source;
	const uint8_t *values = n->contents.data + pos;
	uint64_t low, high;

	// On others, each function is looked at more closely.
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ ||
	    !source->address_count || n->reader.gives_next ||
	    depth > ENTRY_DEPTH_MAX || !abbrev->high_form ||
	    abbrev->bounds_end > n->contents.size - pos)
		return false;
	low = load_number(values + abbrev->low_at, n->table->sizes.address);
	high = load_number(values + abbrev->high_at, abbrev->high_size);
	if (abbrev->high_form != FORM_ADDR)
		high += low;
	if (unit_source_wants(source, low, high, &n->wanted))
		return false;
	function_order_add(&n->reader, low, high);
	return true;
}

/** Read the entry that begins at @p start, from @p pos on, after its code. */
static bool give(struct native_reader *n, const struct abbrev *abbrev,
                 size_t *pos, size_t start, struct entry *ret)
{
	struct cursor c = cursor_at(n->contents, *pos, CURSOR_LITTLE);

	ret->offset = n->reader.unit.offset + start;
	ret->tag = abbrev->tag;
	ret->has_children = abbrev->has_children;
	ret->depth = n->depth;
	ret->has = 0;
	if (!dwarf_work_take(n->reader.source.work, ENTRY_WORK) ||
	    !read_values(n, abbrev, &c, ret))
		return false;
	*pos = values_end(n, abbrev, *pos);
	return *pos != SIZE_MAX;
}

enum entry_step unit_reader_seek(struct unit_reader *reader, uint64_t offset,
                                 struct entry *ret)
{
	struct native_reader *n = (struct native_reader *)reader;
	size_t start = (size_t)(offset - reader->unit.offset);

	n->depth = 0;
	if (offset < reader->unit.offset || start < n->first ||
	    start >= n->contents.size)
		return ENTRY_NONE;
	struct cursor c = cursor_at(n->contents, start, CURSOR_LITTLE);
	uint64_t code = cursor_uleb(&c);
	const struct abbrev *abbrev = abbrev_find(n->table, code);

	if (!cursor_ok(&c) || !code)
		return ENTRY_NONE;
	if (!abbrev)
		return fault(n, start, "no abbreviation for the entry");
	n->pos = c.pos;
	if (!give(n, abbrev, &n->pos, start, ret))
		return fault(n, start, "a damaged entry");
	n->depth = abbrev->has_children;
	n->last_depth = 0;
	return ENTRY_TAKEN;
}

/** code_end() of a code of more than one byte. */
static size_t long_code_end(struct bytes in, size_t pos, uint64_t *ret)
{
	const uint8_t *at = in.data + pos;

	// dsymutil makes one table for all units: its codes have two bytes.
	if (in.size - pos >= 2 && at[1] < 0x80) {
		*ret = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
		return pos + 2;
	}
	struct cursor c = cursor_at(in, pos, CURSOR_LITTLE);

	*ret = cursor_uleb(&c);
	return cursor_ok(&c) ? c.pos : SIZE_MAX;
}

/** Read the code at the start of an entry; SIZE_MAX if it is invalid. */
static inline size_t code_end(struct bytes in, size_t pos, uint64_t *ret)
{
	// A local variable, so that the caller's can stay in a register.
	uint64_t code = in.data[pos];

	if (code < 0x80) {
		*ret = code;
		return pos + 1;
	}
	pos = long_code_end(in, pos, &code);
	*ret = code;
	return pos;
}

/**
 * Must the entry with its values at @p pos be examined, or only skipped? A
 * search for calls is inside one function, so it matters at nested functions,
 * too, whose children are hidden.
 */
static inline bool matters(struct native_reader *n, const struct abbrev *abbrev,
                           enum entry_search search, size_t pos, unsigned depth)
{
	if (abbrev->kind == ABBREV_OTHER)
		return false;
	if (search == ENTRY_CALLS)
		return true;
	return abbrev->kind == ABBREV_FUNCTION && abbrev->has_code &&
	       !leave_out(n, abbrev, pos, depth);
}

/** How far a search has come. */
struct search_place {
	size_t pos;
	unsigned depth; ///< of the entry there; 0: after the last one
	unsigned min;   ///< min depth on the way; UINT_MAX: none
};

/**
 * Skip entries that do not matter, which is most. Stops before one that does,
 * and before a damaged one.
 */
static void skip_others(struct native_reader *n, enum entry_search search,
                        struct search_place *place)
{
	const struct bytes in = n->contents;
	unsigned depth = place->depth;
	unsigned min = UINT_MAX;
	size_t pos = place->pos;

	while (depth && pos < in.size) {
		const struct abbrev *abbrev;
		uint64_t code;
		size_t next;
		size_t end;

		if (!in.data[pos]) {
			depth--;
			pos++;
			continue;
		}
		next = code_end(in, pos, &code);
		abbrev = next == SIZE_MAX ? NULL : abbrev_find(n->table, code);
		if (!abbrev)
			break;
		end = values_end(n, abbrev, next);
		// Skip a function only if its entry is valid.
		if (end == SIZE_MAX || matters(n, abbrev, search, next, depth))
			break;
		if (depth < min)
			min = depth;
		depth += abbrev->has_children;
		pos = end;
	}
	*place = (struct search_place){ pos, depth, min };
}

/** The search itself; the work is charged by the caller. */
static enum entry_step search_next(struct native_reader *n,
                                   enum entry_search search, unsigned deepest,
                                   struct entry *ret)
{
	const struct bytes in = n->contents;
	struct search_place place = { .pos = n->pos, .depth = n->depth };
	const unsigned searched = search == ENTRY_CALLS ? ABBREV_CALL
	                                                : ABBREV_FUNCTION;
	unsigned min = UINT_MAX;

	for (;;) {
		const struct abbrev *abbrev;
		size_t start;
		uint64_t code;

		skip_others(n, search, &place);
		start = place.pos;
		if (place.min < min)
			min = place.min;
		// Back from hidden entries.
		if (place.min <= deepest)
			deepest = ENTRY_DEPTH_MAX;
		if (!place.depth || place.pos >= in.size)
			break;
		place.pos = code_end(in, start, &code);
		// An end mark of more than one byte.
		if (place.pos != SIZE_MAX && !code) {
			place.depth--;
			continue;
		}
		abbrev = place.pos == SIZE_MAX ? NULL
		                               : abbrev_find(n->table, code);
		if (!abbrev)
			return fault(n, start, "no abbreviation for the entry");
		if (place.depth < min)
			min = place.depth;
		if (place.depth <= deepest)
			deepest = ENTRY_DEPTH_MAX;
		if (place.depth <= deepest && abbrev->kind == searched) {
			n->depth = n->last_depth = place.depth;
			if (!give(n, abbrev, &place.pos, start, ret))
				return fault(n, start, "a damaged entry");
			ret->least_depth = min;
			n->depth += abbrev->has_children;
			n->pos = place.pos;
			return ENTRY_TAKEN;
		}
		if (search == ENTRY_CALLS && abbrev->kind == ABBREV_FUNCTION &&
		    place.depth <= deepest)
			deepest = place.depth;
		place.pos = values_end(n, abbrev, place.pos);
		if (place.pos == SIZE_MAX)
			return fault(n, start, "a damaged entry");
		place.depth += abbrev->has_children;
	}
	n->depth = place.depth;
	n->pos = place.pos;
	return ENTRY_NONE;
}

enum entry_step unit_reader_next(struct unit_reader *reader,
                                 enum entry_search search, bool into,
                                 struct entry *ret)
{
	struct native_reader *n = (struct native_reader *)reader;
	size_t start = n->pos;
	unsigned deepest = into ? ENTRY_DEPTH_MAX : n->last_depth;
	enum entry_step taken = search_next(n, search, deepest, ret);

	if (!dwarf_work_take(reader->source.work, n->pos - start))
		return ENTRY_NONE;
	return taken;
}

void unit_reader_close(struct unit_reader *reader)
{
	struct native_reader *n = (struct native_reader *)reader;

	if (!n)
		return;
	abbrev_table_put(n->table);
	free(n);
}

struct error *unit_open(const struct unit_source *source,
                        const struct unit *unit, struct unit_reader **ret)
{
	struct abbrev_table *table;
	struct error *err = abbrev_table_get(source->tables,
	                                     source->sections->abbrev, unit,
	                                     source->work, &table);

	if (err)
		return err;
	struct native_reader *n = mem_zalloc(1, sizeof(*n));
	n->reader.source = *source;
	n->reader.unit = *unit;
	n->table = table;
	n->contents =
	        bytes_part(source->sections->info, unit->offset, unit->size);
	n->first = unit->header_size;
	if (unit_reader_seek(&n->reader, unit->offset + n->first,
	                     &n->reader.root) != ENTRY_TAKEN) {
		err = error_new(
		        ERROR_FORMAT, "unit at 0x%" PRIx64 ": %s", unit->offset,
		        *n->reader.fault ? n->reader.fault : "no entries");
		unit_reader_close(&n->reader);
		return err;
	}
	unit_reader_set_bases(&n->reader);
	*ret = &n->reader;
	return NULL;
}

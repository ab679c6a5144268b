#include "lib/object/dwarf/native.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/abbrev_table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/** What reading the values of an entry costs beside its bytes. */
#define ENTRY_WORK 16

struct native_reader {
	struct unit_reader reader;
	struct abbrev_table *table;
	struct bytes contents; ///< of the unit, its header included
	size_t first;          ///< where the unit's own entry begins
	size_t pos;            ///< of the next entry
	unsigned depth;        ///< of the next entry; 0: the search is over
	unsigned last_depth;   ///< of the entry that was given last
};

static enum entry_step fault(struct native_reader *n, size_t pos,
                             const char *what)
{
	snprintf(n->reader.fault, sizeof(n->reader.fault), "%s at 0x%" PRIx64,
	         what, n->reader.unit.offset + pos);
	n->depth = 0;
	return ENTRY_BAD;
}

/** NULL in a table whose entries have no steps at all. */
static const struct abbrev_step *first_step(const struct native_reader *n,
                                            const struct abbrev *abbrev)
{
	return abbrev->step_count ? &n->table->steps[abbrev->first_step] : NULL;
}

/** Values of one entry, and the position behind them. */
static bool read_values(const struct native_reader *n,
                        const struct abbrev *abbrev, struct cursor *c,
                        struct entry *ret)
{
	const struct form_sizes *sizes = &n->table->sizes;
	const struct abbrev_step *step = first_step(n, abbrev);

	cursor_skip(c, abbrev->bytes);
	for (unsigned i = 0; i < abbrev->step_count; i++, step++) {
		uint64_t form = step->form;
		struct entry_value *value;

		cursor_skip(c, step->bytes);
		if (!form)
			continue;
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

/** Move over an entry; false where it exceeds the unit. */
static bool skip_values(const struct native_reader *n,
                        const struct abbrev *abbrev, struct cursor *c)
{
	const struct abbrev_step *step = first_step(n, abbrev);
	unsigned bytes = abbrev->fixed ? abbrev->fixed : abbrev->bytes;

	if (bytes > cursor_left(c))
		return false;
	c->pos += bytes;
	if (abbrev->fixed)
		return true;
	for (unsigned i = 0; i < abbrev->step_count; i++, step++) {
		uint64_t more = step->bytes;

		if (step->size >= 0)
			more += (uint64_t)step->size;
		if (more > cursor_left(c))
			return false;
		c->pos += (size_t)more;
		if (step->form == FORM_EXPRLOC)
			cursor_skip(c, cursor_uleb(c));
		else if (step->form == FORM_UDATA)
			cursor_uleb(c);
		else if (step->size < 0)
			form_skip(step->form, &n->table->sizes, c);
	}
	return cursor_ok(c);
}

/** Read the entry at the cursor, after its code. */
static bool give(struct native_reader *n, const struct abbrev *abbrev,
                 struct cursor *c, size_t start, struct entry *ret)
{
	ret->offset = n->reader.unit.offset + start;
	ret->tag = abbrev->tag;
	ret->has_children = abbrev->has_children;
	ret->depth = n->depth;
	ret->has = 0;
	return dwarf_work_take(n->reader.source.work, ENTRY_WORK) &&
	       read_values(n, abbrev, c, ret);
}

static enum entry_step native_seek(struct unit_reader *reader, uint64_t offset,
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
	if (!give(n, abbrev, &c, start, ret))
		return fault(n, start, "a damaged entry");
	n->pos = c.pos;
	n->depth = abbrev->has_children;
	n->last_depth = 0;
	return ENTRY_TAKEN;
}

/** Is an entry that is in sight what is searched for? */
static bool is_searched(const struct abbrev *abbrev, enum entry_search search)
{
	return search == ENTRY_CALLS
	               ? abbrev->kind == ABBREV_CALL
	               : abbrev->kind == ABBREV_FUNCTION && abbrev->has_code;
}

/** The search itself; the work is charged by the caller. */
static enum entry_step search_next(struct native_reader *n,
                                   enum entry_search search, unsigned deepest,
                                   struct entry *ret)
{
	struct cursor c = cursor_at(n->contents, n->pos, CURSOR_LITTLE);
	enum entry_step taken = ENTRY_NONE;
	unsigned least = UINT_MAX;

	while (n->depth && cursor_left(&c) && taken == ENTRY_NONE) {
		size_t start = c.pos;
		uint64_t code = cursor_uleb(&c);
		const struct abbrev *abbrev;

		if (!code && cursor_ok(&c)) {
			n->depth--;
			continue;
		}
		abbrev = abbrev_find(n->table, code);
		if (!abbrev || !cursor_ok(&c))
			return fault(n, start, "no abbreviation for the entry");
		if (n->depth < least)
			least = n->depth;
		// Back from below what is hidden: all is in sight again.
		if (n->depth <= deepest)
			deepest = ENTRY_DEPTH_MAX;
		if (n->depth <= deepest && is_searched(abbrev, search)) {
			if (!give(n, abbrev, &c, start, ret))
				return fault(n, start, "a damaged entry");
			n->last_depth = n->depth;
			ret->least_depth = least;
			taken = ENTRY_TAKEN;
		} else if (!skip_values(n, abbrev, &c)) {
			return fault(n, start, "a damaged entry");
		} else if (search == ENTRY_CALLS &&
		           abbrev->kind == ABBREV_FUNCTION &&
		           n->depth <= deepest) {
			deepest = n->depth;
		}
		n->depth += abbrev->has_children;
	}
	n->pos = c.pos;
	return taken;
}

static enum entry_step native_next(struct unit_reader *reader,
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

static void native_close(struct unit_reader *reader)
{
	struct native_reader *n = (struct native_reader *)reader;

	abbrev_table_put(n->table);
	free(n);
}

static struct error *native_open(const struct unit_source *source,
                                 const struct unit *unit,
                                 struct unit_reader **ret)
{
	struct abbrev_table *table;
	struct error *err = abbrev_table_get(source->tables,
	                                     source->sections->abbrev, unit,
	                                     source->work, &table);

	if (err)
		return err;
	struct native_reader *n = mem_zalloc(1, sizeof(*n));
	n->reader.kind = &native_reader;
	n->reader.source = *source;
	n->reader.unit = *unit;
	n->table = table;
	n->contents =
	        bytes_part(source->sections->info, unit->offset, unit->size);
	n->first = unit->header_size;
	if (native_seek(&n->reader, unit->offset + n->first, &n->reader.root) !=
	    ENTRY_TAKEN) {
		err = error_new(
		        ERROR_FORMAT, "unit at 0x%" PRIx64 ": %s", unit->offset,
		        *n->reader.fault ? n->reader.fault : "no entries");
		native_close(&n->reader);
		return err;
	}
	unit_reader_set_bases(&n->reader);
	*ret = &n->reader;
	return NULL;
}

const struct unit_reader_kind native_reader = {
	.open = native_open,
	.close = native_close,
	.seek = native_seek,
	.next = native_next,
};

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/abbrev_table.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/entry.h"

#include <inttypes.h>
#include <stdlib.h>

static uint8_t kind_of(uint64_t tag)
{
	return tag == TAG_SUBPROGRAM           ? ABBREV_FUNCTION
	       : tag == TAG_INLINED_SUBROUTINE ? ABBREV_CALL
	                                       : ABBREV_OTHER;
}

/** Cost of an abbreviation besides its bytes: memory, and usually a hash. */
#define ABBREV_WORK 32

/** An abbreviation while its attributes are read. */
struct draft {
	struct abbrev abbrev;
	bool keeps;        ///< values of attributes are wanted
	uint32_t bytes;    ///< since the last step
	uint32_t fixed;    ///< since the last skip
	uint32_t known;    ///< values that have a step already
	bool unknown_form; ///< its size is unknown
	uint64_t form;
	bool has_low; ///< abbrev.low_at is set
};

static void add_step(struct abbrev_table *table, struct draft *draft,
                     struct abbrev_step step)
{
	step.bytes = draft->bytes;
	draft->bytes = 0;
	MEM_GROW(table->steps, table->step_count, table->step_cap);
	table->steps[table->step_count++] = step;
}

/** Add the values so far, and a variable one after them. */
static void add_skip(struct abbrev_table *table, struct draft *draft,
                     uint64_t form)
{
	MEM_GROW(table->skips, table->skip_count, table->skip_cap);
	table->skips[table->skip_count++] = (struct abbrev_skip){
		.bytes = draft->fixed,
		.form = (uint16_t)form,
	};
	draft->fixed = 0;
	draft->abbrev.skip_count++;
}

static bool is_constant(uint64_t form)
{
	return form == FORM_DATA1 || form == FORM_DATA2 || form == FORM_DATA4 ||
	       form == FORM_DATA8;
}

/** Note the positions of a function's bounds, if they are fixed. */
static void note_bounds(struct draft *draft, unsigned value, uint64_t form,
                        int size)
{
	struct abbrev *abbrev = &draft->abbrev;

	if (abbrev->skip_count || draft->fixed > UINT8_MAX)
		return;
	if (value == ENTRY_LOW && form == FORM_ADDR) {
		abbrev->low_at = (uint8_t)draft->fixed;
		draft->has_low = true;
	} else if (value == ENTRY_HIGH &&
	           (form == FORM_ADDR || is_constant(form))) {
		abbrev->high_at = (uint8_t)draft->fixed;
		abbrev->high_form = (uint8_t)form;
		abbrev->high_size = (uint8_t)size;
	}
}

/** One attribute; of equal ones in an entry the first counts. */
static void add_attribute(struct abbrev_table *table, struct draft *draft,
                          uint64_t attribute, uint64_t form, int64_t implied)
{
	unsigned value = draft->keeps ? entry_value_of(attribute)
	                              : ENTRY_VALUES;
	int size = form_size(form, &table->sizes);

	if (value < ENTRY_VALUES && draft->known & 1u << value)
		value = ENTRY_VALUES;
	if (value == ENTRY_LOW || value == ENTRY_RANGES)
		draft->abbrev.has_code = true;
	note_bounds(draft, value, form, size);
	if (size == FORM_UNKNOWN && !draft->unknown_form) {
		draft->unknown_form = true;
		draft->form = form;
	}
	if (size < 0)
		add_skip(table, draft, form);
	else
		draft->fixed += (uint32_t)size;
	if (!draft->keeps)
		return;
	if (value == ENTRY_VALUES && size >= 0) {
		draft->bytes += (uint32_t)size;
		return;
	}
	if (value < ENTRY_VALUES)
		draft->known |= 1u << value;
	add_step(table, draft,
	         (struct abbrev_step){ .form = (uint16_t)form,
	                               .value = (uint8_t)value,
	                               .implied = implied });
}

static bool read_attributes(struct abbrev_table *table, struct draft *draft,
                            struct cursor *c)
{
	for (unsigned i = 0; i <= ABBREV_ATTRIBUTES_MAX; i++) {
		uint64_t attribute = cursor_uleb(c);
		uint64_t form = cursor_uleb(c);
		int64_t implied = 0;

		if (form == FORM_IMPLICIT_CONST)
			implied = cursor_sleb(c);
		if (!cursor_ok(c))
			return false;
		if (!attribute && !form)
			return true;
		add_attribute(table, draft, attribute, form, implied);
	}
	return false;
}

static uint64_t hash_code(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_code(const void *context, uint32_t index, const void *key)
{
	const struct abbrev_table *table = context;

	return table->codes[index] == *(const uint64_t *)key;
}

static const struct map_keys code_keys = { hash_code, is_code };

/** From here on codes are out of order: enter the previous ones. */
static void begin_codes(struct abbrev_table *table)
{
	MEM_ROOM(table->codes, table->count + 1, table->code_cap);
	for (size_t i = 0; i < table->count; i++) {
		table->codes[i] = i + 1;
		map_add(&table->map, &code_keys, table, &table->codes[i], i);
	}
}

/** Keep an abbreviation; of equal codes the first counts. */
static void add_abbrev(struct abbrev_table *table, uint64_t code,
                       const struct abbrev *abbrev)
{
	if (!table->codes && code != table->count + 1)
		begin_codes(table);
	if (table->codes) {
		MEM_ROOM(table->codes, table->count + 1, table->code_cap);
		table->codes[table->count] = code;
		if (map_add(&table->map, &code_keys, table, &code,
		            table->count) < table->count)
			return;
	} else {
		table->ordered++;
	}
	MEM_GROW(table->items, table->count, table->cap);
	table->items[table->count++] = *abbrev;
}

RARE const struct abbrev *abbrev_find_code(const struct abbrev_table *table,
                                           uint64_t code)
{
	if (!table->codes)
		return NULL;
	uint32_t at = map_find(&table->map, &code_keys, table, &code);

	return at == MAP_NONE ? NULL : &table->items[at];
}

/** One abbreviation after its code. */
static bool read_abbrev(struct abbrev_table *table, struct cursor *c,
                        uint64_t code, struct draft *draft)
{
	uint64_t tag = cursor_uleb(c);
	struct abbrev *abbrev = &draft->abbrev;

	*draft =
	        (struct draft){ .abbrev = {
		                        .first_step =
		                                (uint32_t)table->step_count,
		                        .first_skip =
		                                (uint32_t)table->skip_count,
		                        .tag = tag <= UINT16_MAX ? (uint16_t)tag
		                                                 : 0,
		                        .kind = kind_of(tag),
		                        .has_children = cursor_u8(c) != 0,
		                } };
	draft->keeps = abbrev->kind != ABBREV_OTHER || tag_is_unit(tag);
	if (!read_attributes(table, draft, c))
		return false;
	if (!draft->has_low)
		abbrev->high_form = 0;
	abbrev->bounds_end = 8 + (abbrev->low_at > abbrev->high_at
	                                  ? abbrev->low_at
	                                  : abbrev->high_at);
	abbrev->fixed = (uint16_t)draft->fixed;
	abbrev->step_count = (uint16_t)(table->step_count - abbrev->first_step);
	add_abbrev(table, code, abbrev);
	return true;
}

static struct error *read_table(struct abbrev_table *table,
                                struct bytes section, const struct unit *unit,
                                struct dwarf_work *work)
{
	struct cursor c = cursor_at(section, table->offset, CURSOR_LITTLE);

	while (cursor_ok(&c) && cursor_left(&c)) {
		size_t start = c.pos;
		uint64_t code = cursor_uleb(&c);
		struct draft draft = { 0 };

		if (cursor_ok(&c) && !code)
			break;
		if (!cursor_ok(&c) || !read_abbrev(table, &c, code, &draft)) {
			c.failed = true;
			break;
		}
		if (draft.unknown_form) {
			table->is_refused = true;
			table->unknown_form = draft.form;
			return NULL;
		}
		if (!dwarf_work_take(work, ABBREV_WORK + c.pos - start))
			return error_new(ERROR_LIMIT,
			                 "unit at 0x%" PRIx64
			                 ": too complex for a file of this "
			                 "size",
			                 unit->offset);
	}
	table->size = c.pos - table->offset;
	if (!cursor_ok(&c))
		return error_new(ERROR_FORMAT,
		                 "unit at 0x%" PRIx64
		                 ": abbreviations at 0x%" PRIx64 " are damaged",
		                 unit->offset, unit->abbrev_offset);
	return NULL;
}

static void table_free(struct abbrev_table *table)
{
	map_release(&table->map);
	free(table->codes);
	free(table->items);
	free(table->steps);
	free(table->skips);
	free(table);
}

/** A free slot: that of the least recently used table without users. */
static struct abbrev_table **cache_slot(struct abbrev_cache *cache)
{
	struct abbrev_table **oldest = NULL;

	if (cache->count < ABBREV_TABLES_MAX)
		return &cache->tables[cache->count++];
	for (size_t i = 0; i < cache->count; i++) {
		struct abbrev_table **slot = &cache->tables[i];

		if (!(*slot)->users &&
		    (!oldest || (*slot)->used < (*oldest)->used))
			oldest = slot;
	}
	if (oldest)
		table_free(*oldest);
	return oldest;
}

static bool sizes_equal(const struct form_sizes *a, const struct form_sizes *b)
{
	return a->address == b->address && a->offset == b->offset &&
	       a->ref_addr == b->ref_addr;
}

struct error *abbrev_table_get(struct abbrev_cache *cache, struct bytes section,
                               const struct unit *unit, struct dwarf_work *work,
                               struct abbrev_table **ret)
{
	struct form_sizes sizes = unit_form_sizes(unit);
	struct abbrev_table *table = NULL;

	for (size_t i = 0; i < cache->count && !table; i++) {
		struct abbrev_table *known = cache->tables[i];

		if (known->offset == unit->abbrev_offset &&
		    sizes_equal(&known->sizes, &sizes))
			table = known;
	}
	if (!table) {
		struct error *err;
		struct abbrev_table **slot;

		table = mem_zalloc(1, sizeof(*table));
		table->offset = unit->abbrev_offset;
		table->sizes = sizes;
		err = read_table(table, section, unit, work);
		slot = err ? NULL : cache_slot(cache);
		if (!slot) {
			table_free(table);
			return err ? err
			           : error_new(ERROR_LIMIT,
			                       "too many units are open");
		}
		*slot = table;
	}
	table->used = ++cache->uses;
	if (table->is_refused)
		return error_new(ERROR_UNSUPPORTED,
		                 "unit at 0x%" PRIx64
		                 ": expected a DW_FORM of DWARF 2 to 5, found "
		                 "0x%" PRIx64,
		                 unit->offset, table->unknown_form);
	table->users++;
	*ret = table;
	return NULL;
}

void abbrev_table_put(struct abbrev_table *table)
{
	if (table)
		table->users--;
}

void abbrev_cache_release(struct abbrev_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++)
		table_free(cache->tables[i]);
	*cache = (struct abbrev_cache){ 0 };
}

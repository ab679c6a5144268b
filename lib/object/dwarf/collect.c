// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/debug_info.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/object/dwarf/abbrev_table.h"
#include "lib/object/dwarf/compare.h"
#include "lib/object/dwarf/die.h"
#include "lib/object/dwarf/gaps.h"
#include "lib/object/dwarf/native.h"
#include "lib/object/dwarf/rows.h"
#include "lib/object/dwarf/second_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Work allowed for each byte of the sections; honest files take about 5. */
#define WORK_PER_BYTE 64

/** Files of a few hundred bytes may spend as much as one of this size. */
#define WORK_MINIMUM 16384

/** Of a unit as large as this all pages are asked for at once. */
#define EXPECTED_BYTES_MIN ((uint64_t)256 << 10)

/** After so much of the units the memory of the file is given back. */
#define FORGET_BYTES ((uint64_t)8 << 20)

/** Of fewer units, one more is a large part. */
#define CHECKED_UNITS_MIN 64

/** Everything that one collection works with. */
struct collector {
	struct dwarf_sections sections;
	struct abbrev_cache tables;
	struct dwarf_work work;
	struct unit_source source; ///< of the above
	struct die_wanted wanted;
	struct unit_hits hits;
	struct name_table names;
	struct file_table files;
	struct function_list functions;
	struct arena *arena;
	struct debug_info *info;
	struct row_list rows;
	struct range_list line_ranges; ///< of one unit's functions
	struct bytes slice;
	uint64_t read_bytes;   ///< of units, since memory was given back
	uint64_t expected_end; ///< up to there, units were asked for at once
	size_t unit_max;       ///< of a collection of all, units that are read
};

/** With a NUL at its end, every offset inside begins a whole string. */
static struct bytes whole_strings(struct bytes section)
{
	while (section.size && section.data[section.size - 1])
		section.size--;
	return section;
}

static uint64_t work_allowed(const struct dwarf_sections *sections)
{
	uint64_t size = sections->info.size + sections->abbrev.size +
	                sections->line.size + sections->ranges.size +
	                sections->rnglists.size + sections->aranges.size;

	return (size + WORK_MINIMUM) * WORK_PER_BYTE;
}

/** Count a unit that could not be read (wholly); takes @p err. */
static void note_bad_unit(void *context, struct error *err)
{
	struct collector *c = context;

	if (!c->info->bad_unit_count++)
		c->info->bad_unit_reason =
		        arena_strdup(c->arena, error_message(err));
	error_free(err);
}

/** Run the unit's line program for the functions from @p first on. */
static void read_lines(struct collector *c, struct line_table *table,
                       struct unit_files *files, size_t first,
                       const struct unit *unit)
{
	struct debug_function *functions = c->functions.functions;
	struct range_list *wanted = &c->line_ranges;

	if (first == c->functions.count)
		return;
	wanted->count = 0;
	for (size_t i = first; i < c->functions.count; i++)
		range_list_add(wanted, functions[i].range.low,
		               functions[i].range.high);
	range_list_normalize(wanted, 0);
	if (!line_table_run(table, wanted, &c->work))
		note_bad_unit(c, error_new(ERROR_FORMAT,
		                           "unit at 0x%" PRIx64
		                           ": the line program at 0x%" PRIx64
		                           " is damaged",
		                           unit->offset, table->unit.offset));
	for (size_t i = first; i < c->functions.count; i++)
		row_list_attach(&c->rows, table, files, &functions[i]);
}

/** Where the line program of a unit is; false if it has none. */
static bool find_lines(const struct unit_reader *unit, struct line_unit *ret)
{
	const char *directory =
	        entry_string(unit, &unit->root, ENTRY_DIRECTORY);

	ret->directory = directory ? directory : "";
	ret->address_size = unit->unit.address_size;
	return entry_number(unit, &unit->root, ENTRY_LINES, &ret->offset);
}

/** Between its functions, a unit that covers an address has none to give. */
static void settle_unit(struct collector *c, const struct unit_reader *unit)
{
	struct range_list ranges = { 0 };

	if (c->wanted.count)
		entry_ranges(unit, &unit->root, &ranges);
	for (size_t i = 0; i < ranges.count; i++)
		// What a linker dropped is moved to 0.
		if (ranges.ranges[i].low || c->wanted.zero_is_code)
			die_wanted_settle(&c->wanted, ranges.ranges[i],
			                  &c->work);
	range_list_release(&ranges);
}

/** The functions and lines of a unit that is open. */
static struct error *read_open_unit(struct collector *c,
                                    struct unit_reader *unit)
{
	const struct die_reader reader = {
		.wanted = &c->wanted,
		.names = &c->names,
		.work = &c->work,
		.arena = c->arena,
	};
	struct line_table table = { 0 };
	struct die_index index;
	struct unit_files files;
	struct line_unit line_unit;
	struct error *err = NULL;
	size_t first = c->functions.count;
	size_t bad_before = c->names.bad_count;

	if (find_lines(unit, &line_unit) &&
	    !line_table_open(&table, &c->sections, &line_unit, &c->work))
		err = error_new(ERROR_FORMAT,
		                "unit at 0x%" PRIx64
		                ": the line program at 0x%" PRIx64
		                " cannot be read",
		                unit->unit.offset, line_unit.offset);
	unit_files_init(&files, &c->files, &table, &c->work);
	struct error *fault = die_index(unit, &index);
	if (err)
		error_free(fault);
	else
		err = fault;
	die_read(&reader, unit, &index, &files, &c->functions);
	// Of a damaged unit, functions may be missing: others are asked, too.
	if (!err)
		settle_unit(c, unit);
	read_lines(c, &table, &files, first, &unit->unit);
	if (!err && c->names.bad_count > bad_before)
		err = error_new(ERROR_FORMAT,
		                "unit at 0x%" PRIx64 ": names are damaged%s%s",
		                unit->unit.offset,
		                c->names.bad_reason ? ": " : "",
		                c->names.bad_reason ? c->names.bad_reason : "");
	die_index_release(&index);
	unit_files_release(&files);
	line_table_release(&table);
	return err;
}

/** What a few units take is left to the end; all of them are too much. */
static void forget_some(struct collector *c, const struct unit *unit)
{
	c->read_bytes += unit->size;
	if (c->wanted.count || c->read_bytes < FORGET_BYTES)
		return;
	file_forget(c->slice);
	c->read_bytes = 0;
}

/**
 * Ask for the memory of a large unit. Units that .debug_aranges leads to may
 * overlap, though no compiler writes such: no byte is asked for again.
 */
static void expect_unit(struct collector *c, const struct unit *unit)
{
	uint64_t end = unit->offset + unit->size;
	uint64_t start = unit->offset > c->expected_end ? unit->offset
	                                                : c->expected_end;

	if (start >= end || end - start < EXPECTED_BYTES_MIN)
		return;
	file_expect(bytes_part(c->sections.info, start, end - start));
	c->expected_end = end;
}

static void read_unit(struct collector *c, const struct unit *unit)
{
	struct unit_reader *reader = NULL;
	struct error *err = NULL;

	if (unit->empty)
		return;
	expect_unit(c, unit);
	err = unit_open(&c->source, unit, &reader);
	if (!err)
		err = read_open_unit(c, reader);
	unit_reader_close(reader);
	if (err)
		note_bad_unit(c, err);
	forget_some(c, unit);
}

/** Whether @p offset is one of @p count, ascending. */
static bool has_offset(const uint64_t *offsets, size_t count, uint64_t offset)
{
	size_t at = SORTED_SKIP(i, count, offsets[i] < offset);

	return at < count && offsets[at] == offset;
}

/**
 * Whether a unit's own ranges hold a wanted address that is not settled. Only a
 * unit without a set in .debug_aranges is missed where it cannot be read.
 */
static bool unit_covers(struct collector *c, const struct unit *unit)
{
	struct range_list ranges = { 0 };
	struct unit_reader *reader = NULL;
	struct error *err = NULL;
	bool covers = false;

	if (unit->empty)
		return false;
	err = unit_open(&c->source, unit, &reader);
	if (err) {
		size_t count;
		const uint64_t *starts = unit_hits_starts(&c->hits, &count);

		if (has_offset(starts, count, unit->offset))
			error_free(err);
		else
			note_bad_unit(c, err);
		return false;
	}
	entry_ranges(reader, &reader->root, &ranges);
	for (size_t i = 0; i < ranges.count && !covers; i++)
		covers = die_wanted_missing(&c->wanted, ranges.ranges[i],
		                            &c->work);
	range_list_release(&ranges);
	unit_reader_close(reader);
	return covers;
}

/** Is all of the file wanted, or an address that is not settled? */
static bool wants_more(struct collector *c)
{
	const struct debug_range all = { 0, UINT64_MAX };

	return !c->wanted.count ||
	       die_wanted_missing(&c->wanted, all, &c->work);
}

/** Read every unit, or those that cover what is still missing. */
static void read_by_ranges(struct collector *c)
{
	const struct unit_list *units = name_units(&c->names);
	size_t met = 0;

	for (size_t i = 0; i < units->count; i++) {
		const struct unit *unit = &units->units[i];

		if (unit->empty)
			continue;
		if (met++ == c->unit_max)
			break;
		if (!c->wanted.count ||
		    (!has_offset(c->hits.offsets, c->hits.count,
		                 unit->offset) &&
		     unit_covers(c, unit)))
			read_unit(c, unit);
	}
	// Behind a header that says no length there may be more units, which
	// .debug_aranges knows: without them, not all of the file is read.
	if (wants_more(c))
		c->info->bad_unit_count += c->names.bad_unit_count;
}

/** Read the units that .debug_aranges gives. */
static void read_hits(struct collector *c)
{
	const struct unit_hits *hits = &c->hits;

	for (size_t i = 0; i < hits->count; i++) {
		struct unit unit;

		if (unit_read(c->sections.info, hits->offsets[i], &unit))
			read_unit(c, &unit);
		else
			note_bad_unit(c, error_new(ERROR_FORMAT,
			                           "unit at 0x%" PRIx64
			                           ": the header is damaged",
			                           hits->offsets[i]));
	}
}

/** Units whose functions are elsewhere: in files that look sound so far. */
static void note_gaps(struct collector *c)
{
	struct gap_search search = {
		.source = &c->source,
		.wanted = &c->wanted,
		.functions = &c->functions,
		.aranges = cursor_at(c->sections.aranges, 0, CURSOR_LITTLE),
	};
	uint64_t *units = NULL;
	size_t count = 0;
	size_t cap = 0;
	uint64_t unit;

	if (c->info->bad_unit_count || !c->sections.addr.size ||
	    !gap_search_is_needed(&search))
		return;
	while (gap_search_next(&search, &unit)) {
		ARENA_GROW(c->arena, units, count, cap);
		units[count++] = unit;
	}
	count = sorted_once(units, count);
	for (size_t i = 0; i < count; i++)
		note_bad_unit(c, error_new(ERROR_FORMAT,
		                           "unit at 0x%" PRIx64
		                           ": its functions are not where "
		                           ".debug_aranges has them",
		                           units[i]));
}

/** Read by our own reader. */
static void collect_native(struct collector *c)
{
	if (c->wanted.count)
		unit_hits_read(c->sections.aranges, c->wanted.addresses,
		               c->wanted.count, c->arena, &c->hits);
	read_hits(c);
	// A unit may be missing in .debug_aranges, or another one be named.
	if (wants_more(c))
		read_by_ranges(c);
}

bool debug_info_present(const struct debug_object *object)
{
	return object->sections.info.size != 0;
}

/** Read by libdwarf. */
static void collect_second(struct collector *c)
{
	const struct second_reading reading = {
		.sections = &c->sections,
		.wanted = &c->wanted,
		.work = &c->work,
		.arena = c->arena,
		.files = &c->files,
		.functions = &c->functions,
		.bad_unit = note_bad_unit,
		.context = c,
		.unit_max = c->unit_max,
	};

	second_read(&reading);
}

static void collector_init(struct collector *c,
                           const struct debug_object *object)
{
	c->sections = object->sections;
	c->sections.str = whole_strings(c->sections.str);
	c->sections.line_str = whole_strings(c->sections.line_str);
	c->slice = object->slice;
	c->work.left = work_allowed(&c->sections);
	c->source = (struct unit_source){
		.sections = &c->sections,
		.work = &c->work,
		.addresses = c->wanted.addresses,
		.address_count = c->wanted.count,
		.tables = &c->tables,
	};
	c->names = (struct name_table){ .source = c->source,
		                        .hits = &c->hits,
		                        .arena = c->arena,
		                        .copies = !c->wanted.count };
	file_table_init(&c->files, c->arena);
}

static void collector_release(struct collector *c)
{
	name_table_release(&c->names);
	file_table_release(&c->files);
	function_list_release(&c->functions);
	abbrev_cache_release(&c->tables);
	range_list_release(&c->line_ranges);
	row_list_release(&c->rows);
}

/** What was collected, in the order of addresses. */
static void finish(struct collector *c)
{
	struct debug_info *info = c->info;

	info->files = c->files.files;
	info->file_count = c->files.count;
	info->function_count = c->functions.count;
	info->functions = arena_array(c->arena, c->functions.count,
	                              sizeof(*info->functions));
	if (c->functions.count)
		memcpy(info->functions, c->functions.functions,
		       c->functions.count * sizeof(*info->functions));
}

/** Collect of the first @p unit_max units; see debug_info_collect(). */
static struct error *collect(const struct debug_object *object,
                             enum debug_reader reader, size_t unit_max,
                             const uint64_t *addresses, size_t count,
                             struct arena *arena, struct debug_info *ret)
{
	if (object->order != CURSOR_LITTLE)
		return error_new(ERROR_UNSUPPORTED,
		                 "big-endian debug information");
	if (!debug_info_present(object))
		return error_new(ERROR_NOT_FOUND, "no debug information");

	struct debug_info info = { .has_image_address = object->has_text,
		                   .image_address = object->text_address };
	struct collector c = {
		.wanted = {
			.addresses = addresses,
			.count = count,
			.settled = arena_array(arena, count, sizeof(bool)),
			.zero_is_code = !object->has_text ||
			                (!object->text_address &&
			                 object->text_size),
		},
		.rows = { .work = &c.work, .arena = arena },
		.arena = arena,
		.info = &info,
		.unit_max = unit_max,
	};
	collector_init(&c, object);
	if (reader == DEBUG_READER_LIBDWARF)
		collect_second(&c);
	else
		collect_native(&c);
	function_list_settle(&c.functions, &c.work, arena);
	if (reader != DEBUG_READER_LIBDWARF && unit_max == SIZE_MAX)
		note_gaps(&c);
	finish(&c);
	collector_release(&c);
	*ret = info;
	return NULL;
}

struct error *debug_info_collect(const struct debug_object *object,
                                 enum debug_reader reader,
                                 const uint64_t *addresses, size_t count,
                                 struct arena *arena, struct debug_info *ret)
{
	return collect(object, reader, SIZE_MAX, addresses, count, arena, ret);
}

static bool has_many_units(const struct debug_object *object)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct unit_list units = { 0 };
	size_t bad_count;

	unit_list_read(object->sections.info, &arena, &units, &bad_count);
	return units.count >= CHECKED_UNITS_MIN;
}

struct error *debug_info_cross_check(const struct debug_object *object,
                                     enum debug_check check,
                                     struct debug_differences *ret)
{
	size_t unit_max = check == DEBUG_CHECK_ALL ? SIZE_MAX : 1;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct debug_info native = { 0 };
	struct debug_info other = { 0 };
	struct error *err;

	*ret = (struct debug_differences){ 0 };
	if (check == DEBUG_CHECK_NONE ||
	    (check == DEBUG_CHECK_FIRST && !has_many_units(object)))
		return NULL;
	err = collect(object, DEBUG_READER_NATIVE, unit_max, NULL, 0, &arena,
	              &native);
	if (!err)
		err = collect(object, DEBUG_READER_LIBDWARF, unit_max, NULL, 0,
		              &arena, &other);
	if (!err)
		debug_info_compare(&native, &other, ret);
	return err;
}

const char *debug_info_library(void)
{
	return second_reader_library();
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/second_reader.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/second_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * Cost of opening a unit besides its abbreviations, which libdwarf reads again
 * for each; in bytes read. Measured: 15 µs, and 0.3 µs each.
 */
#define OPEN_WORK   2048
#define ABBREV_WORK 128

/**
 * Cost of an entry's attributes: libdwarf walks those of its abbreviation for
 * each step, and for each value of a function.
 */
#define ATTRIBUTE_WORK 4
#define VALUE_WORK     3
#define VALUES         12
/** Cost of a hash collision between abbreviation codes. */
#define CODE_WORK 4

/** Entries that are stepped over again cost less by this factor. */
#define AGAIN 4

/** Position of the walk: its function and call. */
struct place {
	size_t function; ///< SECOND_NONE: no function with code
	size_t call;     ///< or SECOND_NONE
	unsigned calls;  ///< that it is in
	unsigned depth;
};

static uint64_t offset_of(Dwarf_Die die)
{
	Dwarf_Off offset = 0;

	dwarf_dieoffset(die, &offset, NULL);
	return offset;
}

// Entries

static size_t add_function(struct second *s, Dwarf_Die die)
{
	size_t first = s->ranges.count;
	size_t count = second_add_ranges(s, die);

	if (!count)
		return SECOND_NONE;
	MEM_GROW(s->functions, s->function_count, s->function_cap);
	s->functions[s->function_count] = (struct second_function){
		.first_range = first,
		.range_count = count,
		.made = {
			.name = second_name(s, die),
			.named_in_c = s->is_c && second_text(s, die, DW_AT_name),
		},
	};
	return s->function_count++;
}

static size_t add_call(struct second *s, Dwarf_Die die, const struct place *at)
{
	size_t first = s->ranges.count;
	size_t count = second_add_ranges(s, die);

	if (!count)
		return SECOND_NONE;
	MEM_GROW(s->calls, s->call_count, s->call_cap);
	s->calls[s->call_count] = (struct second_call){
		.function = at->function,
		.parent = at->call,
		.first_range = first,
		.range_count = count,
		.value = {
			.name = second_name(s, die),
			.call_file = second_file(
			        s, second_small(s, die, DW_AT_call_file)),
			.call_line = second_small(s, die, DW_AT_call_line),
		},
	};
	return s->call_count++;
}

static bool walk(struct second *s, Dwarf_Die die, struct place at);

static bool pay_entry(struct second *s, Dwarf_Die die, Dwarf_Half tag)
{
	const struct abbrev_section *abbrevs = &s->abbrevs;
	uint64_t count = abbrev_attributes(
	        abbrevs, (uint64_t)dwarf_die_abbrev_code(die));
	uint64_t cost = SECOND_ENTRY_WORK + ATTRIBUTE_WORK * count;

	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
		cost += VALUES * VALUE_WORK * count;
	// libdwarf hashes codes by their remainder, which may be equal for all
	// unless codes are in order.
	if (!abbrevs->is_ordered)
		cost += CODE_WORK * abbrevs->count;
	s->spent += cost;
	return second_pay(s, cost);
}

/**
 * Charge for finding the sibling of an entry: libdwarf steps over all entries
 * between.
 *
 * @param before  Work spent before the entry.
 * @param bytes   Size of the entries between.
 */
static bool pay_sibling(struct second *s, const struct place *at,
                        uint64_t before, uint64_t bytes)
{
	// Each unread byte may be an entry.
	if (at->depth + 1 >= ENTRY_DEPTH_MAX)
		s->spent += bytes * (SECOND_ENTRY_WORK +
		                     ATTRIBUTE_WORK * s->abbrevs.longest);
	return second_pay(s, (s->spent - before) / AGAIN);
}

/** Read an entry and its children. */
static bool read_entry(struct second *s, Dwarf_Die die, struct place at)
{
	Dwarf_Half tag = 0;
	size_t added;

	dwarf_tag(die, &tag, NULL);
	if (!pay_entry(s, die, tag))
		return false;
	if (tag == DW_TAG_subprogram) {
		at.function = add_function(s, die);
		at.call = SECOND_NONE;
		at.calls = 0;
	} else if (tag == DW_TAG_inlined_subroutine &&
	           at.function != SECOND_NONE &&
	           at.calls < DEBUG_INLINE_DEPTH_MAX) {
		added = add_call(s, die, &at);
		if (added != SECOND_NONE) {
			at.call = added;
			at.calls++;
		}
	}
	return ++at.depth >= ENTRY_DEPTH_MAX || walk(s, die, at);
}

/** Read the children of an entry: recursion ends at ENTRY_DEPTH_MAX. */
static bool walk(struct second *s, Dwarf_Die die, struct place at)
{
	Dwarf_Die child = NULL;
	Dwarf_Error error = NULL;
	int result = dwarf_child(die, &child, &error);
	bool good = result != DW_DLV_ERROR || second_ok(s, result, error);

	while (good && result == DW_DLV_OK) {
		uint64_t offset = offset_of(child);
		uint64_t before = s->spent;
		Dwarf_Die next = NULL;

		good = read_entry(s, child, at);
		if (good) {
			error = NULL;
			result = dwarf_siblingof_b(s->debug, child, true, &next,
			                           &error);
			good = result != DW_DLV_ERROR ||
			       second_ok(s, result, error);
		}
		dwarf_dealloc_die(child);
		child = next;
		if (child)
			good &= pay_sibling(s, &at, before,
			                    offset_of(child) - offset);
	}
	if (child)
		dwarf_dealloc_die(child);
	return good;
}

// Units

/** Copy ranges into the arena. */
static struct debug_range *kept_ranges(const struct second *s, size_t first,
                                       size_t count)
{
	struct debug_range *kept =
	        arena_array(s->reading->arena, count, sizeof(*kept));

	memcpy(kept, &s->ranges.ranges[first], count * sizeof(*kept));
	return kept;
}

/** Make the trees of calls, each below its function or another call. */
static void build_trees(struct second *s)
{
	struct arena *arena = s->reading->arena;

	for (size_t i = 0; i < s->call_count; i++) {
		if (s->calls[i].parent == SECOND_NONE)
			s->functions[s->calls[i].function].made.inline_count++;
		else
			s->calls[s->calls[i].parent].child_count++;
	}
	for (size_t i = 0; i < s->function_count; i++) {
		struct debug_function *made = &s->functions[i].made;

		made->inlines = arena_array(arena, made->inline_count,
		                            sizeof(*made->inlines));
		made->inline_count = 0;
	}
	// Calls precede their inner calls.
	for (size_t i = 0; i < s->call_count; i++) {
		struct second_call *call = &s->calls[i];
		struct debug_function *made =
		        &s->functions[call->function].made;
		struct debug_inline *parent =
		        call->parent == SECOND_NONE
		                ? NULL
		                : s->calls[call->parent].made;

		call->made = parent ? &parent->children[parent->child_count++]
		                    : &made->inlines[made->inline_count++];
		*call->made = call->value;
		call->made->range_count = (uint32_t)call->range_count;
		call->made->ranges =
		        kept_ranges(s, call->first_range, call->range_count);
		call->made->children =
		        arena_array(arena, call->child_count,
		                    sizeof(*call->made->children));
	}
}

/** See struct function_order. */
static void find_order(struct second *s)
{
	size_t broken = SECOND_NONE;
	uint64_t end = 0;

	for (size_t i = 0; i < s->function_count; i++) {
		const struct second_function *function = &s->functions[i];
		const struct debug_range *ranges =
		        &s->ranges.ranges[function->first_range];

		if (ranges[0].low < end && broken == SECOND_NONE)
			broken = i;
		end = ranges[function->range_count - 1].high;
	}
	for (size_t i = 0; i < s->function_count; i++)
		s->functions[i].made.in_order = i + 1 < broken;
}

/** Deliver the wanted functions, one for each range. */
static void give_functions(struct second *s, const struct line_table *table)
{
	const struct second_reading *r = s->reading;

	for (size_t i = 0; i < s->function_count; i++) {
		const struct second_function *function = &s->functions[i];
		struct debug_function whole = function->made;

		for (size_t j = 0; j < function->range_count; j++) {
			struct debug_range range =
			        s->ranges.ranges[function->first_range + j];
			struct debug_function piece;

			if (!die_wanted_has(r->wanted, range))
				continue;
			whole.range = range;
			piece = debug_function_part(&whole, range, r->work,
			                            r->arena);
			row_list_attach(&s->rows, table, NULL, &piece);
			function_list_add(r->functions, &piece);
		}
	}
}

/** Read the open unit; false if it is damaged. */
static bool read_unit(struct second *s)
{
	struct line_table table = { 0 };
	uint64_t language;
	bool good;

	s->is_c = second_number(s, s->root, DW_AT_language, &language) &&
	          die_language_is_c(language);
	good = second_read_lines(s, &table);
	good &= walk(s, s->root,
	             (struct place){ SECOND_NONE, SECOND_NONE, 0, 0 });
	build_trees(s);
	find_order(s);
	give_functions(s, &table);
	line_table_release(&table);
	second_release_files(s);
	if (good && s->bad_name_count)
		snprintf(s->fault, sizeof(s->fault), "names are damaged");
	return good && !s->bad_name_count;
}

static void note_bad(struct second *s)
{
	if (!*s->fault)
		snprintf(s->fault, sizeof(s->fault),
		         "libdwarf does not see the unit");
	s->reading->bad_unit(s->reading->context,
	                     error_new(ERROR_FORMAT,
	                               "unit at 0x%" PRIx64 ": %s",
	                               s->unit.offset, s->fault));
}

/** Do the unit's own ranges exclude all wanted addresses? */
static bool is_elsewhere(struct second *s)
{
	bool has_wanted = !second_add_ranges(s, s->root);

	for (size_t i = 0; i < s->ranges.count && !has_wanted; i++)
		has_wanted =
		        die_wanted_has(s->reading->wanted, s->ranges.ranges[i]);
	s->ranges.count = 0;
	return !has_wanted;
}

/** Read the unit whose header was read last, unless it is not wanted. */
static void read_wanted(struct second *s)
{
	struct second_reading const *r = s->reading;
	Dwarf_Error error = NULL;

	s->function_count = s->call_count = s->ranges.count = 0;
	s->bad_name_count = 0;
	if (!second_ok(
	            s,
	            dwarf_siblingof_b(s->debug, NULL, true, &s->root, &error),
	            error)) {
		note_bad(s);
		return;
	}
	if (!second_address(s, s->root, DW_AT_low_pc, 0, &s->base))
		s->base = 0;
	if (!(r->wanted->count && is_elsewhere(s)) && !read_unit(s))
		note_bad(s);
	dwarf_dealloc_die(s->root);
}

/** Go to the next header; skips empty units, written by old dsymutil. */
static bool next_unit(struct second *s)
{
	Dwarf_Sig8 signature = { { 0 } };
	Dwarf_Error error = NULL;
	int result = dwarf_next_cu_header_d(s->debug, true, NULL, NULL, NULL,
	                                    NULL, NULL, NULL, &signature, NULL,
	                                    NULL, NULL, &error);

	return result == DW_DLV_OK || second_ok(s, result, error);
}

/**
 * Charge for the abbreviations of a unit, some of which libdwarf reads with the
 * header; false if libdwarf must not see them.
 */
static bool pay_unit(struct second *s)
{
	struct abbrev_section *abbrevs = &s->abbrevs;

	if (!abbrev_scan(abbrevs, s->unit.abbrev_offset, s->reading->work)) {
		snprintf(s->fault, sizeof(s->fault),
		         "abbreviations at 0x%" PRIx64 " are damaged",
		         s->unit.abbrev_offset);
		return false;
	}
	return second_pay(s, OPEN_WORK + ABBREV_WORK * abbrevs->count +
	                             ATTRIBUTE_WORK * abbrevs->longest);
}

/** Read the units in order: libdwarf cannot continue after a bad one. */
static void read_units(struct second *s, const struct unit_list *units)
{
	const struct second_reading *r = s->reading;
	bool is_over = false;
	size_t read = 0;

	for (size_t i = 0; i < units->count && read < r->unit_max; i++) {
		s->unit = units->units[i];
		if (!is_over) {
			*s->fault = '\0';
			is_over = (!s->unit.empty && !pay_unit(s)) ||
			          !next_unit(s);
		}
		if (is_over) {
			note_bad(s);
			continue;
		}
		if (s->unit.empty)
			continue;
		read_wanted(s);
		read++;
	}
}

// Sections

static void add_section(struct shim_object *object, const char *name,
                        struct bytes contents)
{
	if (!contents.size)
		return;
	object->sections[object->section_count++] =
	        (struct shim_section){ .name = name, .contents = contents };
}

/** Are all headers of .debug_rnglists as libdwarf expects them? */
static bool has_sound_lists(struct bytes section)
{
	struct cursor c = cursor_at(section, 0, CURSOR_LITTLE);

	while (cursor_left(&c)) {
		uint64_t length = cursor_u32(&c);
		unsigned size = length == UINT32_MAX ? 8 : 4;
		uint64_t count;
		size_t end;

		if (size == 8)
			length = cursor_u64(&c);
		if (!cursor_ok(&c) || length > cursor_left(&c) || length < 8)
			return false;
		end = c.pos + (size_t)length;
		if (cursor_u16(&c) != 5)
			return false;
		size_t address_size = cursor_u8(&c);
		if ((address_size != 4 && address_size != 8) || cursor_u8(&c))
			return false;
		count = cursor_u32(&c);
		if (!cursor_ok(&c) || count > (end - c.pos) / size)
			return false;
		c.pos = end;
	}
	return true;
}

static void fill_object(struct second *s, uint8_t pointer_size)
{
	const struct dwarf_sections *sections = s->reading->sections;
	struct shim_object *object = &s->object;

	object->pointer_size = pointer_size;
	object->sections[0] = (struct shim_section){ .name = "" };
	object->section_count = 1;
	add_section(object, ".debug_info", sections->info);
	add_section(object, ".debug_abbrev", abbrev_contents(&s->abbrevs));
	add_section(object, ".debug_line", sections->line);
	add_section(object, ".debug_str", sections->str);
	add_section(object, ".debug_line_str", sections->line_str);
	add_section(object, ".debug_str_offsets", sections->str_offsets);
	add_section(object, ".debug_addr", sections->addr);
	add_section(object, ".debug_ranges", sections->ranges);
	if (has_sound_lists(sections->rnglists))
		add_section(object, ".debug_rnglists", sections->rnglists);
}

/** All tables are looked at before libdwarf gets any: it keeps the section. */
static void hide_siblings(struct second *s, const struct unit_list *units)
{
	for (size_t i = 0; i < units->count; i++)
		if (!units->units[i].empty)
			(void)abbrev_scan(&s->abbrevs,
			                  units->units[i].abbrev_offset,
			                  s->reading->work);
}

void second_read(const struct second_reading *reading)
{
	struct second s = {
		.reading = reading,
		.abbrevs = { .original = reading->sections->abbrev },
		.rows = { .work = reading->work, .arena = reading->arena },
	};
	struct unit_list units = { 0 };
	size_t bad_count = 0;
	Dwarf_Error error = NULL;

	unit_list_read(reading->sections->info, reading->arena, &units,
	               &bad_count);
	hide_siblings(&s, &units);
	fill_object(&s, units.count ? units.units[0].address_size : 8);
	if (second_ok(&s, shim_open(&s.object, &s.debug, &error), error))
		read_units(&s, &units);
	else
		note_bad(&s);
	for (size_t i = 0; i < bad_count; i++)
		reading->bad_unit(reading->context,
		                  error_new(ERROR_FORMAT,
		                            "a header of a unit is damaged"));
	if (s.debug)
		shim_close(s.debug);
	abbrev_release(&s.abbrevs);
	row_list_release(&s.rows);
	range_list_release(&s.ranges);
	free(s.functions);
	free(s.calls);
}

const char *second_reader_library(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "libdwarf %s", dwarf_package_version());
	return name;
}

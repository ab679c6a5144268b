// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/window.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/abbrev.h"
#include "lib/object/dwarf/form.h"
#include "lib/object/dwarf/shim.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * What opening a unit costs beside its abbreviations, which libdwarf reads
 * again for every unit; in bytes read. Measured: 15 µs.
 */
#define OPEN_WORK 2048

/** An abbreviation, each time: libdwarf takes 0.3 µs to read and free it. */
#define ABBREV_WORK 128
/** To pass by an abbreviation whose code falls into the same place. */
#define CODE_WORK 4

/**
 * What a look at an entry costs, in bytes read; libdwarf takes about 1 µs. It
 * goes through the abbreviation's attributes to find one, or to step on.
 */
#define ENTRY_WORK     64
#define ATTRIBUTE_WORK 4
/** Entries that are only stepped over again cost less. */
#define AGAIN 4
/** To look for a value, of each attribute that it is not. */
#define VALUE_WORK 3

struct window {
	struct unit_reader reader;
	struct bytes contents; ///< of the unit, as libdwarf sees them
	struct shim_object object;
	Dwarf_Debug debug;
	/** Where the search began, and the way down from there. */
	Dwarf_Die stack[ENTRY_DEPTH_MAX + 1];
	/** What had been spent on entries when each was reached. */
	uint64_t spent_before[ENTRY_DEPTH_MAX + 1];
	uint64_t spent;
	unsigned depth;
};

/**
 * Of `DW_DLE_CODE: words DW_DLE_CODE: words`, as some releases of libdwarf put
 * it, the words; the code where there are none.
 */
static struct text words_of(struct text message)
{
	size_t code = text_find(message, ": ");
	struct text words = text_after(message, code + strlen(": "));

	if (!text_starts(message, "DW_DLE_") || code == TEXT_NOWHERE)
		return message;
	return text_trim(text_first(words, text_find(words, "DW_DLE_")));
}

/** Keep what libdwarf says and give its error back. */
static enum entry_step fault(struct window *window, Dwarf_Error error)
{
	struct text words = words_of(
	        text_from(error ? dwarf_errmsg(error) : "unknown error"));

	snprintf(window->reader.fault, sizeof(window->reader.fault),
	         "libdwarf: %.*s", TEXT_ARGS(words));
	if (error)
		dwarf_dealloc_error(window->debug, error);
	return ENTRY_BAD;
}

static enum entry_step step(struct window *window, int result,
                            Dwarf_Error error)
{
	if (result == DW_DLV_OK)
		return ENTRY_TAKEN;
	return result == DW_DLV_NO_ENTRY ? ENTRY_NONE : fault(window, error);
}

/** An attribute that is not there, or that cannot be read, is not there. */
static void forget(struct window *window, int result, Dwarf_Error error)
{
	if (result == DW_DLV_ERROR && error)
		dwarf_dealloc_error(window->debug, error);
}

static void add_section(struct shim_object *object, const char *name,
                        struct bytes contents)
{
	if (!contents.size)
		return;
	object->sections[object->section_count++] =
	        (struct shim_section){ .name = name, .contents = contents };
}

static void fill_object(struct window *window, struct bytes abbrev)
{
	const struct dwarf_sections *sections = window->reader.source.sections;
	struct shim_object *object = &window->object;

	object->pointer_size = window->reader.unit.address_size;
	object->sections[0] = (struct shim_section){ .name = "" };
	object->section_count = 1;
	add_section(object, ".debug_info", window->contents);
	add_section(object, ".debug_abbrev", abbrev);
	add_section(object, ".debug_addr", sections->addr);
}

static uint16_t tag_of(Dwarf_Die die)
{
	Dwarf_Half tag = 0;

	return dwarf_tag(die, &tag, NULL) == DW_DLV_OK ? tag : 0;
}

/** Where an entry begins in the window. */
static uint64_t offset_of(Dwarf_Die die)
{
	Dwarf_Off offset = 0;

	dwarf_dieoffset(die, &offset, NULL);
	return offset;
}

/** The value of an attribute; false where it cannot be read. */
static bool read_value(struct window *window, Dwarf_Die die,
                       Dwarf_Attribute attribute, struct entry_value *ret)
{
	const struct form_sizes sizes = unit_form_sizes(&window->reader.unit);
	Dwarf_Error error = NULL;
	Dwarf_Half form = 0;
	Dwarf_Off offset = 0;
	bool decoded = false;
	int result = dwarf_whatform(attribute, &form, &error);

	*ret = (struct entry_value){ .form = form };
	if (result == DW_DLV_OK && form == FORM_IMPLICIT_CONST) {
		Dwarf_Signed implied = 0;

		result = dwarf_formsdata(attribute, &implied, &error);
		ret->number = (uint64_t)implied;
		decoded = result == DW_DLV_OK;
	} else if (result == DW_DLV_OK) {
		result = dwarf_attr_offset(die, attribute, &offset, &error);
		struct cursor c =
		        cursor_at(window->contents, offset, CURSOR_LITTLE);
		decoded = result == DW_DLV_OK &&
		          form_read(form, &sizes, &c, &ret->number);
	}
	forget(window, result, error);
	if (decoded && form == FORM_STRING)
		ret->string = (const char *)window->contents.data + ret->number;
	return decoded;
}

/**
 * Let libdwarf find the attributes, and read their values here: its own
 * readers of numbers differ between the generations, check references against
 * the section (a window), and get some forms wrong (20210528: rnglistx, and
 * DW_AT_high_pc by index). That of strings looks for their ends each time.
 */
static void find_value(struct window *window, Dwarf_Die die, unsigned value,
                       struct entry *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	int result =
	        dwarf_attr(die, entry_attribute_number(value), &found, &error);

	forget(window, result, error);
	if (result != DW_DLV_OK)
		return;
	if (read_value(window, die, found, &ret->values[value]))
		ret->has |= 1u << value;
	dwarf_dealloc_attribute(found);
}

static unsigned attributes_of(const struct window *window, Dwarf_Die die)
{
	return abbrev_attributes(window->reader.source.abbrevs,
	                         (uint64_t)dwarf_die_abbrev_code(die));
}

/** Pay for a look at an entry; false where that is too much. */
static bool pay_entry(struct window *window, Dwarf_Die die)
{
	const struct unit_source *source = &window->reader.source;
	const struct abbrev_section *abbrevs = source->abbrevs;
	uint64_t cost = ENTRY_WORK +
	                ATTRIBUTE_WORK * attributes_of(window, die);

	// libdwarf hashes codes by their remainder, which can be the same for
	// all: only where they are in order it surely is not.
	if (!abbrevs->is_ordered)
		cost += CODE_WORK * abbrevs->count;
	window->spent += cost;
	return dwarf_work_take(source->work, cost);
}

/** Pay for looking for so many values; false where that is too much. */
static bool pay_values(const struct window *window, Dwarf_Die die,
                       unsigned count)
{
	return dwarf_work_take(window->reader.source.work,
	                       (uint64_t)VALUE_WORK * count *
	                               attributes_of(window, die));
}

/** Put an entry on the stack, in place of what was there. */
static void push(struct window *window, Dwarf_Die die)
{
	window->spent_before[window->depth] = window->spent;
	window->stack[window->depth++] = die;
}

static void read_values(struct window *window, Dwarf_Die die, struct entry *ret)
{
	for (unsigned i = 0; i < ENTRY_VALUES; i++)
		if (!entry_has(ret, i))
			find_value(window, die, i, ret);
}

/** An entry without its values. */
static void begin_entry(const struct window *window, Dwarf_Die die,
                        unsigned depth, struct entry *ret)
{
	ret->offset = window->reader.unit.offset + offset_of(die);
	ret->tag = tag_of(die);
	ret->depth = depth;
	ret->has = 0;
}

static void fill_entry(struct window *window, Dwarf_Die die, unsigned depth,
                       struct entry *ret)
{
	begin_entry(window, die, depth, ret);
	if ((ret->tag == TAG_SUBPROGRAM || ret->tag == TAG_INLINED_SUBROUTINE ||
	     tag_is_unit(ret->tag)) &&
	    pay_values(window, die, ENTRY_VALUES))
		read_values(window, die, ret);
}

/** Close the entries below @p depth. */
static void drop_stack(struct window *window, unsigned depth)
{
	while (window->depth > depth)
		dwarf_dealloc_die(window->stack[--window->depth]);
}

static enum entry_step window_seek(struct unit_reader *reader, uint64_t offset,
                                   struct entry *ret)
{
	struct window *window = (struct window *)reader;
	Dwarf_Error error = NULL;

	drop_stack(window, 0);
	if (offset < reader->unit.offset ||
	    offset - reader->unit.offset >= reader->unit.size)
		return ENTRY_NONE;
	Dwarf_Die die = NULL;
	int result = dwarf_offdie_b(window->debug, offset - reader->unit.offset,
	                            true, &die, &error);
	if (result != DW_DLV_OK)
		return step(window, result, error);
	push(window, die);
	if (!pay_entry(window, die))
		return ENTRY_NONE;
	fill_entry(window, die, 0, ret);
	return ENTRY_TAKEN;
}

/**
 * The next entry beside those on the stack, or further up.
 *
 * To find a sibling libdwarf reads all that lies between, at every level
 * again: that is charged, else deep trees would cost their size times their
 * depth.
 *
 * @param skips  Entries below the last one were not looked at: each byte may be
 *               one of them.
 */
static enum entry_step next_beside(struct window *window, bool skips)
{
	const struct unit_source *source = &window->reader.source;
	// Entries come in the order of their offsets: none lies after it yet.
	uint64_t last = offset_of(window->stack[window->depth - 1]);
	uint64_t per_byte =
	        skips ? (ENTRY_WORK + ATTRIBUTE_WORK * source->abbrevs->longest)
	              : 1;

	// How much that will be is not known ahead.
	if (skips && (window->contents.size - last) / AGAIN >
	                     source->work->left / per_byte) {
		source->work->left = 0;
		return ENTRY_NONE;
	}
	while (window->depth > 1) {
		Dwarf_Die top = window->stack[window->depth - 1];
		uint64_t before = window->spent_before[window->depth - 1];
		Dwarf_Die sibling = NULL;
		Dwarf_Error error = NULL;
		int result;

		if (!dwarf_work_take(source->work,
		                     (window->spent - before) / AGAIN))
			return ENTRY_NONE;
		result = dwarf_siblingof_b(window->debug, top, true, &sibling,
		                           &error);
		if (result == DW_DLV_ERROR)
			return fault(window, error);
		drop_stack(window, window->depth - 1);
		if (result != DW_DLV_OK)
			continue;
		window->spent += (offset_of(sibling) - last) * per_byte;
		push(window, sibling);
		return dwarf_work_take(source->work,
		                       (offset_of(sibling) - last) * per_byte /
		                               AGAIN) &&
		                       pay_entry(window, sibling)
		               ? ENTRY_TAKEN
		               : ENTRY_NONE;
	}
	return ENTRY_NONE;
}

/** The next entry of all, or the next that is not below the last one. */
static enum entry_step next_of_all(struct window *window, bool into)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;

	if (!window->depth || !window->reader.source.work->left)
		return ENTRY_NONE;
	if (into && window->depth <= ENTRY_DEPTH_MAX) {
		int result = dwarf_child(window->stack[window->depth - 1],
		                         &child, &error);

		if (result == DW_DLV_ERROR)
			return fault(window, error);
		if (result == DW_DLV_OK) {
			push(window, child);
			return pay_entry(window, child) ? ENTRY_TAKEN
			                                : ENTRY_NONE;
		}
		return next_beside(window, false);
	}
	return next_beside(window, true);
}

/**
 * Is the entry, which has no values yet, searched for? Then they are read: of
 * functions first those that say that most are not. To look for one takes
 * libdwarf as long as to step over an entry.
 */
static bool take_searched(struct window *window, Dwarf_Die die,
                          enum entry_search search, struct entry *entry)
{
	if (search == ENTRY_CALLS) {
		if (entry->tag != TAG_INLINED_SUBROUTINE)
			return false;
		if (pay_values(window, die, ENTRY_VALUES))
			read_values(window, die, entry);
		return true;
	}
	if (entry->tag != TAG_SUBPROGRAM || !pay_values(window, die, 3))
		return false;
	find_value(window, die, ENTRY_LOW, entry);
	find_value(window, die, ENTRY_HIGH, entry);
	if (!entry_has(entry, ENTRY_LOW))
		find_value(window, die, ENTRY_RANGES, entry);
	if ((!entry_has(entry, ENTRY_LOW) && !entry_has(entry, ENTRY_RANGES)) ||
	    entry_leave_out(&window->reader, entry))
		return false;
	if (pay_values(window, die, ENTRY_VALUES))
		read_values(window, die, entry);
	return true;
}

static enum entry_step window_next(struct unit_reader *reader,
                                   enum entry_search search, bool into,
                                   struct entry *ret)
{
	struct window *window = (struct window *)reader;
	unsigned least = UINT_MAX;
	enum entry_step taken;

	while ((taken = next_of_all(window, into)) == ENTRY_TAKEN) {
		if (window->depth - 1 < least)
			least = window->depth - 1;
		Dwarf_Die die = window->stack[window->depth - 1];
		begin_entry(window, die, window->depth - 1, ret);
		ret->least_depth = least;
		if (take_searched(window, die, search, ret))
			break;
		into = search != ENTRY_CALLS || ret->tag != TAG_SUBPROGRAM;
	}
	if (taken != ENTRY_TAKEN)
		drop_stack(window, 0);
	return taken;
}

static void window_close(struct unit_reader *reader)
{
	struct window *window = (struct window *)reader;

	drop_stack(window, 0);
	if (window->debug)
		shim_close(window->debug);
	free(window);
}

/** Read the header, find the unit's own entry. */
static enum entry_step open_root(struct window *window)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	Dwarf_Sig8 signature = { { 0 } };
	int result = dwarf_next_cu_header_d(window->debug, true, NULL, NULL,
	                                    NULL, NULL, NULL, NULL, &signature,
	                                    NULL, NULL, NULL, &error);

	if (result == DW_DLV_OK)
		result = dwarf_siblingof_b(window->debug, NULL, true, &die,
		                           &error);
	if (result == DW_DLV_OK) {
		push(window, die);
		fill_entry(window, die, 0, &window->reader.root);
	}
	return step(window, result, error);
}

static struct error *window_open(const struct unit_source *source,
                                 const struct unit *unit,
                                 struct unit_reader **ret)
{
	struct abbrev_section *abbrevs = source->abbrevs;
	Dwarf_Error error = NULL;

	if (!abbrev_scan(abbrevs, unit->abbrev_offset, source->work))
		return error_new(ERROR_FORMAT,
		                 "unit at 0x%" PRIx64
		                 ": abbreviations at 0x%" PRIx64 " are damaged",
		                 unit->offset, unit->abbrev_offset);
	if (!dwarf_work_take(source->work,
	                     OPEN_WORK + ABBREV_WORK * abbrevs->count +
	                             ATTRIBUTE_WORK * abbrevs->longest))
		return error_new(ERROR_LIMIT,
		                 "unit at 0x%" PRIx64
		                 ": too complex for a file of this size",
		                 unit->offset);
	struct window *window = mem_zalloc(1, sizeof(*window));
	window->reader.kind = &window_reader;
	window->reader.source = *source;
	window->reader.unit = *unit;
	window->contents =
	        bytes_part(source->sections->info, unit->offset, unit->size);
	fill_object(window, abbrev_contents(abbrevs));
	int result = shim_open(&window->object, &window->debug, &error);
	enum entry_step opened = step(window, result, error);
	if (opened == ENTRY_TAKEN)
		opened = open_root(window);
	if (opened != ENTRY_TAKEN) {
		struct error *err = error_new(
		        ERROR_FORMAT, "unit at 0x%" PRIx64 ": %s", unit->offset,
		        *window->reader.fault ? window->reader.fault
		                              : "no entries");
		window_close(&window->reader);
		return err;
	}
	unit_reader_set_bases(&window->reader);
	*ret = &window->reader;
	return NULL;
}

const struct unit_reader_kind window_reader = {
	.open = window_open,
	.close = window_close,
	.seek = window_seek,
	.next = window_next,
};

const char *window_library(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "libdwarf %s", dwarf_package_version());
	return name;
}

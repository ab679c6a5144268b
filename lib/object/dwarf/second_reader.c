// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/second_reader.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/abbrev.h"
#include "lib/object/dwarf/form.h"
#include "lib/object/dwarf/line.h"
#include "lib/object/dwarf/rows.h"
#include "lib/object/dwarf/shim.h"
#include "lib/object/dwarf/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * What it costs to open a unit, beside its abbreviations, which libdwarf reads
 * again for each; in bytes read. Measured: 15 µs, and 0.3 µs each.
 */
#define OPEN_WORK   2048
#define ABBREV_WORK 128

/**
 * What an entry costs: libdwarf takes 1 µs, and goes through the attributes of
 * its abbreviation to step on, and to find each value of a function.
 */
#define ENTRY_WORK     64
#define ATTRIBUTE_WORK 4
#define VALUE_WORK     3
#define VALUES         12
/** To pass by an abbreviation whose code falls into the same place. */
#define CODE_WORK 4

/** Entries that are only stepped over again cost less. */
#define AGAIN 4

/** What a row costs: it is allocated. */
#define ROW_WORK 32

#define NONE SIZE_MAX

/** A function of the unit, before its pieces are made. */
struct function {
	size_t first_range;
	size_t range_count;
	bool in_order;
	struct debug_function made;
};

/** An inlined call, in the order of the entries. */
struct call {
	size_t function; ///< in the list of the unit
	size_t parent;   ///< NONE: the function itself
	size_t first_range;
	size_t range_count;
	size_t child_count;
	struct debug_inline *made;
	struct debug_inline value;
};

/** Where the walk is: below which function and call. */
struct place {
	size_t function; ///< NONE: none with code
	size_t call;     ///< NONE: none
	unsigned calls;  ///< that it is in
	unsigned depth;
};

struct second {
	const struct second_reading *reading;
	struct abbrev_section abbrevs;
	struct shim_object object;
	Dwarf_Debug debug;
	struct row_list rows;
	char fault[128]; ///< what libdwarf said last
	uint64_t spent;  ///< on entries so far

	// Of one unit.
	Dwarf_Die root;
	struct unit unit;
	uint64_t base; ///< DW_AT_low_pc
	bool is_c;
	size_t bad_name_count;
	uint16_t line_version;
	char **paths; ///< of libdwarf
	Dwarf_Signed path_count;
	uint32_t *numbers; ///< of files, for paths; 0: not asked for yet
	struct range_list ranges;
	struct function *functions;
	size_t function_count;
	size_t function_cap;
	struct call *calls;
	size_t call_count;
	size_t call_cap;
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

/** Is a result good? Of an error, what it says is kept. */
static bool is_ok(struct second *s, int result, Dwarf_Error error)
{
	struct text words;

	if (result != DW_DLV_ERROR)
		return result == DW_DLV_OK;
	words = words_of(text_from(error ? dwarf_errmsg(error) : "unknown"));
	snprintf(s->fault, sizeof(s->fault), "libdwarf: %.*s",
	         TEXT_ARGS(words));
	if (error)
		dwarf_dealloc_error(s->debug, error);
	return false;
}

static bool pay(struct second *s, uint64_t amount)
{
	if (dwarf_work_take(s->reading->work, amount))
		return true;
	snprintf(s->fault, sizeof(s->fault),
	         "too complex for a file of this size");
	return false;
}

static uint64_t offset_of(Dwarf_Die die)
{
	Dwarf_Off offset = 0;

	dwarf_dieoffset(die, &offset, NULL);
	return offset;
}

// Attributes

/** Get an attribute, to be given back; NULL where there is none. */
static Dwarf_Attribute attribute(struct second *s, Dwarf_Die die,
                                 Dwarf_Half number)
{
	Dwarf_Attribute found = NULL;
	Dwarf_Error error = NULL;
	int result = dwarf_attr(die, number, &found, &error);

	return is_ok(s, result, error) ? found : NULL;
}

/** An index of its form, where libdwarf gives none. */
static bool index_at(struct second *s, Dwarf_Die die, Dwarf_Attribute found,
                     Dwarf_Half form, uint64_t *ret)
{
	const struct form_sizes sizes = unit_form_sizes(&s->unit);
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	int result = dwarf_attr_offset(die, found, &offset, &error);
	struct cursor c;

	if (!is_ok(s, result, error))
		return false;
	c = cursor_at(s->reading->sections->info, offset, CURSOR_LITTLE);
	return form_read(form, &sizes, &c, ret);
}

static bool number_of(struct second *s, Dwarf_Die die, Dwarf_Half number,
                      uint64_t *ret)
{
	Dwarf_Attribute found = attribute(s, die, number);
	Dwarf_Unsigned value = 0;
	Dwarf_Signed signed_value = 0;
	Dwarf_Error error = NULL;
	bool good;

	if (!found)
		return false;
	good = is_ok(s, dwarf_formudata(found, &value, &error), error);
	error = NULL;
	if (!good &&
	    is_ok(s, dwarf_formsdata(found, &signed_value, &error), error)) {
		value = (Dwarf_Unsigned)signed_value;
		good = true;
	}
	dwarf_dealloc_attribute(found);
	*ret = value;
	return good;
}

static uint32_t small_number(struct second *s, Dwarf_Die die, Dwarf_Half number)
{
	uint64_t value = 0;

	return number_of(s, die, number, &value) && value <= UINT32_MAX
	               ? (uint32_t)value
	               : 0;
}

static bool address_at(struct second *s, Dwarf_Die die, uint64_t index,
                       uint64_t *ret)
{
	Dwarf_Addr address = 0;
	Dwarf_Error error = NULL;
	int result =
	        dwarf_debug_addr_index_to_addr(die, index, &address, &error);

	*ret = address;
	return is_ok(s, result, error);
}

/**
 * DW_AT_low_pc or high_pc. The release of 2021 refuses some forms of indexes
 * there, or takes an index for an address.
 *
 * @param low  What a constant is relative to.
 */
static bool address_of(struct second *s, Dwarf_Die die, Dwarf_Half number,
                       uint64_t low, uint64_t *ret)
{
	Dwarf_Attribute found = attribute(s, die, number);
	Dwarf_Addr address = 0;
	Dwarf_Half form = 0;
	Dwarf_Error error = NULL;
	uint64_t index;
	bool good = false;

	if (!found)
		return false;
	if (!is_ok(s, dwarf_whatform(found, &form, &error), error))
		form = 0;
	error = NULL;
	if (form_is_address_index(form)) {
		good = index_at(s, die, found, form, &index) &&
		       address_at(s, die, index, ret);
	} else if (form == DW_FORM_addr) {
		good = is_ok(s, dwarf_formaddr(found, &address, &error), error);
		*ret = address;
	} else if (number == DW_AT_high_pc) {
		good = number_of(s, die, number, ret);
		*ret += low;
	}
	dwarf_dealloc_attribute(found);
	return good;
}

/** A list of .debug_ranges. */
static void add_old_list(struct second *s, Dwarf_Die die, uint64_t offset)
{
	Dwarf_Ranges *list = NULL;
	Dwarf_Signed count = 0;
	Dwarf_Unsigned bytes = 0;
	Dwarf_Off real = 0;
	Dwarf_Error error = NULL;
	uint64_t base = s->base;

	if (!is_ok(s,
	           dwarf_get_ranges_b(s->debug, offset, die, &real, &list,
	                              &count, &bytes, &error),
	           error))
		return;
	if (pay(s, (uint64_t)count * ROW_WORK))
		for (Dwarf_Signed i = 0; i < count; i++) {
			const Dwarf_Ranges *range = &list[i];

			if (range->dwr_type == DW_RANGES_ADDRESS_SELECTION)
				base = range->dwr_addr2;
			else if (range->dwr_type == DW_RANGES_ENTRY)
				range_list_add(&s->ranges,
				               base + range->dwr_addr1,
				               base + range->dwr_addr2);
		}
	shim_ranges_free(s->debug, list, count);
}

static bool has_range(unsigned code)
{
	return code == DW_RLE_startx_endx || code == DW_RLE_startx_length ||
	       code == DW_RLE_offset_pair || code == DW_RLE_start_end ||
	       code == DW_RLE_start_length;
}

/** A list of .debug_rnglists, by its number or its offset. */
static void add_new_list(struct second *s, Dwarf_Attribute found,
                         Dwarf_Half form, uint64_t value)
{
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Unsigned count = 0;
	Dwarf_Unsigned real = 0;
	Dwarf_Error error = NULL;

	if (!is_ok(s,
	           dwarf_rnglists_get_rle_head(found, form, value, &head,
	                                       &count, &real, &error),
	           error))
		return;
	for (Dwarf_Unsigned i = 0; i < count && pay(s, ROW_WORK); i++) {
		unsigned size = 0;
		unsigned code = 0;
		Dwarf_Unsigned raw[2];
		Dwarf_Unsigned low = 0;
		Dwarf_Unsigned high = 0;
		Dwarf_Bool is_absent = false;

		error = NULL;
		if (!is_ok(s,
		           dwarf_get_rnglists_entry_fields_a(
		                   head, i, &size, &code, &raw[0], &raw[1],
		                   &is_absent, &low, &high, &error),
		           error))
			break;
		if (has_range(code) && !is_absent)
			range_list_add(&s->ranges, low, high);
	}
	dwarf_dealloc_rnglists_head(head);
}

/** The range list of an entry. */
static void add_listed(struct second *s, Dwarf_Die die)
{
	Dwarf_Attribute found = attribute(s, die, DW_AT_ranges);
	Dwarf_Half form = 0;
	Dwarf_Off offset = 0;
	Dwarf_Error error = NULL;
	uint64_t index;

	if (!found)
		return;
	if (!is_ok(s, dwarf_whatform(found, &form, &error), error))
		form = 0;
	error = NULL;
	if (form == DW_FORM_rnglistx) {
		if (index_at(s, die, found, form, &index))
			add_new_list(s, found, form, index);
	} else if (form &&
	           is_ok(s, dwarf_global_formref(found, &offset, &error),
	                 error)) {
		if (s->unit.version >= 5)
			add_new_list(s, found, form, offset);
		else
			add_old_list(s, die, offset);
	}
	dwarf_dealloc_attribute(found);
}

/** Leave out what is empty, or dropped by a linker; sort the rest. */
static void clean_ranges(struct second *s, size_t first)
{
	uint64_t max = s->unit.address_size == 4 ? UINT32_MAX : UINT64_MAX;
	struct range_list *list = &s->ranges;
	size_t kept = first;

	for (size_t i = first; i < list->count; i++) {
		struct debug_range range = list->ranges[i];

		range.low &= max;
		range.high &= max;
		if (range.low < range.high && range.low != max)
			list->ranges[kept++] = range;
	}
	list->count = kept;
	range_list_normalize(list, first);
}

/** Append the ranges of an entry; @return how many. */
static size_t add_ranges(struct second *s, Dwarf_Die die)
{
	size_t first = s->ranges.count;
	uint64_t low;
	uint64_t high;

	if (address_of(s, die, DW_AT_low_pc, 0, &low) &&
	    address_of(s, die, DW_AT_high_pc, low, &high))
		range_list_add(&s->ranges, low, high);
	else
		add_listed(s, die);
	clean_ranges(s, first);
	return s->ranges.count - first;
}

// Names

/** NULL where the entry has no such text, or a bad one: empty, or nowhere. */
static const char *text_of(struct second *s, Dwarf_Die die, Dwarf_Half number)
{
	Dwarf_Error error = NULL;
	char *text = NULL;
	int result = dwarf_die_text(die, number, &text, &error);

	if (is_ok(s, result, error) && *text)
		return text;
	s->bad_name_count += result != DW_DLV_NO_ENTRY;
	return NULL;
}

static const char *linkage_name(struct second *s, Dwarf_Die die)
{
	const char *name = text_of(s, die, DW_AT_linkage_name);

	return name ? name : text_of(s, die, DW_AT_MIPS_linkage_name);
}

/** The entry that has the name of another one; NULL where there is none. */
static Dwarf_Die origin_of(struct second *s, Dwarf_Die die)
{
	Dwarf_Attribute found = attribute(s, die, DW_AT_abstract_origin);
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	Dwarf_Die origin = NULL;
	bool good;

	if (!found)
		found = attribute(s, die, DW_AT_specification);
	if (!found)
		return NULL;
	good = is_ok(s, dwarf_global_formref(found, &offset, &error), error);
	dwarf_dealloc_attribute(found);
	error = NULL;
	if (!good ||
	    !is_ok(s, dwarf_offdie_b(s->debug, offset, true, &origin, &error),
	           error))
		return NULL;
	return origin;
}

/** The name is read, compared and copied: that is paid here. */
static const char *keep_name(struct second *s, const char *name)
{
	size_t size = name ? strnlen(name, NAME_BYTES_MAX + 1) : 0;

	if (!size || !pay(s, size))
		return "";
	return size <= NAME_BYTES_MAX
	               ? name
	               : arena_strndup(s->reading->arena, name, NAME_BYTES_MAX);
}

/** The first linkage name on the way counts, else the first plain one. */
static const char *name_of(struct second *s, Dwarf_Die die)
{
	const char *found = linkage_name(s, die);
	const char *plain = found ? NULL : text_of(s, die, DW_AT_name);
	Dwarf_Die at = die;

	for (unsigned hop = 0; !found && hop < NAME_HOPS_MAX; hop++) {
		Dwarf_Die next = pay(s, ENTRY_WORK) ? origin_of(s, at) : NULL;

		if (at != die)
			dwarf_dealloc_die(at);
		at = next;
		if (!at)
			break;
		found = linkage_name(s, at);
		if (!found && !plain)
			plain = text_of(s, at, DW_AT_name);
	}
	if (at && at != die)
		dwarf_dealloc_die(at);
	return keep_name(s, found ? found : plain);
}

// Files and lines

/** The index of a file by its number in the unit; 0 where it has none. */
static uint32_t file_of(struct second *s, uint64_t number)
{
	uint64_t at = s->line_version >= 5 ? number : number - 1;
	struct text path;

	if (at >= (uint64_t)s->path_count)
		return 0;
	if (s->numbers[at])
		return s->numbers[at];
	path = text_from(s->paths[at]);
	if (path.size && path.size < LINE_PATH_BYTES_MAX && pay(s, path.size))
		s->numbers[at] = file_table_add(s->reading->files, path);
	return s->numbers[at];
}

static void read_files(struct second *s)
{
	Dwarf_Error error = NULL;

	if (!is_ok(s,
	           dwarf_srcfiles(s->root, &s->paths, &s->path_count, &error),
	           error))
		s->path_count = 0;
	s->numbers = mem_zalloc((size_t)s->path_count, sizeof(*s->numbers));
}

static void release_files(struct second *s)
{
	for (Dwarf_Signed i = 0; i < s->path_count; i++)
		dwarf_dealloc(s->debug, s->paths[i], DW_DLA_STRING);
	if (s->path_count)
		dwarf_dealloc(s->debug, s->paths, DW_DLA_LIST);
	free(s->numbers);
	s->numbers = NULL;
	s->paths = NULL;
	s->path_count = 0;
}

/** An empty sequence has no place. */
static void end_sequence(struct line_table *table, bool *is_open)
{
	const struct line_sequence *last =
	        &table->sequences[table->sequence_count - 1];

	table->sequence_count -= last->low >= last->high;
	*is_open = false;
}

/** Add a row to the sequence that is open. */
static bool add_row(struct second *s, Dwarf_Line line, struct line_table *table,
                    bool *is_open)
{
	Dwarf_Addr address = 0;
	Dwarf_Unsigned number = 0;
	Dwarf_Unsigned file = 0;
	Dwarf_Bool ends = false;
	Dwarf_Bool is_prologue = false;
	Dwarf_Bool is_epilogue = false;
	Dwarf_Unsigned numbers[2];
	struct line_sequence *sequence;

	if (dwarf_lineaddr(line, &address, NULL) != DW_DLV_OK ||
	    dwarf_lineendsequence(line, &ends, NULL) != DW_DLV_OK ||
	    dwarf_prologue_end_etc(line, &is_prologue, &is_epilogue,
	                           &numbers[0], &numbers[1],
	                           NULL) != DW_DLV_OK ||
	    dwarf_lineno(line, &number, NULL) != DW_DLV_OK ||
	    dwarf_line_srcfileno(line, &file, NULL) != DW_DLV_OK)
		return false;
	// The release of 2021 takes the end of a function for one, too.
	ends &= !is_epilogue;
	// As our own reader has it: where addresses descend, a sequence ends.
	if (*is_open &&
	    address < table->sequences[table->sequence_count - 1].high)
		end_sequence(table, is_open);
	if (!*is_open && ends)
		return true;
	if (!*is_open) {
		MEM_GROW(table->sequences, table->sequence_count,
		         table->sequence_cap);
		table->sequences[table->sequence_count++] =
		        (struct line_sequence){ .low = address,
			                        .first = table->row_count };
	}
	*is_open = true;
	sequence = &table->sequences[table->sequence_count - 1];
	sequence->high = address;
	if (ends) {
		end_sequence(table, is_open);
		return true;
	}
	MEM_GROW(table->rows, table->row_count, table->row_cap);
	table->rows[table->row_count++] = (struct line_row){
		.address = address,
		.file = file_of(s, file),
		.line = number <= UINT32_MAX ? (uint32_t)number : 0,
	};
	sequence->count++;
	return true;
}

/** All rows of the unit; false where they cannot be read. */
static bool read_lines(struct second *s, struct line_table *table)
{
	Dwarf_Line_Context context = NULL;
	Dwarf_Unsigned version = 0;
	Dwarf_Small tables = 0;
	Dwarf_Line *lines = NULL;
	Dwarf_Signed count = 0;
	Dwarf_Error error = NULL;
	bool is_open = false;
	bool good;
	int result =
	        dwarf_srclines_b(s->root, &version, &tables, &context, &error);

	s->line_version = (uint16_t)version;
	if (!is_ok(s, result, error))
		return result == DW_DLV_NO_ENTRY;
	read_files(s);
	error = NULL;
	result = dwarf_srclines_from_linecontext(context, &lines, &count,
	                                         &error);
	good = is_ok(s, result, error) && pay(s, (uint64_t)count * ROW_WORK);
	for (Dwarf_Signed i = 0; good && i < count; i++)
		good = add_row(s, lines[i], table, &is_open);
	if (is_open)
		end_sequence(table, &is_open);
	dwarf_srclines_dealloc_b(context);
	line_table_settle(table);
	return good;
}

// Entries

static size_t add_function(struct second *s, Dwarf_Die die)
{
	size_t first = s->ranges.count;
	size_t count = add_ranges(s, die);

	if (!count)
		return NONE;
	MEM_GROW(s->functions, s->function_count, s->function_cap);
	s->functions[s->function_count] = (struct function){
		.first_range = first,
		.range_count = count,
		.made = {
			.name = name_of(s, die),
			.named_in_c = s->is_c && text_of(s, die, DW_AT_name),
		},
	};
	return s->function_count++;
}

static size_t add_call(struct second *s, Dwarf_Die die, const struct place *at)
{
	size_t first = s->ranges.count;
	size_t count = add_ranges(s, die);

	if (!count)
		return NONE;
	MEM_GROW(s->calls, s->call_count, s->call_cap);
	s->calls[s->call_count] = (struct call){
		.function = at->function,
		.parent = at->call,
		.first_range = first,
		.range_count = count,
		.value = {
			.name = name_of(s, die),
			.call_file = file_of(
			        s, small_number(s, die, DW_AT_call_file)),
			.call_line = small_number(s, die, DW_AT_call_line),
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
	uint64_t cost = ENTRY_WORK + ATTRIBUTE_WORK * count;

	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
		cost += VALUES * VALUE_WORK * count;
	// libdwarf hashes codes by their remainder, which can be the same for
	// all: only where they are in order it surely is not.
	if (!abbrevs->is_ordered)
		cost += CODE_WORK * abbrevs->count;
	s->spent += cost;
	return pay(s, cost);
}

/**
 * To find the sibling of an entry, libdwarf steps over all between them once
 * more.
 *
 * @param before  What had been spent before the entry.
 * @param bytes   Between them.
 */
static bool pay_sibling(struct second *s, const struct place *at,
                        uint64_t before, uint64_t bytes)
{
	// What was not looked at may be an entry for each byte.
	if (at->depth + 1 >= ENTRY_DEPTH_MAX)
		s->spent += bytes *
		            (ENTRY_WORK + ATTRIBUTE_WORK * s->abbrevs.longest);
	return pay(s, (s->spent - before) / AGAIN);
}

/** An entry, and those below it. */
static bool read_entry(struct second *s, Dwarf_Die die, struct place at)
{
	Dwarf_Half tag = 0;
	size_t added;

	dwarf_tag(die, &tag, NULL);
	if (!pay_entry(s, die, tag))
		return false;
	if (tag == DW_TAG_subprogram) {
		at.function = add_function(s, die);
		at.call = NONE;
		at.calls = 0;
	} else if (tag == DW_TAG_inlined_subroutine && at.function != NONE &&
	           at.calls < DEBUG_INLINE_DEPTH_MAX) {
		added = add_call(s, die, &at);
		if (added != NONE) {
			at.call = added;
			at.calls++;
		}
	}
	return ++at.depth >= ENTRY_DEPTH_MAX || walk(s, die, at);
}

/** What is below an entry: recursion ends at ENTRY_DEPTH_MAX. */
static bool walk(struct second *s, Dwarf_Die die, struct place at)
{
	Dwarf_Die child = NULL;
	Dwarf_Error error = NULL;
	int result = dwarf_child(die, &child, &error);
	bool good = result != DW_DLV_ERROR || is_ok(s, result, error);

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
			       is_ok(s, result, error);
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
		if (s->calls[i].parent == NONE)
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
	// A call comes before those in it.
	for (size_t i = 0; i < s->call_count; i++) {
		struct call *call = &s->calls[i];
		struct debug_function *made =
		        &s->functions[call->function].made;
		struct debug_inline *parent =
		        call->parent == NONE ? NULL
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
	size_t broken = NONE;
	uint64_t end = 0;

	for (size_t i = 0; i < s->function_count; i++) {
		const struct function *function = &s->functions[i];
		const struct debug_range *ranges =
		        &s->ranges.ranges[function->first_range];

		if (ranges[0].low < end && broken == NONE)
			broken = i;
		end = ranges[function->range_count - 1].high;
	}
	for (size_t i = 0; i < s->function_count; i++)
		s->functions[i].made.in_order = i + 1 < broken;
}

/** Give the functions that are wanted, a piece for each range. */
static void give_functions(struct second *s, const struct line_table *table)
{
	const struct second_reading *r = s->reading;

	for (size_t i = 0; i < s->function_count; i++) {
		const struct function *function = &s->functions[i];
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

/** Read all of the unit that is open; false: it is damaged. */
static bool read_unit(struct second *s)
{
	struct line_table table = { 0 };
	uint64_t language;
	bool good;

	s->is_c = number_of(s, s->root, DW_AT_language, &language) &&
	          die_language_is_c(language);
	good = read_lines(s, &table);
	good &= walk(s, s->root, (struct place){ NONE, NONE, 0, 0 });
	build_trees(s);
	find_order(s);
	give_functions(s, &table);
	line_table_release(&table);
	release_files(s);
	if (good && s->bad_name_count)
		snprintf(s->fault, sizeof(s->fault), "names are damaged");
	return good && !s->bad_name_count;
}

static void note_bad(struct second *s)
{
	s->reading->bad_unit(s->reading->context,
	                     error_new(ERROR_FORMAT,
	                               "unit at 0x%" PRIx64 ": %s",
	                               s->unit.offset, s->fault));
}

/** Does the unit say that it has nothing that is wanted? */
static bool is_elsewhere(struct second *s)
{
	bool has_wanted = !add_ranges(s, s->root);

	for (size_t i = 0; i < s->ranges.count && !has_wanted; i++)
		has_wanted =
		        die_wanted_has(s->reading->wanted, s->ranges.ranges[i]);
	s->ranges.count = 0;
	return !has_wanted;
}

/** The unit whose header was read last, unless it is to be left out. */
static void read_wanted(struct second *s)
{
	struct second_reading const *r = s->reading;
	struct abbrev_section *abbrevs = &s->abbrevs;
	Dwarf_Error error = NULL;

	s->function_count = s->call_count = s->ranges.count = 0;
	s->bad_name_count = 0;
	if (!abbrev_scan(abbrevs, s->unit.abbrev_offset, r->work)) {
		snprintf(s->fault, sizeof(s->fault),
		         "abbreviations at 0x%" PRIx64 " are damaged",
		         s->unit.abbrev_offset);
		note_bad(s);
		return;
	}
	if (!pay(s, OPEN_WORK + ABBREV_WORK * abbrevs->count +
	                    ATTRIBUTE_WORK * abbrevs->longest) ||
	    !is_ok(s, dwarf_siblingof_b(s->debug, NULL, true, &s->root, &error),
	           error)) {
		note_bad(s);
		return;
	}
	if (!address_of(s, s->root, DW_AT_low_pc, 0, &s->base))
		s->base = 0;
	if (!(r->wanted->count && is_elsewhere(s)) && !read_unit(s))
		note_bad(s);
	dwarf_dealloc_die(s->root);
}

/**
 * Go to the next header. A unit with nothing in it, as old dsymutil left them,
 * is passed by.
 */
static bool next_unit(struct second *s)
{
	Dwarf_Sig8 signature = { { 0 } };
	Dwarf_Error error = NULL;
	int result = dwarf_next_cu_header_d(s->debug, true, NULL, NULL, NULL,
	                                    NULL, NULL, NULL, &signature, NULL,
	                                    NULL, NULL, &error);

	return result == DW_DLV_OK || is_ok(s, result, error);
}

static void read_units(struct second *s, const struct unit_list *units)
{
	const struct second_reading *r = s->reading;
	size_t read = 0;

	for (size_t i = 0; i < units->count && read < r->unit_max; i++) {
		s->unit = units->units[i];
		*s->fault = '\0';
		if (!next_unit(s)) {
			if (!*s->fault)
				snprintf(s->fault, sizeof(s->fault),
				         "libdwarf: it does not see the unit");
			note_bad(s);
			return;
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
	if (is_ok(&s, shim_open(&s.object, &s.debug, &error), error))
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

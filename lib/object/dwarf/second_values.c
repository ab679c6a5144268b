// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/form.h"
#include "lib/object/dwarf/second_reader.h"
#include "lib/object/dwarf/second_state.h"

#include <stdio.h>
#include <string.h>

/**
 * The words of `DW_DLE_CODE: words DW_DLE_CODE: words`, a format of some
 * releases of libdwarf; without words, the code.
 */
static struct text words_of(struct text message)
{
	size_t code = text_find(message, ": ");
	struct text words = text_after(message, code + strlen(": "));

	if (!text_starts(message, "DW_DLE_") || code == TEXT_NOWHERE)
		return message;
	return text_trim(text_first(words, text_find(words, "DW_DLE_")));
}

bool second_ok(struct second *s, int result, Dwarf_Error error)
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

bool second_pay(struct second *s, uint64_t amount)
{
	if (dwarf_work_take(s->reading->work, amount))
		return true;
	snprintf(s->fault, sizeof(s->fault),
	         "too complex for a file of this size");
	return false;
}

/** Get an attribute, which must be freed; or NULL. */
static Dwarf_Attribute attribute(struct second *s, Dwarf_Die die,
                                 Dwarf_Half number)
{
	Dwarf_Attribute found = NULL;
	Dwarf_Error error = NULL;
	int result = dwarf_attr(die, number, &found, &error);

	return second_ok(s, result, error) ? found : NULL;
}

/** Read an index by its form, if libdwarf rejects it. */
static bool index_at(struct second *s, Dwarf_Die die, Dwarf_Attribute found,
                     Dwarf_Half form, uint64_t *ret)
{
	const struct form_sizes sizes = unit_form_sizes(&s->unit);
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	int result = dwarf_attr_offset(die, found, &offset, &error);
	struct cursor c;

	if (!second_ok(s, result, error))
		return false;
	c = cursor_at(s->reading->sections->info, offset, CURSOR_LITTLE);
	return form_read(form, &sizes, &c, ret);
}

bool second_number(struct second *s, Dwarf_Die die, Dwarf_Half number,
                   uint64_t *ret)
{
	Dwarf_Attribute found = attribute(s, die, number);
	Dwarf_Unsigned value = 0;
	Dwarf_Signed signed_value = 0;
	Dwarf_Error error = NULL;
	bool good;

	if (!found)
		return false;
	good = second_ok(s, dwarf_formudata(found, &value, &error), error);
	error = NULL;
	if (!good && second_ok(s, dwarf_formsdata(found, &signed_value, &error),
	                       error)) {
		value = (Dwarf_Unsigned)signed_value;
		good = true;
	}
	dwarf_dealloc_attribute(found);
	*ret = value;
	return good;
}

uint32_t second_small(struct second *s, Dwarf_Die die, Dwarf_Half number)
{
	uint64_t value = 0;

	return second_number(s, die, number, &value) && value <= UINT32_MAX
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
	return second_ok(s, result, error);
}

bool second_address(struct second *s, Dwarf_Die die, Dwarf_Half number,
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
	if (!second_ok(s, dwarf_whatform(found, &form, &error), error))
		form = 0;
	error = NULL;
	if (form_is_address_index(form)) {
		good = index_at(s, die, found, form, &index) &&
		       address_at(s, die, index, ret);
	} else if (form == DW_FORM_addr) {
		good = second_ok(s, dwarf_formaddr(found, &address, &error),
		                 error);
		*ret = address;
	} else if (number == DW_AT_high_pc) {
		good = second_number(s, die, number, ret);
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

	if (!second_ok(s,
	               dwarf_get_ranges_b(s->debug, offset, die, &real, &list,
	                                  &count, &bytes, &error),
	               error))
		return;
	if (second_pay(s, (uint64_t)count * SECOND_ROW_WORK))
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

	if (!second_ok(s,
	               dwarf_rnglists_get_rle_head(found, form, value, &head,
	                                           &count, &real, &error),
	               error))
		return;
	for (Dwarf_Unsigned i = 0; i < count && second_pay(s, SECOND_ROW_WORK);
	     i++) {
		unsigned size = 0;
		unsigned code = 0;
		Dwarf_Unsigned raw[2];
		Dwarf_Unsigned low = 0;
		Dwarf_Unsigned high = 0;
		Dwarf_Bool is_absent = false;

		error = NULL;
		if (!second_ok(s,
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
	if (!second_ok(s, dwarf_whatform(found, &form, &error), error))
		form = 0;
	error = NULL;
	if (form == DW_FORM_rnglistx) {
		if (index_at(s, die, found, form, &index))
			add_new_list(s, found, form, index);
	} else if (form &&
	           second_ok(s, dwarf_global_formref(found, &offset, &error),
	                     error)) {
		if (s->unit.version >= 5)
			add_new_list(s, found, form, offset);
		else
			add_old_list(s, die, offset);
	}
	dwarf_dealloc_attribute(found);
}

/** Remove empty ranges and dropped code; sort the rest. */
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

size_t second_add_ranges(struct second *s, Dwarf_Die die)
{
	size_t first = s->ranges.count;
	uint64_t low;
	uint64_t high;

	if (second_address(s, die, DW_AT_low_pc, 0, &low) &&
	    second_address(s, die, DW_AT_high_pc, low, &high))
		range_list_add(&s->ranges, low, high);
	else
		add_listed(s, die);
	clean_ranges(s, first);
	return s->ranges.count - first;
}

// Names

const char *second_text(struct second *s, Dwarf_Die die, Dwarf_Half number)
{
	Dwarf_Error error = NULL;
	char *text = NULL;
	int result = dwarf_die_text(die, number, &text, &error);

	if (second_ok(s, result, error) && *text)
		return text;
	s->bad_name_count += result != DW_DLV_NO_ENTRY;
	return NULL;
}

static const char *linkage_name(struct second *s, Dwarf_Die die)
{
	const char *name = second_text(s, die, DW_AT_linkage_name);

	return name ? name : second_text(s, die, DW_AT_MIPS_linkage_name);
}

/** The entry with the name of another one; or NULL. */
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
	good = second_ok(s, dwarf_global_formref(found, &offset, &error),
	                 error);
	dwarf_dealloc_attribute(found);
	error = NULL;
	if (!good ||
	    !second_ok(s,
	               dwarf_offdie_b(s->debug, offset, true, &origin, &error),
	               error))
		return NULL;
	return origin;
}

/** Charge a name, which is read, compared and copied. */
static const char *keep_name(struct second *s, const char *name)
{
	size_t size = name ? strnlen(name, NAME_BYTES_MAX + 1) : 0;

	if (!size || !second_pay(s, size))
		return "";
	return size <= NAME_BYTES_MAX
	               ? name
	               : arena_strndup(s->reading->arena, name, NAME_BYTES_MAX);
}

const char *second_name(struct second *s, Dwarf_Die die)
{
	const char *found = linkage_name(s, die);
	const char *plain = found ? NULL : second_text(s, die, DW_AT_name);
	Dwarf_Die at = die;

	for (unsigned hop = 0; !found && hop < NAME_HOPS_MAX; hop++) {
		Dwarf_Die next = second_pay(s, SECOND_ENTRY_WORK)
		                         ? origin_of(s, at)
		                         : NULL;

		if (at != die)
			dwarf_dealloc_die(at);
		at = next;
		if (!at)
			break;
		found = linkage_name(s, at);
		if (!found && !plain)
			plain = second_text(s, at, DW_AT_name);
	}
	if (at && at != die)
		dwarf_dealloc_die(at);
	return keep_name(s, found ? found : plain);
}

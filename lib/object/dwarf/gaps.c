// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/gaps.h"

#include "lib/base/sorted.h"
#include "lib/object/dwarf/native.h"

/** Cost of finding the function of an address, in bytes read. */
#define LOOK_WORK 16

/** Of functions in order, the first that ends after @p address. */
static size_t function_after(const struct function_list *list, uint64_t address)
{
	return SORTED_SKIP(i, list->count,
	                   list->functions[i].range.high <= address);
}

/** Do functions cover all of a range? */
static bool is_full(const struct gap_search *search, struct debug_range range)
{
	const struct function_list *list = search->functions;
	uint64_t place = range.low;

	for (size_t i = function_after(list, place);
	     i < list->count && place < range.high &&
	     list->functions[i].range.low <= place &&
	     dwarf_work_take(search->source->work, 1);
	     i++)
		place = list->functions[i].range.high;
	return place >= range.high;
}

/** Does a function cover each wanted address of a range? */
static bool is_answered(const struct gap_search *search,
                        struct debug_range range)
{
	const struct function_list *list = search->functions;
	const struct die_wanted *wanted = search->wanted;
	const uint64_t *addresses = wanted->addresses;

	if (!wanted->count)
		return is_full(search, range);
	for (size_t i = SORTED_SKIP(j, wanted->count, addresses[j] < range.low);
	     i < wanted->count && addresses[i] < range.high; i++) {
		size_t at;

		if (!dwarf_work_take(search->source->work, LOOK_WORK))
			break;
		at = function_after(list, addresses[i]);
		if (at == list->count ||
		    list->functions[at].range.low > addresses[i])
			return false;
	}
	return true;
}

bool gap_search_is_needed(const struct gap_search *search)
{
	const struct debug_range all = { 0, UINT64_MAX };

	return !search->wanted->count || !is_answered(search, all);
}

static bool has_gap(const struct gap_search *search, struct unit_set set)
{
	struct debug_range range;
	uint64_t size;

	while (unit_set_range(&set, &range.low, &size)) {
		range.high = range.low + size;
		// Linkers move dropped code to 0, or to the end.
		if (range.low >= range.high ||
		    (!range.low && !search->wanted->zero_is_code))
			continue;
		if (!is_answered(search, range))
			return true;
	}
	return false;
}

/** Does a unit have its addresses in .debug_addr? False if unknown. */
static bool is_indexed(const struct gap_search *search, uint64_t offset)
{
	const struct unit_source *source = search->source;
	struct unit_reader *reader = NULL;
	struct unit unit;

	if (!unit_read(source->sections->info, offset, &unit) || unit.empty)
		return false;
	struct error *err = unit_open(source, &unit, &reader);
	bool indexed = !err && entry_has(&reader->root, ENTRY_ADDR_BASE);

	error_free(err);
	unit_reader_close(reader);
	return indexed;
}

bool gap_search_next(struct gap_search *search, uint64_t *ret_unit)
{
	const struct unit_source *source = search->source;
	struct unit_set set;

	while (source->work->left && cursor_left(&search->aranges) &&
	       unit_set_next(&search->aranges, &set)) {
		bool gap = has_gap(search, set);

		// An incomplete search of functions shows no gaps.
		if (!source->work->left)
			break;
		if (!gap || !is_indexed(search, set.unit))
			continue;
		*ret_unit = set.unit;
		return true;
	}
	return false;
}

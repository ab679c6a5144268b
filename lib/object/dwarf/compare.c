// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/compare.h"

#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

/** Two functions at one address, and their readers' results. */
struct pair {
	const struct debug_info *native;
	const struct debug_info *other;
	struct str *difference; ///< empty until one is found
};

static void add_place(struct str *out, const struct debug_info *info,
                      uint32_t file, uint32_t line)
{
	const struct debug_file *at = &info->files[file];

	str_addf(out, "%s%s%s:%" PRIu32, at->directory,
	         *at->directory ? "/" : "", at->name, line);
}

static bool same_file(const struct pair *pair, uint32_t native, uint32_t other)
{
	const struct debug_file *a = &pair->native->files[native];
	const struct debug_file *b = &pair->other->files[other];

	return !strcmp(a->directory, b->directory) && !strcmp(a->name, b->name);
}

/** `: native 'a', libdwarf 'b'` */
static bool differ_in_text(struct pair *pair, const char *native,
                           const char *other)
{
	str_addf(pair->difference, ": native '%s', libdwarf '%s'", native,
	         other);
	return false;
}

static bool differ_in_place(struct pair *pair, uint32_t native_file,
                            uint32_t native_line, uint32_t other_file,
                            uint32_t other_line)
{
	str_add(pair->difference, ": native ");
	add_place(pair->difference, pair->native, native_file, native_line);
	str_add(pair->difference, ", libdwarf ");
	add_place(pair->difference, pair->other, other_file, other_line);
	return false;
}

static bool same_lines(struct pair *pair, const struct debug_function *a,
                       const struct debug_function *b)
{
	uint32_t count = a->line_count < b->line_count ? a->line_count
	                                               : b->line_count;

	for (uint32_t i = 0; i < count; i++) {
		const struct debug_line *native = &a->lines[i];
		const struct debug_line *other = &b->lines[i];

		if (native->address == other->address &&
		    native->line == other->line &&
		    same_file(pair, native->file, other->file))
			continue;
		str_addf(pair->difference,
		         "row %" PRIu32 " at 0x%" PRIx64 " and 0x%" PRIx64, i,
		         native->address, other->address);
		return differ_in_place(pair, native->file, native->line,
		                       other->file, other->line);
	}
	if (a->line_count == b->line_count)
		return true;
	str_addf(pair->difference, "native has %u rows, libdwarf %u",
	         (unsigned)a->line_count, (unsigned)b->line_count);
	return false;
}

static bool same_ranges(struct pair *pair, const struct debug_inline *a,
                        const struct debug_inline *b)
{
	size_t i = 0;

	while (i < a->range_count && i < b->range_count &&
	       a->ranges[i].low == b->ranges[i].low &&
	       a->ranges[i].high == b->ranges[i].high)
		i++;
	if (i == a->range_count && i == b->range_count)
		return true;
	str_addf(pair->difference,
	         "range %zu of the inlined call '%s' is not the same", i,
	         a->name);
	return false;
}

/** Trees of calls: their depth is bounded. */
static bool same_calls(struct pair *pair, const struct debug_inline *a,
                       uint32_t a_count, const struct debug_inline *b,
                       uint32_t b_count)
{
	if (a_count != b_count) {
		str_addf(pair->difference,
		         "native has %" PRIu32 " inlined calls, libdwarf "
		         "%" PRIu32,
		         a_count, b_count);
		return false;
	}
	for (uint32_t i = 0; i < a_count; i++) {
		if (!same_ranges(pair, &a[i], &b[i]))
			return false;
		if (strcmp(a[i].name, b[i].name) != 0) {
			str_add(pair->difference, "an inlined call");
			return differ_in_text(pair, a[i].name, b[i].name);
		}
		if (a[i].call_line != b[i].call_line ||
		    !same_file(pair, a[i].call_file, b[i].call_file)) {
			str_addf(pair->difference, "the call of '%s'",
			         a[i].name);
			return differ_in_place(pair, a[i].call_file,
			                       a[i].call_line, b[i].call_file,
			                       b[i].call_line);
		}
		if (!same_calls(pair, a[i].children, a[i].child_count,
		                b[i].children, b[i].child_count))
			return false;
	}
	return true;
}

/** Functions that begin at one address. */
static bool same_function(struct pair *pair, const struct debug_function *a,
                          const struct debug_function *b)
{
	if (a->range.high != b->range.high) {
		str_addf(pair->difference,
		         "'%s' ends at 0x%" PRIx64 " (native) or 0x%" PRIx64
		         " (libdwarf)",
		         a->name, a->range.high, b->range.high);
		return false;
	}
	if (strcmp(a->name, b->name) != 0) {
		str_add(pair->difference, "a function");
		return differ_in_text(pair, a->name, b->name);
	}
	return same_lines(pair, a, b) &&
	       same_calls(pair, a->inlines, a->inline_count, b->inlines,
	                  b->inline_count);
}

/** Count a difference; the first one is kept. */
static void note(struct debug_differences *ret, uint64_t address,
                 const struct str *difference)
{
	SCOPED(str_release) struct str text = { 0 };
	struct text kept;

	if (ret->count++)
		return;
	str_addf(&text, "0x%" PRIx64 ": ", address);
	str_add_text(&text, str_text(difference));
	kept = utf8_first(str_text(&text), sizeof(ret->first) - 1);
	memcpy(ret->first, kept.data, kept.size);
	ret->first[kept.size] = '\0';
}

static void note_one_sided(struct debug_differences *ret,
                           const struct debug_function *function,
                           const char *reader)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "only %s has '%s'", reader, function->name);
	note(ret, function->range.low, &text);
}

static void compare_bad_units(const struct debug_info *native,
                              const struct debug_info *other,
                              struct debug_differences *ret)
{
	const char *reason = native->bad_unit_count ? native->bad_unit_reason
	                                            : other->bad_unit_reason;

	if (native->bad_unit_count == other->bad_unit_count)
		return;
	ret->count++;
	if (!*ret->first)
		snprintf(ret->first, sizeof(ret->first),
		         "native cannot read %zu units, libdwarf %zu: %s",
		         native->bad_unit_count, other->bad_unit_count, reason);
}

void debug_info_compare(const struct debug_info *native,
                        const struct debug_info *other,
                        struct debug_differences *ret)
{
	SCOPED(str_release) struct str difference = { 0 };
	struct pair pair = { native, other, &difference };
	size_t i = 0;
	size_t j = 0;

	*ret = (struct debug_differences){ 0 };
	compare_bad_units(native, other, ret);
	while (i < native->function_count || j < other->function_count) {
		const struct debug_function *a = i < native->function_count
		                                         ? &native->functions[i]
		                                         : NULL;
		const struct debug_function *b =
		        j < other->function_count ? &other->functions[j] : NULL;

		ret->function_count++;
		if (!b || (a && a->range.low < b->range.low)) {
			note_one_sided(ret, a, "native");
			i++;
		} else if (!a || b->range.low < a->range.low) {
			note_one_sided(ret, b, "libdwarf");
			j++;
		} else {
			str_clear(&difference);
			if (!same_function(&pair, a, b))
				note(ret, a->range.low, &difference);
			i++;
			j++;
		}
	}
}

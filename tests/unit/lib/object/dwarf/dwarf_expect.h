// SPDX-License-Identifier: MIT
/**
 * What both readers must collect from debug information that was built with
 * dwarf_builder.h, as text:
 *
 *     EXPECT_AT(&d, "main [1000 1040)\n  1000 /build/main.c:10\n", 0x1014);
 *
 * To be included behind <cmocka.h>.
 */
#ifndef APMTOOL_TESTS_UNIT_DWARF_EXPECT_H
#define APMTOOL_TESTS_UNIT_DWARF_EXPECT_H

#include "lib/object/dwarf/macho_debug.h"

#include "tests/unit/lib/object/dwarf/dwarf_builder.h"

#include <inttypes.h>

/** Everything that was collected, a line each, for comparison. */
static inline void render_place(struct str *out, const struct debug_info *info,
                                uint32_t file, uint32_t line)
{
	const struct debug_file *at = &info->files[file];

	str_addf(out, "%s%s%s:%" PRIu32 "\n", at->directory,
	         *at->directory ? "/" : "", at->name, line);
}

static inline void render_calls(struct str *out, const struct debug_info *info,
                                const struct debug_inline *calls, size_t count,
                                size_t indent)
{
	for (size_t i = 0; i < count; i++) {
		const struct debug_inline *call = &calls[i];

		str_add_repeat(out, ' ', indent);
		str_add(out, call->name);
		for (size_t j = 0; j < call->range_count; j++)
			str_addf(out, " [%" PRIx64 " %" PRIx64 ")",
			         call->ranges[j].low, call->ranges[j].high);
		str_add(out, " from ");
		render_place(out, info, call->call_file, call->call_line);
		render_calls(out, info, call->children, call->child_count,
		             indent + 2);
	}
}

static inline void render(struct str *out, const struct debug_info *info)
{
	for (size_t i = 0; i < info->function_count; i++) {
		const struct debug_function *f = &info->functions[i];

		str_addf(out, "%s [%" PRIx64 " %" PRIx64 ")\n", f->name,
		         f->range.low, f->range.high);
		for (size_t j = 0; j < f->line_count; j++) {
			str_addf(out, "  %" PRIx64 " ", f->lines[j].address);
			render_place(out, info, f->lines[j].file,
			             f->lines[j].line);
		}
		render_calls(out, info, f->inlines, f->inline_count, 4);
	}
	if (info->bad_unit_count)
		str_addf(out, "%zu bad: %s\n", info->bad_unit_count,
		         info->bad_unit_reason);
}

/** As debug_info_collect(), of a Mach-O file. */
static inline struct error *collect_macho(const struct macho *macho,
                                          enum debug_reader reader,
                                          const uint64_t *addresses,
                                          size_t count, struct arena *arena,
                                          struct debug_info *ret)
{
	const struct debug_object object = macho_debug_object(macho);

	return debug_info_collect(&object, reader, addresses, count, arena,
	                          ret);
}

/** What a reader collects for @p addresses (all functions if none). */
static inline void collect(const struct macho *macho, enum debug_reader reader,
                           const uint64_t *addresses, size_t count,
                           struct str *text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct debug_info info;
	struct error *err =
	        collect_macho(macho, reader, addresses, count, &arena, &info);

	if (err)
		fail_msg("%s", error_message(err));
	render(text, &info);
}

/** Collect by our reader, and by libdwarf's too, compare, release. */
static inline void expect_by(struct dwarf_builder *d, bool libdwarf_too,
                             const uint64_t *addresses, size_t count,
                             const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };
	struct macho macho;
	struct error *err = macho_parse(dwarf_finish(d), &macho);

	assert_null(err);
	collect(&macho, DEBUG_READER_NATIVE, addresses, count, &text);
	assert_string_equal(str_cstr(&text), expected);
	if (libdwarf_too) {
		str_clear(&text);
		collect(&macho, DEBUG_READER_LIBDWARF, addresses, count, &text);
		assert_string_equal(str_cstr(&text), expected);
	}
	macho_release(&macho);
	dwarf_builder_release(d);
}

static inline void expect(struct dwarf_builder *d, const uint64_t *addresses,
                          size_t count, const char *expected)
{
	expect_by(d, true, addresses, count, expected);
}

#define EXPECT_AT(d, expected, ...)                                          \
	expect((d), (const uint64_t[]){ __VA_ARGS__ },                       \
	       sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
	       (expected))

/** Where our reader says more: it uses .debug_aranges, and passes by damage. */
#define EXPECT_OURS_AT(d, expected, ...)                         \
	expect_by((d), false, (const uint64_t[]){ __VA_ARGS__ }, \
	          sizeof((const uint64_t[]){ __VA_ARGS__ }) /    \
	                  sizeof(uint64_t),                      \
	          (expected))

#endif

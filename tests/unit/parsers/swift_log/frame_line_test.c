// SPDX-License-Identifier: MIT
#include "parsers/swift_log/frame_line.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void add_tags(struct str *out, unsigned tags)
{
	static const char *const names[] = { "ra", "async", "inlined", "thunk",
		                             "system" };

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (tags & 1u << i)
			str_addf(out, " [%s]", names[i]);
}

/** What was read of a line; `none` if it is no frame. */
static void add_frame(struct str *out, const char *line)
{
	struct swift_frame_line frame;

	if (!swift_frame_parse(text_from(line), &frame)) {
		str_add(out, "none");
		return;
	}
	if (frame.is_gap) {
		str_add(out, "gap");
		return;
	}
	str_addf(out, "%" PRIu64, frame.index);
	add_tags(out, frame.tags);
	if (frame.has_address)
		str_addf(out, " 0x%" PRIx64, frame.address);
	str_addf(out, " '%.*s'", TEXT_ARGS(frame.symbol));
	if (frame.has_symbol_offset)
		str_addf(out, "+%" PRIu64, frame.symbol_offset);
	str_addf(out, " in '%.*s' at '%.*s'", TEXT_ARGS(frame.image),
	         TEXT_ARGS(frame.path));
	if (frame.has_line)
		str_addf(out, " %" PRIu32 " %" PRIu32, frame.line,
		         frame.column);
}

static void lines_of_frames_are_read(void **state UNUSED)
{
	static const struct {
		const char *line;
		const char *frame;
	} cases[] = {
		{ "0      0x0000000100e80a0c", "0 0x100e80a0c '' in '' at ''" },
		{ "  1 [ra]          0x10 foo() + 12 in Demo at "
		  "/x/D.swift:14:24",
		  "1 [ra] 0x10 'foo()'+12 in 'Demo' at '/x/D.swift' 14 24" },
		{ "3 [system] [ra] 0x10 static A.$main() + 12 in Demo at "
		  "/<compiler-generated>",
		  "3 [ra] [system] 0x10 'static A.$main()'+12 in 'Demo' at "
		  "'<compiler-generated>'" },
		{ "7 [async] [thunk] [later] 0x10",
		  "7 [async] [thunk] 0x10 '' in '' at ''" },
		{ "2 [inlined] A.first.getter in Demo at /x/D.swift:3:7",
		  "2 [inlined] 'A.first.getter' in 'Demo' at '/x/D.swift' 3 "
		  "7" },
		// Names, images and paths may hold ` in ` and ` at `.
		{ "0 0x10 closure #1 in a(b:) + 2 in My App at "
		  "/Users/me at work/in it/D.swift:3:7",
		  "0 0x10 'closure #1 in a(b:)'+2 in 'My App' at "
		  "'/Users/me at work/in it/D.swift' 3 7" },
		{ "0 0x10 closure #1 in a(b:) in Demo at /x/D.swift:3:7",
		  "0 0x10 'closure #1 in a(b:)' in 'Demo' at '/x/D.swift' 3 "
		  "7" },
		{ "0 0x10 closure #1 in a(b:)",
		  "0 0x10 'closure #1 in a(b:)' in '' at ''" },
		{ "0 0x10 level4() + 388 in crashMe.exe at "
		  "S:\\x\\main.swift:16",
		  "0 0x10 'level4()'+388 in 'crashMe.exe' at "
		  "'S:\\x\\main.swift' "
		  "16 0" },
		{ "0 0x10 foo() - 4 in Demo",
		  "0 0x10 'foo()' in 'Demo' at ''" },
		{ "0 0x10 <unknown> in libc.so.6",
		  "0 0x10 '' in 'libc.so.6' at ''" },
		{ "0 readNext() + 24 in Demo at /x/D.swift:18:15",
		  "0 'readNext()'+24 in 'Demo' at '/x/D.swift' 18 15" },
		// As this program writes them.
		{ "1 [ra] 0x10 f(int) + 4 (a.cpp:11) [inlined]",
		  "1 [ra] [inlined] 0x10 'f(int)'+4 in '' at 'a.cpp' 11 0" },
		{ "3      ...", "gap" },
		{ "...", "gap" },
		{ "... done ***", "none" },
		{ "3 apples", "none" },
		{ "3", "none" },
		{ "", "none" },
		{ "0xabc 0x10", "none" },
		{ "18446744073709551616 0x10", "none" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		add_frame(&out, cases[i].line);
		assert_string_equal(str_cstr(&out), cases[i].frame);
	}
}

static void lines_of_source_code_are_no_frames(void **state UNUSED)
{
	assert_true(swift_line_is_source(
	        text_from("    16\xe2\x94\x82   log.open()")));
	assert_true(
	        swift_line_is_source(text_from("      \xe2\x94\x82     ^")));
	assert_true(
	        swift_line_is_source(text_from("  *  18|   c in d at e:3")));
	assert_false(swift_line_is_source(text_from("0 0x10 a | b")));
	assert_false(swift_line_is_source(text_from("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_frames_are_read),
		cmocka_unit_test(lines_of_source_code_are_no_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

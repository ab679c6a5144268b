// SPDX-License-Identifier: MIT
#include "parsers/sampled/tree_frame.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/** All that was read, in one line. */
static void describe(const struct tree_frame *frame, struct str *out)
{
	str_add(out, frame->is_marker ? "marker" : "frame");
	if (frame->symbol.size) {
		str_add(out, " symbol='");
		str_add_text(out, frame->symbol);
		str_add(out, "'");
	}
	if (frame->has_symbol_offset)
		str_addf(out, " plus=%" PRIu64, frame->symbol_offset);
	if (frame->image.size) {
		str_add(out, " image='");
		str_add_text(out, frame->image);
		str_add(out, "'");
	}
	if (frame->image_offset)
		str_addf(out, " offset=%" PRIu64, frame->image_offset);
	if (frame->address)
		str_addf(out, " at=%" PRIx64, frame->address);
	if (frame->file.size) {
		str_add(out, " place=");
		str_add_text(out, frame->file);
	}
	if (frame->has_line) {
		str_addf(out, ":%" PRIu32 "%s", frame->line,
		         frame->line_borrowed ? "~" : "");
	}
	if (frame->inlined)
		str_add(out, " inlined");
}

struct line_case {
	const char *line;
	const char *expected;
};

static void assert_read(const struct line_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		SCOPED(str_release) struct str found = { 0 };
		struct tree_frame frame;

		tree_frame_parse(text_from(cases[i].line), &frame);
		describe(&frame, &found);
		if (!text_is(str_text(&found), cases[i].expected))
			fail_msg("%s\n%s", cases[i].line, str_cstr(&found));
	}
}

static void lines_of_sample_are_read(void **state UNUSED)
{
	static const struct line_case cases[] = {
		{ "start  (in libdyld.dylib) + 1  [0x7fff70df52a5]",
		  "frame symbol='start' plus=1 image='libdyld.dylib' "
		  "at=7fff70df52a5" },
		{ "???  (in Demo)  load address 0x101671000 + 0xe30  "
		  "[0x101671e30]",
		  "frame image='Demo' offset=3632 at=101671e30" },
		{ "???  (in <unknown binary>)  [0x10a3c8d41]",
		  "frame at=10a3c8d41" },
		{ "-[A b:]  (in My App (Beta)) + 24,32,...  [0x1010,0x1018]",
		  "frame symbol='-[A b:]  (in My App (Beta)) + 24,32,...' "
		  "at=1010" },
		{ "f(int)  (in My App (Beta))  [0x1010,0x1018,...]",
		  "frame symbol='f(int)' image='My App (Beta)' at=1010" },
		{ "main  (in Demo) + 52  [0x100003f34]  main.c:12",
		  "frame symbol='main' plus=52 image='Demo' at=100003f34 "
		  "place=main.c:12" },
		{ "main (in Demo) (main.m:30) [0x103c0deb0]",
		  "frame symbol='main' image='Demo' at=103c0deb0 "
		  "place=main.m:30" },
		{ "main (in Demo) (main.m:30, near) [0x103c0deb0]",
		  "frame symbol='main' image='Demo' at=103c0deb0 "
		  "place=main.m:30~" },
		{ "a::b() (in Demo) (b.hpp:3) [inlined] [0x103c0deb0]",
		  "frame symbol='a::b()' image='Demo' at=103c0deb0 "
		  "place=b.hpp:3 inlined" },
		{ "main (in Demo) + 8  load address 0x1000 + 0x10 [0x1010]",
		  "frame symbol='main' plus=8 image='Demo' offset=16 "
		  "at=1010" },
	};

	assert_read(cases, ARRAY_SIZE(cases));
}

static void lines_of_spindump_are_read(void **state UNUSED)
{
	static const struct line_case cases[] = {
		{ "??? (Demo + 51500) [0x104d0c92c]",
		  "frame image='Demo' offset=51500 at=104d0c92c" },
		{ "-[Store load] + 84 (My Demo + 61000) [0x104d0ee48] (blocked "
		  "by turnstile waiting for Other [99] thread 0x77)",
		  "frame symbol='-[Store load]' plus=84 image='My Demo' "
		  "offset=61000 at=104d0ee48" },
		{ "main + 84 (main.m:16 in Demo + 61000) [0x104d0ee48]",
		  "frame symbol='main' plus=84 image='Demo' offset=61000 "
		  "at=104d0ee48 place=main.m:16" },
		{ "main + 84 (main.m:16, near in Demo + 61000) [0x1048]",
		  "frame symbol='main' plus=84 image='Demo' offset=61000 "
		  "at=1048 place=main.m:16~" },
		{ "main + 84 (main.m:16,3 in Demo + 61000) [inlined] [0x1048]",
		  "frame symbol='main' plus=84 image='Demo' offset=61000 "
		  "at=1048 place=main.m:16 inlined" },
		{ "main + 84 (Demo.swift in Demo + 61000) [0x104d0ee48]",
		  "frame symbol='main' plus=84 image='Demo' offset=61000 "
		  "at=104d0ee48 place=Demo.swift" },
		{ "main + 84 (<compiler-generated> in Demo + 61000) [0x1048]",
		  "frame symbol='main' plus=84 image='Demo' offset=61000 "
		  "at=1048" },
		{ "closure #1 (a:5) in f(x:) + 8 (Demo in Demo + 9) [0x10]",
		  "frame symbol='closure #1 (a:5) in f(x:)' plus=8 "
		  "image='Demo in Demo' offset=9 at=10" },
		{ "f<int>(a*, b (*)(c)) + 41 (caulk + 7692) [0x7ff81a954e0c]",
		  "frame symbol='f<int>(a*, b (*)(c))' plus=41 image='caulk' "
		  "offset=7692 at=7ff81a954e0c" },
		{ "??? (<1A2B3C4D-0000-0000-0000-000000000000> + 16) [0x10]",
		  "frame image='<1A2B3C4D-0000-0000-0000-000000000000>' "
		  "offset=16 at=10" },
		{ "??? [0x100c4e454] 1", "frame at=100c4e454" },
		{ "??? [0xffffff80002e49e7] (running) 1",
		  "frame at=ffffff80002e49e7" },
		{ "<patched truncated backtrace>", "marker" },
		{ "<User mode>", "marker" },
		{ "<redacted> (Demo + 16) [0x1010]",
		  "frame image='Demo' offset=16 at=1010" },
	};

	assert_read(cases, ARRAY_SIZE(cases));
}

static void what_is_damaged_stays_a_name(void **state UNUSED)
{
	static const struct line_case cases[] = {
		{ "", "frame" },
		{ "???", "frame" },
		{ "0x1234", "frame" },
		{ "main", "frame symbol='main'" },
		{ "main (in Dem", "frame symbol='main (in Dem'" },
		{ "main + ", "frame symbol='main +'" },
		{ "+ 1", "frame symbol='+ 1'" },
		{ ")", "frame symbol=')'" },
		{ "a ())", "frame symbol='a ())'" },
		{ "a (Demo + 16) [0x", "frame symbol='a (Demo + 16) [0x'" },
		{ "a [0x12345678901234567]",
		  "frame symbol='a [0x12345678901234567]'" },
		{ "a (Demo + 99999999999999999999) [0x10]",
		  "frame symbol='a (Demo + 99999999999999999999)' at=10" },
		{ "a (b.c:4294967296) [0x10]",
		  "frame symbol='a (b.c:4294967296)' at=10" },
	};

	assert_read(cases, ARRAY_SIZE(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_sample_are_read),
		cmocka_unit_test(lines_of_spindump_are_read),
		cmocka_unit_test(what_is_damaged_stays_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

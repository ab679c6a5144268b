// SPDX-License-Identifier: MIT
#include "lib/text/framing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LIMIT 8

/** Frames of a stream that is given in pieces of @p step bytes. */
static void expect_frames(enum framing framing, struct text stream, size_t step,
                          const char *expected)
{
	struct framing_reader reader = { .framing = framing,
		                         .limit_bytes = LIMIT };
	SCOPED(str_release) struct str found = { 0 };
	size_t at = 0;

	for (bool is_over = false; !is_over;) {
		struct text frame;

		switch (framing_next(&reader, &frame)) {
		case FRAMING_MORE:
			is_over = reader.has_ended;
			if (is_over)
				break;
			if (step > stream.size - at)
				step = stream.size - at;
			framing_give(&reader, stream.data + at, step);
			at += step;
			break;
		case FRAMING_WHOLE:
			str_addf(&found, "[%.*s]", TEXT_ARGS(frame));
			break;
		case FRAMING_TOO_LARGE:
			str_add(&found, "[large]");
			break;
		case FRAMING_BROKEN:
			str_add(&found, "[broken]");
			is_over = true;
			break;
		}
	}
	assert_string_equal(str_cstr(&found), expected);
	framing_release(&reader);
}

static void expect(enum framing framing, const char *stream, size_t size,
                   const char *expected)
{
	for (size_t step = 1; step <= size + 1; step++)
		expect_frames(framing, (struct text){ stream, size }, step,
		              expected);
}

#define EXPECT(framing, stream, expected) \
	expect(framing, "" stream, sizeof(stream) - 1, expected)

static void frames_are_the_same_however_they_come(void **state UNUSED)
{
	EXPECT(FRAMING_LINES, "a\n\nbc\n", "[a][][bc]");
	EXPECT(FRAMING_NETSTRING, "1:a,0:,2:bc,", "[a][][bc]");
	EXPECT(FRAMING_U32, "\0\0\0\1a\0\0\0\0\0\0\0\2bc", "[a][][bc]");
}

static void last_line_may_lack_its_newline(void **state UNUSED)
{
	EXPECT(FRAMING_LINES, "a\nb", "[a][b]");
	EXPECT(FRAMING_LINES, "a\n", "[a]");
	EXPECT(FRAMING_LINES, "", "");
}

static void large_frames_are_skipped(void **state UNUSED)
{
	EXPECT(FRAMING_LINES, "12345678\n123456789\nb\n",
	       "[12345678][large][b]");
	EXPECT(FRAMING_LINES, "12345678901234567890", "[large]");
	EXPECT(FRAMING_NETSTRING, "8:12345678,9:123456789,1:b,",
	       "[12345678][large][b]");
	EXPECT(FRAMING_U32,
	       "\0\0\0\x09"
	       "123456789\0\0\0\1b",
	       "[large][b]");
}

static void what_is_no_frame_ends_the_stream(void **state UNUSED)
{
	EXPECT(FRAMING_NETSTRING, "1:a,x1:b,", "[a][broken]");
	EXPECT(FRAMING_NETSTRING, "1:ab1:b,", "[broken]");
	EXPECT(FRAMING_NETSTRING, "01:a,", "[broken]");
	EXPECT(FRAMING_NETSTRING, ":a,", "[broken]");
	EXPECT(FRAMING_NETSTRING, "12345678901:a,", "[broken]");
}

static void frame_that_ends_early_is_broken(void **state UNUSED)
{
	EXPECT(FRAMING_NETSTRING, "3:ab", "[broken]");
	EXPECT(FRAMING_NETSTRING, "3", "[broken]");
	EXPECT(FRAMING_U32, "\0\0\0\2a", "[broken]");
	EXPECT(FRAMING_U32, "\0\0", "[broken]");
}

static void skipping_keeps_nothing(void **state UNUSED)
{
	struct framing_reader reader = { .framing = FRAMING_LINES,
		                         .limit_bytes = LIMIT };
	static char piece[1 << 16];
	struct text frame;

	memset(piece, 'x', sizeof(piece));
	for (int i = 0; i < 100; i++) {
		framing_give(&reader, piece, sizeof(piece));
		assert_int_equal(framing_next(&reader, &frame),
		                 i ? FRAMING_MORE : FRAMING_TOO_LARGE);
	}
	assert_true(reader.buffer.cap <= 4 * sizeof(piece));
	framing_release(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_the_same_however_they_come),
		cmocka_unit_test(last_line_may_lack_its_newline),
		cmocka_unit_test(large_frames_are_skipped),
		cmocka_unit_test(what_is_no_frame_ends_the_stream),
		cmocka_unit_test(frame_that_ends_early_is_broken),
		cmocka_unit_test(skipping_keeps_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

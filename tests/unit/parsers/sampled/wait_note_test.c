// SPDX-License-Identifier: MIT
#include "parsers/sampled/wait_note.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct note_case {
	const char *line;
	const char *expected;
};

static const struct note_case cases[] = {
	{ "f + 0 (kernel + 16) [0xff10] (blocked by turnstile waiting for "
	  "Widget [701] thread 0x77)",
	  "process='Widget [701]' thread=77" },
	{ "f + 0 (kernel + 16) [0xff10] (blocked by turnstile waiting for "
	  "thread 0xce8dc4)",
	  "process='' thread=ce8dc4" },
	{ "??? (kernel + 16) [0xff10] (blocked by turnstile with priority 92 "
	  "waiting for WindowServer [176] thread 0x3e2) 1-12",
	  "process='WindowServer [176]' thread=3e2" },
	{ "f [0xff10] (blocked by turnstile waiting for smd [88] after 2 hops)",
	  "process='smd [88]'" },
	{ "f [0xff10] (suspended, blocked by turnstile waiting for Cursor "
	  "[858])",
	  "process='Cursor [858]'" },
	{ "f [0xff10] (blocked by turnstile waiting for this thread)",
	  "process='' itself" },
	{ "f [0xff10] (blocked by turnstile waiting for this thread after 1 "
	  "hop - part of a deadlock)",
	  "process='' itself deadlock" },
	{ "f [0xff10] (blocked by turnstile waiting for A thread 0x1 B (2) "
	  "[7] thread 0x2 - part of a deadlock)",
	  "process='A thread 0x1 B (2) [7]' thread=2 deadlock" },
	{ "f [0xff10] (blocked by turnstile waiting for mythread 0x1)",
	  "process='mythread 0x1'" },
	{ "f [0xff10] (blocked by turnstile waiting for thread 0x)",
	  "process='thread 0x'" },
	// No waits, or no thread is named.
	{ "f [0xff10] (running)", "none" },
	{ "f [0xff10]", "none" },
	{ "f [0xff10] (waiting for this thread)", "none" },
	{ "f [0xff10] (blocked by turnstile)", "none" },
	{ "f [0xff10] (blocked by turnstile waiting for )", "none" },
	{ "(blocked by turnstile waiting for thread 0x1) [0xff10]", "none" },
	{ "", "none" },
};

static void notes_name_who_is_waited_for(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str found = { 0 };
		struct wait_note note;

		if (wait_note_read(text_from(cases[i].line), &note)) {
			str_addf(&found, "process='%.*s'",
			         TEXT_ARGS(note.process));
			if (note.has_thread)
				str_addf(&found, " thread=%" PRIx64,
				         note.thread);
			if (note.is_itself)
				str_add(&found, " itself");
			if (note.is_deadlock)
				str_add(&found, " deadlock");
		} else {
			str_add(&found, "none");
		}
		if (!text_is(str_text(&found), cases[i].expected))
			fail_msg("%s\n%s", cases[i].line, str_cstr(&found));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_name_who_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

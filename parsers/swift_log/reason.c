// SPDX-License-Identifier: MIT
#include "parsers/swift_log/reason.h"

#include "lib/darwin/cpu.h"
#include "lib/darwin/platforms.h"
#include "parsers/text/bracket.h"

#include <string.h>

#define MESSAGE "Application Specific Information"

#define STARS "*** "
#define BOMB  "\xf0\x9f\x92\xa3 "

bool swift_headline(struct text line, struct text *ret_reason)
{
	struct text rest = text_trim(line);
	bool is_marked = text_take(&rest, STARS) || text_take(&rest, BOMB);
	struct text reason = rest;

	if (text_take(&reason, "Program crashed: ")) {
		// The mark may be lost with the emoji.
		if (!is_marked && text_find(reason, " at 0x") == TEXT_NOWHERE)
			return false;
	} else if (!is_marked ||
	           !text_starts(reason, "Swift runtime failure: ")) {
		return false;
	}
	if (text_ends(reason, " ***"))
		reason = text_first(reason, reason.size - strlen(" ***"));
	if (ret_reason)
		*ret_reason = text_trim(reason);
	return true;
}

bool swift_is_signal_line(struct text line)
{
	struct text rest = text_trim(line);

	return text_take(&rest, STARS) &&
	       (text_starts(rest, "Signal ") ||
	        text_starts(rest, "Exception ")) &&
	       text_find(rest, ": Backtracing from 0x") != TEXT_NOWHERE;
}

bool swift_is_fatal_line(struct text line)
{
	static const char *const words[] = { "Fatal error",
		                             "Precondition failed",
		                             "Assertion failed" };

	line = text_trim(line);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t at = text_find(line, words[i]);
		struct text rest = line;

		if (at == TEXT_NOWHERE ||
		    (at && !text_ends(text_first(line, at), ": ")))
			continue;
		rest = text_after(line, at + strlen(words[i]));
		if (!rest.size || rest.data[0] == ':')
			return true;
	}
	return false;
}

static const struct {
	const char *words;
	const char *type;
	const char *signal; ///< or NULL
} reasons[] = {
	{ "Bad pointer dereference", "EXC_BAD_ACCESS", "SIGSEGV" },
	{ "Access violation", "EXC_BAD_ACCESS", NULL }, // Windows
	{ "Bus error", "EXC_BAD_ACCESS", "SIGBUS" },
	{ "Illegal instruction", "EXC_BAD_INSTRUCTION", "SIGILL" },
	{ "System trap", "EXC_BREAKPOINT", "SIGTRAP" },
	{ "Swift runtime failure: ", "EXC_BREAKPOINT", "SIGTRAP" },
	{ "Fatal error", "EXC_BREAKPOINT", "SIGTRAP" },
	{ "Floating point exception", "EXC_ARITHMETIC", "SIGFPE" },
	{ "Aborted", "EXC_CRASH", "SIGABRT" },
	{ "Terminated", "EXC_CRASH", "SIGQUIT" },
};

void swift_set_reason(struct report *report, struct arena *arena,
                      struct text reason)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!text_starts(reason, reasons[i].words))
			continue;
		report->exception.type = reasons[i].type;
		report->exception.signal = reasons[i].signal;
		break;
	}
	report->exception.subtype = arena_text(arena, reason);
	if (text_starts(reason, "Swift runtime failure: ") ||
	    text_starts(reason, "Fatal error"))
		swift_add_message(report, arena, reason);
}

void swift_add_message(struct report *report, struct arena *arena,
                       struct text message)
{
	const char *text = arena_text(arena, text_trim(message));

	for (size_t i = 0; i < report->section_count; i++) {
		struct report_section *section = &report->sections[i];

		if (strcmp(section->label, MESSAGE) != 0)
			continue;
		section->text =
		        arena_printf(arena, "%s\n%s", section->text, text);
		return;
	}
	report_add_section(report, arena, MESSAGE, text);
}

void swift_set_arch(struct report *report, struct arena *arena,
                    struct text arch)
{
	const char *name = arena_text(arena, arch);

	report->code_type = darwin_code_type_of_arch(name);
	for (size_t i = 0; i < report->image_count; i++)
		report->images[i].arch = name;
}

void swift_set_os(struct report *report, struct arena *arena, struct text os)
{
	os = text_trim(os);
	// Other texts in brackets are not a build.
	if (darwin_platform_of(os))
		text_bracket_os_version(os, report, arena);
	else
		report->os_version = arena_text(arena, os);
}

// SPDX-License-Identifier: MIT
#include "parsers/crash_text/exception.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "parsers/text/bracket.h"
#include "parsers/text/script_frames.h"
#include "parsers/text/termination.h"

#include <string.h>

static const char *keep_value(struct crash_text_reader *reader,
                              struct text value)
{
	return arena_text(reader->text.arena, text_trim(value));
}

/** `EXC_NAME (SIGNAME)`, either alone, or another text in the brackets. */
void crash_text_exception_type(struct crash_text_reader *reader,
                               struct text value)
{
	struct report_exception *exception = &reader->text.report->exception;
	struct text type;
	struct text inside;

	text_bracket_split(value, &type, &inside);
	if (text_starts(type, "SIG"))
		exception->signal = keep_value(reader, type);
	else
		exception->type = keep_value(reader, type);
	if (text_starts(inside, "SIG")) {
		struct text signal;

		// `EXC_CRASH (SIGKILL (Code Signature Invalid))`
		text_bracket_split(inside, &signal, &inside);
		exception->signal = keep_value(reader, signal);
	}
	if (inside.size && !text_starts(inside, "SIG"))
		exception->subtype = keep_value(reader, inside);
}

/**
 * macOS prints the line twice, with names and raw: the raw line has the codes,
 * the named one the subtype.
 */
void crash_text_exception_codes(struct crash_text_reader *reader,
                                struct text value)
{
	struct report_exception *exception = &reader->text.report->exception;
	const char *codes = keep_value(reader, value);

	if (!exception->codes || text_starts(value, "0x"))
		exception->codes = codes;
	if (!exception->subtype && !text_starts(value, "0x"))
		exception->subtype = codes;
}

void crash_text_termination_reason(struct crash_text_reader *reader,
                                   struct text line)
{
	// Separated by NULs, which no line contains, until their number is
	// known.
	str_add_text(&reader->block, text_trim(line));
	str_add_char(&reader->block, '\0');
}

static void end_termination(struct crash_text_reader *reader)
{
	struct report_termination *termination =
	        &reader->text.report->termination;
	struct text rest = str_text(&reader->block);
	const char **reasons = NULL;
	size_t count = 0;
	size_t cap = 0;
	size_t end;

	while ((end = text_find_char(rest, '\0')) != TEXT_NOWHERE) {
		ARENA_GROW(reader->text.arena, reasons, count, cap);
		reasons[count++] = keep_value(reader, text_first(rest, end));
		rest = text_after(rest, end + 1);
	}
	termination->reasons = reasons;
	termination->reason_count = count;
	str_clear(&reader->block);
}

void crash_text_termination(struct crash_text_reader *reader, struct text value)
{
	struct report *report = reader->text.report;

	if (report->termination.verbatim)
		return;
	termination_parse(value, reader->text.arena, &report->termination);
	crash_text_begin_part(reader, CRASH_TEXT_TERMINATION, end_termination);
}

/** iOS 12 and earlier: parts divided by ` | `. */
void crash_text_termination_description(struct crash_text_reader *reader,
                                        struct text value)
{
	struct report_termination *termination =
	        &reader->text.report->termination;
	struct text rest = value;
	const char **details = NULL;
	size_t count = 0;
	size_t cap = 0;

	if (termination->details)
		return;
	while (rest.size) {
		size_t end = text_find(rest, " | ");

		ARENA_GROW(reader->text.arena, details, count, cap);
		details[count++] = keep_value(reader, text_first(rest, end));
		rest = end == TEXT_NOWHERE ? TEXT_NONE
		                           : text_after(rest, end + 3);
	}
	termination->details = details;
	termination->detail_count = count;
}

/**
 * Foundation's words are for NSExceptions, but reporters use them for all
 * exceptions: a C++ type has `::`, `*`, or `<`.
 */
static const char *kind_of_name(const char *name)
{
	return strstr(name, "::") || strpbrk(name, "*<") ? NULL
	                                                 : "objc-exception";
}

/** `… exception 'NAME', reason: 'REASON'`; REASON may contain quotes. */
static bool read_nsexception(struct crash_text_reader *reader, struct text text)
{
	struct report_thrown *thrown = &reader->text.report->thrown;
	size_t end;

	if (!text_take(&text, "'"))
		return false;
	end = text_find(text, "', reason: '");
	if (end == TEXT_NOWHERE) {
		end = text_find_char(text, '\'');
		thrown->name = keep_value(reader, text_first(text, end));
	} else {
		thrown->name = keep_value(reader, text_first(text, end));
		text = text_after(text, end + strlen("', reason: '"));
		end = text_find_last_char(text, '\'');
		thrown->reason = keep_value(reader, text_first(text, end));
	}
	thrown->kind = kind_of_name(thrown->name);
	return true;
}

/** `… of type NSException`, `… of type std::runtime_error: text` */
static void read_cxx_exception(struct crash_text_reader *reader,
                               struct text text)
{
	struct report_thrown *thrown = &reader->text.report->thrown;
	struct text type;
	size_t end;

	text = text_first(text, text_find_char(text, '\n'));
	end = text_find(text, ": ");
	type = text_trim(text_first(text, end));
	thrown->class_name = keep_value(reader, type);
	if (end != TEXT_NOWHERE)
		thrown->reason = keep_value(reader, text_after(text, end + 2));
	thrown->kind = text_is(type, "NSException") ? "objc-exception"
	                                            : "c++-exception";
}

void crash_text_thrown(struct crash_text_reader *reader, struct text text)
{
	static const char objc[] = "uncaught exception '";
	static const char cxx[] = "uncaught exception of type ";
	struct report_thrown *thrown = &reader->text.report->thrown;
	size_t at;

	// KSCrash's text has no label for it.
	if (text_is(text_trim(text), "Application main thread deadlocked"))
		report_add_section(
		        reader->text.report, reader->text.arena,
		        "Application Specific Information",
		        arena_text(reader->text.arena, text_trim(text)));
	if (!thrown->name && (at = text_find(text, objc)) != TEXT_NOWHERE &&
	    read_nsexception(reader, text_after(text, at + strlen(objc) - 1)))
		return;
	if (!thrown->name && !thrown->class_name &&
	    (at = text_find(text, cxx)) != TEXT_NOWHERE)
		read_cxx_exception(reader, text_after(text, at + strlen(cxx)));
}

/** The highest number of a thread, and one. */
static uint64_t next_number(const struct report *report)
{
	uint64_t next = 0;

	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->number >= next)
			next = number_sum(report->threads[i]->number, 1);
	return next;
}

void crash_text_add_javascript(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;
	struct text reason =
	        text_from(report->thrown.reason ? report->thrown.reason : "");
	struct report_thread *thread;
	struct text frames;
	uint64_t number;

	// The reason is printed unchanged, with them.
	if (text_find(reason, "Unhandled JS Exception: ") == TEXT_NOWHERE ||
	    report->thread_count >= limit_get(LIMIT_THREADS) ||
	    !script_frames_split(&reason, &frames))
		return;
	number = next_number(report);
	thread = report_add_thread(report, reader->text.arena);
	thread->number = number;
	thread->name = "JavaScript";
	script_frames_add(&thread->stack, frames, reader->text.arena);
}

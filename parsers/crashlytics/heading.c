// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"
#include "parsers/crashlytics/reader.h"
#include "parsers/text/script_frames.h"

#include <string.h>

// More digits are no number of a thread.
#define NUMBER_DIGITS 6

static const struct {
	const char *begins;
	enum crashlytics_list list;
	bool is_fatal;
} headings[] = {
	{ "Crashed: ", CRASHLYTICS_CRASHED, true },
	{ "Fatal Exception: ", CRASHLYTICS_EXCEPTION, true },
	{ "Non-fatal Exception: ", CRASHLYTICS_EXCEPTION, false },
	{ "Non-fatal Error: ", CRASHLYTICS_EXCEPTION, false },
	{ "Non-fatal: ", CRASHLYTICS_EXCEPTION, false },
};

/** `#0. ` or `19. `, as older texts number threads. */
static bool take_number(struct text *line, uint64_t *ret)
{
	struct text rest = *line;
	struct text digits;

	text_take(&rest, "#");
	digits = text_take_digits(&rest);
	if (digits.size > NUMBER_DIGITS || !text_take(&rest, ". ") ||
	    !number_decimal(digits, ret))
		return false;
	*line = rest;
	return true;
}

/** The heading of a line; or ARRAY_SIZE(headings). */
static size_t find_heading(struct text line, struct text *ret_rest)
{
	uint64_t number;
	size_t i = 0;

	line = text_trim(line);
	// The mark of a fact, in a chat's text below a title.
	text_take(&line, "# ");
	take_number(&line, &number);
	while (i < ARRAY_SIZE(headings) &&
	       !text_take(&line, headings[i].begins))
		i++;
	*ret_rest = text_trim(line);
	return i;
}

bool crashlytics_is_heading(struct text line)
{
	struct text rest;

	return find_heading(line, &rest) < ARRAY_SIZE(headings);
}

// Threads

static bool has_number(const struct report *report, uint64_t number)
{
	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->number == number)
			return true;
	return false;
}

/** The number in the title; else the next one. */
static uint64_t number_of(struct crashlytics_reader *reader, struct text *title)
{
	uint64_t number;

	*title = text_trim(*title);
	if (!take_number(title, &number) ||
	    (number < reader->next_number &&
	     has_number(reader->text.report, number)))
		number = reader->next_number;
	if (number >= reader->next_number)
		reader->next_number = number + 1;
	return number;
}

/** Begin a thread; NULL over the limit. */
static struct report_thread *begin_thread(struct crashlytics_reader *reader,
                                          const char *title)
{
	struct report *report = reader->text.report;
	struct text name = text_from(title ? title : "");
	struct report_thread *thread;

	reader->stack = NULL;
	if (report->thread_count == limit_get(LIMIT_THREADS)) {
		line_reader_flaw(&reader->text, LINE_FLAW_THREAD_LIMIT);
		return NULL;
	}
	thread = report_add_thread(report, reader->text.arena);
	thread->number = number_of(reader, &name);
	text_take(&name, "Crashed: ");
	if (name.size && !text_is(name, "Thread"))
		thread->name = arena_text(reader->text.arena, name);
	if (text_is(name, "com.apple.main-thread"))
		thread->queue = thread->name;
	reader->stack = &thread->stack;
	return thread;
}

/** The heading has the name: nothing is missing. */
static void take_title(struct crashlytics_reader *reader)
{
	if (reader->title)
		reader->text.report->lines[reader->title_line].count = 0;
}

void crashlytics_begin_list(struct crashlytics_reader *reader)
{
	struct report *report = reader->text.report;
	bool has_heading = reader->has_heading;

	reader->has_heading = false;
	reader->in_reason = false;
	if (has_heading && reader->list == CRASHLYTICS_CRASHED)
		return; // it was added with its heading
	if (!has_heading || reader->list == CRASHLYTICS_THREAD) {
		reader->list = CRASHLYTICS_THREAD;
		take_title(reader);
		begin_thread(reader, reader->title);
	} else if (!report->exception_backtrace.count) {
		report->exception_backtrace.all_return_addresses = true;
		reader->stack = &report->exception_backtrace;
	} else {
		reader->stack =
		        report_add_app_backtrace(report, reader->text.arena);
	}
}

// Exceptions

/** `NAME: REASON` or `NAME`. */
static void begin_exception(struct crashlytics_reader *reader,
                            struct text title, bool is_fatal)
{
	struct report_thrown *thrown = &reader->text.report->thrown;
	size_t colon = text_find(title, ": ");

	// The exception has its name again above its frames.
	if (thrown->name)
		return;
	reader->in_reason = true;
	thrown->name = arena_text(reader->text.arena, text_first(title, colon));
	if (strstr(thrown->name, "::"))
		thrown->kind = "c++-exception";
	if (!is_fatal)
		thrown->kind = "user-reported";
	if (colon != TEXT_NOWHERE)
		reader->said_name = arena_text(
		        reader->text.arena,
		        text_trim(text_after(title, colon + strlen(": "))));
}

/** `EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x10`, `SIGABRT ABORT at 0x10`. */
struct exception_line {
	struct text type;
	struct text code; ///< or empty
	struct text address;
};

static bool parse_exception(struct text text, struct exception_line *ret)
{
	struct text word;
	uint64_t number;

	*ret = (struct exception_line){ .code = TEXT_NONE };
	if (!text_next_word(&text, &ret->type) ||
	    !text_next_word(&text, &ret->address))
		return false;
	if (!text_starts(ret->address, "0x")) {
		ret->code = ret->address;
		if (!text_next_word(&text, &ret->address))
			return false;
	}
	if (text_is(ret->address, "at") &&
	    !text_next_word(&text, &ret->address))
		return false;
	return !text_next_word(&text, &word) &&
	       text_starts(ret->address, "0x") &&
	       number_hex(ret->address, &number);
}

/**
 * Exception data next to the stack on the page of an issue. The address of a
 * signal, or of a trap, is that of the code.
 */
static bool read_exception(struct crashlytics_reader *reader, struct text text)
{
	struct report_exception *exception = &reader->text.report->exception;
	struct arena *arena = reader->text.arena;
	struct exception_line line;
	const char *type;

	if (!parse_exception(text, &line))
		return false;
	type = arena_text(arena, line.type);
	if (darwin_signal_number(type)) {
		if (!exception->signal)
			exception->signal = type;
		return true;
	}
	if (!darwin_exception_number(type))
		return false;
	if (exception->type)
		return true;
	exception->type = type;
	if (text_starts(line.code, "KERN_"))
		exception->subtype = arena_printf(arena, "%.*s at %.*s",
		                                  TEXT_ARGS(line.code),
		                                  TEXT_ARGS(line.address));
	return true;
}

bool crashlytics_exception(struct crashlytics_reader *reader, struct text line)
{
	if (!read_exception(reader, text_trim(line)))
		return false;
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** Remove the exception from a title that includes it. */
static struct text without_exception(struct crashlytics_reader *reader,
                                     struct text title)
{
	size_t at = text_find(title, " EXC_");

	if (at == TEXT_NOWHERE)
		at = text_find(title, " SIG");
	if (at == TEXT_NOWHERE ||
	    !read_exception(reader, text_after(title, at + 1)))
		return title;
	return text_trim_right(text_first(title, at));
}

bool crashlytics_heading(struct crashlytics_reader *reader, struct text line)
{
	struct text title;
	size_t index = find_heading(line, &title);
	struct report_thread *thread;

	if (index == ARRAY_SIZE(headings))
		return false;
	line_reader_keep(&reader->text, line.data);
	reader->title = NULL;
	reader->in_reason = false;
	reader->has_heading = true;
	reader->list = headings[index].list;
	if (reader->list == CRASHLYTICS_EXCEPTION) {
		begin_exception(reader, title, headings[index].is_fatal);
		return true;
	}
	line = without_exception(reader, text_trim(line));
	thread = begin_thread(reader, arena_text(reader->text.arena, line));
	if (thread)
		thread->crashed = !report_crashed_thread(reader->text.report);
	return true;
}

static void add_script(struct crashlytics_reader *reader, struct text frames)
{
	struct report_thread *thread = begin_thread(reader, "JavaScript");

	if (thread)
		script_frames_add(&thread->stack, frames, reader->text.arena);
}

/** The text after the name, unless the lines below repeat it. */
static struct text whole_reason(struct crashlytics_reader *reader,
                                struct text below)
{
	const char *said = reader->said_name;

	if (!said || text_starts(below, said))
		return below;
	if (!below.size)
		return text_from(said);
	return text_from(arena_printf(reader->text.arena, "%s\n%s", said,
	                              arena_text(reader->text.arena, below)));
}

void crashlytics_finish_exception(struct crashlytics_reader *reader)
{
	struct report *report = reader->text.report;
	struct arena *arena = reader->text.arena;
	struct text reason = str_text(&reader->reason);
	struct text frames;

	reason = whole_reason(reader, reason);
	if (!report->thrown.name)
		return;
	if (script_frames_split(&reason, &frames))
		add_script(reader, frames);
	if (reason.size)
		report->thrown.reason = arena_text(arena, reason);
	report_add_section(report, arena, "Fatal Exception",
	                   report->thrown.reason
	                           ? arena_printf(arena, "%s: %s",
	                                          report->thrown.name,
	                                          report->thrown.reason)
	                           : report->thrown.name);
}

// SPDX-License-Identifier: MIT
#include "lib/model/thread_choice.h"

#include "lib/base/error.h"
#include "lib/base/number.h"

#include <inttypes.h>
#include <string.h>

bool thread_choice_parse(const char *text, struct thread_choice *ret)
{
	struct thread_choice choice = { .crashed = !strcmp(text, "crashed") };

	choice.numbered = !choice.crashed && strcmp(text, "all") != 0;
	if (choice.numbered && !number_decimal(text_from(text), &choice.number))
		return false;
	*ret = choice;
	return true;
}

/** The threads that stay. */
struct wanted {
	uint64_t number;
	bool crashed; ///< it is the one that crashed
};

/** The number of `Thread 5 name:` and the like; false: another line. */
static bool thread_number(struct text line, uint64_t *ret)
{
	size_t size;

	if (!text_take(&line, "Thread "))
		return false;
	size = text_count_digits(line);
	return size && number_decimal(text_first(line, size), ret) &&
	       (size == line.size || line.data[size] == ' ' ||
	        line.data[size] == ':');
}

/** The thread of this stack; or NULL. */
static const struct report_thread *thread_of(const struct report *report,
                                             const struct report_stack *stack)
{
	for (size_t i = 0; i < report->thread_count; i++)
		if (&report->threads[i]->stack == stack)
			return report->threads[i];
	return NULL;
}

/**
 * Keep the line? A thread's block begins with its header and ends with an empty
 * line, at the next header, or at the label of another part.
 */
static bool keeps_line(const struct report *report,
                       const struct report_line *line,
                       const struct wanted *wanted, bool *dropping)
{
	const struct report_thread *thread;
	struct text text;
	uint64_t number;

	if (!line->text) {
		thread = thread_of(report, line->stack);
		return !thread || thread->number == wanted->number;
	}
	text = text_from(line->text);
	if (thread_number(text, &number)) {
		// `Thread 0 crashed with ARM Thread State`: the registers.
		*dropping = text_find(text, " crashed with ") != TEXT_NOWHERE
		                    ? !wanted->crashed
		                    : number != wanted->number;
		return !*dropping;
	}
	if (*dropping && !text_trim(text).size) {
		*dropping = false;
		return false;
	}
	if (*dropping && text_ends(text_trim_right(text), ":"))
		*dropping = false;
	return !*dropping;
}

static void keep_lines(struct report *report, const struct wanted *wanted)
{
	bool dropping = false;
	size_t kept = 0;

	for (size_t i = 0; i < report->line_count; i++)
		if (keeps_line(report, &report->lines[i], wanted, &dropping))
			report->lines[kept++] = report->lines[i];
	report->line_count = kept;
}

static void keep_thread(struct report *report, const struct wanted *wanted)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->number == wanted->number)
			report->threads[kept++] = report->threads[i];
	report->thread_count = kept;
}

static void find_range(const struct report *report, uint64_t *ret_first,
                       uint64_t *ret_last)
{
	*ret_first = UINT64_MAX;
	*ret_last = 0;
	for (size_t i = 0; i < report->thread_count; i++) {
		uint64_t number = report->threads[i]->number;

		if (number < *ret_first)
			*ret_first = number;
		if (number > *ret_last)
			*ret_last = number;
	}
}

struct error *thread_choice_apply(const struct thread_choice *choice,
                                  struct report *report, struct arena *arena)
{
	const struct report_thread *crashed = report_crashed_thread(report);
	struct wanted wanted = { .number = choice->number };
	uint64_t first, last;

	if ((!choice->crashed && !choice->numbered) || !report->thread_count)
		return NULL;
	if (choice->crashed && !crashed) {
		report_add_note(report, arena, "threads",
		                "the report does not say which thread "
		                "crashed: all threads are printed");
		return NULL;
	}
	if (choice->crashed)
		wanted.number = crashed->number;
	wanted.crashed = crashed && crashed->number == wanted.number;
	find_range(report, &first, &last);
	keep_lines(report, &wanted);
	keep_thread(report, &wanted);
	// It has all threads: write the report from the model instead.
	report->raw = TEXT_NONE;
	if (report->thread_count)
		return NULL;
	if (first == last)
		return error_new(ERROR_NOT_FOUND,
		                 "threads: the report has no thread %" PRIu64
		                 ", only %" PRIu64,
		                 choice->number, first);
	return error_new(ERROR_NOT_FOUND,
	                 "threads: the report has no thread %" PRIu64
	                 ", only %" PRIu64 " to %" PRIu64,
	                 choice->number, first, last);
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/javascript.h"

#include "lib/base/str.h"
#include "lib/darwin/headline.h"

#define UNHANDLED "Unhandled JS Exception: "
#define FATAL     "RCTFatalException"

/** Longer names are no types. */
#define TYPE_BYTES 60
/** Max bytes of a message that are compared. */
#define MESSAGE_BYTES 1024

/** The text after the words; empty if they are missing. */
static struct text after_words(const char *text, const char *words)
{
	struct text rest = text_from(text ? text : "");
	size_t at = text_find(rest, words);

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	return text_after(rest, at + text_from(words).size);
}

/** React Native adds the engine and the stack to the message. */
static struct text without_engine(struct text words)
{
	words = text_first(words, text_find(words, ", js engine:"));
	words = text_first(words, text_find(words, ", stack:"));
	return text_trim(text_first(words, text_find_char(words, '\n')));
}

/** `TypeError`, and the message after it. */
static struct text take_type(struct text *words)
{
	size_t size = 0;
	struct text type;

	while (size < words->size && size < TYPE_BYTES &&
	       (text_is_alnum(words->data[size]) || words->data[size] == '_'))
		size++;
	if (!size || !text_starts(text_after(*words, size), ": "))
		return text_from("Error");
	type = text_first(*words, size);
	*words = text_after(*words, size + 2);
	return type;
}

/**
 * Does a quotation begin here? Inside of a word it is an apostrophe: `can't`.
 */
static bool is_quote(struct text words, size_t at)
{
	char c = words.data[at];

	return (c == '\'' || c == '"' || c == '`') &&
	       (!at || !text_is_alnum(words.data[at - 1]));
}

/** Quoted words and numbers vary by time or build. */
static const char *without_values(struct text words, struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };

	words = text_first(words, MESSAGE_BYTES);
	for (size_t i = 0; i < words.size; i++) {
		char c = words.data[i];

		if (is_quote(words, i)) {
			// Cut within the quotes, it has no end.
			size_t end =
			        text_find_char(text_after(words, i + 1), c);

			str_add(&out, "''");
			i = end == TEXT_NOWHERE ? words.size : i + end + 1;
		} else if (text_is_digit(c)) {
			if (!out.size || out.data[out.size - 1] != '0')
				str_add_char(&out, '0');
		} else {
			str_add_char(&out, c);
		}
	}
	return arena_text(arena, str_text(&out));
}

static const struct report_stack *find_stack(const struct report *report)
{
	for (size_t i = 0; i < report->thread_count; i++)
		if (text_same(report->threads[i]->name, "JavaScript") &&
		    report->threads[i]->stack.count)
			return &report->threads[i]->stack;
	return NULL;
}

/** A trace of an engine itself: its thread is the one that crashed. */
static bool read_trace(const struct report *report, struct arena *arena,
                       struct javascript_error *ret)
{
	const struct report_thrown *thrown = &report->thrown;
	const struct report_thread *thread = report_crashed_thread(report);

	if (!text_same(thrown->kind, headline_word(HEADLINE_JAVASCRIPT)))
		return false;
	*ret = (struct javascript_error){
		.type = thrown->name && *thrown->name ? thrown->name : "Error",
		.message = without_values(
		        without_engine(text_from(thrown->reason ? thrown->reason
		                                                : "")),
		        arena),
		.stack = thread ? &thread->stack : find_stack(report),
	};
	return true;
}

bool javascript_error_find(const struct report *report, struct arena *arena,
                           struct javascript_error *ret)
{
	const struct report_thrown *thrown = &report->thrown;
	struct text words =
	        without_engine(after_words(thrown->reason, UNHANDLED));
	struct text named =
	        without_engine(after_words(thrown->name, UNHANDLED));
	struct text type;

	if (text_same(report->exception.type, "EXC_BAD_ACCESS"))
		return false;
	// Either may be truncated.
	if (named.size > words.size)
		words = named;
	if (!words.size)
		words = after_words(thrown->name, FATAL ": ");
	if (!words.size && thrown->reason && text_same(thrown->name, FATAL))
		words = text_from(thrown->reason);
	if (!words.size)
		return read_trace(report, arena, ret);
	words = without_engine(words);
	type = take_type(&words);
	*ret = (struct javascript_error){
		.type = arena_text(arena, type),
		.message = without_values(words, arena),
		.stack = find_stack(report),
	};
	return true;
}

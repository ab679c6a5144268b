// SPDX-License-Identifier: MIT
/*
 * Writes an `.ips` file with its frames symbolicated. Walks its text, not the
 * model: everything except symbolicated frames is copied byte for byte, unless
 * it could act on a terminal (clean.h).
 */
#include "formatters/report/ips/ips.h"

#include "formatters/report/ips/clean.h"
#include "lib/base/str.h"
#include "lib/text/json/pull.h"

#include <string.h>

struct rewriter {
	const struct report *report;
	struct json_pull *pull;
	struct text in; ///< the current value and the text after it
	size_t copied;  ///< bytes of it already written
	struct out *out;
};

/** An element of a list of frames, unchanged. */
struct element {
	struct text before; ///< white space, after `[` or a comma
	size_t start;
	size_t end;
	struct str others; ///< members that we do not write ourselves
};

static struct text slice(const struct rewriter *r, size_t start, size_t end)
{
	return text_first(text_after(r->in, start), end - start);
}

static void copy_until(struct rewriter *r, size_t end)
{
	ips_add_clean(r->out, slice(r, r->copied, end));
	r->copied = end;
}

static bool is_ours(struct text name)
{
	static const char *const ours[] = {
		"symbol",      "symbolLocation", "sourceFile", "sourceLine",
		"imageOffset", "imageIndex",     "inline",
	};

	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		if (text_is(name, ours[i]))
			return true;
	return false;
}

/** Append members of an object. */
static void add_members(struct str *to, struct text members)
{
	SCOPED(ips_cleaner_release)
	struct ips_cleaner cleaner = { .rest = members };
	struct text same;

	while (ips_clean_next(&cleaner, &same)) {
		str_add_text(to, same);
		str_add_text(to, str_text(&cleaner.escape));
	}
}

/** Skip the value of the last event. */
static void read_element(struct rewriter *r, const struct json_event *event,
                         struct element *ret)
{
	struct text before = text_first(r->in, event->offset);

	ret->start = event->offset;
	ret->before = text_after(before, text_trim_right(before).size);
	str_clear(&ret->others);
	if (event->type == JSON_EVENT_OBJECT) {
		while ((event = json_pull_next(r->pull))->type ==
		       JSON_EVENT_NAME) {
			size_t start = event->offset;
			bool kept = !is_ours(event->text);

			json_pull_skip(r->pull);
			if (!kept)
				continue;
			if (ret->others.size)
				str_add_char(&ret->others, ',');
			add_members(&ret->others,
			            slice(r, start, json_pull_used(r->pull)));
		}
	} else {
		json_pull_skip(r->pull);
	}
	ret->end = json_pull_used(r->pull);
}

/** Write @p frame in place of the elements from @p start on. */
static void replace(struct rewriter *r, const struct report_frame *frame,
                    size_t start, const struct element *last)
{
	size_t absolute = ips_absolute_image(r->report);
	size_t count = ips_count_elements(frame);

	copy_until(r, start);
	for (size_t i = 0; i < count; i++) {
		struct json_writer w = json_writer_compact(r->out);
		bool is_last = i + 1 == count;

		ips_add_element(&w, frame, i, absolute,
		                is_last ? str_text(&last->others) : TEXT_NONE);
		if (is_last)
			break;
		out_add(r->out, ",");
		ips_add_clean(r->out, last->before);
	}
	r->copied = last->end;
}

/** The value of `frames`; ignored unless it is an array. */
static void walk_frames(struct rewriter *r, const struct report_stack *stack)
{
	const struct json_event *event = json_pull_next(r->pull);
	struct element element = { 0 };
	size_t next = 0; ///< frame
	size_t start = 0;

	if (event->type != JSON_EVENT_ARRAY) {
		json_pull_skip(r->pull);
		return;
	}
	for (size_t at = 0;
	     (event = json_pull_next(r->pull))->type != JSON_EVENT_END_ARRAY &&
	     event->type != JSON_EVENT_DONE;
	     at++) {
		const struct report_frame *frame;

		read_element(r, event, &element);
		while (next < stack->count &&
		       stack->frames[next].entry +
		                       stack->frames[next].entry_count <=
		               at)
			next++;
		if (next == stack->count)
			continue;
		frame = &stack->frames[next];
		if (!frame->entry_count ||
		    !report_source_is_file(frame->source) || at < frame->entry)
			continue;
		if (at == frame->entry)
			start = element.start;
		if (at + 1 == frame->entry + frame->entry_count)
			replace(r, frame, start, &element);
	}
	str_release(&element.others);
}

static void walk_thread(struct rewriter *r, const struct report_stack *stack)
{
	const struct json_event *event;
	bool seen = false;

	while ((event = json_pull_next(r->pull))->type == JSON_EVENT_NAME) {
		// Of a repeated name the first one counts.
		if (seen || !text_is(event->text, "frames")) {
			json_pull_skip(r->pull);
			continue;
		}
		seen = true;
		walk_frames(r, stack);
	}
}

static void walk_threads(struct rewriter *r)
{
	const struct report *report = r->report;
	const struct json_event *event = json_pull_next(r->pull);

	if (event->type != JSON_EVENT_ARRAY) {
		json_pull_skip(r->pull);
		return;
	}
	for (size_t i = 0;
	     (event = json_pull_next(r->pull))->type != JSON_EVENT_END_ARRAY &&
	     event->type != JSON_EVENT_DONE;
	     i++) {
		if (i < report->thread_count &&
		    event->type == JSON_EVENT_OBJECT)
			walk_thread(r, &report->threads[i]->stack);
		else
			json_pull_skip(r->pull);
	}
}

/** As the reader distinguishes a body from a header line. */
static bool is_of_body(struct text name)
{
	return text_is(name, "threads") || text_is(name, "usedImages") ||
	       text_is(name, "exception") || text_is(name, "faultingThread");
}

/** Walk header line or body; true for the body. */
static bool walk_value(struct rewriter *r)
{
	const struct json_event *event = json_pull_next(r->pull);
	bool is_body = false;
	bool saw_threads = false;
	bool saw_exception = false;

	if (event->type != JSON_EVENT_OBJECT) {
		json_pull_skip(r->pull);
		return false;
	}
	while ((event = json_pull_next(r->pull))->type == JSON_EVENT_NAME) {
		is_body |= is_of_body(event->text);
		if (!saw_threads && text_is(event->text, "threads")) {
			saw_threads = true;
			walk_threads(r);
		} else if (!saw_exception &&
		           text_is(event->text, "lastExceptionBacktrace")) {
			saw_exception = true;
			walk_frames(r, &r->report->exception_backtrace);
		} else {
			json_pull_skip(r->pull);
		}
	}
	return is_body;
}

/** Write the value that @p in begins with and cut it off; true for the body. */
static bool rewrite_value(const struct report *report, struct text *in,
                          struct out *out)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(*in, JSON_PULL_REPAIR);
	struct rewriter r = {
		.report = report, .pull = pull, .in = *in, .out = out
	};
	bool is_body = walk_value(&r);

	copy_until(&r, json_pull_used(pull));
	*in = text_after(*in, r.copied);
	return is_body;
}

static bool has_new_names(const struct report_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++)
		if (report_source_is_file(stack->frames[i].source))
			return true;
	return false;
}

static bool is_changed(const struct report *report)
{
	for (size_t i = 0; i < report->thread_count; i++)
		if (has_new_names(&report->threads[i]->stack))
			return true;
	return has_new_names(&report->exception_backtrace);
}

void ips_rewrite(const struct report *report, struct out *out)
{
	struct text rest = report->raw;

	// Most reports are unchanged.
	if (!is_changed(report)) {
		ips_add_clean(out, rest);
		return;
	}
	// Values after the body belong to other reports.
	if (!rewrite_value(report, &rest, out))
		rewrite_value(report, &rest, out);
	ips_add_clean(out, rest);
}

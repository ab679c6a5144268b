// SPDX-License-Identifier: MIT
#include "parsers/input/completeness.h"

#include "lib/darwin/log_prefix.h"
#include "parsers/input/repair/line_kind.h"
#include "parsers/text/panic.h"

#include <string.h>

/** Counts in a report or a text. */
struct contents {
	size_t threads;
	size_t frames;
	size_t images;
};

static void count_frames(struct report_stack *stack, void *context)
{
	size_t *count = context;

	*count += stack->count;
}

static struct contents contents_of(struct report *report)
{
	struct contents ret = {
		.threads = report->thread_count + report->tree_count +
		           report->app_backtrace_count +
		           (report->exception_backtrace.count > 0),
		.images = report->image_count,
	};

	report_each_stack(report, count_frames, &ret.frames);
	return ret;
}

/** `Thread 3`, anywhere in a line but not in the middle of a sentence. */
static bool shows_thread(struct text line)
{
	size_t at = text_find(line, "Thread ");

	return at != TEXT_NOWHERE && at + strlen("Thread ") < line.size &&
	       text_is_digit(line.data[at + strlen("Thread ")]) &&
	       text_ends(text_trim(line), ":");
}

static void see_text(struct text in, struct contents *ret)
{
	struct text line;

	while (text_next_line(&in, &line)) {
		// A log writes numbers there that look like addresses.
		line = log_prefix_message(line);
		if (text_starts(line, PANIC_TEXT_MARK))
			continue;
		ret->frames += line_shows_frame(line);
		ret->images += line_shows_image(line);
		ret->threads += shows_thread(line);
	}
}

/** How often @p name, with its quotes, names a member. */
static size_t count_members(struct text in, const char *name)
{
	size_t count = 0;
	size_t at;

	while ((at = text_find(in, name)) != TEXT_NOWHERE) {
		in = text_after(in, at + strlen(name));
		count += text_starts(text_trim_left(in), ":");
	}
	return count;
}

static void see_json(struct text in, struct contents *ret)
{
	ret->frames = count_members(in, "\"imageOffset\"");
	ret->images = count_members(in, "\"base\"");
	ret->threads = count_members(in, "\"frames\"");
}

/** Apple's, as text or as JSON. */
static void see_crash(struct text in, struct contents *ret)
{
	if (text_starts(text_trim_left(in), "{"))
		see_json(in, ret);
	else
		see_text(in, ret);
}

static void see_kscrash(struct text in, struct contents *ret)
{
	ret->frames = count_members(in, "\"instruction_addr\"");
}

static void see_metrickit(struct text in, struct contents *ret)
{
	ret->frames = count_members(in, "\"offsetIntoBinaryTextSegment\"");
}

/** Formats to check; others have no such stacks, or report this themselves. */
static const struct {
	const char *format;
	bool is_any_kind; ///< not a crash alone
	void (*see)(struct text in, struct contents *ret);
} looks[] = {
	{ "crash-text", false, see_crash },
	{ "ips-crash", false, see_crash },
	{ "kscrash", true, see_kscrash },
	{ "metrickit", true, see_metrickit },
};

/**
 * Count the contents of a text.
 *
 * @return Is its format checked?
 */
static bool look(struct text in, const struct report *report,
                 struct contents *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(looks); i++)
		if (!strcmp(report->format, looks[i].format)) {
			if (report->kind && !looks[i].is_any_kind)
				return false;
			if (report->lines)
				see_text(in, ret);
			else
				looks[i].see(in, ret);
			return true;
		}
	return false;
}

static void note(struct report *report, struct arena *arena, size_t found,
                 size_t shown, const char *what)
{
	if (found || !shown)
		return;
	report->truncated = true;
	report_add_note(
	        report, arena, "whole text",
	        arena_printf(arena,
	                     "the text shows %zu %s%s, but none could be read",
	                     shown, what, text_plural(shown)));
}

void completeness_check_frames(struct report *report, size_t shown,
                               struct arena *arena)
{
	if (!report->is_limited)
		note(report, arena, contents_of(report).frames, shown, "frame");
}

void completeness_check(struct text in, struct report *report,
                        struct arena *arena)
{
	struct contents found = contents_of(report);
	struct contents shown = { 0 };

	// Parts over a limit are not unreadable ones.
	if ((found.threads && found.frames && found.images) || report->jetsam ||
	    report->is_limited || !look(in, report, &shown))
		return;
	note(report, arena, found.threads, shown.threads, "thread");
	note(report, arena, found.frames, shown.frames, "frame");
	note(report, arena, found.images, shown.images, "image");
	// An exception that was read is a result, too.
	report->unread = !report->thrown.name && !found.threads &&
	                 !found.frames && !found.images &&
	                 (shown.threads || shown.frames || shown.images);
}

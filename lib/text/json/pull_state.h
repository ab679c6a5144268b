// SPDX-License-Identifier: MIT
/**
 * A pull reader inside: what the files that implement pull.h share.
 *
 *     pull_reader.c  opens and frees a reader, and goes from event to event
 *     pull_take.c    the next event, whatever the input has
 *     pull_usual.c   the next event where it is what programs write, quickly
 *
 * Only for these files.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_PULL_STATE_H
#define APMTOOL_LIB_TEXT_JSON_PULL_STATE_H

#include "lib/text/json/path.h"
#include "lib/text/json/pull.h"
#include "lib/text/json/token.h"
#include "lib/text/json/window.h"

/** What may come next. */
enum expect {
	EXPECT_VALUE,
	EXPECT_VALUE_OR_END, ///< after `[`
	EXPECT_NAME,
	EXPECT_NAME_OR_END, ///< after `{`
	EXPECT_COLON,
	EXPECT_NEXT, ///< after a value: a comma or the end
};

struct json_pull {
	struct json_tokens t;
	struct json_lines lines; ///< t.lines: const readers may count on
	struct json_window window;
	struct json_event event;
	enum expect expect;
	unsigned flags;
	size_t depth_max;
	const char *depth_hint; ///< how to raise it
	bool closing;           ///< the input ended, or was at fault
	bool truncated;
	struct error *fault;
	/** Where the current token begins, and the repairs before it. */
	size_t start;
	size_t repair_count;
	struct json_path path; ///< last, see new_pull()
};

/** An offset in the window, counted from the start of the input. */
static inline size_t json_pull_offset(const struct json_pull *pull, size_t at)
{
	return pull->t.base + at;
}

static inline bool json_pull_in_array(const struct json_pull *pull)
{
	return json_path_in_array(&pull->path);
}

/**
 * The next event as the input has it. Where the input ends, `t.ended` is set;
 * then, and on an error, what is taken again begins at `start`.
 */
MUST_CHECK struct error *json_pull_take(struct json_pull *pull);

/** A container begins at `t.at`; an error where it is too deep. */
MUST_CHECK struct error *json_pull_open(struct json_pull *pull, char opener);

/** The event is the end of the innermost container. */
void json_pull_end(struct json_pull *pull);

/**
 * The next event, if it is what nearly all are in what programs write. Where it
 * is anything else, or damaged, or cut by the window, nothing is done.
 */
bool json_pull_take_usual(struct json_pull *pull);

#endif

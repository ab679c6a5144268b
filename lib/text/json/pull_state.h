// SPDX-License-Identifier: MIT
/**
 * State of a pull reader, shared by the files that implement pull.h:
 *
 *     pull_reader.c  creates and frees a reader, and steps through events
 *     pull_take.c    the next event of any input
 *     pull_usual.c   fast path for the output of common programs
 *
 * Private to these files.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_PULL_STATE_H
#define APMTOOL_LIB_TEXT_JSON_PULL_STATE_H

#include "lib/text/json/path.h"
#include "lib/text/json/pull.h"
#include "lib/text/json/token.h"
#include "lib/text/json/window.h"

/** What the grammar allows next. */
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
	/** t.lines points here: readers are const and still count */
	struct json_lines lines;
	struct json_window window;
	struct json_event event;
	enum expect expect;
	unsigned flags;
	size_t depth_max;
	const char *depth_hint; ///< advice how to raise it
	bool closing;           ///< the input ended, or had a fault
	bool truncated;
	struct error *fault;
	/** Start of the current token, and the repairs before it. */
	size_t start;
	size_t repair_count;
	struct json_path path; ///< last member, see new_pull()
};

/** Convert an offset in the window to an offset in the input. */
static inline size_t json_pull_offset(const struct json_pull *pull, size_t at)
{
	return pull->t.base + at;
}

static inline bool json_pull_in_array(const struct json_pull *pull)
{
	return json_path_in_array(&pull->path);
}

/**
 * The next event of the input. At the end of the input, `t.ended` is set; then,
 * and on an error, the next attempt begins at `start`.
 */
MUST_CHECK struct error *json_pull_take(struct json_pull *pull);

/** Open the container at `t.at`; an error if it is too deep. */
MUST_CHECK struct error *json_pull_open(struct json_pull *pull, char opener);

/** Return the end of the innermost container. */
void json_pull_end(struct json_pull *pull);

/**
 * Return the next event if it has the common form of most programs. Does
 * nothing for other forms, damage, or at the end of the window.
 */
bool json_pull_take_usual(struct json_pull *pull);

#endif

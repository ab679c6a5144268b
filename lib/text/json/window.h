// SPDX-License-Identifier: MIT
/**
 * The part of an input that is in memory, where the input comes piece by
 * piece (json_pull_new_feed()).
 *
 * The bytes are the tokens' own (@c in of struct json_tokens): reading adds
 * after them, and where there is no room, what is before @c at is forgotten.
 * What is counted from the start of the input goes on from there: @c base and
 * @c lines are moved along. The window grows only for a token that fills it, up
 * to JSON_PULL_TOKEN_BYTES.
 *
 * Only the parts of the pull reader use this.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_WINDOW_H
#define APMTOOL_LIB_TEXT_JSON_WINDOW_H

#include "lib/base/error.h"
#include "lib/text/json/path.h"
#include "lib/text/json/token.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Bytes to begin with: as much as stays in a core's own cache while it is
 * read. Tests are built with a few only, so that it ends everywhere.
 */
#ifndef JSON_WINDOW_BYTES
#define JSON_WINDOW_BYTES ((size_t)256 << 10)
#endif

/** All zeros: all of the input is in memory, and is not owned. */
struct json_window {
	/** As json_pull_read (pull.h); NULL: nothing more comes. */
	size_t (*read)(void *context, char *buffer, size_t size);
	void *context;
	struct json_path *path; ///< keeps its names when the window moves
	char *buffer;
	size_t cap;
	/** A NUL byte, in the input, that more than NUL bytes follow. */
	size_t inner_nul;
};

void json_window_init(struct json_window *window,
                      size_t (*read)(void *context, char *buffer, size_t size),
                      void *context, struct json_path *path,
                      struct json_tokens *t);
void json_window_release(struct json_window *window);

/** Is there a NUL byte that may be the first of those that end the input? */
bool json_window_at_nul(const struct json_window *window,
                        const struct json_tokens *t);

/**
 * Read a piece; what is from t->at on is kept. At the end of the input there is
 * no @c read any more, and the NUL bytes after t->at that end it are taken
 * away. An error where the token is too long.
 */
MUST_CHECK struct error *json_window_read(struct json_window *window,
                                          struct json_tokens *t);

/**
 * The token that begins at @p start may have been cut by the window: go back
 * there, and read until it may be whole.
 */
MUST_CHECK struct error *json_window_read_on(struct json_window *window,
                                             struct json_tokens *t,
                                             size_t start);

#endif

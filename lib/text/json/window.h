/**
 * The part of an input that is in memory, where the input comes piece by
 * piece (json_pull_new_feed()).
 *
 * The bytes are the tokens' own (@c in of struct json_tokens): reading adds
 * behind them, and where there is no room, what stands before @c at is
 * forgotten. What is counted from the start of the input goes on from there:
 * @c base and @c lines are moved along. The window grows only for a token that
 * fills it, up to JSON_PULL_TOKEN_BYTES.
 *
 * Only lib/text/json/pull.c uses this.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_WINDOW_H
#define APMTOOL_LIB_TEXT_JSON_WINDOW_H

#include "lib/text/json/pull.h"
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
	json_pull_read read; ///< NULL: nothing more comes
	void *context;
	char *buffer;
	size_t cap;
};

void json_window_init(struct json_window *window, json_pull_read read,
                      void *context, struct json_tokens *t);
void json_window_release(struct json_window *window);

/** Is the next reading to move the window? */
bool json_window_is_full(const struct json_window *window,
                         const struct json_tokens *t);

/**
 * Make room for a byte at least. Only what stands from t->at on is kept.
 *
 * @return false where that is JSON_PULL_TOKEN_BYTES already.
 */
bool json_window_make_room(struct json_window *window, struct json_tokens *t);

/**
 * Read a piece into the room there is. At the end of the input there is no
 * @c read any more, and the NUL bytes behind t->at that end it are taken away.
 */
void json_window_read(struct json_window *window, struct json_tokens *t);

#endif

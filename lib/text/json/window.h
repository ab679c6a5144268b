// SPDX-License-Identifier: MIT
/**
 * The window of a streamed input (json_pull_new_feed()).
 *
 * The bytes belong to the tokens (@c in of struct json_tokens): reading
 * appends, and removes bytes before @c at if there is no room; @c base and @c
 * lines move along. The window grows only for a token that fills it, up to
 * JSON_PULL_TOKEN_BYTES.
 *
 * Private to the pull reader.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_WINDOW_H
#define APMTOOL_LIB_TEXT_JSON_WINDOW_H

#include "lib/base/error.h"
#include "lib/text/json/path.h"
#include "lib/text/json/token.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Initial size: fits into the cache of a core. Tests use a few bytes, so that
 * every token is split.
 */
#ifndef JSON_WINDOW_BYTES
#define JSON_WINDOW_BYTES ((size_t)256 << 10)
#endif

/** All zeros: the whole input is in memory, and not owned. */
struct json_window {
	/** As json_pull_read (pull.h); NULL at the end. */
	size_t (*read)(void *context, char *buffer, size_t size);
	void *context;
	struct json_path *path; ///< keeps its names when the window moves
	char *buffer;
	size_t cap;
	/** A NUL byte of the input that is followed by other bytes. */
	size_t inner_nul;
};

void json_window_init(struct json_window *window,
                      size_t (*read)(void *context, char *buffer, size_t size),
                      void *context, struct json_path *path,
                      struct json_tokens *t);
void json_window_release(struct json_window *window);

/** Is there a NUL byte that may begin the padding at the end of the input? */
bool json_window_at_nul(const struct json_window *window,
                        const struct json_tokens *t);

/**
 * Read a piece; bytes from t->at on are kept. At the end of the input, @c read
 * becomes NULL, and the NUL bytes at the end are removed. An error if the token
 * is too long.
 */
MUST_CHECK struct error *json_window_read(struct json_window *window,
                                          struct json_tokens *t);

/**
 * The token at @p start may be incomplete: go back there, and read until it may
 * be complete.
 */
MUST_CHECK struct error *json_window_read_on(struct json_window *window,
                                             struct json_tokens *t,
                                             size_t start);

#endif

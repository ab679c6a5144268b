// SPDX-License-Identifier: MIT
/**
 * The prefix of a message in a console or log: time, process, level, category
 * (apmtool-formats(5), "Console texts").
 *
 *     2026-11-01 10:00:00.123 Demo[612:12345] *** Terminating app …
 *     Nov  1 10:00:00 iPhone Demo(CoreFoundation)[612] <Notice>: *** …
 *     11-01 10:00:00.123  612  777 E ReactNativeJS: TypeError: …
 *     Demo[612:12345] *** Terminating app …
 *
 * `dyld[612]: ` belongs to the message: it gives the process's number, but is
 * not a prefix.
 */
#ifndef APMTOOL_LIB_DARWIN_LOG_PREFIX_H
#define APMTOOL_LIB_DARWIN_LOG_PREFIX_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_prefix {
	size_t size;         ///< 0: no prefix
	struct text process; ///< or empty
	uint64_t pid;
	bool has_pid;
	/** Has a thread, an image or `<Notice>`, which other systems lack. */
	bool is_apple;
};

/** The prefix of @p line; texts borrow from it. */
struct log_prefix log_prefix_of(struct text line);

/** The message of @p line: all of it without a prefix. */
struct text log_prefix_message(struct text line);

#endif

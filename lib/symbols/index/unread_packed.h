// SPDX-License-Identifier: MIT
/**
 * Files whose names suggest dSYMs, but that apmtool cannot decompress:
 * `App.xcarchive.tar.zst`. One of them may have a missing dSYM.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_UNREAD_PACKED_H
#define APMTOOL_LIB_SYMBOLS_INDEX_UNREAD_PACKED_H

#include "lib/base/intern.h"
#include "lib/base/str.h"

/** All zeros is empty. */
struct unread_packed {
	struct intern paths; ///< unique, in the order of the walk
	const char *what;    ///< kind of the first, from archive_unread_name()
};

void unread_packed_release(struct unread_packed *packed);

/** @p what is a constant. */
void unread_packed_add(struct unread_packed *packed, const char *path,
                       const char *what);

/** Append their number, the first one, and advice; nothing if empty. */
void unread_packed_describe(const struct unread_packed *packed,
                            struct str *out);

#endif

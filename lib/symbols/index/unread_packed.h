// SPDX-License-Identifier: MIT
/**
 * Files that a walk met and that may hold dSYMs, by their names, but are packed
 * in a way that apmtool cannot unpack: `App.xcarchive.tar.zst`. A dSYM that is
 * not found may be in one of them.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_UNREAD_PACKED_H
#define APMTOOL_LIB_SYMBOLS_INDEX_UNREAD_PACKED_H

#include "lib/base/intern.h"
#include "lib/base/str.h"

/** All zeros: no files. */
struct unread_packed {
	struct intern paths; ///< each once, in the order they were met
	const char *what;    ///< of the first, by archive_unread_name()
};

void unread_packed_release(struct unread_packed *packed);

/** @p what is a constant. */
void unread_packed_add(struct unread_packed *packed, const char *path,
                       const char *what);

/** Append how many there are, the first one, and what to do; nothing for none.
 */
void unread_packed_describe(const struct unread_packed *packed,
                            struct str *out);

#endif

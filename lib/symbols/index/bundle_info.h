// SPDX-License-Identifier: MIT
/**
 * What the bundle around a symbol file says of it: whose it is, and of which
 * build. Read from property lists, only when asked for; a list that is absent
 * or cannot be read says nothing.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_BUNDLE_INFO_H
#define APMTOOL_LIB_SYMBOLS_INDEX_BUNDLE_INFO_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>

/** NULL: not said. All in the caller's arena. */
struct bundle_info {
	const char *bundle_id;
	const char *version; ///< CFBundleShortVersionString
	const char *build;   ///< CFBundleVersion
	/** Of the app, where the file lies in an .xcarchive. */
	const char *app_version;
	const char *app_build;
	/**
	 * Of the system, where it lies in a DeviceSupport directory:
	 * `20A362` of `iPhone14,2 16.0 (20A362)`.
	 */
	const char *os_build;
};

/**
 * @param path  Of the Mach-O file: in `X.dSYM/Contents/Resources/DWARF`, or a
 *              binary in its bundle.
 */
void bundle_info_read(const char *path, struct arena *arena,
                      struct bundle_info *ret);

/**
 * The UUID that an image had before the store compiled it again: what
 * `X.dSYM/Contents/Resources/<UUID>.plist` names as DBGOriginalUUID, or
 * `<UUID>.plist` beside the dSYM, where Sentry's servers keep it.
 */
bool bundle_original_uuid(const char *path, const struct uuid *uuid,
                          struct uuid *ret);

/** The directory that a dSYM lies in, or a file that is in none. */
struct text bundle_directory(const char *path);

#endif

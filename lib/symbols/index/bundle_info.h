// SPDX-License-Identifier: MIT
/**
 * What the bundle around a symbol file says of it: whose it is, and of which
 * build. Read from property lists, only when asked for; a list that is absent
 * or cannot be read says nothing.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_BUNDLE_INFO_H
#define APMTOOL_LIB_SYMBOLS_INDEX_BUNDLE_INFO_H

#include "lib/base/arena.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>

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

/** Of an app, for a symbol store; all in the caller's arena. */
struct bundle_app {
	const char *name;    ///< NULL: not said
	const char *version; ///< as well
	const char *build;   ///< as well
	bool has_made;
	int64_t made_s; ///< since 1970: when the archive was
	/** The .xcarchive, a part of the path; empty: it lies in none. */
	struct text archive;
};

/**
 * What an .xcarchive says of its app; without one, what a dSYM does that is
 * named `X.app.dSYM`.
 *
 * @param path  Of the Mach-O file, or of a map in the archive; borrowed.
 */
void bundle_app_read(const char *path, struct arena *arena,
                     struct bundle_app *ret);

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
 *
 * @param ret_path  Gets the path of that list appended; NULL: not wanted.
 */
bool bundle_original_uuid(const char *path, const struct uuid *uuid,
                          struct uuid *ret, struct str *ret_path);

/** The same from the list at @p path: `uuidmap` of a symbol store. */
bool bundle_read_original(const char *path, struct uuid *ret);

/** The directory that a dSYM lies in, or a file that is in none. */
struct text bundle_directory(const char *path);

#endif

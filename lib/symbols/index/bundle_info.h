// SPDX-License-Identifier: MIT
/**
 * Facts about a symbol file from its bundle: identifier and build. Reads
 * property lists on request; a missing or unreadable list gives nothing.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_BUNDLE_INFO_H
#define APMTOOL_LIB_SYMBOLS_INDEX_BUNDLE_INFO_H

#include "lib/base/arena.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>

/** Strings are in the caller's arena; or NULL. */
struct bundle_info {
	const char *bundle_id;
	const char *version; ///< CFBundleShortVersionString
	const char *build;   ///< CFBundleVersion
	/** Of the app, for a file in an .xcarchive. */
	const char *app_version;
	const char *app_build;
	/**
	 * Of the system, for a file in a DeviceSupport directory: `20A362` of
	 * `iPhone14,2 16.0 (20A362)`.
	 */
	const char *os_build;
};

/** Facts about an app, for a symbol store; all in the caller's arena. */
struct bundle_app {
	const char *name;    ///< or NULL
	const char *version; ///< or NULL
	const char *build;   ///< or NULL
	bool has_made;
	int64_t made_s; ///< date of the archive, since 1970
	/** The .xcarchive, a part of the path; or empty. */
	struct text archive;
};

/**
 * Read the facts about an app from an .xcarchive; without one, from a dSYM
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
 * The UUID of an image before the App Store compiled it again: DBGOriginalUUID
 * in `X.dSYM/Contents/Resources/<UUID>.plist`, or in `<UUID>.plist` next to the
 * dSYM, as on Sentry's servers.
 *
 * @param ret_path  The path of that list is appended; or NULL.
 */
bool bundle_original_uuid(const char *path, const struct uuid *uuid,
                          struct uuid *ret, struct str *ret_path);

/**
 * As bundle_original_uuid(), from the list at @p path: `uuidmap` of a symbol
 * store.
 */
bool bundle_read_original(const char *path, struct uuid *ret);

/** The directory of a dSYM, or of a file outside of one. */
struct text bundle_directory(const char *path);

#endif

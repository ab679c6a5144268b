// SPDX-License-Identifier: MIT
/**
 * A symbol store filled: slices and BCSymbolMaps copied (store_write.h), the
 * builds that they are of recorded (store_builds.h), and the debug information
 * of what is there read ahead, into a cache entry beside each file.
 *
 * What is found in an .xcarchive is of its app; what is not is of the app whose
 * `X.app.dSYM` was found below the same operand, if there is exactly one.
 */
#ifndef APMTOOL_LIB_SYMBOLS_STORE_FILL_H
#define APMTOOL_LIB_SYMBOLS_STORE_FILL_H

#include "lib/symbols/index/store_write.h"
#include "lib/symbols/index/uuid_index.h"

#include <stddef.h>
#include <stdint.h>

struct store_fill {
	const char *store;
	struct uuid_index *index; ///< what is copied
	// Of all that is copied; NULL: what archives and dSYMs say.
	const char *app;
	const char *version;
	const char *build;
	int64_t now_s; ///< since 1970: when builds without a date were made
	unsigned jobs; ///< children at once
	/** What was not copied, or cannot be read; must be set. */
	void (*fault)(const char *path, const char *text, void *context);
	/** What is less than it could be; must be set. */
	void (*warning)(const char *path, const char *text, void *context);
	void *context;

	size_t found; ///< slices and maps
	size_t counts[STORE_PASSED + 1];
	size_t failed;  ///< of those found: that cannot be read or written
	size_t builds;  ///< records that list what was found
	size_t made;    ///< files whose debug information was read
	size_t present; ///< and those of which it is kept already
};

void store_fill_run(struct store_fill *fill);

#endif

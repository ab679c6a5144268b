// SPDX-License-Identifier: MIT
/**
 * Collects which images have symbols, and which files were found instead, over
 * all reports of a run; for one message at the end.
 *
 *     struct missing_symbols images = { 0 };
 *
 *     symbolicate(reports, count, store, arena, &result);
 *     missing_symbols_add(&images, &result, MISSING_ALL);
 *     nearest_symbols_find(&images, symbol_store_index(store));
 *     table = missing_symbols_table(&images);
 *
 * There is one entry for each UUID, so memory grows with the number of builds,
 * not of reports.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_MISSING_SYMBOLS_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_MISSING_SYMBOLS_H

#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/model/report.h"
#include "lib/model/table.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** From best to worst; the worst of all reports counts. */
enum missing_status {
	MISSING_FOUND,        ///< with debug information
	MISSING_SYMBOLS_ONLY, ///< only a symbol table, no debug information
	MISSING_ABSENT,       ///< no file with that UUID
	MISSING_WRONG_UUID,   ///< only a file of another build
	MISSING_UNREADABLE,   ///< found, but the system refused to read it
	MISSING_MALFORMED,    ///< found, but damaged
};

/** `found`, `symbols-only`, `missing`, `wrong-uuid`, `unreadable`, `malformed`.
 */
const char *missing_status_name(enum missing_status status);

/** One build of one image; NULL if unknown. */
struct missing_image {
	struct uuid uuid; ///< or zero
	const char *name;
	const char *arch;
	const char *bundle_id;
	const char *version;
	const char *build;
	/** App and system of the first report. */
	const char *app_version;
	const char *app_build;
	const char *os_version;
	const char *os_build;
	const char *input; ///< file of the first report
	bool is_app;
	bool is_system; ///< according to its path
	bool has_path;
	uint64_t frame_count; ///< in all reports
	uint64_t report_count;
	enum missing_status status;
	/** The file with that UUID, the malformed one, or the nearest one. */
	const char *path;
	/** Why it cannot be read, or which places were searched. */
	const char *reason;
	/**
	 * Symbols in the report's directory, which was not searched
	 * (beside_symbols.h), and whether they are of this build.
	 */
	const char *beside;
	bool beside_matches;
	/** Of this build, but without debug information. */
	bool beside_is_stripped;

	// For MISSING_WRONG_UUID:
	struct uuid nearest_uuid;
	/** Values to compare: of the app, or of the image itself. */
	const char *same_name; ///< a file for an image without UUID; or NULL
	const char *nearest_version;
	const char *nearest_build;
	const char *wanted_version;
	const char *wanted_build;
};

/** All zeros is empty. */
struct missing_symbols {
	struct arena arena; ///< of all strings
	struct missing_image *images;
	size_t count;
	size_t cap;
	struct map map; ///< indexes of images, by UUID and name
	/** The reason of all images without any file of their name. */
	const char *searched;
};

/**
 * Add an image of samples, perhaps of several reports, and its symbol file.
 * Values that differ between reports are dropped.
 *
 * @param report  With the input and the systems; other members may be empty.
 */
void missing_symbols_add_image(struct missing_symbols *images,
                               const struct report *report,
                               const struct report_image *image,
                               const struct symbol_image *found,
                               uint64_t frame_count, uint64_t report_count);

enum missing_scope {
	MISSING_ALL,   ///< all images with frames
	MISSING_LINES, ///< images without lines: symbolicate_image_needs_dsym()
	/** Of these, only those with a damaged or unreadable file. */
	MISSING_DAMAGED,
};

/** Is the file damaged or unreadable? */
bool missing_is_damage(const struct symbol_image *found);

/** Add the results of some reports. */
void missing_symbols_add(struct missing_symbols *images,
                         const struct symbolicate_result *result,
                         enum missing_scope scope);

/** Add the images without frames of these reports. */
void missing_symbols_add_frameless(struct missing_symbols *images,
                                   struct report *const *reports, size_t count,
                                   struct symbol_store *store);

/** Number of app images, and of those that are not MISSING_FOUND. */
void missing_symbols_count_app(const struct missing_symbols *images,
                               size_t *ret_total, size_t *ret_missing);

/**
 * Sort: the app's images first, those without symbols before others, then by
 * frames. Add nothing afterwards.
 */
void missing_symbols_sort(struct missing_symbols *images);

/** Append the result: a path, the nearest build, or the reason. */
void missing_image_describe(const struct missing_image *image, struct str *out);

/**
 * The result as a table, after sorting; borrows from @p images.
 *
 * @param counts_system  If there are app images, only count the system images
 *     without symbols.
 */
struct table *missing_symbols_table(struct missing_symbols *images,
                                    bool counts_system);

void missing_symbols_release(struct missing_symbols *images);

#endif

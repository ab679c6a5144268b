// SPDX-License-Identifier: MIT
/**
 * Which images have their symbols, and what is there instead: gathered over
 * all reports of a run, reported once at its end.
 *
 *     struct missing_symbols images = { 0 };
 *
 *     symbolicate(reports, count, store, arena, &result);
 *     missing_symbols_add(&images, &result, MISSING_ALL);
 *     nearest_symbols_find(&images, symbol_store_index(store));
 *     table = missing_symbols_table(&images);
 *
 * An image counts once for each UUID, so its memory grows with the number of
 * different builds, not with that of reports.
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

/** From best to worst; what is worse in one report counts. */
enum missing_status {
	MISSING_FOUND,        ///< with debug information
	MISSING_SYMBOLS_ONLY, ///< a symbol table and no debug information
	MISSING_ABSENT,       ///< no file of that UUID
	MISSING_WRONG_UUID,   ///< none, but one of another build
	MISSING_UNREADABLE,   ///< found, and the system refused to read it
	MISSING_MALFORMED,    ///< found, and damaged
};

/** `found`, `symbols-only`, `missing`, `wrong-uuid`, `unreadable`, `malformed`.
 */
const char *missing_status_name(enum missing_status status);

/** One build of one image; NULL where nothing is said. */
struct missing_image {
	struct uuid uuid; ///< zero: the report gives none
	const char *name;
	const char *arch;
	const char *bundle_id;
	const char *version;
	const char *build;
	/** Of the app and of the system, as the first report says. */
	const char *app_version;
	const char *app_build;
	const char *os_version;
	const char *os_build;
	const char *input; ///< the file of the first report
	bool is_app;
	bool is_system; ///< its path says so
	bool has_path;
	uint64_t frame_count; ///< in all reports
	uint64_t report_count;
	enum missing_status status;
	/** The file of that UUID, the malformed one, or the nearest there is.
	 */
	const char *path;
	/** Why it cannot be read, or what was searched in vain. */
	const char *reason;
	/**
	 * Symbols that nobody searched, beside the report (beside_symbols.h),
	 * and whether they are of this build.
	 */
	const char *beside;
	bool beside_matches;
	/** Of this build as well, but without debug information. */
	bool beside_is_stripped;

	// Of MISSING_WRONG_UUID:
	struct uuid nearest_uuid;
	/** What is to be compared: of the app, or of the image itself. */
	const char *same_name; ///< a file for an image without a UUID; or NULL
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
	/** The reason of all that nothing of their name was found for. */
	const char *searched;
};

/**
 * Take in an image of samples, which several reports may have, and what was
 * found for it. What these do not say alike is not said.
 *
 * @param report  Says the input, and the systems; the rest may be empty.
 */
void missing_symbols_add_image(struct missing_symbols *images,
                               const struct report *report,
                               const struct report_image *image,
                               const struct symbol_image *found,
                               uint64_t frame_count, uint64_t report_count);

enum missing_scope {
	MISSING_ALL,   ///< every image with frames
	MISSING_LINES, ///< images without lines: symbolicate_image_needs_dsym()
	/** Of these, those whose file is damaged, or cannot be read. */
	MISSING_DAMAGED,
};

/** Is what was found damaged, or could it not be read? */
bool missing_is_damage(const struct symbol_image *found);

/** Take in what came of the images of some reports. */
void missing_symbols_add(struct missing_symbols *images,
                         const struct symbolicate_result *result,
                         enum missing_scope scope);

/** Take in the images of these reports that have no frames, too. */
void missing_symbols_add_frameless(struct missing_symbols *images,
                                   struct report *const *reports, size_t count,
                                   struct symbol_store *store);

/** Images of the app, and how many of them are not MISSING_FOUND. */
void missing_symbols_count_app(const struct missing_symbols *images,
                               size_t *ret_total, size_t *ret_missing);

/**
 * Images of the app first, those without symbols before the others, then by
 * frames. Nothing may be added afterwards.
 */
void missing_symbols_sort(struct missing_symbols *images);

/** Append what is there: a path, the nearest build, or why nothing is. */
void missing_image_describe(const struct missing_image *image, struct str *out);

/**
 * The answer as a table, sorted; it borrows from @p images.
 *
 * @param counts_system  Where there are images of the app, those of the system
 *                       for which nothing was found are no rows but a count.
 */
struct table *missing_symbols_table(struct missing_symbols *images,
                                    bool counts_system);

void missing_symbols_release(struct missing_symbols *images);

#endif

// SPDX-License-Identifier: MIT
/**
 * The result of symbolicating reports: for each image, whether it has a file,
 * and the number of frames without a line.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_RESULT_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_RESULT_H

#include "lib/model/report.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>

/** An image with frames in a report. */
struct symbolicate_image {
	const struct report *report;
	const struct report_image *image;
	const struct symbol_image *result; ///< shared; not NULL
	size_t frame_count;                ///< frames in it
	size_t named_count;                ///< part of them, named by us
	/** Frames without file and line, whatever the source of their name. */
	size_t lineless_count;
	bool is_app;
};

/** For all reports of a batch, in the arena given to symbolicate(). */
struct symbolicate_result {
	/** Sorted by UUID; equal ones in the order of the reports. */
	struct symbolicate_image *images;
	size_t count;
};

#endif

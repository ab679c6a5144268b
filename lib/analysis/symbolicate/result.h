// SPDX-License-Identifier: MIT
/**
 * What came of naming the frames of reports: for each of their images, whether
 * there was a file for it, and how many frames have no line.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_RESULT_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_RESULT_H

#include "lib/model/report.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>

/** What came of one image that has frames in a report. */
struct symbolicate_image {
	const struct report *report;
	const struct report_image *image;
	const struct symbol_image *result; ///< shared by many; never NULL
	size_t frame_count;                ///< frames that lie in it
	size_t named_count;                ///< of those, named by us
	/** Frames without file and line, whoever named them. */
	size_t lineless_count;
	bool is_app;
};

/** Of all reports of a batch, in the arena that symbolicate() was given. */
struct symbolicate_result {
	/** By their UUIDs, and those of one as they are in the reports. */
	struct symbolicate_image *images;
	size_t count;
};

#endif

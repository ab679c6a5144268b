// SPDX-License-Identifier: MIT
/**
 * The user's rules on which images are the app's own.
 *
 * lib/model/app_image.h knows where Apple's systems put an app; only the user
 * knows a framework that comes from elsewhere, or a plug-in that is not theirs.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IN_APP_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IN_APP_H

#include "lib/base/arena.h"
#include "lib/config/config.h"
#include "lib/model/report.h"

/** What rules ask for; NULL: not known. */
struct in_app_image {
	const char *name;
	const char *path;
	const char *bundle_id;
};

/**
 * What the first rule of @p config says that matches the image. The work is
 * bounded by the number of rules and the length of what they ask for. Globs
 * never reach the bound; slow regular expressions may.
 *
 * @param ret_undecided  Set to the rule that was too costly to decide; else it
 *                       is left as it is.
 */
enum app_rule in_app_judge(const struct config *config,
                           const struct in_app_image *image,
                           size_t *ret_undecided);

/**
 * Set the `app_rule` of each image by the first rule of @p config that
 * matches it. A rule that is too costly to decide leaves the image as if no
 * rule matched, with a note in the report that names it.
 */
void in_app_apply(const struct config *config, struct report *report,
                  struct arena *arena);

#endif

// SPDX-License-Identifier: MIT
/**
 * The user's rules on which images are the app's own.
 *
 * lib/model/app_image.h knows Apple's directories; only the user knows
 * third-party frameworks or plug-ins.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IN_APP_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IN_APP_H

#include "lib/base/arena.h"
#include "lib/config/config.h"
#include "lib/model/report.h"

/** Values for patterns; or NULL. */
struct in_app_image {
	const char *name;
	const char *path;
	const char *bundle_id;
};

/**
 * The result of the first rule of @p config that matches the image. Work is
 * limited by the number of rules and the length of values; only slow regular
 * expressions reach the limit.
 *
 * @param ret_undecided  Set to a rule that took too long; else unchanged.
 */
enum app_rule in_app_judge(const struct config *config,
                           const struct in_app_image *image,
                           size_t *ret_undecided);

/**
 * Set the `app_rule` of each image by the first matching rule of @p config. A
 * rule that takes too long counts as no match, with a note in the report.
 */
void in_app_apply(const struct config *config, struct report *report,
                  struct arena *arena);

#endif

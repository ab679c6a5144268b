/**
 * The user's rules on which images are the app's own.
 *
 * report_image_is_app() knows where Apple's systems put an app; only the user
 * knows a framework that comes from elsewhere, or a plug-in that is not theirs.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IN_APP_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IN_APP_H

#include "lib/base/arena.h"
#include "lib/config/config.h"
#include "lib/model/report.h"

/**
 * Set the `app_rule` of each image by the first rule of @p config that
 * matches it. A rule that is too costly to decide leaves the image as if no
 * rule matched, with a note in the report that names it.
 */
void in_app_apply(const struct config *config, struct report *report,
                  struct arena *arena);

#endif

// SPDX-License-Identifier: MIT
/**
 * Is an image the app's own? Such an image should have a dSYM; an image of the
 * system never has one. The user's rules decide where they know it; else, on
 * paths without `/private`:
 *
 * - the main executable: its path is the process's, or, where either has none,
 *   its name is the process's;
 * - anything in the outermost `.app` (else `.appex`) that the process's path
 *   lies in, or in any of them if that path is not known;
 * - on macOS, and where paths are hidden (a `*` for some directories), whatever
 *   does not lie in one of the system's directories, or, for an app in the
 *   simulator, on the volume of its system;
 * - where neither has a path (MetricKit): what the reader found to be its own.
 *
 * Never the Swift runtime that apps carry along: it is Apple's.
 */
#ifndef APMTOOL_LIB_MODEL_APP_IMAGE_H
#define APMTOOL_LIB_MODEL_APP_IMAGE_H

#include <stdbool.h>

/** What the user's rules say of an image (lib/analysis/symbolicate/in_app.h).
 */
enum app_rule {
	APP_RULE_NONE, ///< nothing
	APP_RULE_OWN,
	APP_RULE_FOREIGN,
};

/** The process that loaded the image. */
struct app_process {
	const char *name; ///< NULL: not known
	const char *path; ///< of the main executable; NULL: not known
	int platform;     ///< formats.md 3.1; 0: not known
};

struct app_image {
	const char *name;   ///< NULL: not known
	const char *path;   ///< NULL: not known
	bool own;           ///< the reader found it to be the app's
	enum app_rule rule; ///< of the user
};

bool app_image_is_own(const struct app_image *image,
                      const struct app_process *process);

/** Does @p path lie in a directory of the system, or on its volume? */
bool app_image_is_system(const char *path, const struct app_process *process);

#endif

// SPDX-License-Identifier: MIT
/**
 * Is an image the app's own? Such an image should have a dSYM; images of the
 * system never have one. The user's rules decide first. If none matches, these
 * are the app's (a `/private` before a path does not count):
 * - the main executable: by its path, or by the process's name if a path is
 *   missing;
 * - everything in the outermost `.app` (else `.appex`) around the process's
 *   path; if that path is unknown, everything in any such bundle;
 * - on macOS, and if a path has a `*` in place of its directories: everything
 *   outside of the system's directories. For an app in the simulator,
 *   everything outside of the volume of the simulated system;
 * - without any paths (MetricKit), what the reader found to be the app's.
 *
 * The Swift runtime inside of an app is Apple's, not the app's.
 */
#ifndef APMTOOL_LIB_MODEL_APP_IMAGE_H
#define APMTOOL_LIB_MODEL_APP_IMAGE_H

#include <stdbool.h>

/**
 * Result of the user's rules for an image (lib/analysis/symbolicate/in_app.h).
 */
enum app_rule {
	APP_RULE_NONE, ///< no rule matches
	APP_RULE_OWN,
	APP_RULE_FOREIGN,
};

/** The process with the image. */
struct app_process {
	const char *name; ///< NULL: unknown
	const char *path; ///< of the main executable; NULL: unknown
	int platform;     ///< enum darwin_platform; 0: unknown
};

struct app_image {
	const char *name;   ///< NULL: unknown
	const char *path;   ///< NULL: unknown
	bool own;           ///< the app's, according to the reader
	enum app_rule rule; ///< of the user
};

bool app_image_is_own(const struct app_image *image,
                      const struct app_process *process);

/** Is @p path in a directory of the system, or on its volume? */
bool app_image_is_system(const char *path, const struct app_process *process);

#endif

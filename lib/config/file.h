// SPDX-License-Identifier: MIT
/** Reads one YAML file of settings. Private to lib/config. */
#ifndef APMTOOL_LIB_CONFIG_FILE_H
#define APMTOOL_LIB_CONFIG_FILE_H

#include "lib/base/text.h"
#include "lib/config/config.h"

/** A file, and the base of its paths. */
struct config_input {
	const char *path;          ///< name in messages
	const char *home;          ///< directory for `~/`; NULL: unknown
	enum config_origin origin; ///< of its values
};

/**
 * Add the values of @p text to @p config: lists are appended, single values set
 * unless a higher origin has set them.
 */
MUST_CHECK struct error *config_read_text(const struct config_input *input,
                                          struct text text,
                                          struct config *config);

/** Add a directory; the path is copied. */
void config_add_directory(struct config *config, const char *path,
                          const struct config_source *source);

#endif

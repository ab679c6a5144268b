// SPDX-License-Identifier: MIT
/**
 * Within lib/config: one YAML file of settings.
 */
#ifndef APMTOOL_LIB_CONFIG_FILE_H
#define APMTOOL_LIB_CONFIG_FILE_H

#include "lib/base/text.h"
#include "lib/config/config.h"

/** A file, and what its values are relative to. */
struct config_input {
	const char *path;          ///< as messages call it
	const char *home;          ///< what `~/` stands for; NULL: unknown
	enum config_origin origin; ///< of its values
};

/**
 * Add the values that @p text sets to @p config: lists after what is there,
 * single values unless something stronger has set them.
 */
MUST_CHECK struct error *config_read_text(const struct config_input *input,
                                          struct text text,
                                          struct config *config);

/** Add a directory; the path is copied. */
void config_add_directory(struct config *config, const char *path,
                          const struct config_source *source);

#endif

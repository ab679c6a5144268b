// SPDX-License-Identifier: MIT
/**
 * Lines of source files around the lines of frames, for pages. They are read by
 * cmd/run/source_lines.h; formatters read no files.
 */
#ifndef APMTOOL_LIB_MODEL_EXCERPT_H
#define APMTOOL_LIB_MODEL_EXCERPT_H

#include <stddef.h>
#include <stdint.h>

struct excerpt {
	const char *path; ///< as in the frame
	uint32_t line;
	uint32_t first;           ///< number of lines[0]
	const char *const *lines; ///< without line ends; shortened
	size_t count;
};

struct excerpts {
	struct excerpt *items;
	size_t count;
	size_t cap;
};

/** The excerpt with a line, or NULL; @p excerpts and @p path may be NULL. */
const struct excerpt *excerpts_find(const struct excerpts *excerpts,
                                    const char *path, uint32_t line);

#endif

// SPDX-License-Identifier: MIT
/**
 * The grammar of a Binary Images line in Apple's text reports
 * (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_TEXT_IMAGE_LINE_H
#define APMTOOL_PARSERS_TEXT_IMAGE_LINE_H

#include "lib/base/uuid.h"
#include "parsers/text/line_reader.h"

#include <stdbool.h>
#include <stdint.h>

/** One line; texts borrow from it, or are empty. */
struct image_line {
	uint64_t start;
	uint64_t end;     ///< inclusive
	bool has_end;     ///< false: `???`, as in spindumps
	struct text name; ///< as printed: file name or bundle id
	struct text arch;
	struct text version;
	struct text build;
	struct text path;
	struct uuid uuid; ///< zero if absent
};

/** Read one line; false if it is not an image. */
bool image_line_parse(struct text line, struct image_line *ret);

/** Is the name a bundle id, `com.apple.Foundation`, as macOS prints it? */
bool image_line_has_bundle_id(const struct image_line *line);

/** Add the image of a line and keep the line; false if it is not an image. */
bool image_line_read(struct line_reader *reader, struct text line);

/**
 * Does the last image look truncated? Its path should end in its name. With a
 * bundle id as name this cannot be decided.
 */
bool image_line_is_truncated(const struct report *report);

#endif

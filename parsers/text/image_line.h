// SPDX-License-Identifier: MIT
/**
 * The grammar of one line of Binary Images in Apple's text reports
 * (formats.md 2.9).
 */
#ifndef APMTOOL_PARSERS_TEXT_IMAGE_LINE_H
#define APMTOOL_PARSERS_TEXT_IMAGE_LINE_H

#include "lib/base/uuid.h"
#include "parsers/text/line_reader.h"

#include <stdbool.h>
#include <stdint.h>

/** One line; all texts borrow from it, empty if absent. */
struct image_line {
	uint64_t start;
	uint64_t end;     ///< inclusive
	bool has_end;     ///< false: `???`, as spindumps have it
	struct text name; ///< as printed: a file's name or a bundle id
	struct text arch;
	struct text version;
	struct text build;
	struct text path;
	struct uuid uuid; ///< zero: none
};

/** Read one line; false if it is no image. */
bool image_line_parse(struct text line, struct image_line *ret);

/** Is the name `com.apple.Foundation`, as macOS prints of a bundle? */
bool image_line_has_bundle_id(const struct image_line *line);

/** Add the image of a line and keep the line; false if it is no image. */
bool image_line_read(struct line_reader *reader, struct text line);

/**
 * Does the last image look truncated? Its path should end in its name; if the
 * name is a bundle id, we cannot know.
 */
bool image_line_is_truncated(const struct report *report);

#endif

/**
 * The grammar of one line of Binary Images in Apple's text reports
 * (formats.md 2.9).
 */
#ifndef APMTOOL_PARSERS_TEXT_IMAGE_LINE_H
#define APMTOOL_PARSERS_TEXT_IMAGE_LINE_H

#include "parsers/text/line_reader.h"

#include <stdbool.h>

/** Add the image of a line and keep the line; false if it is no image. */
bool image_line_read(struct line_reader *reader, struct text line);

/**
 * Does the last image look truncated? Its path should end in its name; if the
 * name is a bundle id, we cannot know.
 */
bool image_line_is_truncated(const struct report *report);

#endif

/**
 * The Binary Images section of Apple's text form (formats.md 2.9).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_IMAGES_H
#define APMTOOL_PARSERS_CRASH_TEXT_IMAGES_H

#include "parsers/crash_text/reader.h"

/** One line of the section; all texts borrow from it, empty where absent. */
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

/** Read one line; false if it is not an image. */
bool image_line_parse(struct text line, struct image_line *ret);

/** The section's label, `Binary Images:` or `Binary Images (…):`. */
bool crash_text_images_label(struct crash_text_reader *reader,
                             struct text line);

/** A line in the section; false if it is not an image. */
bool crash_text_image(struct crash_text_reader *reader, struct text line);

/**
 * Does the last image look cut off? Its path should end in its name; where
 * the name is a bundle id nothing can be told.
 */
bool crash_text_image_cut(const struct crash_text_reader *reader);

#endif

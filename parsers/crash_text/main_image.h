// SPDX-License-Identifier: MIT
/**
 * Umeng's text: a reason, a backtrace in brackets, and a block that describes
 * the app's own image (apmtool-formats(5)):
 *
 *     dSYM UUID: 4C4C44BD-5555-3144-A18B-1D7A14ACC538
 *     CPU Type: arm64
 *     Slide Address: 0x0000000100000000
 *     Binary Image: Demo
 *     Base Address: 0x00000001000f4000
 *
 * The slide address is the address that the image was linked for. Addresses of
 * frames are relative to it or to the base address; the offset in `Demo + 2572`
 * shows which.
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_MAIN_IMAGE_H
#define APMTOOL_PARSERS_CRASH_TEXT_MAIN_IMAGE_H

#include "parsers/crash_text/reader.h"

/** Does the text have such a block? */
bool crash_text_has_main_image(struct text in);

/** A line of the block, or of the reason above the backtrace. */
bool crash_text_main_image_line(struct crash_text_reader *reader,
                                struct text line);

/** Begin the backtrace at its first frame. */
void crash_text_begin_main_stack(struct crash_text_reader *reader);

/** After the last line: add the image, and place its frames. */
void crash_text_finish_main_image(struct crash_text_reader *reader);

#endif

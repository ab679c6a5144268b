// SPDX-License-Identifier: MIT
/**
 * Which program a report is of, where its format does not name it.
 */
#ifndef APMTOOL_PARSERS_TEXT_PROGRAM_H
#define APMTOOL_PARSERS_TEXT_PROGRAM_H

#include "lib/model/report.h"

/**
 * Set name and path of the process, unless the report has them. They are known
 * where one image alone may be the program: the others are libraries, or the
 * system's. Without a list of images, it is the one whose sources are known.
 */
void text_program_set(struct report *report);

/**
 * Mark the frames of images that no list has as the app's: by the source that
 * somebody built, else by the name of the image, if no frame of its stack is of
 * the process and the system has no such image (lib/darwin/system_images.h).
 */
void text_program_mark_frames(struct report *report);

#endif

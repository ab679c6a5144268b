// SPDX-License-Identifier: MIT
/** Derives the program of a report whose format does not name it. */
#ifndef APMTOOL_PARSERS_TEXT_PROGRAM_H
#define APMTOOL_PARSERS_TEXT_PROGRAM_H

#include "lib/model/report.h"

/**
 * Set name and path of the process, unless the report has them. They are known
 * if only one image can be the program, because the others are libraries or the
 * system's. Without a list of images, it is the image whose sources are known.
 */
void text_program_set(struct report *report);

/**
 * Mark frames of unlisted images as the app's: by their source file, else by
 * the image's name, if no frame of the stack is of the process and the system
 * has no such image (lib/darwin/system_images.h).
 */
void text_program_mark_frames(struct report *report);

#endif

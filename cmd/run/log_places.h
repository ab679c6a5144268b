// SPDX-License-Identifier: MIT
/**
 * Where a frame of a log lies: its image by the lists of the log so far, by
 * --images, or by two frames that agree (lib/analysis/symbolicate/log_images.h,
 * symbol_base.h).
 */
#ifndef APMTOOL_CMD_RUN_LOG_PLACES_H
#define APMTOOL_CMD_RUN_LOG_PLACES_H

#include "cmd/run/log_state.h"
#include "lib/analysis/symbolicate/log_images.h"
#include "parsers/text/log_line.h"

#include <stdbool.h>
#include <stdint.h>

/** Set the image and offset of a frame at @p at in the log, if known. */
void log_place_find(struct log_filter *filter, const struct log_frame *frame,
                    uint64_t at, struct log_batch_frame *to);

/**
 * The place of an address whose image is not named.
 *
 * @param ret_from  The list it was found in.
 */
bool log_place_find_address(struct log_filter *filter, uint64_t address,
                            uint64_t at, struct log_place *place,
                            const struct log_images **ret_from);

/** Copy a place to a frame: lists may be forgotten before it is named. */
void log_place_set(struct log_filter *filter, const struct log_images *from,
                   const struct log_place *place, struct log_batch_frame *to);

/** An image of the log, at @p at in it, or one that was given. */
void log_places_add(struct log_filter *filter, struct log_images *to,
                    const struct log_image *image, uint64_t at);

/** Is an image of that name in a list, or among the symbol files? */
bool log_places_have(struct log_filter *filter, struct text name);

#endif

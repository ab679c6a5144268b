// SPDX-License-Identifier: MIT
/**
 * Finds the image of a log's frame: in the log's lists so far, in --images, or
 * from two frames that agree on a load address
 * (lib/analysis/symbolicate/log_images.h, symbol_base.h).
 */
#ifndef APMTOOL_CMD_RUN_LOG_PLACES_H
#define APMTOOL_CMD_RUN_LOG_PLACES_H

#include "cmd/run/log_state.h"
#include "lib/analysis/symbolicate/log_images.h"
#include "parsers/text/log_line.h"

#include <stdbool.h>
#include <stdint.h>

/** Set image and offset of a frame at position @p at of the log, if known. */
void log_place_find(struct log_filter *filter, const struct log_frame *frame,
                    uint64_t at, struct log_batch_frame *to);

/**
 * Find an address without an image name.
 *
 * @param ret_from  The list that has it.
 */
bool log_place_find_address(struct log_filter *filter, uint64_t address,
                            uint64_t at, struct log_place *place,
                            const struct log_images **ret_from);

/** Copy a place, as lists may be dropped before the frame is named. */
void log_place_set(struct log_filter *filter, const struct log_images *from,
                   const struct log_place *place, struct log_batch_frame *to);

/** Add an image that the log lists at position @p at, or one of --images. */
void log_places_add(struct log_filter *filter, struct log_images *to,
                    const struct log_image *image, uint64_t at);

/** Is there an image with that name, in a list or among the symbol files? */
bool log_places_have(struct log_filter *filter, struct text name);

#endif

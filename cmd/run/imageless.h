/**
 * What symbolicate says of a report that lists no images: a truncated one, or
 * a part of one that somebody pasted. None of its frames can be looked up, as
 * nothing says which build they are of. But a frame that gives the load address
 * itself (`0x100f00000 + 51500`) can be looked up by hand.
 */
#ifndef APMTOOL_CMD_RUN_IMAGELESS_H
#define APMTOOL_CMD_RUN_IMAGELESS_H

#include "cmd/run/notices.h"
#include "lib/model/report.h"

/**
 * Warn, with a line of `apmtool atos` for each of the first images;
 * nothing for a report that lists images, or has no frame without a name whose
 * load address is known.
 */
void imageless_warn(const struct notices *notices, struct report *report);

#endif

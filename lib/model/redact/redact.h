/**
 * A report without what says whose it is: user names, ids of the device,
 * e-mail addresses, passwords and tokens become pseudonyms (redact_text.h).
 *
 * It changes the model, in one place and before anything is printed, so that
 * every format and every command has the same. What identifies code stays:
 * UUIDs of images, versions, addresses. A report's own text that is no lines
 * (`raw`) is dropped: it is written anew from the model.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_H
#define APMTOOL_LIB_MODEL_REDACT_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

/** What is new lives in the arena. */
void report_redact(struct report *report, struct arena *arena);

#endif

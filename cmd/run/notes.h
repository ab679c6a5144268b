/**
 * Notes of inputs, as warnings on stderr.
 */
#ifndef APMTOOL_CMD_RUN_NOTES_H
#define APMTOOL_CMD_RUN_NOTES_H

#include "lib/model/note.h"

#include <stddef.h>

/**
 * Print each note as `place: text`.
 *
 * @param before  What precedes the place, with its blank: `App.ips: `; may be
 *                empty.
 */
void notes_print(const char *before, const struct note *notes, size_t count);

#endif

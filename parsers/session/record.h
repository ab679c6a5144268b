// SPDX-License-Identifier: MIT
/**
 * Last-session records: what an app noted of a session for the next launch
 * to judge it by (`foomDict`, formats.md 12). A property list, XML or binary,
 * or JSON; one record, an array of them, or a JSON record after the other. A
 * dictionary that holds the record under `foomDict` is opened.
 */
#ifndef APMTOOL_PARSERS_SESSION_RECORD_H
#define APMTOOL_PARSERS_SESSION_RECORD_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/model/session.h"

/**
 * Read all records of @p in. Unknown keys are skipped; of a value that cannot
 * be read a note is made, and it stays unknown. What is no record, for it is
 * damaged or no key of it bears on the end, is passed over with a note; if
 * there is nothing else, that is the error.
 */
MUST_CHECK struct error *session_record_parse(struct bytes in,
                                              struct arena *arena,
                                              struct session_file *ret);

#endif

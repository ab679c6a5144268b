// SPDX-License-Identifier: MIT
/**
 * Last-session records: what an app noted of a session, from which the next
 * launch decides why it ended (`foomDict`, apmtool-formats(5)). A property
 * list, XML or binary, or JSON; one record, an array, or several JSON records
 * in sequence. A dictionary with the record under `foomDict` is unwrapped.
 */
#ifndef APMTOOL_PARSERS_SESSION_RECORD_H
#define APMTOOL_PARSERS_SESSION_RECORD_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/model/session.h"

/**
 * Read all records of @p in. Unknown keys are skipped; unreadable values become
 * notes, and stay unknown. Damaged records, and dictionaries without any known
 * key, are skipped with a note; if nothing else remains, that is the error.
 */
MUST_CHECK struct error *session_record_parse(struct bytes in,
                                              struct arena *arena,
                                              struct session_file *ret);

#endif

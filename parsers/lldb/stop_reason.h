// SPDX-License-Identifier: MIT
/**
 * Why a thread stopped: in lldb's words `EXC_BAD_ACCESS (code=1,
 * address=0x10)`, `signal SIGABRT`, `Fatal error: Index out of range`; in
 * Xcode's, the exception's message in quotes.
 */
#ifndef APMTOOL_PARSERS_LLDB_STOP_REASON_H
#define APMTOOL_PARSERS_LLDB_STOP_REASON_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

/** Set exception, codes, signal, thrown or message of the report. */
void lldb_set_stop_reason(struct report *report, struct arena *arena,
                          struct text reason);

#endif

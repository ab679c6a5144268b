// SPDX-License-Identifier: MIT
/**
 * The text of a kernel panic (formats.md 3.5), as panic logs carry it in a
 * string or as a file of its own.
 */
#ifndef APMTOOL_PARSERS_TEXT_PANIC_H
#define APMTOOL_PARSERS_TEXT_PANIC_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

/** What the first line of the panic itself begins with. */
#define PANIC_TEXT_MARK "panic(cpu "

/**
 * Take the facts of the panic into @p report: its first line and, where a
 * watchdog panicked, the service that did not answer, as fields; the panicked
 * task as the process; the panicked thread, by its kernel id, as the
 * triggered one if the report has it already.
 */
void panic_text_read(struct text panic, struct arena *arena,
                     struct report *report);

#endif

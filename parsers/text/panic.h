// SPDX-License-Identifier: MIT
/**
 * The text of a kernel panic (apmtool-formats(5)), in a string of a panic log
 * or in a file of its own.
 */
#ifndef APMTOOL_PARSERS_TEXT_PANIC_H
#define APMTOOL_PARSERS_TEXT_PANIC_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

/** Start of the first line of a panic. */
#define PANIC_TEXT_MARK "panic(cpu "

/**
 * Set the facts of the panic in @p report: as fields its first line and, for a
 * watchdog panic, the service that did not respond; as process the panicked
 * task; as triggered thread the panicked one, by its kernel id, if the report
 * has it.
 */
void panic_text_read(struct text panic, struct arena *arena,
                     struct report *report);

#endif

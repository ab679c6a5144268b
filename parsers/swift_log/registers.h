// SPDX-License-Identifier: MIT
/**
 * Registers as Swift's crash logs print them, with the memory they point to:
 *
 *     rax 0x0000000000000000  0
 *      fp 0x000000016f5daf80  90 af 5d 6f 01 00 00 00 …  ·¯]o····
 *     rflags 0x0000000000010246  PF ZF
 *     cs 0x0033  fs 0x0000  gs 0x0000
 */
#ifndef APMTOOL_PARSERS_SWIFT_LOG_REGISTERS_H
#define APMTOOL_PARSERS_SWIFT_LOG_REGISTERS_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * Add the registers of a line; false if it has none.
 *
 * @param state  Receives them; NULL: they belong to no thread.
 */
bool swift_register_line(struct text line, struct arena *arena,
                         struct report_thread_state *state);

#endif

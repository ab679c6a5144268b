// SPDX-License-Identifier: MIT
/**
 * Why a program ended, in the words of Swift's crash logs: `Bad pointer
 * dereference at 0x0000000000000004`, `System trap at 0x…`, `Swift runtime
 * failure: Index out of range` (swift-backtrace, signalDescription).
 */
#ifndef APMTOOL_PARSERS_SWIFT_LOG_REASON_H
#define APMTOOL_PARSERS_SWIFT_LOG_REASON_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * Is it the headline of a log, `*** Program crashed: … ***` or `💣 Program
 * crashed: …`, or of a failed check, `*** Swift runtime failure: … ***`?
 *
 * @param ret_reason  The reason in it; may be NULL.
 */
bool swift_headline(struct text line, struct text *ret_reason);

/** `*** Signal 11: Backtracing from 0x104ea8a1c... done ***` */
bool swift_is_signal_line(struct text line);

/**
 * `Demo/main.swift:10: Fatal error: Index out of range`, as the runtime prints
 * it before it stops the program; also preconditions and assertions.
 */
bool swift_is_fatal_line(struct text line);

/**
 * Set exception and signal of a report. The address at the end of the text is
 * that of the access, or of the trap.
 */
void swift_set_reason(struct report *report, struct arena *arena,
                      struct text reason);

/** Add the program's last message as a section, as other reports have it. */
void swift_add_message(struct report *report, struct arena *arena,
                       struct text message);

/**
 * Set code type and architecture of the images from the processor's name,
 * `arm64`.
 */
void swift_set_arch(struct report *report, struct arena *arena,
                    struct text arch);

/**
 * Set the OS: `macOS 26.1 (25B64)`, `Linux (Ubuntu 24.04.4 LTS)`, `Windows 11.0
 * …`
 */
void swift_set_os(struct report *report, struct arena *arena, struct text os);

#endif

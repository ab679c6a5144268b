// SPDX-License-Identifier: MIT
/**
 * Headlines of failures: the lines with which runtimes, libraries and checkers
 * say on the console that something failed (apmtool-formats(5), "Console
 * texts"). One table for all who need to know: readers, which make a report of
 * them; what steps over lines, which never leaves one out; and what explains
 * a report.
 *
 *     struct headline headline;
 *
 *     if (headline_find(line, &headline))
 *             printf("%.*s\n", TEXT_ARGS(headline.message));
 */
#ifndef APMTOOL_LIB_DARWIN_HEADLINE_H
#define APMTOOL_LIB_DARWIN_HEADLINE_H

#include "lib/base/text.h"
#include "lib/darwin/log_prefix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum headline_kind {
	HEADLINE_OBJC,        ///< an Objective-C exception
	HEADLINE_CPP,         ///< what libc++abi says
	HEADLINE_ZOMBIE,      ///< a message to an object that is gone
	HEADLINE_SWIFT,       ///< `Fatal error: …`
	HEADLINE_DYLD,        ///< a library or a symbol is missing
	HEADLINE_KOTLIN,      ///< Kotlin/Native
	HEADLINE_RUST,        ///< a panic
	HEADLINE_GO,          ///< a panic, or a fatal error of the runtime
	HEADLINE_DOTNET,      ///< an exception of .NET, Mono or Unity
	HEADLINE_MONO,        ///< a signal in native code under Mono
	HEADLINE_DART,        ///< Flutter
	HEADLINE_JAVASCRIPT,  ///< an error in Hermes or JavaScriptCore
	HEADLINE_SANITIZER,   ///< ASan, TSan, UBSan
	HEADLINE_MAIN_THREAD, ///< the Main Thread Checker
	HEADLINE_PERFORMANCE, ///< the Thread Performance Checker
	HEADLINE_MEMORY,      ///< what malloc found
	HEADLINE_WATCHDOG,    ///< a process did not respond in time
	HEADLINE_MEMORY_KILL, ///< the kernel: over a limit, or killed
	HEADLINE_ASSERTION,   ///< what NSAssert writes before it throws
	HEADLINE_PANIC,       ///< the kernel or a coprocessor stopped
	HEADLINE_KINDS
};

struct headline {
	enum headline_kind kind;
	const char *word;    ///< of its kind: `kotlin-exception`
	struct text message; ///< the line without what a log put before it
	size_t before;       ///< bytes of the line before the message
	/** Of a message about another process: that one, with its pid. */
	struct log_prefix prefix;
	/** Of an exception or error: its type; empty: it has none. */
	struct text name;
	struct text reason; ///< what it says; may go on below
	struct text file;   ///< where it says it failed; empty: nowhere
	uint64_t line;      ///< 0: not said
	/** Other texts have such a line too: it takes frames to be sure. */
	bool needs_frames;
	bool ends_process; ///< it does not go on after it
	bool is_apple;     ///< the frames below it are written as Apple does
};

/** Is @p line a headline? With what a console put before it, or without. */
bool headline_find(struct text line, struct headline *ret);

/**
 * Is one within @p line, behind other words, or quoted as a value of JSON? Only
 * of an object that was freed, with its address, and of the watchdog, with its
 * allowance. For lines that have nothing else around them: prose, too, names
 * what it is about.
 */
bool headline_find_within_line(struct text line, struct headline *ret);

/** Is any line of @p in a headline that needs no frames? */
bool headline_within(struct text in);

/** The word of a kind: `objc-exception`, `main-thread-checker`. */
const char *headline_word(enum headline_kind kind);

#endif

// SPDX-License-Identifier: MIT
/**
 * Headlines of failures: the first line that runtimes, libraries and checkers
 * print on the console when something fails (apmtool-formats(5), "Console
 * texts"). This table is shared by readers, which turn headlines into reports;
 * by repairs, which never remove such a line; and by explain.
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
	HEADLINE_CPP,         ///< libc++abi
	HEADLINE_ZOMBIE,      ///< a message to a deallocated object
	HEADLINE_SWIFT,       ///< `Fatal error: …`
	HEADLINE_DYLD,        ///< a missing library or symbol
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
	HEADLINE_MEMORY,      ///< malloc's checks
	HEADLINE_WATCHDOG,    ///< a process did not respond in time
	HEADLINE_MEMORY_KILL, ///< the kernel: over a limit, or killed
	HEADLINE_ASSERTION,   ///< NSAssert, before it throws
	HEADLINE_PANIC,       ///< the kernel or a coprocessor stopped
	HEADLINE_KINDS
};

struct headline {
	enum headline_kind kind;
	const char *word;    ///< name of its kind: `kotlin-exception`
	struct text message; ///< the line without its log prefix
	size_t before;       ///< bytes of the line before the message
	/** Of a message about another process: name and pid of that process. */
	struct log_prefix prefix;
	/** Type of an exception or error; or empty. */
	struct text name;
	struct text reason; ///< its message; may continue below
	struct text file;   ///< source file; or empty
	uint64_t line;      ///< 0: unknown
	/**
	 * Other texts have such a line, too: only certain with frames below.
	 */
	bool needs_frames;
	bool ends_process; ///< the process ends
	bool is_apple;     ///< the frames below have Apple's format
};

/** Is @p line a headline, with or without a console's prefix? */
bool headline_find(struct text line, struct headline *ret);

/**
 * Does @p line contain a headline after other words, or as a quoted JSON value?
 * Only for deallocated objects, with their address, and the watchdog, with its
 * allowance. Use it on a single line: prose quotes them, too.
 */
bool headline_find_within_line(struct text line, struct headline *ret);

/** Does @p in have a headline that needs no frames? */
bool headline_within(struct text in);

/** Name of a kind: `objc-exception`, `main-thread-checker`. */
const char *headline_word(enum headline_kind kind);

#endif

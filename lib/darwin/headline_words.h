// SPDX-License-Identifier: MIT
/**
 * Messages of runtimes, and of other programs in the same place: the words that
 * make a headline certain (lib/darwin/headline.h).
 */
#ifndef APMTOOL_LIB_DARWIN_HEADLINE_WORDS_H
#define APMTOOL_LIB_DARWIN_HEADLINE_WORDS_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Lists of prefixes by author. */
enum headline_words {
	WORDS_SWIFT,     ///< checks of Swift's library
	WORDS_NOT_SWIFT, ///< `Fatal error: ` of PHP, compilers, databases
	WORDS_DYLD,      ///< why a process cannot start
	WORDS_GO_PANIC,  ///< Go's runtime and packages, after `panic: `
	WORDS_GO_FATAL,  ///< only Go's runtime, after `fatal error: `
	/** Go's runtime and other programs, after `fatal error: ` */
	WORDS_GO_DOUBT,
	WORDS_RUST_FATAL, ///< Rust's library, after `fatal runtime error: `
	WORDS_DART,       ///< after `Unhandled Exception: `
	WORDS_JAVA,       ///< types of Java
	WORDS_LISTS
};

/** Does @p text begin with an entry of the list? */
bool headline_words_begin(enum headline_words list, struct text text);

/**
 * Is @p type the name of an exception that only .NET or Unity has:
 * `System.FormatException`, `NullReferenceException`?
 */
bool headline_words_dotnet(struct text type);

/**
 * Is it an error message of a JavaScript engine on Apple's systems? V8's
 * messages do not count: build tools print them.
 */
bool headline_words_javascript(struct text message);

#endif

// SPDX-License-Identifier: MIT
/**
 * What runtimes themselves say when they fail, and what other programs say in
 * the same place: the words that make a headline sure (lib/darwin/headline.h).
 */
#ifndef APMTOOL_LIB_DARWIN_HEADLINE_WORDS_H
#define APMTOOL_LIB_DARWIN_HEADLINE_WORDS_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Lists of beginnings, by who says so. */
enum headline_words {
	WORDS_SWIFT,      ///< checks of Swift's library
	WORDS_NOT_SWIFT,  ///< `Fatal error: ` of PHP, compilers, databases
	WORDS_DYLD,       ///< why a process cannot be started
	WORDS_GO_PANIC,   ///< Go's runtime and packages, behind `panic: `
	WORDS_GO_FATAL,   ///< Go's runtime, behind `fatal error: `; no other's
	WORDS_GO_DOUBT,   ///< the same, which other programs say, too
	WORDS_RUST_FATAL, ///< Rust's library, behind `fatal runtime error: `
	WORDS_DART,       ///< behind `Unhandled Exception: `
	WORDS_JAVA,       ///< names of types of the Java world
	WORDS_LISTS
};

/** Does @p text begin as one of the list does? */
bool headline_words_begin(enum headline_words list, struct text text);

/**
 * Is @p type the name of an exception of .NET or Unity, as no other language
 * has it: `System.FormatException`, `NullReferenceException`?
 */
bool headline_words_dotnet(struct text type);

/**
 * Is it how a JavaScript engine of Apple's world words an error? V8's words are
 * those of build tools, too: they are no sign.
 */
bool headline_words_javascript(struct text message);

#endif

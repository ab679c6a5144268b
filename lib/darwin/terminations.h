// SPDX-License-Identifier: MIT
/**
 * Why Apple's systems end a process: the codes of termination reasons, by
 * namespace.
 *
 * Sources: Apple's "Understanding the exception types in a crash report",
 * XNU's bsd/sys/reason.h and bsd/sys/codesign.h, dyld's error codes
 * (formats.md 9.3, 9.4). A code that only lists of others explain is not here.
 */
#ifndef APMTOOL_LIB_DARWIN_TERMINATIONS_H
#define APMTOOL_LIB_DARWIN_TERMINATIONS_H

#include <stdbool.h>
#include <stdint.h>

/** Kinds of reasons, as far as they differ in what to do about them. */
enum termination_kind {
	TERMINATION_OTHER,
	TERMINATION_WATCHDOG,
	TERMINATION_THERMAL,
	TERMINATION_FILE_LOCK,
	TERMINATION_VOIP,
	TERMINATION_DISK_SPACE,
	TERMINATION_FORCE_QUIT,
	TERMINATION_STACKSHOT, ///< no end: a record of all stacks
	TERMINATION_BACKGROUND,
	TERMINATION_SECURITY,
	TERMINATION_CODE_SIGNATURE,
	TERMINATION_DYLD,
	TERMINATION_EXEC,
	TERMINATION_PRIVACY,
};

struct termination_code {
	/** `DYLD`; NULL: of all namespaces that do not number their own. */
	const char *space;
	uint64_t code;
	enum termination_kind kind;
	const char *meaning; ///< completes "the system ended it: …"
	const char *advice;  ///< NULL: there is nothing to do
	/** How the system names the code, `Library missing`; or NULL. */
	const char *words;
};

/**
 * A code means something only within its namespace. NULL where it is not
 * known. @p space may be NULL.
 */
const struct termination_code *termination_code_find(const char *space,
                                                     uint64_t code);

/** The code whose name @p words holds, in any case of letters; or NULL. */
const struct termination_code *termination_code_of_words(const char *space,
                                                         const char *words);

struct termination_space {
	const char *name;    ///< `CODESIGNING`
	const char *meaning; ///< `code signing`
	/** Its codes are numbers of its own: no magic number is one of them. */
	bool has_own_codes;
	/** What any of its codes is; TERMINATION_OTHER: that differs. */
	enum termination_kind kind;
	const char *advice; ///< for such a code; or NULL
};

/** What is known of a namespace; NULL: nothing. */
const struct termination_space *termination_space_find(const char *name);

#endif

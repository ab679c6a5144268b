// SPDX-License-Identifier: MIT
/**
 * Why Apple's systems end a process: codes of termination reasons by namespace.
 *
 * Sources: Apple's "Understanding the exception types in a crash report", XNU's
 * bsd/sys/reason.h and bsd/sys/codesign.h, dyld's error codes. Codes known only
 * from third-party lists are omitted.
 */
#ifndef APMTOOL_LIB_DARWIN_TERMINATIONS_H
#define APMTOOL_LIB_DARWIN_TERMINATIONS_H

#include <stdbool.h>
#include <stdint.h>

/** Kinds of reasons that need different advice. */
enum termination_kind {
	TERMINATION_OTHER,
	TERMINATION_WATCHDOG,
	TERMINATION_THERMAL,
	TERMINATION_FILE_LOCK,
	TERMINATION_VOIP,
	TERMINATION_DISK_SPACE,
	TERMINATION_FORCE_QUIT,
	TERMINATION_STACKSHOT, ///< not an end: a record of all stacks
	TERMINATION_BACKGROUND,
	TERMINATION_SECURITY,
	TERMINATION_CODE_SIGNATURE,
	TERMINATION_DYLD,
	TERMINATION_EXEC,
	TERMINATION_PRIVACY,
};

struct termination_code {
	/** `DYLD`; NULL: all namespaces without codes of their own. */
	const char *space;
	uint64_t code;
	enum termination_kind kind;
	const char *meaning; ///< completes "the system ended it: …"
	const char *advice;  ///< or NULL
	/** The system's name of the code, `Library missing`; or NULL. */
	const char *words;
};

/** The code within its namespace; NULL if unknown. @p space may be NULL. */
const struct termination_code *termination_code_find(const char *space,
                                                     uint64_t code);

/** The code whose name is in @p words, ignoring case; or NULL. */
const struct termination_code *termination_code_of_words(const char *space,
                                                         const char *words);

struct termination_space {
	const char *name;    ///< `CODESIGNING`
	const char *meaning; ///< `code signing`
	/** It has its own codes; magic numbers do not apply. */
	bool has_own_codes;
	/** Kind of all its codes; TERMINATION_OTHER: they differ. */
	enum termination_kind kind;
	const char *advice; ///< for all its codes; or NULL
};

/** The namespace with this name; NULL if unknown. */
const struct termination_space *termination_space_find(const char *name);

#endif

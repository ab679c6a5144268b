// SPDX-License-Identifier: MIT
/**
 * A message of a run or a reader besides its result: a repair, a skipped or
 * missing part, or a failure.
 */
#ifndef APMTOOL_LIB_MODEL_NOTICE_H
#define APMTOOL_LIB_MODEL_NOTICE_H

enum notice_kind {
	NOTICE_WARNING, ///< repaired, skipped or missed
	/** an input failed, at least in part; shown with --quiet, too */
	NOTICE_FAILURE,
	NOTICE_MISSING_SYMBOLS, ///< images of the app have no usable dSYM
	NOTICE_NOTE,            ///< other information about the run
};

/**
 * Unescaped text: the receiver redacts it and makes it visible. In multi-line
 * texts, names must be on one line (utf8_add_visible()).
 */
struct notice {
	enum notice_kind kind;
	/** `line 12`, or with its input, `App.ips: line 12`; or NULL. */
	const char *place;
	const char *text; ///< one line: `expected a number, found "n/a"`
	/** Indented lines below it; or NULL. */
	const char *details;
	/**
	 * What to do next; or NULL. A clause, `name it with --dsym`, or
	 * indented command lines to paste.
	 */
	const char *next;
};

#endif

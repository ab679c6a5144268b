// SPDX-License-Identifier: MIT
/**
 * Something that a run, or the reader of an input, has to say besides its
 * result: what it repaired, skipped or missed, and what failed.
 */
#ifndef APMTOOL_LIB_MODEL_NOTICE_H
#define APMTOOL_LIB_MODEL_NOTICE_H

enum notice_kind {
	NOTICE_WARNING, ///< repaired, skipped or missed
	NOTICE_FAILURE, ///< an input failed, all or in part: --quiet shows it
	NOTICE_MISSING_SYMBOLS, ///< images of the app have no usable dSYM
	NOTICE_NOTE,            ///< what the user may want to know of the run
};

/**
 * Text as it was read: the sink redacts it and makes it visible. Where there
 * are several lines, a name has to be on one (utf8_add_visible()).
 */
struct notice {
	enum notice_kind kind;
	/** `line 12`, or with its input, `App.ips: line 12`; NULL: none. */
	const char *place;
	const char *text; ///< one line: `expected a number, found "n/a"`
	/** Lines below it, indented; NULL: none. */
	const char *details;
	/**
	 * What to do next; NULL: nothing is known. A clause, `name it with
	 * --dsym`, or indented lines of commands to paste.
	 */
	const char *next;
};

#endif

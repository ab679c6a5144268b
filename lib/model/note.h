/**
 * Something that the reader of an input repaired, skipped or missed.
 */
#ifndef APMTOOL_LIB_MODEL_NOTE_H
#define APMTOOL_LIB_MODEL_NOTE_H

#include <stdbool.h>

struct note {
	const char *place; ///< `line 12`, `threads[3].frames[0]`
	const char *text;  ///< `expected a number, found "n/a"`
	/** The input failed by it, all or in part: --quiet does not hide it. */
	bool is_failure;
};

#endif

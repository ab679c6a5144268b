// SPDX-License-Identifier: MIT
/**
 * Reads an answer of `apmtool filter` (`apmtool.answer/1`), for programs that
 * pass its documents on unchanged.
 */
#ifndef APMTOOL_LIB_ANSWERS_ANSWER_H
#define APMTOOL_LIB_ANSWERS_ANSWER_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stddef.h>

/** See apmtool-filter(1). */
enum filter_status {
	FILTER_OK,
	FILTER_MISSING,
	FILTER_PARTIAL,
	FILTER_REJECTED,
	FILTER_FAILED,
};

const char *filter_status_name(enum filter_status status);

struct filter_document {
	struct text text; ///< the JSON, part of the answer
	struct text id;   ///< of the incident, in the arena; empty: none
};

struct filter_answer {
	enum filter_status status;
	const char *reason;   ///< such as `E-crash`; NULL: none
	const char *message;  ///< NULL: none
	const char **missing; ///< UUIDs as text
	size_t missing_count;
	struct filter_document *documents;
	size_t document_count;
	struct filter_document *reports; ///< of `--shape event+full`
	size_t report_count;
};

/**
 * @param text   The answer; documents point into it.
 * @param arena  For everything else.
 */
MUST_CHECK struct error *filter_answer_read(struct text text,
                                            struct arena *arena,
                                            struct filter_answer *ret);

#endif

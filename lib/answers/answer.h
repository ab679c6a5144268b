// SPDX-License-Identifier: MIT
/**
 * What an answer of `apmtool filter` (`apmtool.answer/1`) holds, for programs
 * that pass its documents on as they are.
 */
#ifndef APMTOOL_LIB_ANSWERS_ANSWER_H
#define APMTOOL_LIB_ANSWERS_ANSWER_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stddef.h>

/** apmtool-filter(1) says what each means. */
enum filter_status {
	FILTER_OK,
	FILTER_MISSING,
	FILTER_PARTIAL,
	FILTER_REJECTED,
	FILTER_FAILED,
};

/** `ok` and so on. */
const char *filter_status_name(enum filter_status status);

struct filter_document {
	struct text text; ///< as it is written in the answer
	struct text id;   ///< of the incident, in the arena; empty: none
};

struct filter_answer {
	enum filter_status status;
	const char *reason;   ///< `E-crash` and so on; NULL: none
	const char *message;  ///< NULL: none
	const char **missing; ///< UUIDs as text
	size_t missing_count;
	struct filter_document *documents;
	size_t document_count;
	struct filter_document *reports; ///< of `--shape event+full`
	size_t report_count;
};

/**
 * @param text   The answer, which the documents are parts of.
 * @param arena  Gets all else.
 */
MUST_CHECK struct error *filter_answer_read(struct text text,
                                            struct arena *arena,
                                            struct filter_answer *ret);

#endif

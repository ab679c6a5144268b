// SPDX-License-Identifier: MIT
/**
 * Workflow commands: text that a CI runner executes when it is in the output of
 * a step. GitHub's runner takes lines that begin with `::` after white space;
 * GitHub, Azure and TeamCity take `##[`, `##vso[` and `##teamcity[` anywhere.
 *
 * To prevent this, the last character of each is escaped: `:\x3a`, `##\x5b`.
 * The text may come in pieces:
 *
 *     while ((at = workflow_find(&state, piece, at)) < piece.size)
 *             escape piece.data[at++];
 */
#ifndef APMTOOL_LIB_BASE_WORKFLOW_H
#define APMTOOL_LIB_BASE_WORKFLOW_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the previous bytes may begin. All zeros: the beginning of a line. */
struct workflow {
	enum {
		WORKFLOW_BLANK, ///< only white space so far
		WORKFLOW_COLON, ///< white space and one colon
		WORKFLOW_TEXT,
	} line;
	/** bytes of an incomplete character that may be white space */
	uint32_t partial;
	enum {
		WORKFLOW_NO_HASH,
		WORKFLOW_HASH,
		WORKFLOW_HASHES,
		WORKFLOW_WORD, ///< letters after two hashes
	} word;
	bool own_lines; ///< lines that begin with `::` are our own commands
};

/**
 * Position from @p at on of the first byte that completes a command and must be
 * escaped; or the end.
 */
size_t workflow_find(struct workflow *state, struct text in, size_t at);

/** Append @p in, the continuation of what @p state has seen, escaped. */
void workflow_add(struct workflow *state, struct str *out, struct text in);

#endif

// SPDX-License-Identifier: MIT
/**
 * Workflow commands: what a CI runner obeys where it finds it in the output of
 * a step. GitHub's takes a line that begins with `::` after white space; it,
 * Azure's and TeamCity's take `##[`, `##vso[` and `##teamcity[` anywhere.
 *
 * Text of ours must hold neither, so the last character of each is escaped:
 * `:\x3a`, `##\x5b`. The text may come in pieces:
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

/** What the bytes before may begin. All zeros: the beginning of a line. */
struct workflow {
	enum {
		WORKFLOW_BLANK, ///< only white space so far
		WORKFLOW_COLON, ///< and one colon
		WORKFLOW_TEXT,
	} line;
	uint32_t partial; ///< bytes of a character that may be white space
	enum {
		WORKFLOW_NO_HASH,
		WORKFLOW_HASH,
		WORKFLOW_HASHES,
		WORKFLOW_WORD, ///< letters after two hashes
	} word;
	bool own_lines; ///< the lines that begin with `::` are ours
};

/**
 * Where the first byte from @p at on is that completes a command, and has to
 * be escaped; the end: nowhere.
 */
size_t workflow_find(struct workflow *state, struct text in, size_t at);

/** Append @p in, which goes on after what @p state has seen, escaped. */
void workflow_add(struct workflow *state, struct str *out, struct text in);

#endif

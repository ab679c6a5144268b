// SPDX-License-Identifier: MIT
/**
 * Reads blocks of whole lines from a source, for one job or several.
 *
 *     SCOPED(lines_release)
 *     struct lines lines = { .source = &source, .longest = LONGEST };
 *
 *     while (lines_next(&lines, &block, &line))
 *             read_block(str_text(&block), line);
 */
#ifndef APMTOOL_CMD_RUN_LINES_H
#define APMTOOL_CMD_RUN_LINES_H

#include "cmd/run/source.h"

/** Default of @c block_bytes. */
#define LINES_BLOCK_BYTES ((size_t)2 << 20)

struct lines {
	struct source *source;
	/**
	 * Return a block as soon as it has a line: others may wait for answers.
	 * Data that arrives fast, from a program that does not wait, is
	 * gathered in larger blocks.
	 */
	bool at_once;
	bool ends_at_cr; ///< lines may end with a lone CR (apmtool-formats(5))
	size_t longest;  ///< longer lines are returned in parts
	/** Max bytes of a read; 0: LINES_BLOCK_BYTES. */
	size_t block_bytes;
	size_t count; ///< lines returned so far
	bool ended;   ///< the last block was the end
	// Private:
	struct str rest; ///< lines put back, then the beginning of a line
	size_t min_size; ///< min size of the next block, except at the end
};

/**
 * Read the next block; false at the end or on a failure, which the source
 * keeps. A block ends with a line end, unless the input ends there or the line
 * is longer than @c longest.
 *
 * @param ret_line  The number of its first line, from 1.
 */
bool lines_next(struct lines *lines, struct str *block, size_t *ret_line);

/**
 * Return the last lines of a block again, at the start of the next one. If many
 * lines are put back before the end of the input, the next block is twice as
 * large, which bounds the cost of reading lines repeatedly.
 */
void lines_put_back(struct lines *lines, struct text text);

/** Does the last block end within a line? */
bool lines_broken(const struct lines *lines, const struct str *block);

void lines_release(struct lines *lines);

#endif

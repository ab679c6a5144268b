// SPDX-License-Identifier: MIT
/**
 * Whole lines off a source, in blocks: input that is read in pieces, by one
 * job or by several.
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

/** What is read at once, unless @c block_bytes says something else. */
#define LINES_BLOCK_BYTES ((size_t)2 << 20)

struct lines {
	struct source *source;
	/**
	 * Give what has come as soon as it holds a line: others may wait. What
	 * is poured in, by a program that waits for nothing, is one block.
	 */
	bool at_once;
	bool ends_at_cr; ///< lines may end with a lone CR (formats.md, rule 2)
	size_t longest;  ///< a line of more bytes is given in parts
	/** How much to read at once; 0: LINES_BLOCK_BYTES. */
	size_t block_bytes;
	size_t count; ///< of the lines given so far
	bool ended;   ///< nothing follows the last block
	// For the functions below alone:
	struct str rest;   ///< lines that were put back, the beginning of one
	size_t least_size; ///< of the next block, unless nothing more comes
};

/**
 * The next block; false at the end, or where reading fails (the source
 * remembers why). It ends with a line end unless the input ends there, or the
 * line is longer than @c longest.
 *
 * @param ret_line  The number of its first line, from 1.
 */
bool lines_next(struct lines *lines, struct str *block, size_t *ret_line);

/**
 * Give the last lines of a block again, at the front of the next one. Where
 * they are many, and more is coming, that block is twice as large: what is put
 * back again and again is not searched for each line.
 */
void lines_put_back(struct lines *lines, struct text text);

/** Whether the last block ends where no line does. */
bool lines_broken(const struct lines *lines, const struct str *block);

void lines_release(struct lines *lines);

#endif

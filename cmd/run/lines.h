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
	// For lines_next() alone:
	struct str rest;   ///< the beginning of a line
	size_t least_size; ///< of the next block, unless the input ends
	bool ended;
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
 * Give the last lines of a block again, at the front of the next one. Of many,
 * that one waits for as much again: they are not looked at for every line.
 */
void lines_put_back(struct lines *lines, struct text text);

/** Whether the last block ends where no line does. */
bool lines_broken(const struct lines *lines, const struct str *block);

void lines_release(struct lines *lines);

#endif

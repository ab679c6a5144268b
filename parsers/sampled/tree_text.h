// SPDX-License-Identifier: MIT
/**
 * Parses call trees in text, as `sample` and spindump print them
 * (apmtool-formats(5)): a call a line, outermost first, with its samples,
 * indented below its caller.
 *
 * Only the column of the count gives the depth: a child's is further right than
 * its parent's, by any amount. So tabs, other indents, and counts of any width
 * work.
 *
 * Frames have no index (index_width is 0); `columns` is the text before the
 * name, indent and count, and `verbatim` the rest of the (last) line, with or
 * without a name: printing copies from it everything except the name.
 */
#ifndef APMTOOL_PARSERS_SAMPLED_TREE_TEXT_H
#define APMTOOL_PARSERS_SAMPLED_TREE_TEXT_H

#include "parsers/text/line_reader.h"

/** Deeper lines are read as this level, with a note. */
#define TREE_TEXT_DEPTH_MAX 4096

/** A node whose children may follow. */
struct tree_text_level {
	size_t column;
	uint64_t samples_left; ///< not yet used by children
};

/** All zeros except the reader's arena and report. */
struct tree_text {
	struct line_reader reader;
	const char *title;        ///< of the tree that begins; or NULL
	struct report_tree *tree; ///< current tree; NULL before its first node
	struct tree_text_level *levels;
	size_t level_count;
	size_t level_cap;
	size_t last_column; ///< of the previous line
	/** Look up addresses unchanged, not as return addresses. */
	bool all_pc;
	/** A plain list of frames, outermost first: the heaviest stack. */
	struct report_stack *list;
	size_t list_line; ///< its first line in the report
};

void tree_text_release(struct tree_text *text);

/** The text before the name in a line of a tree. */
struct tree_text_line {
	size_t column; ///< of the count, with tabs as on a terminal
	uint64_t samples;
	struct text columns; ///< indent, count, blanks
	struct text what;
	bool has_tab;
};

/** Is @p line a line of a tree? A count that is too large is a flaw. */
bool tree_text_split(struct tree_text *text, struct text line,
                     struct tree_text_line *ret);

/** Begin a tree, and end the current list or tree. */
void tree_text_begin(struct tree_text *text, const char *title);

/** Begin the plain list of frames, and end the current tree. */
void tree_text_begin_list(struct tree_text *text);

/** End the current tree or list. */
void tree_text_end(struct tree_text *text);

/** Has tree_text_begin() been called, and not tree_text_end()? */
bool tree_text_is_open(const struct tree_text *text);

/** Add a node, a frame of the list, or a marker; keeps the line. */
void tree_text_add(struct tree_text *text, struct text line,
                   const struct tree_text_line *parts);

#endif

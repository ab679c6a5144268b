// SPDX-License-Identifier: MIT
/**
 * Call trees in text, as `sample` and spindump print them (formats.md 7.9): a
 * line a call, outermost first, each further in than its caller, its samples
 * before it. Shared by the parsers of both.
 *
 * The column of its count alone decides how deep a line is: a child is
 * further right than its parent, by however much. So tabs, other
 * indents, and counts of any width are read alike.
 *
 * A frame that was read here has no index (its index_width is 0); `columns` is
 * what precedes the name, indent and count, and `verbatim` the rest of
 * its (last) line, whether a name is known or not: printing takes from it what
 * belongs to no name.
 */
#ifndef APMTOOL_PARSERS_SAMPLED_TREE_TEXT_H
#define APMTOOL_PARSERS_SAMPLED_TREE_TEXT_H

#include "parsers/text/line_reader.h"

/** Deeper lines are read as of this level, which a note says. */
#define TREE_TEXT_DEPTH_MAX 4096

/** A node whose children may follow. */
struct tree_text_level {
	size_t column;
	uint64_t samples_left; ///< not yet given to children
};

/** All zeros but for the reader's arena and report. */
struct tree_text {
	struct line_reader reader;
	const char *title;        ///< of the tree that begins; NULL: none does
	struct report_tree *tree; ///< the current one; NULL: no node yet
	struct tree_text_level *levels;
	size_t level_count;
	size_t level_cap;
	size_t last_column; ///< of the line above
	/** Addresses are looked up unchanged, not as return addresses. */
	bool all_pc;
	/** A plain list of frames, outermost first: the heaviest stack. */
	struct report_stack *list;
	size_t list_line; ///< of the report, where it begins
};

void tree_text_release(struct tree_text *text);

/** What precedes the name in a line of a tree. */
struct tree_text_line {
	size_t column; ///< of the count; tabs as a terminal shows them
	uint64_t samples;
	struct text columns; ///< indent, count, blanks
	struct text what;
	bool has_tab;
};

/** Is @p line one of a tree? It counts as a flaw if its count is too large. */
bool tree_text_split(struct tree_text *text, struct text line,
                     struct tree_text_line *ret);

/** A tree begins with the next node; ends the current one, list or tree. */
void tree_text_begin(struct tree_text *text, const char *title);

/** The plain list of frames begins; ends the current tree. */
void tree_text_begin_list(struct tree_text *text);

/** The current tree or list is complete. */
void tree_text_end(struct tree_text *text);

/** Has tree_text_begin() been called, and not tree_text_end()? */
bool tree_text_is_open(const struct tree_text *text);

/** A node, a frame of the list, or a marker; keeps the line. */
void tree_text_add(struct tree_text *text, struct text line,
                   const struct tree_text_line *parts);

#endif

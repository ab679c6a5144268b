// SPDX-License-Identifier: MIT
/**
 * HTML documents: one file each, complete by itself.
 *
 * Nothing may be loaded, and of scripts and styles only ours run: were a text
 * of a report ever to come through as markup, it still could do nothing.
 * Everything works without the script but sorting and search, whose tools it
 * adds.
 */
#ifndef APMTOOL_FORMATTERS_HTML_DOCUMENT_H
#define APMTOOL_FORMATTERS_HTML_DOCUMENT_H

#include "lib/base/out.h"
#include "lib/base/str.h"

enum html_kind {
	HTML_FLAME,  ///< a flame graph
	HTML_ANSWER, ///< reports, tables and pages
	HTML_DRAWN,  ///< the same with flame graphs in it
};

/** From the first line to `<body>`. @p title may be hostile. */
void html_begin(struct out *out, enum html_kind kind, const char *title);
/** From the script to the last line. */
void html_end(struct out *out, enum html_kind kind);

/** html_begin() of HTML_ANSWER, and the element that all contents are in. */
void html_begin_one(const char *title, struct out *out);
void html_end_one(struct out *out);

/** Append untrusted text, escaped; nothing for NULL. */
void html_add(struct str *line, const char *text);
void html_add_text(struct str *line, struct text text);
/** The same, of several lines, which stay lines. */
void html_add_lines(struct str *line, struct text text);
/**
 * The same, where a word may be a long identifier: it goes on in the next line
 * after `::`, `.`, `(` and the like rather than anywhere.
 */
void html_add_name(struct str *line, struct text name);
/** Write @p line and empty it. */
void html_flush(struct str *line, struct out *out);

#endif

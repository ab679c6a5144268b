// SPDX-License-Identifier: MIT
/**
 * HTML documents: each a single, self-contained file.
 *
 * A policy forbids loading anything, and running scripts and styles other than
 * ours: markup in a report could do nothing even if it were not escaped.
 * Everything works without the script except sorting and search, whose controls
 * the script adds.
 */
#ifndef APMTOOL_FORMATTERS_HTML_DOCUMENT_H
#define APMTOOL_FORMATTERS_HTML_DOCUMENT_H

#include "lib/base/out.h"
#include "lib/base/str.h"

enum html_kind {
	HTML_FLAME,  ///< a flame graph
	HTML_ANSWER, ///< reports, tables and pages
	HTML_DRAWN,  ///< with flame graphs in it
};

/** From the first line to `<body>`. @p title is untrusted. */
void html_begin(struct out *out, enum html_kind kind, const char *title);
/** From the script to the last line. */
void html_end(struct out *out, enum html_kind kind);

/** html_begin() of HTML_ANSWER, and the element around all contents. */
void html_begin_one(const char *title, struct out *out);
void html_end_one(struct out *out);

/** Append untrusted text, escaped; nothing for NULL. */
void html_add(struct str *line, const char *text);
void html_add_text(struct str *line, struct text text);
/** As html_add_text(), keeping line ends. */
void html_add_lines(struct str *line, struct text text);
/**
 * As html_add_text(), for a long identifier: lines may break after `::`, `.`,
 * `(` and the like.
 */
void html_add_name(struct str *line, struct text name);
/** Write @p line and empty it. */
void html_flush(struct str *line, struct out *out);

#endif

/**
 * The parts of a flame graph that the SVG and the HTML format share: the
 * picture itself, and what is said of it in words.
 *
 * Each frame is a group of a title, a rectangle and, where there is room, its
 * name. The title is all that is known of it, for readers without a script
 * and for the script alike, one fact a line: name; image and source line,
 * where known; the numbers. flame.js reads it from there, so nothing of the
 * input is ever in a script.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_GRAPH_H
#define APMTOOL_FORMATTERS_FLAME_GRAPH_H

#include "formatters/flame/layout.h"
#include "lib/base/str.h"

// Made from formatters/assets/ by cmake/embed.cmake.
extern const char flame_css[];
extern const char flame_js[];
extern const char page_css[];

// Made by cmake/policy.cmake: `'sha256-…'` of each.
extern const char flame_css_source[];
extern const char flame_js_source[];
extern const char page_css_source[];

/** Its name in words; never NULL. */
const char *flame_title(const struct flame *flame,
                        const struct format_options *options);

/** `1,234 samples · 61,700 ms · 321 frames`, as text for a document. */
void flame_add_summary(struct str *out, const struct flame *flame);

/** At most so many bytes of a name are written. */
#define FLAME_NAME_MAX 4096

/** A name as text for a document, truncated where it is longer than any should
 * be. */
void flame_add_name(struct str *out, const char *name);

/**
 * Write the `<svg>` element.
 *
 * @param alone  It is the document, with style, title and script in it.
 */
void flame_write_graph(const struct flame *flame,
                       const struct format_options *options, bool alone,
                       struct out *out);

#endif

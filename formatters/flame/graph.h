// SPDX-License-Identifier: MIT
/**
 * The parts of a flame graph that the SVG and the HTML format share: the
 * picture itself, and what is said of it in words.
 *
 * Each frame is a group of a title, a rectangle and, where there is room, its
 * name. The title is all that is known of it (facts.h). What is not drawn is
 * in the document as text (rest.h). flame.js reads both from there, so nothing
 * of the input is ever in a script.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_GRAPH_H
#define APMTOOL_FORMATTERS_FLAME_GRAPH_H

#include "formatters/flame/layout.h"
#include "lib/base/str.h"

// Made from formatters/assets/ by cmake/embed.cmake.
extern const char flame_css[];
extern const char flame_js[];
extern const char flame_svg_js[]; ///< of a picture by itself: without a strip
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

struct flame_strip;

/**
 * Write the `<svg>` element.
 *
 * @param strip  Of the page that it is a part of. NULL: it is the document,
 *               with style, title and script in it.
 */
void flame_write_graph(const struct flame *flame,
                       const struct format_options *options,
                       const struct flame_strip *strip, struct out *out);

#endif

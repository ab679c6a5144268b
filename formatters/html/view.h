// SPDX-License-Identifier: MIT
/**
 * A report in HTML: state shared by its parts.
 *
 * Each claim is written once, at the first line, register or frame that it
 * cites; other evidence is linked. Ids consist of our own words and numbers,
 * never of text from a report.
 *
 * The page of any report can be opened in a browser: of long stacks the middle
 * frames are omitted, of many threads the last ones, and the page gives their
 * number. Cited evidence is never omitted.
 */
#ifndef APMTOOL_FORMATTERS_HTML_VIEW_H
#define APMTOOL_FORMATTERS_HTML_VIEW_H

#include "lib/base/arena.h"
#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/model/excerpt.h"
#include "lib/model/explanation.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** A line of the report: `Exception Type`, and its value. */
struct view_fact {
	const char *label;
	const char *value;
};

/** Id of a claim's evidence on the page. */
struct view_target {
	size_t claim;
	size_t evidence; ///< index in the claim
	const char *id;
};

struct report_view {
	const struct report *report;
	bool *claims_shown;              ///< by claim: is it on the page?
	const struct excerpts *excerpts; ///< or NULL
	size_t number; ///< of the report in its document: prefix of all ids
	struct view_fact *facts;
	size_t fact_count;
	size_t fact_cap;
	struct view_target *targets;
	size_t target_count;
	size_t target_cap;
	size_t lines_left; ///< lines of frames that may still be shown
	struct str id;     ///< last result of view_id()
	struct arena arena;
	struct str line; ///< current line
	struct out *out;
};

/** Max lines of a stack, of all stacks, and max threads. */
#define VIEW_STACK_LINES 500
#define VIEW_ALL_LINES   20000
#define VIEW_THREADS     1000
/** Max reports of a document that are shown with all their threads. */
#define VIEW_WHOLE_REPORTS 200

static inline void view_flush(struct report_view *view)
{
	out_add_bytes(view->out, view->line.data, view->line.size);
	str_clear(&view->line);
}

// facts.c

/** A section that is shown as a fact: it describes the end of the process. */
#define VIEW_APP_INFORMATION "Application Specific Information"

/** Collect the facts about the report and the end of its process. */
void view_read_facts(struct report_view *view);
/** The end of the process; the other facts, collapsed. Each with its claims. */
void view_add_end(struct report_view *view);
void view_add_header(struct report_view *view);

// claims.c

/**
 * The id of a part, without the prefix of the report: `f2` is the third fact,
 * `s` a section, `g` a register, `c` a claim. Valid until the next call.
 */
const char *view_id(struct report_view *view, const char *part, size_t index);
/**
 * The id of a stack: `e` of an exception, `b0` of the app, `t0` of a thread.
 */
const char *view_stack_id(const struct report_view *view,
                          const struct report_stack *stack,
                          struct arena *arena);
/** Append ` id="r1-f2"`. */
void view_add_id(struct report_view *view, const char *id);

/** Find the evidence of each claim; after view_read_facts(). */
void view_find_targets(struct report_view *view);
/** Add the claims without evidence on the page; after all other parts. */
void view_add_other_claims(struct report_view *view);
/** Is the part with this id evidence of a claim? */
bool view_is_cited(const struct report_view *view, const char *id);
/**
 * Add those claims unless already written, each with links to its other
 * evidence.
 */
void view_add_remarks(struct report_view *view, const char *id);

// stacks.c

/** The stack to look at first: of the exception, then of the thread. */
void view_add_crash_stacks(struct report_view *view);
/** Registers, then the other stacks, collapsed. */
void view_add_other_stacks(struct report_view *view);

// parts.c

void view_add_registers(struct report_view *view);
void view_add_trees(struct report_view *view);
void view_add_images(struct report_view *view);
/** Texts kept from the report, and the reader's notes. */
void view_add_sections(struct report_view *view);

#endif

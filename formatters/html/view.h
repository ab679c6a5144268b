// SPDX-License-Identifier: MIT
/**
 * A report in HTML, part by part: what the parts share.
 *
 * Each claim is said once, at the line, register or frame that it cites first;
 * what else it cites is a link there, for which all of them have ids.
 * Ids are made of our own words and of numbers, never of what a report says.
 *
 * However large a report is, its page stays one that a browser can open: of
 * long stacks the frames in the middle are left out, of many threads those
 * behind, and the page says how many. What a claim cites is always there.
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

/** A line of the report: `Exception Type`, and what it says. */
struct view_fact {
	const char *label;
	const char *value;
};

/** What a claim rests on, where the page shows it: its id. */
struct view_target {
	size_t claim;
	size_t evidence; ///< of the claim
	const char *id;
};

struct report_view {
	const struct report *report;
	bool *claims_shown;              ///< by claim: is it on the page?
	const struct excerpts *excerpts; ///< NULL: none
	size_t number; ///< of the report in its document: begins all ids
	struct view_fact *facts;
	size_t fact_count;
	size_t fact_cap;
	struct view_target *targets;
	size_t target_count;
	size_t target_cap;
	size_t lines_left; ///< of frames that may be shown
	struct str id;     ///< that view_id() made last
	struct arena arena;
	struct str line; ///< what is written next
	struct out *out;
};

/** Lines of a stack that are shown, of all stacks, and of threads. */
#define VIEW_STACK_LINES 500
#define VIEW_ALL_LINES   20000
#define VIEW_THREADS     1000
/** Of a document, the reports that are shown with all their threads. */
#define VIEW_WHOLE_REPORTS 200

static inline void view_flush(struct report_view *view)
{
	out_add_bytes(view->out, view->line.data, view->line.size);
	str_clear(&view->line);
}

// facts.c

/** A section that is a fact instead: it says what ended the process. */
#define VIEW_APP_INFORMATION "Application Specific Information"

/** Read what the report says of itself and of what ended it. */
void view_read_facts(struct report_view *view);
/** What ended it; and all else, folded. Each with the claims about it. */
void view_add_end(struct report_view *view);
void view_add_header(struct report_view *view);

// claims.c

/**
 * The id of a part, without the report's own beginning: `f2` is the third fact,
 * `s` a section, `g` a register, `c` a claim. Until the next call.
 */
const char *view_id(struct report_view *view, const char *part, size_t index);
/** The id of a stack: `e` of an exception, `b0` of the app, `t0` of a thread.
 */
const char *view_stack_id(const struct report_view *view,
                          const struct report_stack *stack,
                          struct arena *arena);
/** Append ` id="r1-f2"`. */
void view_add_id(struct report_view *view, const char *id);

/** Find what each claim rests on; after view_read_facts(). */
void view_find_targets(struct report_view *view);
/** The claims that rest on nothing that the page shows; after all others. */
void view_add_other_claims(struct report_view *view);
/** Does a claim rest on the part with this id? */
bool view_is_cited(const struct report_view *view, const char *id);
/** The claims that do and are not said yet, each with links to the rest. */
void view_add_remarks(struct report_view *view, const char *id);

// stacks.c

/** What to look at first: of an exception its own, then the thread's. */
void view_add_crash_stacks(struct report_view *view);
/** Registers, then the other stacks, folded. */
void view_add_other_stacks(struct report_view *view);

// parts.c

void view_add_registers(struct report_view *view);
void view_add_trees(struct report_view *view);
void view_add_images(struct report_view *view);
/** Texts that are carried along, and what the reader noted. */
void view_add_sections(struct report_view *view);

#endif

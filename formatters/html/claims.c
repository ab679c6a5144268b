// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"
#include "formatters/html/view.h"

#include <string.h>

// Ids

const char *view_id(struct report_view *view, const char *part, size_t index)
{
	str_clear(&view->id);
	str_addf(&view->id, "%s%zu", part, index);
	return str_cstr(&view->id);
}

const char *view_stack_id(const struct report_view *view,
                          const struct report_stack *stack, struct arena *arena)
{
	const struct report *report = view->report;

	for (size_t i = 0; i < report->app_backtrace_count; i++)
		if (report->app_backtraces[i] == stack)
			return arena_printf(arena, "b%zu", i);
	for (size_t i = 0; i < report->thread_count; i++)
		if (&report->threads[i]->stack == stack)
			return arena_printf(arena, "t%zu", i);
	return stack == &report->exception_backtrace ? "e" : NULL;
}

void view_add_id(struct report_view *view, const char *id)
{
	str_addf(&view->line, " id=\"r%zu-%s\"", view->number, id);
}

// Labels of evidence end in a colon, or begin the label of a section.

/** Labels of evidence have a colon, or are the beginning of a section's. */
static bool is_label(const char *label, const char *wanted, bool is_section)
{
	struct text rest = text_from(wanted);

	if (text_ends(rest, ":"))
		rest = text_first(rest, rest.size - 1);
	return is_section ? !strncmp(label, rest.data, rest.size)
	                  : text_is(rest, label);
}

/** The fact, section or heading that the first of these labels finds. */
static bool find_labelled(const struct report_view *view, const char *label,
                          struct str *id)
{
	const struct report *report = view->report;

	for (size_t i = 0; i < view->fact_count; i++) {
		if (!is_label(view->facts[i].label, label, false))
			continue;
		str_addf(id, "f%zu", i);
		return true;
	}
	for (size_t i = 0; i < report->section_count; i++) {
		if (!is_label(report->sections[i].label, label, true))
			continue;
		str_addf(id, "s%zu", i);
		return true;
	}
	if (!report->exception_backtrace.count ||
	    !is_label("Last Exception Backtrace", label, false))
		return false;
	str_add(id, "e");
	return true;
}

static bool find_register(const struct report_view *view, const char *name,
                          struct str *id)
{
	const struct report_thread *thread =
	        report_crashed_thread(view->report);

	for (size_t i = 0; thread && i < thread->state.count; i++) {
		if (strcmp(thread->state.registers[i].name, name) != 0)
			continue;
		str_addf(id, "g%zu", i);
		return true;
	}
	return false;
}

static bool find_frame(struct report_view *view,
                       const struct evidence *evidence, struct str *id)
{
	const char *stack = view_stack_id(view, evidence->stack, &view->arena);

	if (stack)
		str_addf(id, "%s-%zu", stack, evidence->frame);
	return stack;
}

/** Append the id of the evidence. */
static bool find_target(struct report_view *view,
                        const struct evidence *evidence, struct str *id)
{
	if (evidence->stack)
		return find_frame(view, evidence, id);
	if (evidence->reg)
		return find_register(view, evidence->reg, id);
	for (size_t i = 0; evidence->labels && evidence->labels[i]; i++)
		if (find_labelled(view, evidence->labels[i], id))
			return true;
	return false;
}

void view_find_targets(struct report_view *view)
{
	const struct explanation *e = view->report->explanation;
	SCOPED(str_release) struct str id = { 0 };

	if (e)
		view->claims_shown =
		        arena_array(&view->arena, e->claim_count, sizeof(bool));
	for (size_t i = 0; e && i < e->claim_count; i++) {
		for (size_t k = 0; k < e->claims[i].evidence_count; k++) {
			str_clear(&id);
			if (!find_target(view, &e->claims[i].evidence[k], &id))
				continue;
			ARENA_GROW(&view->arena, view->targets,
			           view->target_count, view->target_cap);
			view->targets[view->target_count++] =
			        (struct view_target){
				        .claim = i,
				        .evidence = k,
				        .id = arena_text(&view->arena,
				                         str_text(&id)),
			        };
		}
	}
}

static const char *target_of(const struct report_view *view, size_t claim,
                             size_t evidence)
{
	for (size_t i = 0; i < view->target_count; i++)
		if (view->targets[i].claim == claim &&
		    view->targets[i].evidence == evidence)
			return view->targets[i].id;
	return NULL;
}

static void add_place(struct report_view *view, size_t claim, size_t evidence)
{
	const struct explanation *e = view->report->explanation;

	html_add_name(&view->line,
	              text_from(e->claims[claim].evidence[evidence].place));
}

/** @param here  Id of the claim's own place, which is not linked. */
static void add_evidence(struct report_view *view, size_t claim,
                         size_t evidence, const char *here)
{
	const char *id = target_of(view, claim, evidence);
	struct str *line = &view->line;
	bool is_link = id && (!here || strcmp(id, here) != 0);

	if (is_link)
		str_addf(line, " <a class=\"evidence\" href=\"#r%zu-%s\">",
		         view->number, id);
	else
		str_add(line, " <code class=\"evidence\">");
	add_place(view, claim, evidence);
	str_add(line, is_link ? "</a>" : "</code>");
}

/** A claim with its confidence and evidence. */
static void add_claim(struct report_view *view, size_t at, const char *here)
{
	const struct claim *claim = &view->report->explanation->claims[at];
	const char *sure = confidence_name(claim->confidence);
	struct str *line = &view->line;

	str_add(line, "><bdi>");
	html_add_name(line, text_from(claim->text));
	str_addf(line, "</bdi> <span class=\"sure\">%s</span>", sure);
	for (size_t i = 0; i < claim->evidence_count; i++)
		add_evidence(view, at, i, here);
	view->claims_shown[at] = true;
}

void view_add_other_claims(struct report_view *view)
{
	const struct explanation *e = view->report->explanation;
	size_t count = 0;

	for (size_t i = 0; e && i < e->claim_count; i++) {
		if (view->claims_shown[i])
			continue;
		if (!count++)
			str_add(&view->line, "<section>\n<h2>Why</h2>\n"
			                     "<ul class=\"claims\">\n");
		str_addf(&view->line, "<li class=\"%s\"",
		         confidence_name(e->claims[i].confidence));
		view_add_id(view, view_id(view, "c", i));
		add_claim(view, i, NULL);
		str_add(&view->line, "</li>\n");
	}
	str_add(&view->line, count ? "</ul>\n</section>\n" : "");
	view_flush(view);
}

// Placement on the page

bool view_is_cited(const struct report_view *view, const char *id)
{
	for (size_t i = 0; i < view->target_count; i++)
		if (!strcmp(view->targets[i].id, id))
			return true;
	return false;
}

void view_add_remarks(struct report_view *view, const char *id)
{
	// The next id may use the same buffer.
	SCOPED(str_release) struct str here = { 0 };

	str_add(&here, id);
	for (size_t i = 0; i < view->target_count; i++) {
		size_t at = view->targets[i].claim;
		const struct claim *claim =
		        &view->report->explanation->claims[at];

		if (view->claims_shown[at] ||
		    strcmp(view->targets[i].id, str_cstr(&here)) != 0)
			continue;
		str_addf(&view->line, "<span class=\"remark %s\"",
		         confidence_name(claim->confidence));
		view_add_id(view, view_id(view, "c", at));
		add_claim(view, at, str_cstr(&here));
		str_add(&view->line, "</span>");
	}
}

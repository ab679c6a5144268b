// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"
#include "formatters/html/parts.h"
#include "formatters/html/view.h"

/** `Demo 2.1 (210) · iPhone14,2 · iPhone OS 16.0 (20A362) · 2026-…` */
static void add_about(const struct report *report, struct str *line)
{
	const char *const facts[] = { report->version, report->hardware_model,
		                      report->os_version, report->date_time,
		                      report->input };
	const char *name = report->process.name;
	bool is_first = !name;

	str_add(line, "<p class=\"about\">");
	if (name) {
		str_add(line, "<bdi>");
		html_add(line, name);
		str_add(line, "</bdi>");
	}
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (!facts[i] || !*facts[i])
			continue;
		if (!is_first)
			str_add(line, i ? " · " : " ");
		is_first = false;
		str_add(line, "<bdi>");
		html_add_name(line, text_from(facts[i]));
		str_add(line, "</bdi>");
		if (!i && report->build) {
			str_add(line, " <bdi>(");
			html_add(line, report->build);
			str_add(line, ")</bdi>");
		}
	}
	str_add(line, "</p>\n");
}

const char *html_report_title(const struct report *report)
{
	if (report->explanation)
		return report->explanation->verdict;
	if (report->kind)
		return report->kind;
	return report->process.name ? report->process.name : "Report";
}

static void add_answer(const char *label, const char *value, struct str *line)
{
	if (!value)
		return;
	str_addf(line, "<dt>%s</dt><dd><bdi>", label);
	html_add_name(line, text_from(value));
	str_add(line, "</bdi></dd>\n");
}

/** Before the cause, which was found in the part that was read. */
static void add_loss(const struct report *report, struct str *line)
{
	const char *place = report_end_place(report);

	if (!report->truncated)
		return;
	str_add(line, "<dt>Incomplete</dt><dd><bdi>");
	if (place) {
		str_add(line, "what follows <code>");
		html_add_name(line, text_from(place));
		str_add(line, "</code> is");
	} else {
		str_add(line, "parts of the report are");
	}
	str_add(line, " missing or could not be read</bdi></dd>\n");
}

static void add_explanation(const struct explanation *e, struct str *line)
{
	str_add(line, "<dt>Cause</dt><dd><bdi>");
	html_add(line, e->cause);
	str_addf(line, "</bdi> <span class=\"sure\">%s</span></dd>\n",
	         confidence_name(e->confidence));
	add_answer("Where", e->where, line);
	add_answer("Next", e->next_step, line);
}

/** What happened, to which app, and what to do next. */
static void add_head(struct report_view *view)
{
	const struct report *report = view->report;
	struct str *line = &view->line;

	str_add(line, "<header>\n<div>\n<h1><bdi>");
	html_add_name(line, text_from(html_report_title(report)));
	str_add(line, "</bdi></h1>\n");
	add_about(report, line);
	str_add(line, "</div>\n</header>\n");
	if (report->truncated || report->explanation) {
		str_add(line, "<dl class=\"facts answer\">\n");
		add_loss(report, line);
		if (report->explanation)
			add_explanation(report->explanation, line);
		str_add(line, "</dl>\n");
	}
	view_flush(view);
}

static void add_report(const struct report *report,
                       const struct excerpts *excerpts, size_t number,
                       struct out *out)
{
	struct report_view view = { .report = report,
		                    .excerpts = excerpts,
		                    .number = number,
		                    .lines_left = VIEW_ALL_LINES,
		                    .out = out };

	view_read_facts(&view);
	view_find_targets(&view);
	str_addf(&view.line, "<article class=\"report\" id=\"r%zu\">\n",
	         number);
	add_head(&view);
	view_add_crash_stacks(&view);
	view_add_end(&view);
	view_add_other_stacks(&view);
	view_add_trees(&view);
	view_add_sections(&view);
	view_add_header(&view);
	view_add_other_claims(&view);
	view_add_images(&view);
	str_add(&view.line, "</article>\n");
	view_flush(&view);
	str_release(&view.line);
	str_release(&view.id);
	arena_release(&view.arena);
}

void html_report(const struct report *report,
                 const struct format_options *options, struct out *out)
{
	if (!options->is_part)
		html_begin_one(html_report_title(report), out);
	// Alone, it is the first of its document.
	add_report(report, options->excerpts,
	           options->is_part && report->number ? report->number : 1,
	           out);
	if (!options->is_part)
		html_end_one(out);
}

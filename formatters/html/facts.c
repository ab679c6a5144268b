// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"
#include "formatters/html/view.h"
#include "formatters/report/text/layout.h"
#include "formatters/report/text/parts.h"
#include "lib/base/utf8.h"

#include <string.h>

/** How much of a value is shown at once, whichever ends first. */
#define LINES_SHOWN 30
#define BYTES_SHOWN 4000

static void add_fact(struct report_view *view, struct text label,
                     struct text value)
{
	if (!value.size)
		return;
	ARENA_GROW(&view->arena, view->facts, view->fact_count, view->fact_cap);
	view->facts[view->fact_count++] = (struct view_fact){
		.label = arena_text(&view->arena, label),
		.value = arena_text(&view->arena, value),
	};
}

/** `Label:   value`; a label begins at the left and with a capital. */
static bool split_line(struct text line, struct text *label, struct text *value)
{
	size_t colon = text_find_char(line, ':');

	if (colon == TEXT_NOWHERE || !colon || line.data[0] < 'A' ||
	    line.data[0] > 'Z' ||
	    (colon + 1 < line.size && line.data[colon + 1] != ' '))
		return false;
	*label = text_first(line, colon);
	*value = text_trim(text_after(line, colon + 1));
	return true;
}

/** As Apple's text has them; a line without a label continues the value. */
static void read_text(struct report_view *view)
{
	SCOPED(str_release) struct str value = { 0 };
	struct out *out = out_memory();
	struct text rest, line, beginning;
	struct text label = TEXT_NONE, next = TEXT_NONE;

	crash_text_facts(view->report, out);
	rest = str_text(out_str(out));
	while (text_next_line(&rest, &line)) {
		if (split_line(line, &next, &beginning)) {
			add_fact(view, label, str_text(&value));
			str_clear(&value);
			label = next;
			str_add_text(&value, beginning);
		} else if (label.size && text_trim(line).size) {
			str_add(&value, value.size ? "\n" : "");
			str_add_text(&value, line);
		}
	}
	add_fact(view, label, str_text(&value));
	out_abandon(out);
}

/** The process's last message, below its heading. */
static void read_app_information(struct report_view *view)
{
	struct out *out = out_memory();
	struct text text, heading = TEXT_NONE;

	crash_text_app_information(view->report, out);
	text = text_trim(str_text(out_str(out)));
	if (text_next_line(&text, &heading))
		add_fact(view, text_from(VIEW_APP_INFORMATION),
		         text_trim(text));
	out_abandon(out);
}

void view_read_facts(struct report_view *view)
{
	const struct report *report = view->report;
	// In reports other than crashes the text has them elsewhere.
	bool has_fields = report->lines || report->kind;

	if (!report->lines || !report->field_count)
		read_text(view);
	for (size_t i = 0; has_fields && i < report->field_count; i++)
		add_fact(view, text_from(report->fields[i].label),
		         text_from(report->fields[i].value));
	read_app_information(view);
}

/** Is it about the end of the process? */
static bool is_of_end(const char *label)
{
	static const char *const beginnings[] = {
		"Exception",   "Terminat",       "Triggered by",
		"Crashed Thr", "VM Region Info", "Application Specific Info",
	};

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (!strncmp(label, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/** The first lines, or of a very long one the first characters. */
static struct text beginning(struct text value)
{
	struct text rest = value;

	for (size_t i = 0; i < LINES_SHOWN && rest.size; i++) {
		size_t end = text_find_char(rest, '\n');

		rest = text_after(rest,
		                  end == TEXT_NOWHERE ? rest.size : end + 1);
	}
	return utf8_first(text_first(value, value.size - rest.size),
	                  BYTES_SHOWN);
}

/** Of a long value all but the beginning is folded. */
static void add_value(struct str *line, struct text value)
{
	struct text first = beginning(value);
	struct text rest = text_after(value, first.size);
	bool has_lines = text_ends(first, "\n");
	size_t left = has_lines ? text_count_char(rest, '\n') + 1 : rest.size;

	str_add(line, "<bdi>");
	html_add_name(line, first);
	str_add(line, "</bdi>");
	if (!rest.size)
		return;
	str_addf(line, "<details><summary>%zu more %s%s</summary><bdi>", left,
	         has_lines ? "line" : "byte", text_plural(left));
	html_add_lines(line, rest);
	str_add(line, "</bdi></details>");
}

/** Is it text in columns, which needs its line ends? */
static bool has_columns(const struct view_fact *fact)
{
	return !strncmp(fact->label, "VM ", strlen("VM "));
}

static void add_facts(struct report_view *view, bool of_end)
{
	struct str *line = &view->line;

	str_add(line, "<dl class=\"facts\">\n");
	for (size_t i = 0; i < view->fact_count; i++) {
		const struct view_fact *fact = &view->facts[i];

		if (is_of_end(fact->label) != of_end)
			continue;
		str_add(line, "<dt>");
		html_add(line, fact->label);
		str_addf(line, "</dt><dd%s",
		         has_columns(fact) ? " class=\"fixed\" tabindex=\"0\""
		                           : "");
		view_add_id(view, view_id(view, "f", i));
		str_add(line, ">");
		add_value(line, text_from(fact->value));
		view_add_remarks(view, view_id(view, "f", i));
		str_add(line, "</dd>\n");
	}
	str_add(line, "</dl>\n");
}

static bool has_facts(const struct report_view *view, bool of_end)
{
	for (size_t i = 0; i < view->fact_count; i++)
		if (is_of_end(view->facts[i].label) == of_end)
			return true;
	return false;
}

void view_add_end(struct report_view *view)
{
	if (!has_facts(view, true))
		return;
	str_add(&view->line,
	        "<section class=\"end\">\n<h2>What ended it</h2>\n");
	add_facts(view, true);
	str_add(&view->line, "</section>\n");
	view_flush(view);
}

static bool is_header_cited(struct report_view *view)
{
	for (size_t i = 0; i < view->fact_count; i++)
		if (!is_of_end(view->facts[i].label) &&
		    view_is_cited(view, view_id(view, "f", i)))
			return true;
	return false;
}

void view_add_header(struct report_view *view)
{
	if (!has_facts(view, false))
		return;
	str_addf(&view->line,
	         "<details class=\"part\"%s>\n"
	         "<summary>Process and system</summary>\n",
	         is_header_cited(view) ? " open" : "");
	add_facts(view, false);
	str_add(&view->line, "</details>\n");
	view_flush(view);
}

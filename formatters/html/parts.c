// SPDX-License-Identifier: MIT
#include "formatters/html/parts.h"
#include "formatters/html/document.h"
#include "formatters/html/view.h"
#include "formatters/report/text/parts.h"

#include <inttypes.h>
#include <string.h>

/** Max elements shown: more than any device has. */
#define REGISTERS_SHOWN   200
#define IMAGES_SHOWN      5000
#define TREE_LINES_SHOWN  5000
#define NOTES_SHOWN       200
#define OTHER_LINES_SHOWN 5000

static void say_left_out(struct report_view *view, size_t count, size_t shown,
                         const char *what)
{
	if (count > shown)
		str_addf(&view->line,
		         "<p class=\"left\">%zu more %s are left out</p>\n",
		         count - shown, what);
}

static void add_register(struct report_view *view,
                         const struct report_thread_state *state, size_t at)
{
	const struct report_register *reg = &state->registers[at];
	bool is_narrow = strstr(state->flavor, "32-bit");
	struct str *line = &view->line;

	str_add(line, "<div");
	view_add_id(view, view_id(view, "g", at));
	str_add(line, "><dt>");
	html_add(line, reg->name);
	str_add(line, "</dt><dd>");
	if (reg->available)
		str_addf(line, "<span class=\"value\">0x%0*" PRIx64 "</span>",
		         (int)crash_text_digits(reg->name, is_narrow),
		         reg->value);
	else
		str_add(line, "unavailable");
	if (reg->note) {
		str_add(line, " <bdi class=\"note\">");
		html_add(line, reg->note);
		str_add(line, "</bdi>");
	}
	view_add_remarks(view, view_id(view, "g", at));
	str_add(line, "</dd></div>\n");
}

void view_add_registers(struct report_view *view)
{
	const struct report_thread *thread =
	        report_crashed_thread(view->report);
	size_t count = thread && thread->state.flavor ? thread->state.count : 0;

	if (!count)
		return;
	str_addf(&view->line,
	         "<section>\n<h2>Registers of thread %" PRIu64
	         " <span class=\"aside\">",
	         thread->number);
	html_add(&view->line, thread->state.flavor);
	str_add(&view->line, "</span></h2>\n<dl class=\"registers\">\n");
	for (size_t i = 0; i < count && i < REGISTERS_SHOWN; i++)
		add_register(view, &thread->state, i);
	str_add(&view->line, "</dl>\n");
	say_left_out(view, count, REGISTERS_SHOWN, "registers");
	str_add(&view->line, "</section>\n");
	view_flush(view);
}

void view_add_trees(struct report_view *view)
{
	struct out *out;
	struct text rest, line;
	size_t count = 0;

	if (!view->report->tree_count)
		return;
	out = out_memory();
	crash_text_trees(view->report, TEXT_STYLE_FULL, out);
	rest = text_trim(str_text(out_str(out)));
	str_add(&view->line, "<section>\n<h2>Call trees</h2>\n"
	                     "<pre class=\"tree\" tabindex=\"0\">");
	for (; text_next_line(&rest, &line); count++) {
		if (count >= TREE_LINES_SHOWN)
			continue;
		html_add_text(&view->line, line);
		str_add_char(&view->line, '\n');
	}
	str_add(&view->line, "</pre>\n");
	say_left_out(view, count, TREE_LINES_SHOWN, "lines");
	str_add(&view->line, "</section>\n");
	view_flush(view);
	out_abandon(out);
}

// Images

static const char *range_of(const struct report_image *image,
                            struct arena *arena)
{
	SCOPED(str_release) struct str range = { 0 };

	str_add_address(&range, image->base, 0);
	if (report_image_size(image)) {
		str_add(&range, " - ");
		str_add_address(&range, image->base + image->size - 1, 0);
	}
	return arena_text(arena, str_text(&range));
}

enum {
	IMAGE_NAME,
	IMAGE_OF,
	IMAGE_SYMBOLS,
	IMAGE_VERSION,
	IMAGE_ARCH,
	IMAGE_ADDRESSES,
	IMAGE_UUID,
	IMAGE_PATH,
	IMAGE_COLUMNS,
};

static const struct table_column image_columns[IMAGE_COLUMNS] = {
	[IMAGE_NAME] = { "name", "image", TABLE_NAME },
	[IMAGE_OF] = { "of", "of", TABLE_TEXT },
	[IMAGE_SYMBOLS] = { "symbols", "symbols", TABLE_TEXT },
	[IMAGE_VERSION] = { "version", "version", TABLE_TEXT },
	[IMAGE_ARCH] = { "arch", "arch", TABLE_TEXT },
	[IMAGE_ADDRESSES] = { "addresses", "addresses", TABLE_NAME },
	[IMAGE_UUID] = { "uuid", "UUID", TABLE_NAME },
	[IMAGE_PATH] = { "path", "path", TABLE_PATH },
};

static void add_image(struct table *table, const struct report *report,
                      const struct report_image *image, struct arena *arena)
{
	struct table_cell *cells = table_add_row(table, arena);
	char uuid[UUID_TEXT_SIZE];

	table_set_text(&cells[IMAGE_NAME], image->name);
	table_set_text(&cells[IMAGE_OF],
	               report_image_is_app(report, image) ? "app" : "system");
	table_set_text(&cells[IMAGE_SYMBOLS], image->symbols);
	table_set_text(&cells[IMAGE_VERSION], image->version);
	table_set_text(&cells[IMAGE_ARCH], image->arch);
	table_set_text(&cells[IMAGE_ADDRESSES], range_of(image, arena));
	if (!uuid_is_zero(&image->uuid))
		table_set_text(
		        &cells[IMAGE_UUID],
		        arena_strdup(arena, uuid_format(&image->uuid, uuid)));
	table_set_text(&cells[IMAGE_PATH], image->path);
}

void view_add_images(struct report_view *view)
{
	static const struct format_options plain = { 0 };
	const struct report *report = view->report;
	struct table table = { .name = "images",
		               .columns = image_columns,
		               .column_count = IMAGE_COLUMNS };

	if (!report->image_count)
		return;
	for (size_t i = 0; i < report->image_count && i < IMAGES_SHOWN; i++)
		add_image(&table, report, &report->images[i], &view->arena);
	str_addf(&view->line,
	         "<details class=\"part\">\n<summary>Binary images "
	         "<span class=\"aside\">%zu</span></summary>\n",
	         report->image_count);
	view_flush(view);
	html_add_table(&table, NULL, NULL, &plain, view->out);
	say_left_out(view, report->image_count, IMAGES_SHOWN, "images");
	str_add(&view->line, "</details>\n");
	view_flush(view);
}

// Texts

static void add_section(struct report_view *view, size_t at)
{
	const struct report_section *section = &view->report->sections[at];
	bool is_cited = view_is_cited(view, view_id(view, "s", at));

	str_addf(&view->line, "<details class=\"part\"%s",
	         is_cited ? " open" : "");
	view_add_id(view, view_id(view, "s", at));
	str_add(&view->line, ">\n<summary>");
	html_add(&view->line, section->label);
	str_addf(&view->line, "</summary>\n<pre%s>",
	         text_starts(text_from(section->label), "VM ")
	                 ? " class=\"fixed\" tabindex=\"0\""
	                 : "");
	html_add_lines(&view->line, text_from(section->text));
	str_add(&view->line, "</pre>\n");
	view_add_remarks(view, view_id(view, "s", at));
	str_add(&view->line, "</details>\n");
	view_flush(view);
}

/** Unparsed text of the report. */
static void add_other_text(struct report_view *view)
{
	struct report_passage passage;
	size_t count = 0;

	for (size_t at = 0; report_next_passage(view->report, &at, &passage);) {
		str_add(&view->line, count ? ""
		                           : "<details class=\"part\">\n"
		                             "<summary>Other text</summary>\n");
		if (count < OTHER_LINES_SHOWN)
			str_addf(&view->line,
			         "<p class=\"note\">line %zu</p>\n<pre>",
			         passage.number);
		for (size_t i = 0; i < passage.count; i++) {
			if (count + i >= OTHER_LINES_SHOWN)
				break;
			html_add_lines(&view->line,
			               text_from(passage.lines[i].text));
			str_add(&view->line, "\n");
		}
		str_add(&view->line,
		        count < OTHER_LINES_SHOWN ? "</pre>\n" : "");
		count += passage.count;
		view_flush(view);
	}
	say_left_out(view, count, OTHER_LINES_SHOWN, "lines");
	str_add(&view->line, count ? "</details>\n" : "");
	view_flush(view);
}

static void add_notes(struct report_view *view)
{
	const struct report *report = view->report;

	if (!report->note_count)
		return;
	str_addf(&view->line,
	         "<details class=\"part\">\n<summary>Notes on what was read "
	         "<span class=\"aside\">%zu</span></summary>\n<ul>\n",
	         report->note_count);
	for (size_t i = 0; i < report->note_count && i < NOTES_SHOWN; i++) {
		str_add(&view->line, "<li>");
		if (report->notes[i].place) {
			html_add(&view->line, report->notes[i].place);
			str_add(&view->line, ": ");
		}
		html_add(&view->line, report->notes[i].text);
		str_add(&view->line, "</li>\n");
	}
	str_add(&view->line, "</ul>\n");
	say_left_out(view, report->note_count, NOTES_SHOWN, "notes");
	str_add(&view->line, "</details>\n");
	view_flush(view);
}

void view_add_sections(struct report_view *view)
{
	const struct report *report = view->report;
	bool is_fact = true;

	for (size_t i = 0; i < report->section_count; i++) {
		bool is_app = !strcmp(report->sections[i].label,
		                      VIEW_APP_INFORMATION);

		// Only the first one is shown as a fact.
		if (!is_app || !is_fact)
			add_section(view, i);
		is_fact = is_fact && !is_app;
	}
	add_other_text(view);
	add_notes(view);
}

// SPDX-License-Identifier: MIT
/*
 * Text reports other than crash reports and call trees: panics, output of
 * analysis tools, text below the header line of an `.ips` file
 * (apmtool-formats(5)), and apmtool's own text of such reports. Reads the facts
 * of the head, and keeps all lines unchanged.
 */
#include "lib/base/str.h"
#include "lib/darwin/bug_types.h"
#include "parsers/reader.h"
#include "parsers/text/kind.h"
#include "parsers/text/line_reader.h"
#include "parsers/text/log_head.h"
#include "parsers/text/panic.h"

#include <string.h>

/** Text below an `.ips` header that is not a crash. */
static bool is_log_body(const struct ips_header *header, struct text body)
{
	const struct bug_type *type = bug_type_find(header->bug_type);

	body = text_trim_left(body);
	return body.size && body.data[0] != '{' &&
	       !(type && type->body == BUG_BODY_JETSAM) &&
	       !bug_type_is_crash(header->bug_type) &&
	       !(reader_sniff(&crash_text_reader, body) &&
	         text_kind_has_images(body));
}

static bool text_log_sniff(const struct envelope *in)
{
	const struct text_kind *kind = in->kind;

	if (kind && kind->reader != TEXT_KIND_LOG)
		return false;
	return kind ? text_trim_left(in->body).size > 0
	            : in->has_header && is_log_body(&in->header, in->body);
}

// The head

/** Lines after these are not facts of the report itself. */
static bool ends_head(struct text line)
{
	static const char *const marks[] = { "Binary Images:", "Thread ",
		                             "thread 0x", "STACK OF " };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (text_starts(line, marks[i]))
			return true;
	return false;
}

static void read_head(struct text in, struct report *report,
                      struct arena *arena)
{
	struct text line;

	in = text_first(in, TEXT_KIND_BYTES);
	for (size_t i = 0; i < TEXT_KIND_LINES && text_next_line(&in, &line);
	     i++) {
		if (ends_head(line))
			break;
		log_head_line(line, report, arena);
	}
}

// Reader

static void keep_line(struct text line, void *context)
{
	line_reader_keep(context, line.data);
}

static void keep_lines(struct text in, struct report *report,
                       struct arena *arena)
{
	struct line_source source = line_source_open(in, arena, report);
	struct line_reader reader = { .arena = arena, .report = report };

	line_reader_each(&reader, &source, keep_line, &reader);
}

/** The lines after the first @p skip, for formats without lines. */
static struct text join_lines(const struct report *report, size_t skip,
                              struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = skip; i < report->line_count; i++) {
		if (i > skip)
			str_add_char(&text, '\n');
		str_add(&text, report->lines[i].text);
	}
	return text_from(arena_text(arena, text_trim_right(str_text(&text))));
}

static void add_body(struct text body, struct report *report,
                     struct arena *arena)
{
	size_t at = text_find(body, PANIC_TEXT_MARK);
	struct text panic = text_after(body, at);

	if (at == TEXT_NOWHERE) {
		report_add_section(report, arena, "Text", body.data);
		return;
	}
	report->format = "panic";
	report_add_section(report, arena, "Panic String", panic.data);
	panic_text_read(panic, arena, report);
}

/** Set the kind: by the number, else by the text. */
static void name_kind(const struct text_kind *kind, struct report *report,
                      struct arena *arena)
{
	const char *what = kind && kind->what ? kind->what
	                                      : "a report of an unknown kind";

	// apmtool's own output: it was noted the first time.
	if (report->kind)
		return;
	report_add_note(report, arena, "text",
	                arena_printf(arena,
	                             "%s: its text is printed unchanged, not "
	                             "interpreted",
	                             log_head_kind(report, what, arena)));
}

static struct error *text_log_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = report_new(arena);
	struct text body;

	report->format = text_log_reader.name;
	keep_lines(in->text, report, arena);
	body = join_lines(report, in->header_lines, arena);
	if (!body.size)
		return error_new(ERROR_FORMAT, "no line of a report found");
	read_head(body, report, arena);
	add_body(body, report, arena);
	ips_header_merge(&in->header, report);
	name_kind(in->kind, report, arena);
	sink_report(sink, report);
	return NULL;
}

const struct reader text_log_reader = {
	.name = "text-log",
	.summary = "panics and other text reports; printed unchanged",
	.yields = YIELDS_REPORTS,
	.sniff = text_log_sniff,
	.read = text_log_read,
};

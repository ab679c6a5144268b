// SPDX-License-Identifier: MIT
/*
 * Output of macOS' `sample` (apmtool-formats(5)): facts, a call graph with a
 * tree for each thread, summaries, Binary Images.
 */
#include "lib/base/units.h"
#include "parsers/reader.h"
#include "parsers/sampled/tree_text.h"
#include "parsers/text/image_line.h"
#include "parsers/text/kind.h"
#include "parsers/text/log_head.h"
#include "parsers/text/platform.h"

#include <string.h>

enum sample_part {
	SAMPLE_HEAD,
	SAMPLE_GRAPH,
	SAMPLE_REST, ///< summaries of the graph, without new data
	SAMPLE_IMAGES,
};

struct sample_reader {
	struct tree_text text;
	enum sample_part part;
	bool seen_images;
};

static void sample_reader_release(struct sample_reader *r)
{
	tree_text_release(&r->text);
}

/** `Analysis of sampling Demo (pid 1828) every 1 millisecond` */
static void read_title(struct sample_reader *r, struct text line)
{
	static const char *const before[] = { " every ", " with " };
	struct report *report = r->text.reader.report;

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		size_t at = text_find_last(line, before[i]);

		if (at != TEXT_NOWHERE && !report->sample_interval_us)
			report->sample_interval_us = units_read_duration_us(
			        text_after(line, at + strlen(before[i])));
	}
}

static void read_head(struct sample_reader *r, struct text line)
{
	struct line_reader *reader = &r->text.reader;

	if (text_starts(line, "Sampling process ") ||
	    text_starts(line, "Analysis of sampling "))
		read_title(r, line);
	else
		log_head_line(line, reader->report, reader->arena);
	line_reader_keep(reader, line.data);
}

/** Merge blanks: columns have no meaning in a title. */
static const char *squeeze(struct text text, struct arena *arena)
{
	char *title = arena_text(arena, text_trim(text));
	char *to = title;

	for (const char *from = title; *from; from++)
		if (!text_is_space(*from) || !text_is_space(from[1]))
			*to++ = *from;
	*to = '\0';
	return title;
}

/** `2449 Thread_16614993   DispatchQueue_1: com.apple.main-thread  (serial)` */
static bool is_thread(struct text what)
{
	return text_starts(what, "Thread_") &&
	       text_find(what, "(in ") == TEXT_NOWHERE;
}

static void read_graph(struct sample_reader *r, struct text line)
{
	struct line_reader *reader = &r->text.reader;
	struct tree_text_line parts;

	if (!text_trim(line).size) {
		tree_text_end(&r->text);
		r->part = SAMPLE_REST;
	} else if (!tree_text_split(&r->text, line, &parts)) {
		line_reader_flaw(reader, LINE_FLAW_JUNK_NODE);
	} else if (is_thread(parts.what)) {
		tree_text_begin(&r->text, squeeze(parts.what, reader->arena));
	} else {
		tree_text_add(&r->text, line, &parts);
		return;
	}
	line_reader_keep(reader, line.data);
}

/** A line that begins a part; it is kept. */
static bool read_heading(struct sample_reader *r, struct text line)
{
	if (text_starts(line, "Call graph:")) {
		r->part = SAMPLE_GRAPH;
	} else if (text_starts(line, "Binary Images:")) {
		r->part = SAMPLE_IMAGES;
		r->seen_images = true;
	} else if (text_starts(line, "Total number in stack") ||
	           text_starts(line, "Sort by top of stack")) {
		r->part = SAMPLE_REST;
	} else {
		return false;
	}
	tree_text_end(&r->text);
	line_reader_keep(&r->text.reader, line.data);
	return true;
}

static void read_line(struct text line, void *context)
{
	struct sample_reader *r = context;
	struct line_reader *reader = &r->text.reader;

	if (read_heading(r, line))
		return;
	if (r->part == SAMPLE_HEAD)
		read_head(r, line);
	else if (r->part == SAMPLE_GRAPH)
		read_graph(r, line);
	else if (r->part != SAMPLE_IMAGES || !image_line_read(reader, line))
		line_reader_keep(reader, line.data);
}

static struct error *sample_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = report_new(arena);
	SCOPED(sample_reader_release)
	struct sample_reader r = {
		.text.reader = { .arena = arena, .report = report },
		// atos looks up the addresses of a call graph unchanged,
		// including return addresses, and people compare with its
		// lines, which may be those of the next statement.
		.text.all_pc = true,
	};
	struct line_source source;

	report->format = sample_reader.name;
	report->sample_kind = SAMPLE_KIND_STALL;
	source = line_source_open(in->text, arena, report);
	line_reader_each(&r.text.reader, &source, read_line, &r);
	tree_text_end(&r.text);
	ips_header_merge(&in->header, report);
	log_head_kind(report, "an output of 'sample'", arena);
	text_platform_set(report);
	report_place_frames(report);
	if (!r.seen_images && !report->is_limited) {
		line_reader_note(
		        &r.text.reader,
		        "the text ends without Binary Images: no frame "
		        "can be looked up");
		report->truncated = true;
	}
	line_reader_note_flaws(&r.text.reader);
	if (!report->line_count)
		return error_new(ERROR_FORMAT, "no line of a report found");
	sink_report(sink, report);
	return NULL;
}

static bool sample_sniff(const struct envelope *in)
{
	return in->kind && in->kind->reader == TEXT_KIND_SAMPLE;
}

const struct reader sample_reader = {
	.name = "sample",
	.summary = "call trees of macOS's sample",
	.yields = YIELDS_REPORTS,
	.sniff = sample_sniff,
	.read = sample_read,
};

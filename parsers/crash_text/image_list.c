// SPDX-License-Identifier: MIT
/*
 * Binary Images without a report, as people paste them to ask for symbols: only
 * the section, or the output of `grep -A 40 'Binary Images'` for several
 * reports, with file names and line numbers as prefixes, and `--` between
 * reports.
 */
#include "parsers/reader.h"
#include "parsers/text/image_line.h"
#include "parsers/text/line_source.h"

/** Lines that are examined. */
#define SNIFF_LINES 64

/**
 * The line without grep's prefix: an image's range begins with its first
 * address.
 */
static struct text without_mark(struct text line)
{
	size_t at = text_find(line, "0x");

	return at == TEXT_NOWHERE ? line : text_after(line, at);
}

/** `0x100e80000 - 0x100e87fff Demo arm64  <4c4c…> /…`: a range and a UUID. */
static bool looks_like_image(struct text line)
{
	struct text rest = without_mark(line);
	size_t size;

	if (!text_take(&rest, "0x"))
		return false;
	size = text_count_hex_digits(rest);
	rest = text_trim_left(text_after(rest, size));
	return size && text_take(&rest, "-") &&
	       text_starts(text_trim_left(rest), "0x") &&
	       text_find_char(rest, '<') != TEXT_NOWHERE &&
	       text_find_char(rest, '>') != TEXT_NOWHERE;
}

/** Lines between images: headings, `EOF`, separators of `grep`. */
static bool is_between(struct text line)
{
	return !text_trim(line).size || text_is(text_trim(line), "--") ||
	       text_find(line, "Binary Images") != TEXT_NOWHERE ||
	       text_ends(text_trim_right(line), "EOF") ||
	       text_ends(text_trim_right(line), "-") ||
	       text_ends(text_trim_right(line), ":");
}

/** True for only images: other readers take texts with more. */
static bool image_list_sniff(const struct envelope *in)
{
	struct text rest = in->text;
	struct text line;
	size_t images = 0, others = 0;

	if (in->has_header)
		return false;
	for (size_t i = 0; i < SNIFF_LINES && text_next_line(&rest, &line);
	     i++) {
		if (looks_like_image(line))
			images++;
		else if (!is_between(line))
			others++;
	}
	return images && images > 2 * others;
}

static void read_line(struct text line, void *context)
{
	struct line_reader *reader = context;

	if (!looks_like_image(line) ||
	    !image_line_read(reader, without_mark(line)))
		line_reader_keep(reader, line.data);
}

static struct error *image_list_read(const struct envelope *in,
                                     struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = report_new(arena);
	struct line_reader reader = { .arena = arena, .report = report };
	struct line_source source;

	report->format = image_list_reader.name;
	report->kind = "list of images";
	source = line_source_open(in->text, arena, report);
	line_reader_each(&reader, &source, read_line, &reader);
	if (!report->image_count)
		return error_new(ERROR_FORMAT, "no image could be read");
	sink_report(sink, report);
	return NULL;
}

const struct reader image_list_reader = {
	.name = "image-list",
	.summary = "Binary Images alone, also as grep -A prints them",
	.yields = YIELDS_REPORTS,
	.sniff = image_list_sniff,
	.read = image_list_read,
};

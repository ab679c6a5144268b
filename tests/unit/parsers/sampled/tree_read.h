// SPDX-License-Identifier: MIT
/**
 * Call trees that were read from text, in short: what their tests compare.
 */
#ifndef APMTOOL_TESTS_UNIT_TREE_READ_H
#define APMTOOL_TESTS_UNIT_TREE_READ_H

#include "lib/base/str.h"
#include "tests/unit/formatters/rendered.h"
#include "tests/unit/parsers/parsed.h"

#include <inttypes.h>
#include <string.h>

static UNUSED struct report *tree_read(const struct reader *parser,
                                       const char *text, struct arena *arena)
{
	struct report *report = parsed(parser, text, arena);

	assert_string_equal(report->format, parser->name);
	return report;
}

static void add_short_frame(const struct report *report,
                            const struct report_frame *frame, struct str *out)
{
	for (size_t i = frame->call_count; i > 0; i--)
		str_addf(out, " %s", frame->calls[i - 1].symbol);
	if (!frame->call_count)
		str_add(out, " ?");
	if (frame->image != REPORT_NO_IMAGE)
		str_addf(out, " %s+%" PRIu64, report->images[frame->image].name,
		         frame->image_offset);
	str_add(out, frame->is_pc ? " exact\n" : "\n");
}

/** `title`, then a line a node: depth, samples, names, place. */
static UNUSED void assert_trees(const struct report *report,
                                const char *expected)
{
	SCOPED(str_release) struct str out = { 0 };

	for (size_t i = 0; i < report->tree_count; i++) {
		const struct report_tree *tree = report->trees[i];

		str_addf(&out, "%s%s\n", tree->title,
		         tree->attributed ? " (attributed)" : "");
		for (size_t k = 0; k < tree->frames.count; k++) {
			str_addf(&out, "%u %" PRIu64,
			         tree->calls.nodes[k + 1].depth - 1,
			         tree->calls.nodes[k + 1].samples);
			add_short_frame(report, &tree->frames.frames[k], &out);
		}
	}
	assert_string_equal(str_cstr(&out), expected);
}

static UNUSED void assert_notes(const struct report *report,
                                const char *const *notes, size_t count)
{
	for (size_t i = 0; i < report->note_count && i < count; i++) {
		SCOPED(str_release) struct str note = { 0 };

		str_addf(&note, "%s: %s", report->notes[i].place,
		         report->notes[i].text);
		assert_string_equal(str_cstr(&note), notes[i]);
	}
	assert_int_equal(report->note_count, count);
}

/** Printed again, it is what was read. */
static UNUSED void assert_unchanged(const struct report *report,
                                    const char *text)
{
	assert_rendered(&text_formatter, report, text);
}

// Sanitizers make each reading slow: every seventh place is tried.
#define PLACES 7

/** A beginning of @p whole is read, and printed as it was. */
static UNUSED void assert_cuts_are_read(const struct reader *parser,
                                        const char *whole)
{
	size_t size = strlen(whole);

	for (size_t cut = 0; cut < size; cut += PLACES) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		struct report *report = NULL;

		str_add_bytes(&text, whole, cut);
		if (!reader_sniff(parser, str_text(&text)))
			continue;
		assert_null(
		        reader_read(parser, str_text(&text), &arena, &report));
		// Printing ends each line.
		if (whole[cut - 1] != '\n')
			str_add_char(&text, '\n');
		assert_unchanged(report, str_cstr(&text));
	}
}

/** With any byte replaced, it is read or refused. */
static UNUSED void assert_damage_is_read(const struct reader *parser,
                                         const char *whole)
{
	static const char bytes[] = "9 *\t[(<\n\r+";
	size_t size = strlen(whole);

	for (size_t at = 0; at < size; at += PLACES) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		SCOPED(str_release) struct str text = { 0 };
		struct report *report = NULL;

		str_add(&text, whole);
		text.data[at] = bytes[at / PLACES % (sizeof(bytes) - 1)];
		err = reader_read(parser, str_text(&text), &arena, &report);
		assert_true(!err == !!report);
	}
}

/** Give the frame names, as symbolication would; innermost call first. */
static UNUSED void name_frame(struct report_frame *frame,
                              struct report_call *calls, size_t count)
{
	frame->calls = calls;
	frame->call_count = (uint32_t)count;
	frame->source = REPORT_SOURCE_DWARF;
}

#endif

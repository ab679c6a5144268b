// SPDX-License-Identifier: MIT
/** Reads lag inputs as text, a report after the other, for tests. */
#ifndef APMTOOL_TESTS_LAG_READING_H
#define APMTOOL_TESTS_LAG_READING_H

#include "parsers/lag/lag.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <stdlib.h>

/** All that was read, and what reads it. */
struct lag_reading {
	struct intern names;
	struct lag_reader reader;
	struct str out;
};

static inline void add_frame(struct str *out, const struct lag_report *report,
                             uint32_t frame)
{
	const struct profile_frame *placed;

	if (frame < PROFILE_FRAME) {
		str_add(out, intern_cstr(report->profile.strings, frame));
		return;
	}
	placed = &report->profile.frames.items[frame - PROFILE_FRAME];
	str_addf(out, "0x%" PRIx64 "%s", placed->address,
	         placed->is_pc ? "!" : "");
	if (placed->symbol != INTERN_NONE)
		str_addf(out, "=%s",
		         intern_cstr(report->profile.strings, placed->symbol));
	if (placed->image != INTERN_NONE)
		str_addf(out, "@%s",
		         intern_cstr(report->profile.strings, placed->image));
}

/** `a 3/150(1/50) { … }`: inclusive, and what ended there. */
static inline void add_node(struct str *out, const struct lag_report *report,
                            uint32_t at)
{
	const struct calltree_node *node = &report->profile.stacks.nodes[at];

	add_frame(out, report, node->frame);
	str_addf(out, " %" PRIu64 "/%g", node->samples,
	         (double)node->cost_us / 1000);
	if (node->self_samples || node->self_cost_us)
		str_addf(out, "(%" PRIu64 "/%g #%" PRIu32 ")",
		         node->self_samples, (double)node->self_cost_us / 1000,
		         node->newest);
	if (!node->first_child)
		return;
	str_add(out, " {");
	for (uint32_t i = node->first_child; i;
	     i = report->profile.stacks.nodes[i].next_sibling) {
		str_add_char(out, ' ');
		add_node(out, report, i);
	}
	str_add(out, " }");
}

static inline void add_fact(struct str *out, const char *name, const char *text)
{
	if (text)
		str_addf(out, " %s=%s", name, text);
}

static inline void lag_reading_visit(struct lag_report *report, void *context)
{
	struct lag_reading *reading = context;
	struct str *out = &reading->out;

	str_addf(out, "%zu:", report->line);
	add_fact(out, "id", report->id);
	add_fact(out, "session", report->session);
	add_fact(out, "app", report->app);
	add_fact(out, "os", report->os);
	add_fact(out, "device", report->device);
	add_fact(out, "arch", report->arch);
	if (report->interval_us)
		str_addf(out, " every %g", (double)report->interval_us / 1000);
	str_addf(out, " %" PRIu64 "/%g", report->profile.sample_count,
	         (double)report->profile.cost_us / 1000);
	calltree_sum(&report->profile.stacks);
	for (uint32_t i = report->profile.stacks.node_count
	                          ? report->profile.stacks.nodes[0].first_child
	                          : 0;
	     i; i = report->profile.stacks.nodes[i].next_sibling) {
		str_add_char(out, ' ');
		add_node(out, report, i);
	}
	if (report->profile.best_run.samples && !report->profile.from_nodes) {
		str_add(out, " run ");
		add_frame(out, report, report->profile.best_run.frame);
		str_addf(out, "*%" PRIu64, report->profile.best_run.samples);
	}
	str_add_char(out, '\n');
	for (size_t i = 0; i < report->profile.images.count; i++) {
		const struct profile_image *image =
		        &report->profile.images.items[i];
		char uuid[UUID_TEXT_SIZE];

		str_addf(out, "  image %s 0x%" PRIx64 "+0x%" PRIx64,
		         image->name, image->base, image->size);
		if (!uuid_is_zero(&image->uuid))
			str_addf(out, " %s",
			         uuid_format_compact(&image->uuid, uuid));
		add_fact(out, "path", image->path);
		str_add_char(out, '\n');
	}
	for (size_t i = 0; i < report->note_count && i < LAG_NOTES; i++)
		str_addf(out, "  note %s: %s\n", report->notes[i].place,
		         report->notes[i].text);
	if (report->note_count > LAG_NOTES)
		str_addf(out, "  %zu notes\n", report->note_count);
}

static inline void lag_reading_failed(size_t line, struct error *err,
                                      void *context)
{
	struct lag_reading *reading = context;

	str_addf(&reading->out, "%zu failed: %s\n", line, error_message(err));
	error_free(err);
}

/** @p reading stays where it is. */
static inline void lag_reading_begin(struct lag_reading *reading)
{
	*reading = (struct lag_reading){ 0 };
	lag_reader_init(&reading->reader, &reading->names, lag_reading_visit,
	                lag_reading_failed, reading);
}

static inline void lag_reading_release(struct lag_reading *reading)
{
	lag_reader_release(&reading->reader);
	intern_release(&reading->names);
	str_release(&reading->out);
}

/** Read an input of some format as a command does; images of it are kept. */
static inline void lag_reading_take(struct lag_reading *reading, struct text in,
                                    enum lag_format format)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_images images = { 0 };
	struct error *err = NULL;

	if (format == LAG_FORMAT_IMAGES) {
		err = lag_images_read(&in, &arena, &images);
		if (!err)
			reading->reader.images = &images;
	}
	if (!err &&
	    (format == LAG_FORMAT_DOCUMENTS || format == LAG_FORMAT_IMAGES)) {
		struct json_pull *pull = json_pull_new(in, 0);

		err = lag_read_documents(&reading->reader, pull);
		json_pull_free(pull);
	} else if (format == LAG_FORMAT_LINES) {
		lag_read_lines(&reading->reader, in, 1);
	} else if (format == LAG_FORMAT_COLLAPSED) {
		lag_read_collapsed(&reading->reader, in, 1);
	}
	lag_reader_end(&reading->reader);
	reading->reader.images = NULL;
	if (err)
		str_addf(&reading->out, "error: %s\n", error_message(err));
	error_free(err);
}

#endif

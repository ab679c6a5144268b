// SPDX-License-Identifier: MIT
#include "formatters/report/json/stacks.h"

#include "formatters/report/tree_lines.h"

#include <string.h>

static void add_place(struct json_writer *w, const struct report *report,
                      const struct report_frame *frame)
{
	const struct report_image *image = report_frame_image(report, frame);
	uint64_t base;

	json_text_or_null(w, "image", report_frame_image_name(report, frame));
	if (image)
		json_number(w, "image_index", frame->image);
	else
		json_null(w, "image_index");
	if (image && !uuid_is_zero(&image->uuid))
		json_uuid(w, "uuid", &image->uuid);
	else
		json_null(w, "uuid");
	json_address(w, "address", frame->address);
	if (report_frame_base(report, frame, &base))
		json_number(w, "offset", frame->image_offset);
	else
		json_null(w, "offset");
	json_bool(w, "app", report_frame_is_app(report, frame));
}

static void add_call(struct json_writer *w, const struct report_call *call)
{
	static const struct report_call nothing = { 0 };

	if (!call)
		call = &nothing;
	json_text_or_null(w, "symbol", call->symbol);
	json_text(w, "mangled", call->mangled);
	if (call->has_symbol_offset)
		json_number(w, "symbol_offset", call->symbol_offset);
	else
		json_null(w, "symbol_offset");
	json_text_or_null(w, "file", call->file);
	json_text(w, "path", call->path);
	// Line 0 in debug information means "no line".
	if (call->has_line && call->line)
		json_number(w, "line", call->line);
	else
		json_null(w, "line");
	if (call->column)
		json_number(w, "column", call->column);
	if (call->line_borrowed)
		json_bool(w, "line_borrowed", true);
}

static void add_tags(struct json_writer *w, const struct report_frame *frame)
{
	static const struct {
		enum report_frame_tag tag;
		const char *name;
	} tags[] = {
		{ REPORT_FRAME_ASYNC, "async" },
		{ REPORT_FRAME_RUNTIME_FAILURE, "runtime-failure" },
		{ REPORT_FRAME_SYSTEM, "system" },
		{ REPORT_FRAME_THUNK, "thunk" },
	};

	if (!frame->tags)
		return;
	json_open_array(w, "tags");
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (frame->tags & tags[i].tag)
			json_text(w, NULL, tags[i].name);
	json_close(w);
}

/** One entry per call, numbered through the stack. */
static size_t add_frame(struct json_writer *w, const struct report *report,
                        const struct report_frame *frame, size_t index)
{
	size_t count = frame->call_count ? frame->call_count : 1;

	for (size_t i = 0; i < count; i++) {
		json_open_object(w, NULL);
		json_number(w, "index", index + i);
		add_place(w, report, frame);
		add_call(w, frame->call_count ? &frame->calls[i] : NULL);
		json_bool(w, "inline", i + 1 < count);
		add_tags(w, frame);
		json_text(w, "source", report_source_name(frame->source));
		json_close(w);
	}
	return count;
}

void json_add_place(struct json_writer *w, const char *name,
                    const struct report *report,
                    const struct report_frame *frame,
                    const struct report_call *call)
{
	json_open_object(w, name);
	add_place(w, report, frame);
	add_call(w, call);
	json_close(w);
}

static void add_frames(struct json_writer *w, const struct report *report,
                       const struct report_stack *stack)
{
	size_t index = 0;

	json_open_array(w, "frames");
	for (size_t i = 0; i < stack->count; i++)
		index += add_frame(w, report, &stack->frames[i], index);
	json_close(w);
}

/**
 * Max registers written. No processor has more; further ones are from a broken
 * report.
 */
#define REGISTERS_MAX 128

/** Names must be unique in an object; the first of equal ones counts. */
static bool is_repeated(const struct report_thread_state *state, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(state->registers[i].name,
		            state->registers[index].name))
			return true;
	return false;
}

static void add_registers(struct json_writer *w,
                          const struct report_thread_state *state)
{
	size_t count = state->count < REGISTERS_MAX ? state->count
	                                            : REGISTERS_MAX;
	bool has_notes = false;

	if (!state->flavor)
		return;
	json_open_object(w, "registers");
	json_text(w, "flavor", state->flavor);
	json_open_object(w, "values");
	for (size_t i = 0; i < count; i++) {
		const struct report_register *reg = &state->registers[i];

		has_notes = has_notes || reg->note;
		if (is_repeated(state, i))
			continue;
		if (reg->available)
			json_address(w, reg->name, reg->value);
		else
			json_null(w, reg->name);
	}
	json_close(w);
	if (has_notes) {
		json_open_object(w, "notes");
		for (size_t i = 0; i < count; i++)
			if (!is_repeated(state, i))
				json_text(w, state->registers[i].name,
				          state->registers[i].note);
		json_close(w);
	}
	json_close(w);
}

void json_add_threads(struct json_writer *w, const struct report *report)
{
	json_open_array(w, "threads");
	for (size_t i = 0; i < report->thread_count; i++) {
		const struct report_thread *thread = report->threads[i];

		json_open_object(w, NULL);
		json_number(w, "index", i);
		json_number(w, "number", thread->number);
		if (thread->has_id)
			json_number(w, "id", thread->id);
		json_text(w, "name", thread->name);
		json_text(w, "queue", thread->queue);
		json_bool(w, "crashed", thread->crashed);
		add_frames(w, report, &thread->stack);
		add_registers(w, &thread->state);
		json_close(w);
	}
	json_close(w);
}

void json_add_backtraces(struct json_writer *w, const struct report *report)
{
	if (report->exception_backtrace.count) {
		json_open_object(w, "exception_backtrace");
		add_frames(w, report, &report->exception_backtrace);
		json_close(w);
	}
	if (!report->app_backtrace_count)
		return;
	json_open_array(w, "app_backtraces");
	for (size_t i = 0; i < report->app_backtrace_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "title", report->app_backtraces[i]->title);
		add_frames(w, report, report->app_backtraces[i]);
		json_close(w);
	}
	json_close(w);
}

struct trees_writer {
	struct json_writer *w;
	const struct report *report;
	bool has_samples;
};

static void add_node(const struct tree_line *line, void *context)
{
	const struct trees_writer *trees = context;
	struct json_writer *w = trees->w;

	json_open_object(w, NULL);
	json_number(w, "depth", line->depth);
	if (trees->has_samples)
		json_number(w, "samples", line->samples);
	add_place(w, trees->report, line->frame);
	add_call(w, line->call);
	json_bool(w, "inline", line->inlined);
	json_text(w, "source", report_source_name(line->frame->source));
	json_close(w);
}

void json_add_trees(struct json_writer *w, const struct report *report)
{
	struct trees_writer trees = { .w = w, .report = report };

	if (!report->tree_count)
		return;
	json_open_array(w, "trees");
	for (size_t i = 0; i < report->tree_count; i++) {
		const struct report_tree *tree = report->trees[i];

		json_open_object(w, NULL);
		json_text(w, "title", tree->title);
		json_bool(w, "attributed", tree->attributed);
		trees.has_samples = tree_samples(tree) != 0;
		json_open_array(w, "nodes");
		tree_each_line(tree, true, add_node, &trees);
		json_close(w);
		json_close(w);
	}
	json_close(w);
}

#include "formatters/report/json/stacks.h"

#include "formatters/report/json/frames.h"
#include "formatters/report/tree_lines.h"

#include <string.h>

/**
 * Registers of a state that are written. No processor has as many: what lies
 * beyond comes from a broken report.
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
		json_add_frames(w, report, &thread->stack);
		add_registers(w, &thread->state);
		json_close(w);
	}
	json_close(w);
}

void json_add_backtraces(struct json_writer *w, const struct report *report)
{
	if (report->exception_backtrace.count) {
		json_open_object(w, "exception_backtrace");
		json_add_frames(w, report, &report->exception_backtrace);
		json_close(w);
	}
	if (!report->app_backtrace_count)
		return;
	json_open_array(w, "app_backtraces");
	for (size_t i = 0; i < report->app_backtrace_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "title", report->app_backtraces[i]->title);
		json_add_frames(w, report, report->app_backtraces[i]);
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
	json_add_place(w, trees->report, line->frame);
	json_add_call(w, line->call);
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

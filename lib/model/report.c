// SPDX-License-Identifier: MIT
#include "lib/model/report.h"

#include "lib/base/limit.h"
#include "lib/darwin/signals.h"

#include <string.h>

const char *report_source_name(enum report_source source)
{
	static const char *const names[] = {
		[REPORT_SOURCE_NONE] = "none",
		[REPORT_SOURCE_REPORT] = "report",
		[REPORT_SOURCE_SYMTAB] = "symtab",
		[REPORT_SOURCE_DWARF] = "dwarf",
		[REPORT_SOURCE_SYMTAB_MISMATCH] = "symtab-mismatch",
		[REPORT_SOURCE_DWARF_MISMATCH] = "dwarf-mismatch",
	};

	return names[source];
}

bool report_source_is_file(enum report_source source)
{
	return source != REPORT_SOURCE_NONE && source != REPORT_SOURCE_REPORT;
}

// Memory of other objects in lines or frames.
#define REPORT_LINES  4
#define IMAGES_A_LINE 3

struct report *report_new(struct arena *arena)
{
	struct report *report = arena_alloc(arena, sizeof(*report));

	report->exception_backtrace.all_return_addresses = true;
	return report;
}

const char *report_line_place(struct arena *arena, size_t line)
{
	return arena_printf(arena, "line %zu", line);
}

size_t report_left_to_read(const struct arena *arena)
{
	size_t max = limit_get(LIMIT_LINES);

	return arena->charged < max ? max - arena->charged : 0;
}

bool report_may_read(struct arena *arena, size_t lines)
{
	bool may = report_left_to_read(arena) >= lines;

	arena->charged += may ? lines : 0;
	return may;
}

void report_charge(const struct report *report, struct arena *arena)
{
	arena->charged += report->note_count;
	// A text is its lines, and has several.
	if (!report->lines)
		arena->charged += REPORT_LINES + report->thread_count +
		                  report->image_count / IMAGES_A_LINE;
}

const char *report_end_place(const struct report *report)
{
	const char *place = NULL;

	for (size_t i = 0; i < report->note_count && report->truncated; i++)
		if (report->notes[i].place)
			place = report->notes[i].place;
	return place;
}

void report_end_reading(struct report *report, struct arena *arena,
                        const char *place)
{
	if (report->is_limited)
		return;
	report->is_limited = true;
	report->truncated = true;
	report_add_failure(report, arena, place,
	                   arena_printf(arena,
	                                "more than %zu line%s or frames in the "
	                                "file: the rest is left out%s",
	                                limit_get(LIMIT_LINES),
	                                text_plural(limit_get(LIMIT_LINES)),
	                                limit_hint(LIMIT_LINES)));
}

void report_forget_lines(struct report *report, struct arena *arena)
{
	report->lines = NULL;
	report->line_count = report->line_cap = 0;
	// With the NUL that ends it.
	if (report->lines_text.size)
		arena_drop(arena, report->lines_text.data,
		           report->lines_text.size + 1);
	report->lines_text = TEXT_NONE;
}

struct report_thread *report_add_thread(struct report *report,
                                        struct arena *arena)
{
	ARENA_GROW(arena, report->threads, report->thread_count,
	           report->thread_cap);
	return report->threads[report->thread_count++] =
	               arena_alloc(arena, sizeof(struct report_thread));
}

struct report_stack *report_add_app_backtrace(struct report *report,
                                              struct arena *arena)
{
	struct report_stack *stack;

	ARENA_GROW(arena, report->app_backtraces, report->app_backtrace_count,
	           report->app_backtrace_cap);
	stack = arena_alloc(arena, sizeof(*stack));
	report->app_backtraces[report->app_backtrace_count++] = stack;
	stack->all_return_addresses = true;
	return stack;
}

struct report_tree *report_add_tree(struct report *report, struct arena *arena)
{
	struct report_tree *tree = arena_alloc(arena, sizeof(*tree));

	tree->frames.all_return_addresses = true;
	ARENA_GROW(arena, report->trees, report->tree_count, report->tree_cap);
	report->trees[report->tree_count++] = tree;
	return tree;
}

struct report_frame *report_add_node(struct report_tree *tree,
                                     struct arena *arena, size_t depth,
                                     uint64_t samples)
{
	struct calltree *calls = &tree->calls;
	uint32_t caller = calls->node_count ? calls->node_count - 1
	                                    : CALLTREE_ROOT;
	uint32_t node;

	while (caller != CALLTREE_ROOT && calls->nodes[caller].depth > depth)
		caller = calls->nodes[caller].parent;
	node = calltree_append(calls, arena, caller,
	                       (uint32_t)tree->frames.count);
	calls->nodes[node].samples = samples;
	return report_add_frame(&tree->frames, arena);
}

struct report_wait *report_add_wait(struct report *report, struct arena *arena)
{
	ARENA_GROW(arena, report->waits, report->wait_count, report->wait_cap);
	return &report->waits[report->wait_count++];
}

struct report_image *report_add_image(struct report *report,
                                      struct arena *arena)
{
	ARENA_GROW(arena, report->images, report->image_count,
	           report->image_cap);
	return &report->images[report->image_count++];
}

struct report_frame *report_add_frame(struct report_stack *stack,
                                      struct arena *arena)
{
	struct report_frame *frame;

	ARENA_GROW(arena, stack->frames, stack->count, stack->cap);
	frame = &stack->frames[stack->count++];
	frame->image = REPORT_NO_IMAGE;
	frame->index_width = 4;
	return frame;
}

void report_make_room(struct report_stack *stack, struct arena *arena,
                      size_t count)
{
	size_t left = report_left_to_read(arena);

	if (stack->frames || !count)
		return;
	stack->cap = count < left ? count : left;
	stack->frames = arena_array(arena, stack->cap, sizeof(*stack->frames));
}

const struct report_image *report_frame_image(const struct report *report,
                                              const struct report_frame *frame)
{
	return frame->image < report->image_count
	               ? &report->images[frame->image]
	               : NULL;
}

const char *report_frame_image_name(const struct report *report,
                                    const struct report_frame *frame)
{
	const struct report_image *image = report_frame_image(report, frame);

	return frame->image_name || !image ? frame->image_name : image->name;
}

bool report_frame_base(const struct report *report,
                       const struct report_frame *frame, uint64_t *ret)
{
	const struct report_image *image = report_frame_image(report, frame);

	if (image) {
		*ret = image->base;
		return true;
	}
	if (!frame->image_offset || frame->image_offset >= frame->address)
		return false;
	*ret = frame->address - frame->image_offset;
	return true;
}

bool report_is_after_trampoline(const struct report_stack *stack)
{
	const struct report_frame *before;

	if (stack->count < 2)
		return false;
	before = &stack->frames[stack->count - 2];
	return before->call_count &&
	       darwin_is_signal_trampoline(
	               before->calls[before->call_count - 1].symbol);
}

struct report_register *report_add_register(struct report_thread_state *state,
                                            struct arena *arena)
{
	ARENA_GROW(arena, state->registers, state->count, state->cap);
	return &state->registers[state->count++];
}

void report_add_section(struct report *report, struct arena *arena,
                        const char *label, const char *text)
{
	ARENA_GROW(arena, report->sections, report->section_count,
	           report->section_cap);
	report->sections[report->section_count++] = (struct report_section){
		.label = label,
		.text = text,
	};
}

void report_add_field(struct report *report, struct arena *arena,
                      const char *label, const char *value)
{
	ARENA_GROW(arena, report->fields, report->field_count,
	           report->field_cap);
	report->fields[report->field_count++] = (struct report_field){
		.label = label,
		.value = value,
	};
}

struct memory_limit *report_add_memory_limit(struct report *report,
                                             struct arena *arena,
                                             enum memory_evidence evidence)
{
	struct memory_limit *limit;

	ARENA_GROW(arena, report->memory_limits, report->memory_limit_count,
	           report->memory_limit_cap);
	limit = &report->memory_limits[report->memory_limit_count++];
	*limit = (struct memory_limit){ .evidence = evidence };
	return limit;
}

void report_add_note(struct report *report, struct arena *arena,
                     const char *place, const char *text)
{
	ARENA_GROW(arena, report->notes, report->note_count, report->note_cap);
	report->notes[report->note_count++] = (struct notice){
		.place = place,
		.text = text,
	};
}

void report_add_failure(struct report *report, struct arena *arena,
                        const char *place, const char *text)
{
	report_add_note(report, arena, place, text);
	report->notes[report->note_count - 1].kind = NOTICE_FAILURE;
}

bool report_is_memory_record(const struct report *report)
{
	return report->memory_limit_count && !report->thread_count &&
	       !report->tree_count && !report->section_count;
}

void report_add_version(const struct report *report, struct str *out)
{
	const char *version = report->version;

	if (!version)
		return;
	str_add(out, version);
	// Text has both in one line, which some readers do not split.
	if (report->build && !strchr(version, '(') &&
	    strcmp(version, report->build) != 0)
		str_addf(out, " (%s)", report->build);
}

const char *report_field(const struct report *report, const char *label)
{
	for (size_t i = 0; i < report->field_count; i++)
		if (!strcmp(report->fields[i].label, label))
			return report->fields[i].value;
	return NULL;
}

const char *report_section(const struct report *report, const char *label)
{
	for (size_t i = 0; i < report->section_count; i++)
		if (!strcmp(report->sections[i].label, label))
			return report->sections[i].text;
	return NULL;
}

static bool is_blank(const struct report_line *line)
{
	return line->text && !text_trim(text_from(line->text)).size;
}

bool report_next_passage(const struct report *report, size_t *at,
                         struct report_passage *ret)
{
	const struct report_line *lines = report->lines;
	size_t first = *at;
	size_t end;

	while (first < report->line_count &&
	       !(lines[first].text && lines[first].count))
		first++;
	if (first == report->line_count)
		return false;
	end = first + 1;
	for (size_t i = end; i < report->line_count; i++) {
		if (lines[i].text &&
		    lines[i].count == lines[first].count + (i - first))
			end = i + 1;
		else if (!is_blank(&lines[i]))
			break;
	}
	*at = end;
	*ret = (struct report_passage){ .lines = &lines[first],
		                        .count = end - first,
		                        .number = report->lines_before +
		                                  lines[first].count };
	return true;
}

const struct report_thread *report_crashed_thread(const struct report *report)
{
	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->crashed)
			return report->threads[i];
	for (size_t i = 0; i < report->thread_count; i++)
		if (report->has_triggered_thread &&
		    report->threads[i]->number == report->triggered_thread)
			return report->threads[i];
	return NULL;
}

void report_each_stack(struct report *report, report_stack_visit visit,
                       void *context)
{
	visit(&report->exception_backtrace, context);
	for (size_t i = 0; i < report->app_backtrace_count; i++)
		visit(report->app_backtraces[i], context);
	for (size_t i = 0; i < report->thread_count; i++)
		visit(&report->threads[i]->stack, context);
	for (size_t i = 0; i < report->tree_count; i++)
		visit(&report->trees[i]->frames, context);
}

bool report_image_is_app(const struct report *report,
                         const struct report_image *image)
{
	return app_image_is_own(
	        &(struct app_image){ .name = image->name,
	                             .path = image->path,
	                             .own = image->own,
	                             .rule = image->app_rule },
	        &(struct app_process){ .name = report->process.name,
	                               .path = report->path,
	                               .platform = report->platform });
}

bool report_image_is_system(const struct report *report,
                            const struct report_image *image)
{
	return image->path &&
	       app_image_is_system(
	               image->path,
	               &(struct app_process){ .name = report->process.name,
	                                      .path = report->path,
	                                      .platform = report->platform });
}

uint64_t report_image_size(const struct report_image *image)
{
	return image->end_unknown ? 0 : image->size;
}

bool report_frame_is_app(const struct report *report,
                         const struct report_frame *frame)
{
	const struct report_image *image = report_frame_image(report, frame);

	if (image)
		return report_image_is_app(report, image);
	if (frame->is_own)
		return true;
	return report_image_is_app(
	        report, &(struct report_image){ .name = frame->image_name });
}

bool report_call_is_generated(const struct report_call *call)
{
	return (call->symbol && text_starts(text_from(call->symbol),
	                                    "Swift runtime failure: ")) ||
	       text_same(call->file, "<compiler-generated>");
}

const char *memory_evidence_name(enum memory_evidence evidence)
{
	switch (evidence) {
	case MEMORY_EVIDENCE_SUM:
		return "footprint + available memory";
	case MEMORY_EVIDENCE_PRIORITY_LIST:
		return "jetsam priority list";
	case MEMORY_EVIDENCE_WARNING:
		return "early-warning record: at least";
	case MEMORY_EVIDENCE_LOGGED:
		return "memory warning in the app's log";
	case MEMORY_EVIDENCE_AVAILABLE:
		return "available memory: at least";
	case MEMORY_EVIDENCE_HIGH_WATER:
		break;
	}
	return "EXC_RESOURCE high-water mark";
}

bool memory_evidence_is_lower_bound(enum memory_evidence evidence)
{
	return evidence == MEMORY_EVIDENCE_WARNING ||
	       evidence == MEMORY_EVIDENCE_AVAILABLE;
}

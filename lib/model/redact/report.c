// SPDX-License-Identifier: MIT
#include "lib/model/redact/redact.h"

#include "lib/base/mem.h"
#include "lib/model/jetsam.h"
#include "lib/model/redact/fields.h"
#include "lib/model/redact/text.h"

static void redact_stack(struct report_stack *stack, void *context)
{
	const struct redaction *r = context;

	redact_each(r, report_stack, stack, 1);
	redact_each(r, report_frame, stack->frames, stack->count);
	for (size_t i = 0; i < stack->count; i++)
		redact_each(r, report_call, stack->frames[i].calls,
		            stack->frames[i].call_count);
}

static const char *const *redact_list(const struct redaction *r,
                                      const char *const *texts, size_t count)
{
	const char **list = arena_array(r->arena, count, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		list[i] = redact_string(r, texts[i], REDACT_CLASS_TEXT, NULL);
	return list;
}

static void redact_end(const struct redaction *r, struct report *report)
{
	struct report_termination *end = &report->termination;
	const char *line = end->verbatim;

	redact_each(r, report_exception, &report->exception, 1);
	redact_each(r, report_thrown, &report->thrown, 1);
	redact_each(r, report_termination, end, 1);
	// A value from a line may be part of what is hidden in that line.
	if (end->verbatim != line)
		end->indicator = redact_whole(r->redactor, end->indicator,
		                              "text", r->arena);
	redact_each(r, report_process_ref, &end->by, 1);
	end->reasons = redact_list(r, end->reasons, end->reason_count);
	end->details = redact_list(r, end->details, end->detail_count);
}

static void redact_threads(const struct redaction *r, struct report *report)
{
	for (size_t i = 0; i < report->thread_count; i++) {
		struct report_thread *thread = report->threads[i];

		redact_each(r, report_thread, thread, 1);
		redact_each(r, report_thread_state, &thread->state, 1);
		redact_each(r, report_register, thread->state.registers,
		            thread->state.count);
	}
	for (size_t i = 0; i < report->tree_count; i++) {
		redact_each(r, report_tree, report->trees[i], 1);
		redact_each(r, report_process_ref, &report->trees[i]->process,
		            1);
	}
	for (size_t i = 0; i < report->wait_count; i++) {
		redact_each(r, report_process_ref, &report->waits[i].process,
		            1);
		redact_each(r, report_process_ref, &report->waits[i].owner, 1);
	}
}

/** `a/b.ips: line 7`: of an archive, a place begins with the file in it. */
static void redact_places(const struct redaction *r,
                          const struct report *report)
{
	for (size_t i = 0; report->member && i < report->note_count; i++) {
		struct notice *note = &report->notes[i];
		struct text rest = text_from(note->place);

		if (text_take(&rest, report->member) && text_starts(rest, ":"))
			note->place = arena_printf(r->arena, "%s%s",
			                           redact_input(r->redactor,
			                                        report->member,
			                                        r->arena),
			                           rest.data);
	}
}

static void redact_text_parts(const struct redaction *r, struct report *report)
{
	redact_each(r, report_section, report->sections, report->section_count);
	redact_each(r, report_line, report->lines, report->line_count);
	redact_each(r, notice, report->notes, report->note_count);
	for (size_t i = 0; i < report->field_count; i++) {
		struct report_field *field = &report->fields[i];

		field->value = redact_value(r->redactor, field->label,
		                            field->value, r->own, r->arena);
	}
	redact_each(r, report_field, report->fields, report->field_count);
}

static void redact_jetsam(const struct redaction *r, struct jetsam *jetsam)
{
	redact_each(r, jetsam, jetsam, 1);
	redact_each(r, jetsam_memory, &jetsam->memory, 1);
	redact_each(r, jetsam_process, jetsam->processes,
	            jetsam->process_count);
	for (size_t i = 0; i < jetsam->process_count; i++)
		redact_each(r, jetsam_kernel, jetsam->processes[i].kernel,
		            jetsam->processes[i].kernel != NULL);
}

static void redact_symbols(struct report_stack *stack, void *context)
{
	const struct redaction *r = context;

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];

		for (size_t k = 0; k < frame->call_count; k++)
			frame->calls[k].symbol =
			        redact_string(r, frame->calls[k].symbol,
			                      REDACT_CLASS_CODE, NULL);
	}
}

void report_redact_symbols(struct report *report,
                           const struct redactor *redactor, struct arena *arena)
{
	struct redaction r = { .redactor = redactor, .arena = arena };

	report_each_stack(report, redact_symbols, &r);
}

/** Free text again, now that all replaced names are known. */
static void redact_again(struct redaction r, struct report *report)
{
	struct report_termination *end = &report->termination;

	redact_names_sort(r.redactor->seen);
	r.is_again = true;
	redact_each(&r, report_exception, &report->exception, 1);
	redact_each(&r, report_thrown, &report->thrown, 1);
	redact_each(&r, report_termination, end, 1);
	end->reasons = redact_list(&r, end->reasons, end->reason_count);
	end->details = redact_list(&r, end->details, end->detail_count);
	redact_each(&r, report_section, report->sections,
	            report->section_count);
	redact_each(&r, report_line, report->lines, report->line_count);
	redact_each(&r, notice, report->notes, report->note_count);
	redact_each(&r, report_field, report->fields, report->field_count);
}

void report_redact(struct report *report, const struct redactor *redactor,
                   struct arena *arena)
{
	struct redact_names seen = { .arena = arena };
	struct redactor collector = *redactor;
	const char *own[] = { report->process.name, report->identifier, NULL };
	const struct redaction r = {
		.redactor = &collector,
		// Without a name, the identifier is in its place.
		.own = own[0] ? own : own + 1,
		.arena = arena,
	};

	collector.seen = &seen;
	redact_places(&r, report);
	redact_each(&r, report, report, 1);
	redact_each(&r, report_process_ref, &report->process, 1);
	redact_each(&r, report_process_ref, &report->parent, 1);
	redact_each(&r, report_process_ref, &report->responsible, 1);
	redact_end(&r, report);
	redact_threads(&r, report);
	redact_text_parts(&r, report);
	report_each_stack(report, redact_stack, (void *)(uintptr_t)&r);
	redact_each(&r, report_image, report->images, report->image_count);
	if (report->jetsam)
		redact_jetsam(&r, report->jetsam);
	redact_again(r, report);
	mem_drop(&seen.items);
	report->raw = TEXT_NONE;
}

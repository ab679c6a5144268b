// SPDX-License-Identifier: MIT
#include "cmd/run/redaction.h"
#include "cmd/run/sample_block.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/redact/redact.h"

#include <inttypes.h>
#include <stdlib.h>

/** Max reports of an input whose notes are printed. */
#define REPORTS_NOTED 50

/** Print the notes of a report or a list; @p more were dropped. */
static void print_notes(struct sample_run *run, const char *place,
                        const struct notice *notes, size_t count, size_t more)
{
	run_print_notes(&run->run, place, notes, count, false);
	if (more)
		notice_warn(run->run.notices, place, "%zu more", more);
}

/** Add the report's id, which names its author. */
static void add_id(struct str *place, const char *id)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	if (redaction())
		id = redact_input(redaction(), id, &arena);
	str_addf(place, ": report '%s'", id);
}

void sample_notes_print(struct sample_run *run, const struct lag_hang *hang)
{
	SCOPED(str_release) struct str place = { 0 };

	if (run->run.settings->quiet || !hang->note_count)
		return;
	// A fleet may repeat the same fault a million times.
	if (run->reports_noted++ >= REPORTS_NOTED)
		return;
	str_add(&place, hang->input);
	if (hang->line > 1)
		str_addf(&place, ":%zu", hang->line);
	if (hang->id)
		add_id(&place, hang->id);
	print_notes(run, str_cstr(&place), hang->notes, hang->note_count,
	            hang->more_notes);
}

struct part_note {
	uint64_t line; ///< 0: unknown
	const struct notice *note;
};

static int compare_part_notes(const void *a, const void *b)
{
	const struct part_note *left = a;
	const struct part_note *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	// Notes of one line are in one array, in order.
	return (left->note > right->note) - (left->note < right->note);
}

static struct part_note part_note(const struct notice *note)
{
	struct text place = text_from(note->place);
	struct part_note ret = { .note = note };

	if (text_take(&place, "line "))
		number_decimal(place, &ret.line);
	return ret;
}

/** @return The number of further notes. */
static size_t add_part_notes(const struct lag_hang *hang,
                             struct part_note **notes, size_t *count,
                             size_t *cap)
{
	for (size_t i = 0; i < hang->note_count; i++) {
		MEM_GROW(*notes, *count, *cap);
		(*notes)[(*count)++] = part_note(&hang->notes[i]);
	}
	return hang->more_notes;
}

void sample_notes_print_parts(struct sample_run *run, const char *name)
{
	SCOPED(mem_drop) struct part_note *notes = NULL;
	struct notice first[LAG_NOTES];
	size_t count = 0;
	size_t kept = 0;
	size_t more = 0;
	size_t cap = 0;

	if (run->run.settings->quiet)
		return;
	for (unsigned i = 0; i < run->block_count; i++) {
		const struct lag_builder *builder = &run->blocks[i].builder;

		for (size_t k = 0; k < builder->hang_count; k++)
			more += add_part_notes(&builder->hangs[k], &notes,
			                       &count, &cap);
	}
	if (!count)
		return;
	qsort(notes, count, sizeof(*notes), compare_part_notes);
	for (; kept < count && kept < LAG_NOTES; kept++)
		first[kept] = *notes[kept].note;
	print_notes(run, name, first, kept, more + count - kept);
}

void sample_failures_print(struct sample_run *run, struct sample_block *block,
                           const char *name)
{
	for (size_t i = 0; i < block->failure_count && i < FAILURES_PRINTED;
	     i++) {
		struct error *err = error_prefix(block->failures[i].err,
		                                 "%s:%zu", name,
		                                 block->failures[i].line);

		if (run->failures_printed < FAILURES_PRINTED) {
			notice_error(run->run.notices, NULL, err);
			run->failures_printed++;
		}
		error_free(err);
	}
	run->failed_reports += block->failure_count;
	run->failures_of_input += block->failure_count;
	block->failure_count = 0;
}

void sample_notes_print_rest(struct sample_run *run, const char *name)
{
	if (run->reports_noted > REPORTS_NOTED)
		notice_warn(run->run.notices, name,
		            "%zu more reports have notes",
		            run->reports_noted - REPORTS_NOTED);
	if (run->failures_of_input > run->failures_printed)
		notice_warn(run->run.notices, name,
		            "%zu more reports could not be read",
		            run->failures_of_input - run->failures_printed);
	run->reports_noted = 0;
	run->failures_printed = 0;
	run->failures_of_input = 0;
}

void sample_notes_print_images(struct sample_run *run, const char *name,
                               const struct lag_images *images)
{
	if (!run->run.settings->quiet)
		print_notes(run, name, images->notes, images->note_count, 0);
}

void sample_notes_print_rules(const struct sample_run *run)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct lag_rule *first = NULL;
	bool spent = false;

	for (unsigned i = 0; i < run->block_count; i++) {
		const struct lag_builder *builder = &run->blocks[i].builder;
		const struct lag_rule *rule = lag_builder_undecided(builder);

		if (rule && (!first || rule < first))
			first = rule;
		spent |= lag_builder_rules_spent(builder);
	}
	if (first)
		notice_warn(run->run.notices,
		            config_source_text(&first->source, &arena),
		            "the rule exceeded the matching limits for "
		            "some functions, which are treated as if no rule "
		            "matched%s",
		            limit_hint(LIMIT_PATTERN_STEPS));
	if (spent)
		notice_warn(run->run.notices, run->settings->rules,
		            "matching took too long: the rules were not "
		            "applied to the remaining functions%s",
		            limit_hint(LIMIT_PATTERN_STEPS));
}

void sample_run_warn_of_sums(const struct sample_run *run, uint64_t samples,
                             uint64_t cost_us)
{
	if (run->run.settings->quiet)
		return;
	if (samples == UINT64_MAX)
		notice_warn(run->run.notices, NULL,
		            "the sum of the samples has reached %" PRIu64
		            ", the most that can be shown",
		            UINT64_MAX);
	if (cost_us == UINT64_MAX)
		notice_warn(run->run.notices, NULL,
		            "the sum of the costs has reached %" PRIu64
		            " ms, the most that can be shown",
		            UINT64_MAX / 1000);
}

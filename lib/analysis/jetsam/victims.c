// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/steps.h"

#include "lib/darwin/jetsam.h"

#include <stdlib.h>
#include <string.h>

/** Source of a victim's app state; or NULL. */
static const char *app_state_evidence(const struct jetsam_usage *usage,
                                      struct arena *arena)
{
	const struct jetsam_process *process = usage->process;
	bool by_states = jetsam_app_state_of_states(process->states) !=
	                 JETSAM_APP_STATE_UNKNOWN;

	if (!by_states && process->has_priority)
		return arena_printf(arena, "band %d%s%s", process->priority,
		                    usage->band ? ", " : "",
		                    usage->band ? usage->band : "");
	return process->states_text
	               ? arena_printf(arena, "states: %s", process->states_text)
	               : NULL;
}

static void judge_victim(const struct jetsam_work *work,
                         const struct jetsam_usage *usage,
                         struct jetsam_victim *victim)
{
	const struct jetsam_process *process = usage->process;
	const struct jetsam_usage *largest = work->answer->largest;
	const struct jetsam_cause *cause = jetsam_cause_find(process->reason);

	victim->process = process;
	victim->usage = usage;
	victim->app_state = usage->app_state;
	victim->evidence = app_state_evidence(usage, work->arena);
	victim->meaning = cause ? cause->meaning : "an unknown cause";
	victim->advice = cause ? cause->advice : NULL;
	victim->at_fault = cause && cause->blame == JETSAM_BLAME_OWN;
	victim->is_largest = largest && process->pages.known &&
	                     process->pages.value ==
	                             largest->process->pages.value;
	// The process was killed just above its limit; other reasons, and a
	// footprint of 0, reveal no limit.
	if (process->kernel)
		victim->limit_bytes = process->kernel->limit_bytes;
	else if (!strcmp(process->reason, JETSAM_HARD_LIMIT) &&
	         process->pages.value)
		victim->limit_bytes = usage->footprint_bytes;
}

/** Victims over their own limit first, then by footprint. */
static int compare_victims(const void *left, const void *right)
{
	const struct jetsam_victim *a = left;
	const struct jetsam_victim *b = right;

	if (a->limit_bytes.known != b->limit_bytes.known)
		return a->limit_bytes.known ? -1 : 1;
	if (a->process->pages.value != b->process->pages.value)
		return a->process->pages.value > b->process->pages.value ? -1
		                                                         : 1;
	return a->process->index < b->process->index ? -1 : 1;
}

/** By time, then in the order of the log. */
static int compare_kills(const void *left, const void *right)
{
	const struct jetsam_process *a =
	        (*(const struct jetsam_usage *const *)left)->process;
	const struct jetsam_process *b =
	        (*(const struct jetsam_usage *const *)right)->process;

	if (a->kill_ticks.known != b->kill_ticks.known)
		return a->kill_ticks.known ? -1 : 1;
	if (a->kill_ticks.value != b->kill_ticks.value)
		return a->kill_ticks.value < b->kill_ticks.value ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

void jetsam_order_kills(struct jetsam_work *work)
{
	struct jetsam_answer *answer = work->answer;
	size_t count = answer->victim_count;
	const struct jetsam_usage *before = NULL;

	answer->kills = arena_array(work->arena, count,
	                            sizeof(const struct jetsam_usage *));
	for (size_t i = 0; i < count; i++)
		answer->kills[i] = answer->victims[i].usage;
	qsort(answer->kills, count, sizeof(const struct jetsam_usage *),
	      compare_kills);
	for (size_t i = 0; i < count; i++) {
		const struct jetsam_process *process =
		        answer->kills[i]->process;
		struct jetsam_usage *usage = &answer->usages[process->index];

		if (!usage->kill_delay_us.known)
			break;
		answer->timed_kill_count++;
		usage->kill_order = (struct jetsam_number){ i + 1, true };
		if (before)
			usage->since_kill_us = (struct jetsam_number){
				usage->kill_delay_us.value -
				        before->kill_delay_us.value,
				true,
			};
		before = usage;
	}
}

void jetsam_find_victims(struct jetsam_work *work)
{
	struct jetsam_answer *answer = work->answer;
	size_t process_count = work->report->jetsam->process_count;
	size_t count = 0;

	for (size_t i = 0; i < process_count; i++) {
		const struct jetsam_process *p = answer->usages[i].process;

		count += p->reason != NULL;
		if (p->pages.known &&
		    (!answer->largest ||
		     p->pages.value > answer->largest->process->pages.value))
			answer->largest = &answer->usages[i];
	}
	answer->victims =
	        arena_array(work->arena, count, sizeof(*answer->victims));
	for (size_t i = 0; i < process_count; i++)
		if (answer->usages[i].process->reason)
			judge_victim(work, &answer->usages[i],
			             &answer->victims[answer->victim_count++]);
	qsort(answer->victims, count, sizeof(*answer->victims),
	      compare_victims);
}

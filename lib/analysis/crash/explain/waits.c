// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/model/report_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Max threads of a chain to name. */
#define NAMED_MOST 8

/** For each waiting thread, its longest wait. */
struct waits {
	const struct report_wait **items;
	size_t count;
};

static uint64_t samples_of(const struct report_wait *wait)
{
	return wait->tree ? wait->tree->calls.nodes[wait->frame + 1].samples
	                  : 1;
}

/** Of the whole thread, the roots of its tree. */
static uint64_t samples_of_thread(const struct report_wait *wait)
{
	const struct calltree_node *nodes = wait->tree ? wait->tree->calls.nodes
	                                               : NULL;
	uint64_t sum = 0;

	if (!nodes)
		return 1;
	for (uint32_t i = nodes[CALLTREE_ROOT].first_child; i;
	     i = nodes[i].next_sibling)
		sum += nodes[i].samples;
	return sum;
}

static int compare(const void *a_in, const void *b_in)
{
	const struct report_wait *a = *(const struct report_wait *const *)a_in;
	const struct report_wait *b = *(const struct report_wait *const *)b_in;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (samples_of(a) != samples_of(b))
		return samples_of(a) > samples_of(b) ? -1 : 1;
	return a < b ? -1 : a > b;
}

static struct waits collect(const struct explain *x)
{
	const struct report *report = x->report;
	struct waits waits = { .items = arena_array(x->arena,
		                                    report->wait_count,
		                                    sizeof(*waits.items)) };
	size_t kept = 0;

	for (size_t i = 0; i < report->wait_count; i++)
		if (report->waits[i].has_owner_thread)
			waits.items[waits.count++] = &report->waits[i];
	qsort(waits.items, waits.count, sizeof(*waits.items), compare);
	for (size_t i = 0; i < waits.count; i++)
		if (!kept ||
		    waits.items[kept - 1]->thread != waits.items[i]->thread)
			waits.items[kept++] = waits.items[i];
	waits.count = kept;
	return waits;
}

/** The wait of a thread; or SIZE_MAX. */
static size_t find_wait(const struct waits *waits, uint64_t thread)
{
	size_t at =
	        SORTED_SKIP(i, waits->count, waits->items[i]->thread < thread);

	return at < waits->count && waits->items[at]->thread == thread
	               ? at
	               : SIZE_MAX;
}

/** The first thread, in the order of the report, that waits for itself. */
static size_t find_cycle(const struct explain *x, const struct waits *waits)
{
	// Number of the walk that reached a thread first; or 0.
	size_t *walks = arena_array(x->arena, waits->count, sizeof(*walks));

	for (size_t i = 0; i < x->report->wait_count; i++) {
		size_t at = find_wait(waits, x->report->waits[i].thread);

		while (at != SIZE_MAX && !walks[at]) {
			walks[at] = i + 1;
			at = find_wait(waits, waits->items[at]->owner_thread);
		}
		if (at != SIZE_MAX && walks[at] == i + 1)
			return at;
	}
	return SIZE_MAX;
}

static bool is_main(const struct report_wait *wait)
{
	return wait->tree && report_is_main_title(wait->tree->title);
}

/** `thread 0x1267 (the main thread) of Demo [612]` */
static const char *waiter(const struct explain *x,
                          const struct report_wait *wait)
{
	bool is_named = wait->process.name != NULL;

	return arena_printf(x->arena, "thread 0x%" PRIx64 "%s%s%s",
	                    wait->thread,
	                    is_main(wait) ? " (the main thread)" : "",
	                    is_named ? " of " : "",
	                    is_named ? explain_process(x, &wait->process) : "");
}

/** The owner, as far as known. */
static const char *owner(const struct explain *x, const struct waits *waits,
                         const struct report_wait *wait)
{
	const struct report_process_ref *ref =
	        wait->owner.name ? &wait->owner : &wait->process;
	size_t next = SIZE_MAX;

	if (wait->has_owner_thread && wait->owner_thread == wait->thread)
		return "itself";
	if (wait->has_owner_thread)
		next = find_wait(waits, wait->owner_thread);
	if (next != SIZE_MAX)
		return waiter(x, waits->items[next]);
	if (!wait->has_owner_thread)
		return explain_process(x, ref);
	return arena_printf(x->arena, "thread 0x%" PRIx64 "%s%s",
	                    wait->owner_thread, ref->name ? " of " : "",
	                    ref->name ? explain_process(x, ref) : "");
}

/** The innermost app call that led to the wait; or SIZE_MAX. */
static size_t find_own(const struct explain *x, const struct report_wait *wait)
{
	const struct calltree_node *nodes = wait->tree ? wait->tree->calls.nodes
	                                               : NULL;
	uint32_t node = nodes ? (uint32_t)wait->frame + 1 : CALLTREE_ROOT;

	while (node != CALLTREE_ROOT &&
	       !report_frame_is_app(
	               x->report,
	               &wait->tree->frames.frames[nodes[node].frame]))
		node = nodes[node].parent;
	return node != CALLTREE_ROOT ? nodes[node].frame : SIZE_MAX;
}

static void claim_wait(struct explain *x, const struct waits *waits,
                       const struct report_wait *wait)
{
	uint64_t samples = samples_of(wait);
	uint64_t all = samples_of_thread(wait);
	const char *how_long = "";
	struct evidence place = { .place = wait->place };
	size_t own = find_own(x, wait);

	if (wait->tree && samples)
		how_long = arena_printf(
		        x->arena, ", in %" PRIu64 " of %" PRIu64 " samples",
		        samples, all > samples ? all : samples);
	explain_claim(x, CONFIDENCE_CERTAIN, "%s waits for %s%s%s",
	              waiter(x, wait), owner(x, waits, wait), how_long,
	              wait->is_deadlock ? ": the system calls it a deadlock"
	                                : "");
	if (wait->tree)
		place = evidence_of_frame(x, &wait->tree->frames, wait->frame);
	explain_cite(x, place);
	if (own == SIZE_MAX)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "thread 0x%" PRIx64 " waits in %s",
	              wait->thread,
	              explain_frame(x, &wait->tree->frames.frames[own]));
	explain_cite(x, evidence_of_frame(x, &wait->tree->frames, own));
}

/** Samples of different moments may show waits that never coincided. */
static bool is_certain(const struct report_wait *wait)
{
	return wait->is_deadlock || samples_of(wait) >= samples_of_thread(wait);
}

/** Claim each wait of a chain, until it repeats. */
static bool claim_chain(struct explain *x, const struct waits *waits,
                        size_t first, struct str *words, size_t *ret_left_out)
{
	bool certain = true;
	size_t at = first;
	size_t count = 0;

	do {
		const struct report_wait *wait = waits->items[at];

		if (count++ < NAMED_MOST) {
			claim_wait(x, waits, wait);
			str_addf(words, "%s waits for ",
			         count > 1 ? ", which" : waiter(x, wait));
			str_add(words, owner(x, waits, wait));
		}
		certain &= is_certain(wait);
		at = find_wait(waits, wait->owner_thread);
	} while (at != SIZE_MAX && at != first && count <= waits->count);
	*ret_left_out = count > NAMED_MOST ? count - NAMED_MOST : 0;
	return certain;
}

static void conclude_cycle(struct explain *x, const struct waits *waits,
                           size_t first)
{
	const struct report_wait *wait = waits->items[first];
	SCOPED(str_release) struct str words = { 0 };
	size_t own = find_own(x, wait);
	size_t omitted;
	bool certain = claim_chain(x, waits, first, &words, &omitted);

	if (omitted)
		str_addf(&words,
		         ", and so on over %zu more thread%s back to it",
		         omitted, text_plural(omitted));
	if (own != SIZE_MAX) {
		x->answer->where_frame = &wait->tree->frames.frames[own];
		x->answer->where_call = explain_call(x->answer->where_frame);
		x->answer->where = explain_frame(x, x->answer->where_frame);
	}
	explain_advise(x, wait->owner_thread == wait->thread
	                          ? "never take a lock that the same thread "
	                            "holds already"
	                          : "take the locks in the same order on all "
	                            "of these threads, or hold none while "
	                            "waiting for another");
	explain_conclude(x, CAUSE_DEADLOCK,
	                 certain ? CONFIDENCE_CERTAIN : CONFIDENCE_LIKELY,
	                 "a deadlock: %s", str_cstr(&words));
}

/** The longest wait of the main thread of the process in question. */
static const struct report_wait *find_main(const struct explain *x)
{
	const struct report *report = x->report;
	const struct report_process_ref *process = &report->process;
	const struct report_wait *found = NULL;

	for (size_t i = 0; i < report->wait_count; i++) {
		const struct report_wait *wait = &report->waits[i];

		if (is_main(wait) &&
		    text_same(wait->process.name, process->name) &&
		    (!process->has_pid || wait->process.pid == process->pid) &&
		    (!found || samples_of(wait) > samples_of(found)))
			found = wait;
	}
	return found;
}

/** No cycle: whom the main thread waits for has the answer. */
static void claim_main(struct explain *x, const struct waits *waits)
{
	const struct report_wait *wait = find_main(x);
	size_t at;

	if (!wait)
		return;
	claim_wait(x, waits, wait);
	for (size_t i = 1; i < NAMED_MOST && wait->has_owner_thread; i++) {
		at = find_wait(waits, wait->owner_thread);
		if (at == SIZE_MAX || waits->items[at] == wait)
			break;
		wait = waits->items[at];
		claim_wait(x, waits, wait);
	}
	explain_advise(x, arena_printf(x->arena,
	                               "find out what %s does: the main "
	                               "thread waits for it",
	                               owner(x, waits, wait)));
}

void explain_waits(struct explain *x)
{
	struct waits waits;
	size_t first;

	if (!x->report->wait_count)
		return;
	waits = collect(x);
	first = find_cycle(x, &waits);
	if (first != SIZE_MAX)
		conclude_cycle(x, &waits, first);
	else
		claim_main(x, &waits);
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/steps.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(struct jetsam_number a, struct jetsam_number b)
{
	if (a.known != b.known)
		return a.known ? -1 : 1;
	if (a.value != b.value)
		return a.value > b.value ? -1 : 1;
	return 0;
}

/** In the order of JETSAM_SORTS: the largest first, names from a to z. */
static int compare_by(unsigned sort, const struct jetsam_process *a,
                      const struct jetsam_process *b)
{
	switch (sort) {
	case 1:
		return compare_numbers(a->lifetime_pages, b->lifetime_pages);
	case 2:
		return strcmp(a->name ? a->name : "", b->name ? b->name : "");
	case 3:
		return compare_numbers(a->age_ticks, b->age_ticks);
	case 4:
		return compare_numbers(a->cpu_time_us, b->cpu_time_us);
	case 5:
		return compare_numbers(a->fds, b->fds);
	case 6:
		return -compare_numbers(a->pid, b->pid);
	default:
		return compare_numbers(a->pages, b->pages);
	}
}

/** An entry of the list while sorting. */
struct rank {
	const struct jetsam_usage *usage;
	unsigned sort;
};

static int compare_ranks(const void *left, const void *right)
{
	const struct rank *a = left;
	const struct rank *b = right;
	const struct jetsam_process *x = a->usage->process;
	const struct jetsam_process *y = b->usage->process;
	int order = compare_by(a->sort, x, y);

	if (!order)
		order = compare_numbers(x->pages, y->pages);
	return order ? order : x->index < y->index ? -1 : 1;
}

void jetsam_rank(struct jetsam_work *work, size_t top, unsigned sort)
{
	struct jetsam_answer *answer = work->answer;
	// In the order of JETSAM_SORTS.
	static const char *const names[] = { "footprint", "lifetime maximum",
		                             "name",      "age",
		                             "CPU time",  "descriptors",
		                             "process id" };
	size_t count = work->report->jetsam->process_count;
	SCOPED(mem_drop) struct rank *ranks = mem_zalloc(count, sizeof(*ranks));

	for (size_t i = 0; i < count; i++)
		ranks[i] = (struct rank){ .usage = &answer->usages[i],
			                  .sort = sort };
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	answer->ranking_order = names[sort];
	answer->ranking_count = top && top < count ? top : count;
	answer->ranking = arena_array(work->arena, answer->ranking_count,
	                              sizeof(const struct jetsam_usage *));
	for (size_t i = 0; i < answer->ranking_count; i++)
		answer->ranking[i] = ranks[i].usage;
}

static int compare_members(const void *left, const void *right)
{
	const struct jetsam_process *a =
	        *(const struct jetsam_process *const *)left;
	const struct jetsam_process *b =
	        *(const struct jetsam_process *const *)right;
	int order = compare_numbers(a->coalition, b->coalition);

	if (!order)
		order = compare_numbers(a->pages, b->pages);
	return order ? order : a->index < b->index ? -1 : 1;
}

static int compare_coalitions(const void *left, const void *right)
{
	const struct jetsam_coalition *a = left;
	const struct jetsam_coalition *b = right;

	if (a->pages != b->pages)
		return a->pages > b->pages ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/** Add up apps with helpers; single processes are omitted. */
void jetsam_sum_coalitions(struct jetsam_work *work)
{
	const struct jetsam *jetsam = work->report->jetsam;
	struct jetsam_answer *answer = work->answer;
	const struct jetsam_process **members = arena_array(
	        work->arena, jetsam->process_count, sizeof(const void *));
	size_t count = 0, kept = 0;

	answer->coalitions = arena_array(work->arena, jetsam->process_count,
	                                 sizeof(*answer->coalitions));
	for (size_t i = 0; i < jetsam->process_count; i++)
		if (jetsam->processes[i].coalition.known)
			members[count++] = &jetsam->processes[i];
	qsort(members, count, sizeof(*members), compare_members);
	for (size_t i = 0; i < count; i++) {
		uint64_t id = members[i]->coalition.value;
		// Members are sorted: largest first, unknown last.
		bool has_sum = members[i]->pages.known;
		struct jetsam_coalition *sum = &answer->coalitions[kept];

		*sum = (struct jetsam_coalition){ .id = id,
			                          .name = members[i]->name };
		for (; i < count && members[i]->coalition.value == id; i++) {
			sum->process_count++;
			sum->pages += members[i]->pages.value;
		}
		i--;
		sum->bytes = jetsam_to_bytes(
		        answer, (struct jetsam_number){ sum->pages, true });
		kept += has_sum && sum->process_count > 1;
	}
	answer->coalition_count = kept;
	qsort(answer->coalitions, kept, sizeof(*answer->coalitions),
	      compare_coalitions);
}

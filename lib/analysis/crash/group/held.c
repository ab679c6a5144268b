#include "lib/analysis/crash/group/held.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct crash_held_report {
	struct report facts; ///< what groups count of it
	struct fingerprint incident;
	unsigned side;
	bool is_jetsam;  ///< its kills count, not it
	uint64_t weight; ///< how much of it is left
};

static void copy_facts(const struct report *report, struct arena *arena,
                       struct report *ret)
{
	ret->identifier = arena_strdup(arena, report->identifier);
	ret->process.name = arena_strdup(arena, report->process.name);
	ret->version = arena_strdup(arena, report->version);
	ret->build = arena_strdup(arena, report->build);
	ret->reporter_key = arena_strdup(arena, report->reporter_key);
	ret->hardware_model = arena_strdup(arena, report->hardware_model);
	ret->os_version = arena_strdup(arena, report->os_version);
	ret->date_time = arena_strdup(arena, report->date_time);
	ret->input = arena_strdup(arena, report->input);
	ret->origin = arena_strdup(arena, report->origin);
}

static void copy_frame(const struct signature_frame *frame, struct arena *arena,
                       struct signature_frame *ret)
{
	*ret = *frame;
	ret->name = arena_strdup(arena, frame->name);
	ret->image = arena_strdup(arena, frame->image);
	ret->path = arena_strdup(arena, frame->path);
	ret->why = NULL;
	ret->rule = NULL;
}

/** @param with_frames  All of them, or the innermost of the core alone. */
static const struct signature *copy_signature(const struct signature *signature,
                                              bool with_frames,
                                              struct arena *arena)
{
	struct signature *ret = arena_alloc(arena, sizeof(*ret));
	struct signature_frame *first;

	*ret = *signature;
	ret->class_name = arena_strdup(arena, signature->class_name);
	ret->core = arena_array(arena, signature->core_count + 1,
	                        sizeof(*ret->core));
	for (size_t i = 0; i < signature->core_count; i++)
		ret->core[i] = arena_strdup(arena, signature->core[i]);
	ret->frames = NULL;
	ret->frame_count = 0;
	ret->blamed = NULL;
	if (signature->first) {
		first = arena_alloc(arena, sizeof(*first));
		copy_frame(signature->first, arena, first);
		ret->first = first;
	}
	if (!with_frames)
		return ret;
	ret->frame_count = signature->frame_count;
	ret->frames =
	        arena_array(arena, ret->frame_count + 1, sizeof(*ret->frames));
	for (size_t i = 0; i < ret->frame_count; i++)
		copy_frame(&signature->frames[i], arena, &ret->frames[i]);
	return ret;
}

bool crash_held_begin(struct crash_held *held, struct crash_groups *groups,
                      const struct report *report)
{
	struct crash_held_report *added;
	struct fingerprint incident;

	if (!report->truncated || held->arena.total_bytes > CRASH_HELD_BYTES ||
	    !crash_groups_identify(groups, report, &incident))
		return false;
	MEM_GROW(held->reports, held->report_count, held->report_cap);
	added = &held->reports[held->report_count++];
	*added = (struct crash_held_report){
		.incident = incident,
		.side = groups->side,
		.is_jetsam = report->jetsam,
		.weight = report->jetsam ? report->jetsam->process_count : 0,
	};
	copy_facts(report, &held->arena, &added->facts);
	return true;
}

void crash_held_add(struct crash_held *held, const struct crash_groups *groups,
                    const struct signature *signature)
{
	MEM_GROW(held->items, held->item_count, held->item_cap);
	held->items[held->item_count++] = (struct crash_held_item){
		.report = held->report_count - 1,
		.signature =
		        copy_signature(signature, groups->draws, &held->arena),
	};
	held->reports[held->report_count - 1].weight += 1 +
	                                                signature->frame_count;
}

/** Of those of an incident, the first that has the most. */
static void find_best(struct crash_held *held)
{
	for (size_t i = 0; i < held->report_count; i++) {
		const struct crash_held_report *report = &held->reports[i];
		bool is_new;
		uint32_t *best = fingerprints_find(&held->best[report->side],
		                                   &report->incident, &is_new);

		if (is_new || report->weight > held->reports[*best].weight)
			*best = (uint32_t)i;
	}
}

static bool counts(struct crash_held *held, size_t at)
{
	const struct crash_held_report *report = &held->reports[at];
	const uint32_t *best = fingerprints_known(&held->best[report->side],
	                                          &report->incident);

	return best && *best == at;
}

void crash_held_count(struct crash_held *held, struct crash_groups *groups)
{
	unsigned side = groups->side;
	size_t item = 0;

	find_best(held);
	for (size_t i = 0; i < held->report_count; i++) {
		const struct crash_held_report *report = &held->reports[i];
		size_t first = item;
		bool is_new;

		while (item < held->item_count && held->items[item].report == i)
			item++;
		groups->side = report->side;
		if (!counts(held, i)) {
			groups->duplicates++;
			continue;
		}
		is_new = !crash_groups_is_counted(groups, &report->incident);
		if (is_new && first == item && !report->is_jetsam)
			crash_groups_add_unsigned(groups);
		for (size_t j = first; is_new && j < item; j++)
			crash_groups_add(groups, &report->facts,
			                 held->items[j].signature, true);
	}
	groups->side = side;
}

void crash_held_release(struct crash_held *held)
{
	arena_release(&held->arena);
	fingerprints_release(&held->best[0]);
	fingerprints_release(&held->best[1]);
	free(held->reports);
	free(held->items);
}

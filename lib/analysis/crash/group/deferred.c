// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/deferred.h"

#include "lib/base/mem.h"

#include <stdlib.h>

/** Facts that groups count: a whole report is ten times as large. */
struct facts {
	const char *identifier;
	const char *process;
	const char *version;
	const char *build;
	const char *reporter_key;
	const char *hardware_model;
	const char *os_version;
	const char *date_time;
	const char *launch_time;
	const char *role;
	const char *kind;
	const char *input;
	const char *origin;
};

struct deferred_item {
	struct deferred_item *next; ///< NULL: the last
	struct signature signature;
};

struct crash_deferred_report {
	struct fingerprint incident;
	unsigned side;
	bool is_jetsam;  ///< its kills count, not it
	uint64_t weight; ///< number of its remaining frames
	uint64_t hash;   ///< of its signatures: decides between equal weights
	struct facts *facts; ///< NULL: it has no signature
	struct deferred_item *items;
	struct deferred_item **end; ///< where to add the next item
};

/**
 * Memory per report outside of the arena, with spare capacity: a pointer, and
 * an entry and slots of fingerprints.
 */
#define INDEX_BYTES 80
/** Memory of a killed process, except long names. */
#define KILL_BYTES \
	(sizeof(struct deferred_item) + sizeof(struct signature_frame) + 128)

static struct facts *copy_facts(const struct report *report,
                                struct arena *arena)
{
	struct facts *ret = arena_alloc(arena, sizeof(*ret));

	ret->identifier = arena_strdup(arena, report->identifier);
	ret->process = arena_strdup(arena, report->process.name);
	ret->version = arena_strdup(arena, report->version);
	ret->build = arena_strdup(arena, report->build);
	ret->reporter_key = arena_strdup(arena, report->reporter_key);
	ret->hardware_model = arena_strdup(arena, report->hardware_model);
	ret->os_version = arena_strdup(arena, report->os_version);
	ret->date_time = arena_strdup(arena, report->date_time);
	ret->launch_time = arena_strdup(arena, report->launch_time);
	ret->role = arena_strdup(arena, report->role);
	ret->kind = arena_strdup(arena, report->kind);
	ret->input = arena_strdup(arena, report->input);
	ret->origin = arena_strdup(arena, report->origin);
	return ret;
}

/** A report with only these facts. */
static struct report restore(const struct facts *facts)
{
	return (struct report){
		.identifier = facts->identifier,
		.process.name = facts->process,
		.version = facts->version,
		.build = facts->build,
		.reporter_key = facts->reporter_key,
		.hardware_model = facts->hardware_model,
		.os_version = facts->os_version,
		.date_time = facts->date_time,
		.launch_time = facts->launch_time,
		.role = facts->role,
		.kind = facts->kind,
		.input = facts->input,
		.origin = facts->origin,
	};
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

/** @param with_frames  All frames, or only the innermost of the core. */
static void copy_signature(const struct signature *signature, bool with_frames,
                           struct arena *arena, struct signature *ret)
{
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
		return;
	ret->frame_count = signature->frame_count;
	ret->frames =
	        arena_array(arena, ret->frame_count + 1, sizeof(*ret->frames));
	for (size_t i = 0; i < ret->frame_count; i++)
		copy_frame(&signature->frames[i], arena, &ret->frames[i]);
}

static bool has_room(const struct crash_deferred *deferred,
                     const struct report *report)
{
	size_t kills = report->jetsam ? report->jetsam->process_count : 0;

	return deferred->arena.total_bytes +
	               sizeof(struct crash_deferred_report) +
	               (deferred->report_count + 1) * INDEX_BYTES +
	               kills * KILL_BYTES <=
	       CRASH_DEFERRED_BYTES;
}

bool crash_deferred_begin(struct crash_deferred *deferred,
                          struct crash_groups *groups,
                          const struct report *report)
{
	struct crash_deferred_report *added;
	struct fingerprint incident;

	if (!report->truncated || !has_room(deferred, report) ||
	    !crash_groups_identify(groups, report, &incident))
		return false;
	added = arena_alloc(&deferred->arena, sizeof(*added));
	added->incident = incident;
	added->side = groups->side;
	added->is_jetsam = report->jetsam;
	added->weight = report->jetsam ? report->jetsam->process_count : 0;
	added->end = &added->items;
	MEM_GROW(deferred->reports, deferred->report_count,
	         deferred->report_cap);
	deferred->reports[deferred->report_count++] = added;
	return true;
}

void crash_deferred_add(struct crash_deferred *deferred,
                        const struct crash_groups *groups,
                        const struct report *report,
                        const struct signature *signature)
{
	struct crash_deferred_report *last =
	        deferred->reports[deferred->report_count - 1];
	struct deferred_item *item =
	        arena_alloc(&deferred->arena, sizeof(*item));

	if (!last->facts)
		last->facts = copy_facts(report, &deferred->arena);
	copy_signature(signature, groups->draws, &deferred->arena,
	               &item->signature);
	*last->end = item;
	last->end = &item->next;
	last->weight += 1 + signature->frame_count;
	last->hash += signature->hashes[SIGNATURE_LEVELS - 1];
}

static bool has_more_frames(const struct crash_deferred_report *a,
                            const struct crash_deferred_report *b)
{
	return a->weight != b->weight ? a->weight > b->weight
	                              : a->hash > b->hash;
}

/** Find the first report with the most frames of each incident. */
static void find_best(struct crash_deferred *deferred)
{
	for (size_t i = 0; i < deferred->report_count; i++) {
		const struct crash_deferred_report *report =
		        deferred->reports[i];
		bool is_new;
		uint32_t *best =
		        fingerprints_find(&deferred->best[report->side],
		                          &report->incident, &is_new);

		if (is_new || has_more_frames(report, deferred->reports[*best]))
			*best = (uint32_t)i;
	}
}

static bool counts(const struct crash_deferred *deferred, size_t at)
{
	const struct crash_deferred_report *report = deferred->reports[at];
	const uint32_t *best = fingerprints_known(&deferred->best[report->side],
	                                          &report->incident);

	return best && *best == at;
}

static void count_report(const struct crash_deferred_report *deferred,
                         struct crash_groups *groups)
{
	struct report report;

	if (!deferred->facts) {
		if (!deferred->is_jetsam)
			crash_groups_add_unsigned(groups);
		return;
	}
	report = restore(deferred->facts);
	for (const struct deferred_item *item = deferred->items; item;
	     item = item->next)
		crash_groups_add(groups, &report, &item->signature, true);
}

void crash_deferred_count(struct crash_deferred *deferred,
                          struct crash_groups *groups)
{
	unsigned side = groups->side;

	find_best(deferred);
	for (size_t i = 0; i < deferred->report_count; i++) {
		const struct crash_deferred_report *report =
		        deferred->reports[i];

		groups->side = report->side;
		if (!counts(deferred, i))
			groups->duplicates++;
		else if (!crash_groups_is_counted(groups, &report->incident,
		                                  true))
			count_report(report, groups);
	}
	groups->side = side;
}

void crash_deferred_release(struct crash_deferred *deferred)
{
	arena_release(&deferred->arena);
	fingerprints_release(&deferred->best[0]);
	fingerprints_release(&deferred->best[1]);
	free(deferred->reports);
}

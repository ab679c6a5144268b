// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/group_cells.h"

#include "lib/analysis/lag/cells.h"
#include "lib/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Max devices and systems named in a cell.
#define NAMED_MAX 3

/** The calls of the most frequent property of a kind. */
static const uint32_t *first_calls(struct lag_ranking *ranking, uint32_t group,
                                   enum lag_tally_kind kind, size_t *ret_count)
{
	size_t count;
	const struct lag_ranked *found =
	        lag_ranking_find(ranking, group, kind, &count);

	if (kind != LAG_TALLY_KEY)
		return lag_stack_end(found->stack,
		                     kind == LAG_TALLY_CLASS2
		                             ? LAG_CLASS_FRAMES
		                             : LAG_SUBCLASS_FRAMES,
		                     ret_count);
	*ret_count = found->what != INTERN_NONE;
	return &found->what;
}

/** The most frequent class of a group. */
static const char *class_text(struct lag_ranking *ranking, uint32_t group,
                              enum lag_tally_kind kind, struct arena *arena)
{
	size_t count;
	const uint32_t *functions = first_calls(ranking, group, kind, &count);

	if (!count)
		return LAG_NO_KEY;
	return lag_cell_stack(arena, &ranking->groups->functions, functions,
	                      count);
}

/** `iPhone14,2 (3), iPhone12,1 (2), 4 more`; NULL if empty. */
static const char *list_text(struct lag_ranking *ranking, uint32_t group,
                             enum lag_tally_kind kind, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t count;
	const struct lag_ranked *found =
	        lag_ranking_find(ranking, group, kind, &count);

	if (!count)
		return NULL;
	for (size_t i = 0; i < count && i < NAMED_MAX; i++) {
		str_add(&text, i ? ", " : "");
		str_add_text(&text,
		             ranking->groups->texts.texts[found[i].what]);
		if (count > 1)
			str_addf(&text, " (%" PRIu64 ")", found[i].count);
	}
	if (count > NAMED_MAX)
		str_addf(&text, ", %zu more", count - NAMED_MAX);
	return arena_text(arena, str_text(&text));
}

/** Set a cell to the number of distinct properties of a kind. */
static void set_count(struct lag_ranking *ranking, uint32_t group,
                      enum lag_tally_kind kind, struct table_cell *cell)
{
	size_t count;

	lag_ranking_find(ranking, group, kind, &count);
	table_set_number(cell, count);
}

/** Set a cell to the properties of a kind with their reports. */
static void set_counts(struct lag_ranking *ranking, uint32_t group,
                       enum lag_tally_kind kind, struct table_cell *cell,
                       struct arena *arena)
{
	size_t count;
	const struct lag_ranked *found =
	        lag_ranking_find(ranking, group, kind, &count);
	struct table_count *counts =
	        arena_array(arena, count + 1, sizeof(*counts));

	for (size_t i = 0; i < count; i++)
		counts[i] = (struct table_count){
			.name = intern_cstr(&ranking->groups->texts,
			                    found[i].what),
			.reports = found[i].count,
		};
	table_set_counts(cell, counts, count);
}

static void set_stack(const struct profile_functions *functions,
                      const uint32_t *stack, size_t count,
                      struct table_cell *cell, struct arena *arena)
{
	struct table_frame *frames =
	        arena_array(arena, count + 1, sizeof(*frames));

	for (size_t i = 0; i < count; i++) {
		const struct calltree_frame *from =
		        &functions->frames[stack[i]];

		frames[i] = (struct table_frame){
			.symbol = from->name,
			.image = from->image,
			.file = from->file,
			.line = from->line,
		};
	}
	table_set_frames(cell, frames, count);
}

/** Set a cell to the calls of the most frequent class. */
static void set_class(struct lag_ranking *ranking, uint32_t group,
                      enum lag_tally_kind kind, struct table_cell *cell,
                      struct arena *arena)
{
	size_t count;
	const uint32_t *functions = first_calls(ranking, group, kind, &count);

	set_stack(&ranking->groups->functions, functions, count, cell, arena);
}

void lag_group_add_counts(struct lag_ranking *ranking, uint32_t group,
                          struct table_cell *cells, struct arena *arena)
{
	set_count(ranking, group, LAG_TALLY_CLASS4, &cells[GROUP_CLASSES]);
	set_count(ranking, group, LAG_TALLY_DEVICE, &cells[GROUP_DEVICES]);
	set_count(ranking, group, LAG_TALLY_OS, &cells[GROUP_SYSTEMS]);
	set_count(ranking, group, LAG_TALLY_APP, &cells[GROUP_BUILDS]);
	table_set_text(&cells[GROUP_EVENTS],
	               list_text(ranking, group, LAG_TALLY_EVENT, arena));
	table_set_text(&cells[GROUP_BLOCKERS],
	               list_text(ranking, group, LAG_TALLY_BLOCKER, arena));
	table_set_text(&cells[GROUP_TOP_KEY],
	               class_text(ranking, group, LAG_TALLY_KEY, arena));
}

void lag_group_add_stack(struct lag_ranking *ranking, uint32_t group,
                         struct table_cell *cells, struct arena *arena)
{
	size_t count;
	const struct lag_ranked *found =
	        lag_ranking_find(ranking, group, LAG_TALLY_CLASS4, &count);

	set_stack(&ranking->groups->functions, found->stack + 1,
	          found->stack[0], &cells[GROUP_STACK], arena);
}

void lag_group_add_tallies(struct lag_ranking *ranking, uint32_t group,
                           struct table_cell *cells, struct arena *arena)
{
	set_count(ranking, group, LAG_TALLY_CLASS2, &cells[GROUP_CLASS2_COUNT]);
	set_count(ranking, group, LAG_TALLY_KEY, &cells[GROUP_KEY_COUNT]);
	table_set_text(&cells[GROUP_CLASS2],
	               class_text(ranking, group, LAG_TALLY_CLASS2, arena));
	table_set_text(&cells[GROUP_CLASS4],
	               class_text(ranking, group, LAG_TALLY_CLASS4, arena));
	table_set_text(&cells[GROUP_DEVICE_LIST],
	               list_text(ranking, group, LAG_TALLY_DEVICE, arena));
	table_set_text(&cells[GROUP_SYSTEM_LIST],
	               list_text(ranking, group, LAG_TALLY_OS, arena));
	table_set_text(&cells[GROUP_APPS],
	               list_text(ranking, group, LAG_TALLY_APP, arena));
	set_counts(ranking, group, LAG_TALLY_DEVICE,
	           &cells[GROUP_DEVICE_REPORTS], arena);
	set_counts(ranking, group, LAG_TALLY_OS, &cells[GROUP_SYSTEM_REPORTS],
	           arena);
	set_counts(ranking, group, LAG_TALLY_APP, &cells[GROUP_APP_REPORTS],
	           arena);
	set_counts(ranking, group, LAG_TALLY_EVENT, &cells[GROUP_EVENT_REPORTS],
	           arena);
	set_counts(ranking, group, LAG_TALLY_BLOCKER,
	           &cells[GROUP_BLOCKER_REPORTS], arena);
	set_class(ranking, group, LAG_TALLY_CLASS2, &cells[GROUP_CLASS2_FRAMES],
	          arena);
	set_class(ranking, group, LAG_TALLY_CLASS4, &cells[GROUP_CLASS4_FRAMES],
	          arena);
}
// Quantiles

static int compare_costs(const void *a, const void *b)
{
	const struct lag_cost *left = a;
	const struct lag_cost *right = b;

	if (left->group != right->group)
		return left->group < right->group ? -1 : 1;
	if (cost_is_exact(left->origin) != cost_is_exact(right->origin))
		return cost_is_exact(left->origin) ? 1 : -1;
	return left->us < right->us ? -1 : left->us > right->us;
}

/** The smallest cost that is ≥ @p percent of them; 0 if empty. */
static uint64_t quantile(const struct lag_cost *costs, size_t count,
                         unsigned percent)
{
	return count ? costs[(count * percent + 99) / 100 - 1].us : 0;
}

/** Quantiles of a group's measured or recorded costs; @p costs is sorted. */
static struct lag_quantiles quantiles_of(const struct lag_cost *costs,
                                         size_t count)
{
	size_t others = 0;

	while (others < count && !cost_is_exact(costs[others].origin))
		others++;
	return (struct lag_quantiles){
		.count = count - others,
		.p50_us = quantile(costs + others, count - others, 50),
		.p95_us = quantile(costs + others, count - others, 95),
	};
}

const struct lag_quantiles *lag_group_quantiles(const struct lag_groups *groups,
                                                struct arena *arena)
{
	struct lag_quantiles *ret = arena_array(
	        arena, (size_t)groups->identities.count + 1, sizeof(*ret));
	size_t count = groups->cost_count;
	SCOPED(mem_drop)
	struct lag_cost *costs = mem_zalloc(count + 1, sizeof(*costs));
	size_t size;

	if (count) {
		memcpy(costs, groups->costs, count * sizeof(*costs));
		qsort(costs, count, sizeof(*costs), compare_costs);
	}
	for (size_t i = 0; i < count; i += size) {
		size = 1;
		while (i + size < count &&
		       costs[i + size].group == costs[i].group)
			size++;
		ret[costs[i].group] = quantiles_of(&costs[i], size);
	}
	return ret;
}

// Rows

static const char *uuid_text(const struct uuid *uuid, struct arena *arena)
{
	char text[UUID_TEXT_SIZE];

	return uuid_is_zero(uuid)
	               ? NULL
	               : arena_strdup(arena, uuid_format(uuid, text));
}

/** The group is one function, or a class of functions. */
struct lag_row lag_group_row(const struct lag_groups *groups, uint32_t group,
                             struct arena *arena)
{
	struct text identity = groups->identities.texts[group];
	uint32_t functions[LAG_SUBCLASS_FRAMES + 1];
	struct lag_row row = {
		.group = group,
		.sums = &groups->groups[group],
	};
	size_t count;

	// The kind comes last.
	identity.size -= sizeof(uint32_t);
	if (lag_groups_are_named(groups)) {
		row.key = identity.size ? arena_text(arena, identity)
		          : groups->by == LAG_BY_BLOCKER ? "(not known)"
		                                         : "(not recorded)";
		return row;
	}
	count = identity.size / sizeof(*functions);
	memcpy(functions, identity.data, identity.size);
	row.key = count == 1 ? groups->functions.frames[functions[0]].name
	                     : lag_cell_stack(arena, &groups->functions,
	                                      functions, count);
	for (size_t i = 0; i < count; i++) {
		const struct calltree_frame *frame =
		        &groups->functions.frames[functions[i]];

		row.is_app = row.is_app || frame->kind == CALLTREE_APP;
		// Of the innermost function.
		row.place = frame;
		row.image = frame->image;
		row.uuid = frame->uuid ? uuid_text(frame->uuid, arena) : NULL;
	}
	if (!count)
		row.key = LAG_NO_KEY;
	return row;
}

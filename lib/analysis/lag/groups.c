// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/groups.h"

#include "lib/analysis/lag/cells.h"
#include "lib/analysis/lag/group_rows.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/darwin/hangs.h"
#include "lib/model/app_name.h"

#include <stdlib.h>
#include <string.h>

void lag_groups_release(struct lag_groups *groups)
{
	arena_release(&groups->arena);
	profile_functions_release(&groups->functions);
	intern_release(&groups->identities);
	map_release(&groups->tally_map);
	intern_release(&groups->texts);
	free(groups->groups);
	free(groups->tallies);
	fingerprints_release(&groups->sessions);
	free(groups->last_hangs);
	free(groups->costs);
	*groups = (struct lag_groups){ 0 };
}

// Repeats

/**
 * The last hang of the session; all zeros for its first. NULL: the hang belongs
 * to no session.
 */
static struct lag_last_hang *last_hang(struct lag_groups *groups,
                                       const struct lag_hang *hang,
                                       bool *ret_new)
{
	struct fingerprint session;
	uint32_t *number;

	// Some writers have an empty session.
	if (hang->kind != SAMPLE_KIND_STALL || !hang->session ||
	    !hang->session[0])
		return NULL;
	session = fingerprint_of(&groups->sessions, hang->session,
	                         strlen(hang->session));
	number = fingerprints_find(&groups->sessions, &session, ret_new);
	if (*ret_new) {
		MEM_GROW(groups->last_hangs, groups->last_count,
		         groups->last_cap);
		*number = (uint32_t)groups->last_count++;
	}
	return &groups->last_hangs[*number];
}

// Groups

/**
 * Get the innermost @p max functions of the heaviest stack, as numbers of the
 * groups.
 */
static size_t innermost(struct lag_groups *groups,
                        const struct lag_builder *builder,
                        const struct lag_hang *hang, size_t max, uint32_t *ret)
{
	size_t count = hang->stack_count < max ? hang->stack_count : max;
	const uint32_t *from = hang->stack + (hang->stack_count - count);

	for (size_t i = 0; i < count; i++)
		ret[i] = profile_functions_join(&groups->functions,
		                                &builder->functions, from[i]);
	return count;
}

static uint32_t group_of(struct lag_groups *groups, enum sample_kind kind,
                         struct text identity)
{
	uint32_t known = groups->identities.count;
	uint32_t number = intern_add(&groups->identities, identity);

	if (number < known)
		return number;
	MEM_GROW(groups->groups, number, groups->group_cap);
	groups->groups[number] =
	        (struct lag_group){ .kind = kind, .tally = LAG_NO_TALLY };
	return number;
}

/** The key is the functions, then the kind. */
static uint32_t find_group(struct lag_groups *groups, enum sample_kind kind,
                           const uint32_t *functions, size_t count)
{
	uint32_t identity[LAG_SUBCLASS_FRAMES + 1];

	if (count)
		memcpy(identity, functions, count * sizeof(*functions));
	identity[count] = kind;
	return group_of(groups, kind,
	                (struct text){ (const char *)identity,
	                               (count + 1) * sizeof(*identity) });
}

/** The group of a property. */
static uint32_t find_named(struct lag_groups *groups, enum sample_kind kind,
                           struct text name)
{
	SCOPED(str_release) struct str identity = { 0 };
	const uint32_t number = kind;

	str_add_text(&identity, name);
	str_add_bytes(&identity, &number, sizeof(number));
	return group_of(groups, kind, str_text(&identity));
}

/** The property of a report by which it is grouped. */
static struct text named(enum lag_group_by by, const struct lag_hang *hang)
{
	const char *name = by == LAG_BY_OS        ? hang->os
	                   : by == LAG_BY_DEVICE  ? hang->device
	                   : by == LAG_BY_EVENT   ? hang->event
	                   : by == LAG_BY_BLOCKER ? hang->blocker
	                                          : hang->app;
	struct text text = text_from(name ? name : "");

	return by == LAG_BY_APP ? app_name_of(text) : text;
}

struct tally_words {
	uint32_t words[3 + LAG_SUBCLASS_FRAMES];
	size_t count;
};

static struct tally_words words_of(uint32_t group, enum lag_tally_kind kind,
                                   uint32_t what, const uint32_t *class4,
                                   size_t class_count)
{
	struct tally_words ret = { { group, kind, what }, 3 + class_count };

	for (size_t i = 0; i < class_count; i++)
		ret.words[3 + i] = class4[i];
	return ret;
}

static uint64_t hash_tally(uint64_t seed, const void *key)
{
	const struct tally_words *words = key;

	return hash_bytes(seed, words->words,
	                  words->count * sizeof(*words->words));
}

static bool is_tally(const void *table, uint32_t index, const void *key)
{
	const struct lag_tally *tally = (const struct lag_tally *)table + index;
	const struct tally_words *words = key;
	const uint32_t *class4 = NULL;
	size_t count = 0;

	if (tally->stack)
		class4 = lag_stack_end(tally->stack, LAG_SUBCLASS_FRAMES,
		                       &count);
	return words->words[0] == tally->group &&
	       words->words[1] == tally->kind &&
	       words->words[2] == tally->what && words->count == 3 + count &&
	       (!count ||
	        !memcmp(words->words + 3, class4, count * sizeof(*class4)));
}

static const struct map_keys tally_keys = { hash_tally, is_tally };

static struct lag_tally *tally(struct lag_groups *groups,
                               const struct tally_words *words)
{
	uint32_t number = map_add(&groups->tally_map, &tally_keys,
	                          groups->tallies, words, groups->tally_count);

	if (number == groups->tally_count) {
		struct lag_group *group = &groups->groups[words->words[0]];

		MEM_GROW(groups->tallies, number, groups->tally_cap);
		groups->tallies[groups->tally_count++] = (struct lag_tally){
			.group = words->words[0],
			.next = group->tally,
			.kind = (enum lag_tally_kind)words->words[1],
			.what = words->words[2],
		};
		group->tally = number;
	}
	groups->tallies[number].count++;
	return &groups->tallies[number];
}

static void tally_text(struct lag_groups *groups, uint32_t group,
                       enum lag_tally_kind kind, const char *text)
{
	struct tally_words words;

	if (!text)
		return;
	words = words_of(group, kind,
	                 intern_add(&groups->texts, text_from(text)), NULL, 0);
	tally(groups, &words);
}

/** Keep the stack of the first hang of a class as its example. */
static const uint32_t *keep_stack(struct lag_groups *groups,
                                  const struct lag_builder *builder,
                                  const struct lag_hang *hang)
{
	uint32_t *stack = arena_take(&groups->arena,
	                             (hang->stack_count + 1) * sizeof(*stack));

	stack[0] = (uint32_t)hang->stack_count;
	for (size_t i = 0; i < hang->stack_count; i++)
		stack[1 + i] = profile_functions_join(&groups->functions,
		                                      &builder->functions,
		                                      hang->stack[i]);
	return stack;
}

/** The group's count of reports with that origin; NULL for recorded. */
static uint32_t *count_of(struct lag_group *group, enum cost_origin origin)
{
	switch (origin) {
	case COST_AT_LEAST:
		return &group->least;
	case COST_ASSUMED:
		return &group->assumed;
	case COST_UNKNOWN:
		return &group->unknown;
	case COST_MEASURED:
	case COST_RECORDED:
		break;
	}
	return NULL;
}

enum cost_origin lag_group_origin(const struct lag_group *group)
{
	const uint64_t counts[COST_ORIGINS] = {
		// Recorded or measured.
		[COST_RECORDED] = lag_group_exact(group) - group->measured,
		[COST_MEASURED] = group->measured,
		[COST_AT_LEAST] = group->least,
		[COST_ASSUMED] = group->assumed,
		[COST_UNKNOWN] = group->unknown,
	};

	return cost_origin_of(counts);
}

/** A saturated sum stays saturated. */
static uint64_t take_out(uint64_t sum, uint64_t part)
{
	return sum == UINT64_MAX ? sum : number_difference(sum, part);
}

/** Add a cost to the sums, or subtract it. */
static void count_cost(struct lag_groups *groups, const struct lag_cost *cost,
                       bool add)
{
	uint64_t (*change)(uint64_t, uint64_t) = add ? number_sum : take_out;
	struct lag_group *group = &groups->groups[cost->group];
	struct lag_kind_sums *sums = &groups->kinds[group->kind];
	uint32_t *count = count_of(group, cost->origin);

	group->cost_us = change(group->cost_us, cost->us);
	sums->cost_us = change(sums->cost_us, cost->us);
	sums->origins[cost->origin] = change(sums->origins[cost->origin], 1);
	if (count)
		*count += add ? 1 : UINT32_MAX;
	if (cost->origin == COST_MEASURED)
		group->measured += add ? 1 : UINT32_MAX;
	if (!cost_is_exact(cost->origin))
		return;
	group->exact_us = change(group->exact_us, cost->us);
	sums->exact_us = change(sums->exact_us, cost->us);
}

/** Update the group's max share of an allowance. */
static void keep_allowance(struct lag_groups *groups,
                           const struct lag_cost *cost)
{
	uint32_t *max = &groups->groups[cost->group].allowance_share;
	uint64_t share;

	if (!cost->allowance_s || !cost_is_exact(cost->origin))
		return;
	share = units_share(cost->us, cost->allowance_s * UINT64_C(1000000),
	                    10000);
	if (share > *max)
		*max = share < UINT32_MAX ? (uint32_t)share : UINT32_MAX;
}

/** Change the cost of a hang. */
static void set_cost(struct lag_groups *groups, size_t at,
                     enum cost_origin origin, uint64_t us)
{
	struct lag_cost *cost = &groups->costs[at];

	if (cost->is_counted)
		count_cost(groups, cost, false);
	cost->origin = origin;
	cost->us = us;
	cost->is_counted = true;
	count_cost(groups, cost, true);
	if (origin == COST_AT_LEAST &&
	    us > groups->groups[cost->group].least_us)
		groups->groups[cost->group].least_us = us;
	keep_allowance(groups, cost);
}

static void keep_cost(struct lag_groups *groups, uint32_t number,
                      const struct lag_hang *hang)
{
	MEM_GROW(groups->costs, groups->cost_count, groups->cost_cap);
	groups->costs[groups->cost_count++] = (struct lag_cost){
		.group = number,
		.allowance_s = hang->allowance
		                       ? (uint16_t)hang->allowance->seconds
		                       : 0,
	};
	set_cost(groups, groups->cost_count - 1, hang->cost_origin,
	         hang->cost_us);
}

/**
 * Many groups have one report: allocate the exact size of the text. Grows at
 * most with the size of ids in the input.
 */
static void keep_text(struct lag_groups *groups, struct lag_group *group,
                      const char *text)
{
	size_t size = strlen(text) + 1;

	if (size > group->example_room) {
		group->example = arena_strndup(&groups->arena, text, size - 1);
		group->example_room = size;
	} else {
		memcpy(group->example, text, size);
	}
}

/** The costliest report of a group is its example; the first on a tie. */
static void keep_example(struct lag_groups *groups, uint32_t number,
                         const struct lag_hang *hang)
{
	struct lag_group *group = &groups->groups[number];
	const char *text = hang->id ? hang->id : hang->origin;

	if (group->reports && hang->cost_us <= group->example_cost_us)
		return;
	if (text)
		keep_text(groups, group, text);
	group->example_input = intern_add(
	        &groups->texts, text_from(hang->input ? hang->input : "-"));
	group->example_line = hang->line;
	group->example_has_id = hang->id;
	group->example_has_origin = !hang->id && hang->origin;
	group->example_cost_us = hang->cost_us;
	group->example_origin = hang->cost_origin;
}

const char *lag_group_example(const struct lag_groups *groups,
                              const struct lag_group *group,
                              struct arena *arena)
{
	const struct lag_hang hang = {
		.input = intern_cstr(&groups->texts, group->example_input),
		.line = group->example_line,
		.id = group->example_has_id ? group->example : NULL,
		.origin = group->example_has_origin ? group->example : NULL,
	};

	return lag_cell_name(&hang, arena);
}

static uint32_t narrow(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/** Add the number of samples with the group's key. */
static void keep_key_samples(struct lag_groups *groups, uint32_t number,
                             const struct lag_hang *hang)
{
	struct lag_group *group = &groups->groups[number];

	// A property has no key.
	if (lag_groups_are_named(groups))
		return;
	if (!group->key_samples)
		group->key_samples_of = narrow(hang->samples);
	group->key_samples =
	        narrow(number_sum(group->key_samples, hang->key_samples));
}

/** Add the samples of a hang or of a repeat. */
static void add_samples(struct lag_groups *groups, uint32_t number,
                        const struct lag_hang *hang)
{
	struct lag_group *group = &groups->groups[number];
	struct lag_kind_sums *sums = &groups->kinds[group->kind];

	group->samples = number_sum(group->samples, hang->samples);
	sums->samples = number_sum(sums->samples, hang->samples);
}

/** Min duration of a hang, from the times of its reports. */
static uint64_t run_us(const struct lag_last_hang *last)
{
	return number_sum(last->threshold_us,
	                  (uint64_t)(last->last_ms - last->first_ms) * 1000);
}

/** Distance of a report from the reports of a hang. */
static uint64_t gap_us(const struct lag_last_hang *last, int64_t taken_ms)
{
	int64_t gap_ms = taken_ms > last->last_ms    ? taken_ms - last->last_ms
	                 : taken_ms < last->first_ms ? last->first_ms - taken_ms
	                                             : 0;

	return (uint64_t)gap_ms * 1000;
}

/** Is this report a repeat of its session's last hang? */
static bool is_of_last(const struct lag_last_hang *last,
                       const struct lag_hang *hang)
{
	// One frame is not enough (apmtool-formats(5)).
	bool is_alike = hang->frame_count > 1 &&
	                fingerprint_equal(&last->stack, &hang->stack_print);
	uint64_t gap;

	if (!last->threshold_us || !hang->threshold_us)
		return is_alike;
	gap = gap_us(last, hang->taken_ms);
	return gap <= hang->threshold_us || (is_alike && gap <= run_us(last));
}

/** Continue the hang: add the cost of all its reports. */
static void go_on(struct lag_last_hang *last, const struct lag_hang *hang)
{
	bool is_timed = last->threshold_us && hang->threshold_us;

	last->stack = hang->stack_print;
	last->origin = cost_origin_sum(last->origin, hang->cost_origin);
	if (!is_timed) {
		last->cost_us = number_sum(last->cost_us, hang->cost_us);
		return;
	}
	if (hang->taken_ms < last->first_ms)
		last->first_ms = hang->taken_ms;
	if (hang->taken_ms > last->last_ms)
		last->last_ms = hang->taken_ms;
	// They cover the same time: take the longest.
	if (hang->cost_us > last->cost_us)
		last->cost_us = hang->cost_us;
	if (run_us(last) > last->cost_us)
		last->cost_us = run_us(last);
	last->origin = COST_AT_LEAST;
}

/** Is it known to last at least the user's min? */
static bool is_long_enough(const struct lag_groups *groups,
                           enum sample_kind kind,
                           const struct lag_last_hang *last)
{
	return !groups->min_us || cost_unit_of(kind) != COST_MS ||
	       (last->origin != COST_UNKNOWN &&
	        last->cost_us >= groups->min_us);
}

/** @return The number of its group. */
static uint32_t add_hang(struct lag_groups *groups,
                         const struct lag_builder *builder,
                         const struct lag_hang *hang)
{
	uint32_t inner[LAG_SUBCLASS_FRAMES];
	size_t inner_count =
	        innermost(groups, builder, hang, LAG_SUBCLASS_FRAMES, inner);
	size_t class_count = inner_count < LAG_CLASS_FRAMES ? inner_count
	                                                    : LAG_CLASS_FRAMES;
	const uint32_t *class2 = inner + (inner_count - class_count);
	bool has_key = hang->key != INTERN_NONE;
	uint32_t key = has_key ? profile_functions_join(&groups->functions,
	                                                &builder->functions,
	                                                hang->key)
	                       : INTERN_NONE;
	struct tally_words words;
	struct lag_tally *calls;
	uint32_t number;

	if (groups->by == LAG_BY_CLASS2)
		number = find_group(groups, hang->kind, class2, class_count);
	else if (groups->by == LAG_BY_CLASS4)
		number = find_group(groups, hang->kind, inner, inner_count);
	else if (groups->by == LAG_BY_KEY)
		number = find_group(groups, hang->kind, &key, has_key);
	else
		number =
		        find_named(groups, hang->kind, named(groups->by, hang));
	keep_example(groups, number, hang);
	keep_key_samples(groups, number, hang);
	groups->groups[number].reports++;
	groups->kinds[hang->kind].reports++;
	add_samples(groups, number, hang);
	keep_cost(groups, number, hang);
	words = words_of(number, LAG_TALLY_CLASS4, key, inner, inner_count);
	calls = tally(groups, &words);
	if (!calls->stack)
		calls->stack = keep_stack(groups, builder, hang);
	tally_text(groups, number, LAG_TALLY_DEVICE, hang->device);
	tally_text(groups, number, LAG_TALLY_OS, hang->os);
	tally_text(groups, number, LAG_TALLY_APP, hang->app);
	tally_text(groups, number, LAG_TALLY_EVENT, hang->event);
	tally_text(groups, number, LAG_TALLY_BLOCKER, hang->blocker);
	return number;
}

/** Begin a hang; it may be too short so far. */
static void begin_hang(struct lag_groups *groups,
                       const struct lag_builder *builder,
                       const struct lag_hang *hang, struct lag_last_hang *last)
{
	*last = (struct lag_last_hang){
		.stack = hang->stack_print,
		.group = LAG_NO_GROUP,
		.first_ms = hang->taken_ms,
		.last_ms = hang->taken_ms,
		.threshold_us = hang->threshold_us,
		.cost_us = hang->cost_us,
		.origin = hang->cost_origin,
	};
	if (hang->threshold_us && hang->cost_origin > COST_AT_LEAST) {
		last->cost_us = hang->threshold_us;
		last->origin = COST_AT_LEAST;
	}
	if (groups->only_repeats)
		return;
	if (!is_long_enough(groups, hang->kind, last)) {
		groups->too_short++;
		return;
	}
	last->group = add_hang(groups, builder, hang);
	last->cost = groups->cost_count - 1;
	set_cost(groups, last->cost, last->origin, last->cost_us);
}

/** Add a repeat; the hang may have been too short before. */
static void continue_hang(struct lag_groups *groups,
                          const struct lag_builder *builder,
                          const struct lag_hang *hang,
                          struct lag_last_hang *last)
{
	go_on(last, hang);
	if (groups->only_repeats)
		return;
	if (last->group == LAG_NO_GROUP) {
		if (!is_long_enough(groups, hang->kind, last))
			return;
		groups->too_short--;
		last->group = add_hang(groups, builder, hang);
		last->cost = groups->cost_count - 1;
	} else {
		groups->kinds[hang->kind].repeats++;
		add_samples(groups, last->group, hang);
		keep_key_samples(groups, last->group, hang);
	}
	set_cost(groups, last->cost, last->origin, last->cost_us);
}

/** Count a hang with a stack; true: it is a repeat. */
static bool count_hang(struct lag_groups *groups,
                       const struct lag_builder *builder,
                       const struct lag_hang *hang)
{
	bool is_new = true;
	struct lag_last_hang alone;
	struct lag_last_hang *last = last_hang(groups, hang, &is_new);

	if (last && !is_new && is_of_last(last, hang)) {
		continue_hang(groups, builder, hang, last);
		return true;
	}
	begin_hang(groups, builder, hang, last ? last : &alone);
	return false;
}

void lag_groups_add(struct lag_groups *groups,
                    const struct lag_builder *builder, bool *is_repeat)
{
	for (size_t i = 0; i < builder->hang_count; i++) {
		const struct lag_hang *hang = &builder->hangs[i];
		bool same = false;

		if (hang->stack_count) {
			same = count_hang(groups, builder, hang);
		} else {
			groups->empty++;
			groups->unsampled += !hang->samples;
		}
		if (is_repeat)
			is_repeat[i] = same;
	}
}

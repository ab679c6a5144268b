// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/core.h"

/** Socorro's: more frames are not walked. */
#define SOCORRO_FRAMES 40
/** A longer cycle of calls is not looked for. */
#define CYCLE_MAX 8
/** So often must it come to be one. */
#define CYCLE_TURNS 4

static bool has_role(const struct core_frame *frame,
                     enum lag_rule_action action)
{
	return frame->role && frame->role->action == action;
}

static void take_out(struct core_frame *frame, const char *why,
                     const struct lag_rule *rule)
{
	if (frame->is_out)
		return;
	frame->is_out = true;
	frame->shown.why = why;
	frame->shown.rule = rule;
}

// apm

/**
 * Remove functions that raise or handle, and their callees, up to the
 * outermost.
 */
static size_t cut_throw(struct core_frames *frames)
{
	size_t end = 0;

	for (size_t i = 0; i + 1 < frames->count; i++)
		if (has_role(&frames->items[i], LAG_RULE_THROW) ||
		    has_role(&frames->items[i], LAG_RULE_HANDLER))
			end = i + 1;
	for (size_t i = 0; i < end; i++)
		take_out(&frames->items[i],
		         i + 1 < end ? "called by a frame that raises"
		                     : "raises",
		         frames->items[end - 1].role);
	return end;
}

/**
 * Without a name, `main` is known by its caller: dyld, at the end of the
 * stack.
 */
static bool is_unnamed_main(const struct core_frames *frames, size_t i)
{
	const struct signature_frame *last;
	struct text image;

	if (i + 2 != frames->count || frames->items[i].shown.is_named ||
	    !frames->items[i].shown.is_app)
		return false;
	last = &frames->items[i + 1].shown;
	image = text_from(last->image ? last->image : "");
	return text_is(image, "dyld") || text_is(image, "dyld_sim") ||
	       text_is(image, "libdyld.dylib");
}

/** Remove the thread's base and its callers. */
static void cut_base(struct core_frames *frames, size_t start)
{
	const struct lag_rule *rule = NULL;
	bool is_main = false;
	size_t at = start + 1; // something must be left

	for (; at < frames->count; at++) {
		is_main = is_unnamed_main(frames, at);
		if (has_role(&frames->items[at], LAG_RULE_THREAD_BASE))
			rule = frames->items[at].role;
		if (rule || is_main)
			break;
	}
	for (size_t i = at; i < frames->count; i++)
		take_out(&frames->items[i],
		         i > at    ? "outside of where the thread begins"
		         : is_main ? "called by dyld: main"
		                   : "where the thread begins",
		         rule);
}

static void cut_irrelevant(struct core_frames *frames)
{
	size_t left = 0;

	for (size_t i = 0; i < frames->count; i++)
		left += !frames->items[i].is_out &&
		        !has_role(&frames->items[i], LAG_RULE_IGNORE);
	// Keep ignored frames if there are no others.
	for (size_t i = 0; left && i < frames->count; i++)
		if (has_role(&frames->items[i], LAG_RULE_IGNORE))
			take_out(&frames->items[i], "irrelevant",
			         frames->items[i].role);
}

/**
 * An address in no image is another one in each report.
 *
 * @return How many there were.
 */
static size_t cut_nowhere(struct core_frames *frames)
{
	size_t count = 0;

	for (size_t i = 0; i < frames->count; i++) {
		if (frames->items[i].shown.is_named ||
		    frames->items[i].shown.image)
			continue;
		take_out(&frames->items[i], "in no image", NULL);
		count++;
	}
	return count;
}

/** Indexes of remaining frames; equal neighbours are merged. */
struct left {
	size_t *items;
	size_t count;
};

static const char *left_name(const struct core_frames *frames,
                             const struct left *left, size_t i)
{
	return frames->items[left->items[i]].shown.name;
}

static struct left list_left(struct core_frames *frames, bool only_app,
                             struct arena *arena)
{
	struct left left = {
		.items = arena_array(arena, frames->count + 1,
		                     sizeof(*left.items)),
	};

	for (size_t i = 0; i < frames->count; i++) {
		struct core_frame *frame = &frames->items[i];

		if (frame->is_out || (only_app && !frame->shown.is_app))
			continue;
		if (left.count &&
		    !strcmp(left_name(frames, &left, left.count - 1),
		            frame->shown.name))
			take_out(frame, "repeats the frame before it", NULL);
		else
			left.items[left.count++] = i;
	}
	return left;
}

/** Period of repeating calls; or 0. */
static size_t cycle_size(const struct core_frames *frames,
                         const struct left *left)
{
	for (size_t size = 2; size <= CYCLE_MAX; size++) {
		size_t same = 0;

		while (same + size < left->count &&
		       !strcmp(left_name(frames, left, same),
		               left_name(frames, left, same + size)))
			same++;
		if (same >= size * (CYCLE_TURNS - 1))
			return size;
	}
	return 0;
}

/**
 * Rotate the cycle to begin with its alphabetically first name, wherever the
 * stack ended.
 */
static void turn_cycle(const struct core_frames *frames, struct left *left)
{
	size_t size = cycle_size(frames, left);
	size_t first = 0;

	for (size_t i = 1; i < size; i++)
		if (strcmp(left_name(frames, left, i),
		           left_name(frames, left, first)) < 0)
			first = i;
	if (!size)
		return;
	left->items += first;
	left->count -= first;
}

static void choose_apm(struct core_frames *frames, struct arena *arena,
                       struct signature *ret)
{
	struct left left;
	size_t nowhere;

	cut_base(frames, cut_throw(frames));
	nowhere = cut_nowhere(frames);
	cut_irrelevant(frames);
	left = list_left(frames, true, arena);
	ret->kind = left.count ? SIGNATURE_APP : SIGNATURE_SYSTEM;
	// Skip one wild jump, but not a stack without images, which may be the
	// app's.
	if (!left.count && nowhere <= 1)
		left = list_left(frames, false, arena);
	turn_cycle(frames, &left);
	if (left.count > SIGNATURE_LEVELS)
		left.count = SIGNATURE_LEVELS;
	ret->core = arena_array(arena, left.count + 1, sizeof(*ret->core));
	ret->core_count = left.count;
	for (size_t i = 0; i < left.count; i++) {
		struct core_frame *frame = &frames->items[left.items[i]];

		frame->shown.is_kept = true;
		frame->shown.why = frame->shown.is_app ? "in-app" : "system";
		frame->shown.rule = frame->app_rule;
		ret->core[i] = frame->shown.name;
		ret->unnamed |= (uint64_t)!frame->shown.is_named << i;
		ret->partial |= (uint64_t)frame->shown.is_partial << i;
	}
	frames->first = left.count ? left.items[0] : 0;
}

// socorro

static size_t find_sentinel(const struct core_frames *frames)
{
	for (size_t i = 0; i < frames->count; i++)
		if (has_role(&frames->items[i], LAG_RULE_THROW) ||
		    has_role(&frames->items[i], LAG_RULE_HANDLER))
			return i;
	return 0;
}

static void choose_socorro(struct core_frames *frames, struct arena *arena,
                           struct signature *ret)
{
	size_t start = find_sentinel(frames);
	const char *last = "";
	bool is_over = false;

	ret->core = arena_array(arena, SOCORRO_FRAMES, sizeof(*ret->core));
	for (size_t i = start;
	     i < frames->count && !is_over && i < start + SOCORRO_FRAMES; i++) {
		struct core_frame *frame = &frames->items[i];
		const char *name = frame->shown.is_named || !frame->shown.image
		                           ? frame->shown.name
		                           : frame->shown.image;

		if (has_role(frame, LAG_RULE_IGNORE)) {
			take_out(frame, "irrelevant", frame->role);
			continue;
		}
		if (!frame->shown.is_named && !strcmp(name, last)) {
			take_out(frame, "the same image again", NULL);
			continue;
		}
		if (!ret->core_count)
			frames->first = i;
		last = name;
		frame->shown.is_kept = true;
		is_over = !has_role(frame, LAG_RULE_PREFIX) &&
		          !has_role(frame, LAG_RULE_THROW);
		frame->shown.why = is_over ? "says enough" : "prefix";
		frame->shown.rule = is_over ? NULL : frame->role;
		ret->unnamed |= (uint64_t)!frame->shown.is_named
		                << ret->core_count;
		ret->core[ret->core_count++] = name;
	}
	ret->kind = ret->core_count && frames->items[frames->first].shown.is_app
	                    ? SIGNATURE_APP
	                    : SIGNATURE_SYSTEM;
}

// innermost

static void choose_innermost(size_t size, struct core_frames *frames,
                             struct arena *arena, struct signature *ret)
{
	ret->core = arena_array(arena, size, sizeof(*ret->core));
	ret->kind = SIGNATURE_SYSTEM;
	for (size_t i = 0; i < frames->count && i < size; i++) {
		struct signature_frame *frame = &frames->items[i].shown;

		frame->is_kept = true;
		frame->why = "innermost";
		ret->unnamed |= (uint64_t)!frame->is_named << i;
		if (frame->is_app)
			ret->kind = SIGNATURE_APP;
		ret->core[ret->core_count++] =
		        frame->is_named && frame->image
		                ? arena_printf(arena, "%s!%s", frame->image,
		                               frame->name)
		                : frame->name;
	}
}

void core_choose(enum signature_algorithm algorithm, struct core_frames *frames,
                 struct arena *arena, struct signature *ret)
{
	switch (algorithm) {
	case SIGNATURE_APM:
		choose_apm(frames, arena, ret);
		break;
	case SIGNATURE_SOCORRO:
		choose_socorro(frames, arena, ret);
		break;
	case SIGNATURE_INNERMOST2:
		choose_innermost(2, frames, arena, ret);
		break;
	case SIGNATURE_INNERMOST4:
		choose_innermost(4, frames, arena, ret);
		break;
	}
	for (size_t i = 0; i < frames->count; i++) {
		struct signature_frame *frame = &frames->items[i].shown;

		if (!frame->why && ret->kind == SIGNATURE_APP &&
		    !frame->is_app && algorithm == SIGNATURE_APM) {
			frame->why = "not in-app";
			frame->rule = frames->items[i].app_rule;
		}
		if (!frame->why)
			frame->why = "beyond the core";
	}
	if (ret->core_count)
		ret->first = &frames->items[frames->first].shown;
}

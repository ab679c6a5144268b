// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/stacker.h"

#include "lib/base/mem.h"

#include <string.h>

static uint32_t intern(const struct lag_stacker *s, const char *text)
{
	return text ? intern_add(s->ret->profile.strings, text_from(text))
	            : INTERN_NONE;
}

static void push(struct lag_stacker *s, uint32_t frame)
{
	MEM_GROW(s->frames, s->frame_count, s->frame_cap);
	s->frames[s->frame_count++] = frame;
}

void lag_stacker_begin(struct lag_stacker *s, const char *thread)
{
	s->frame_count = 0;
	if (!lag_stacker_adds_up(s))
		s->counted = 0;
	if (s->threads == LAG_THREADS_SPLIT)
		push(s, intern(s, thread));
}

/**
 * Push inlined calls as the report lists them. They have no address: a symbol
 * file would list all of them for each.
 */
static void push_inlined(struct lag_stacker *s,
                         const struct report_frame *frame)
{
	const char *image_name = report_frame_image_name(s->report, frame);

	for (size_t i = frame->call_count; i-- > 0;) {
		const struct profile_frame call = {
			.symbol = intern(s, frame->calls[i].symbol),
			.image = intern(s, image_name),
			.placed = PROFILE_NO_IMAGE,
		};

		if (call.symbol == INTERN_NONE)
			continue;
		push(s, image_name ? profile_frame(&s->ret->profile, &call)
		                   : call.symbol);
	}
}

/** Programs have no code below it: such an address is an offset. */
#define FIRST_PAGE_BYTES 4096

static uint64_t hash_unlisted(uint64_t seed, const void *key)
{
	return map_hash_number(seed, ((const struct lag_unlisted *)key)->name);
}

static bool is_unlisted(const void *table, uint32_t index, const void *key)
{
	return ((const struct lag_unlisted *)table)[index].name ==
	       ((const struct lag_unlisted *)key)->name;
}

static const struct map_keys unlisted_keys = { hash_unlisted, is_unlisted };

static bool is_executable(const struct report *report, const char *name)
{
	return report->process.name && !strcmp(name, report->process.name);
}

/** The UUID of an image named `<11111111-2222-…>`, or of the executable. */
static struct uuid uuid_of(const struct report *report, const char *name)
{
	struct text text = text_from(name);
	struct uuid uuid = { { 0 } };

	if (is_executable(report, name))
		return report->executable_uuid;
	if (text_take(&text, "<") && text_ends(text, ">"))
		uuid_parse(text_first(text, text.size - 1), &uuid);
	return uuid;
}

/** The index of an unlisted image, whose base is unknown. */
static uint32_t unlisted_image(struct lag_stacker *s, const char *name)
{
	struct profile_images *images = &s->ret->profile.images;
	const struct lag_unlisted added = {
		.name = intern(s, name),
		.image = (uint32_t)images->count,
	};
	bool is_own;
	uint32_t at = map_add(&s->unlisted_map, &unlisted_keys, s->unlisted,
	                      &added, s->unlisted_count);

	if (at < s->unlisted_count)
		return s->unlisted[at].image;
	MEM_GROW(s->unlisted, s->unlisted_count, s->unlisted_cap);
	s->unlisted[s->unlisted_count++] = added;
	is_own = is_executable(s->report, name);
	*profile_images_add(images) = (struct profile_image){
		.uuid = uuid_of(s->report, name),
		.name = arena_strdup(&s->ret->arena, name),
		.path = is_own ? arena_strdup(&s->ret->arena, s->report->path)
		               : NULL,
		.own = is_own,
	};
	return added.image;
}

/** Use the frame's own offset in an unlisted image. */
static bool place_unlisted(struct lag_stacker *s,
                           const struct report_frame *frame,
                           struct profile_frame *place)
{
	bool is_offset = frame->address && frame->address < FIRST_PAGE_BYTES;
	uint64_t offset = is_offset ? frame->address : frame->image_offset;

	if (!frame->image_name || !offset ||
	    (!is_offset && offset == frame->address))
		return false;
	place->address = offset;
	place->placed = unlisted_image(s, frame->image_name);
	place->has_offset = true;
	return true;
}

void lag_stacker_push(struct lag_stacker *s, const struct report_frame *frame,
                      bool is_pc)
{
	const struct report_image *image = report_frame_image(s->report, frame);
	struct profile_frame place = {
		.address = frame->address,
		.symbol = INTERN_NONE,
		.image = INTERN_NONE,
		.placed = PROFILE_NO_IMAGE,
		.is_pc = is_pc,
	};

	if (frame->call_count > 1) {
		push_inlined(s, frame);
		return;
	}
	if (frame->call_count)
		place.symbol = intern(s, frame->calls[0].symbol);
	// MetricKit may mix addresses of several sessions; only the offset is
	// reliable.
	if (image && image->base) {
		place.address = image->base + frame->image_offset;
		place.placed = (uint32_t)frame->image;
		place.has_offset = true;
	} else if (image && frame->image_offset) {
		place.address = frame->image_offset;
		place.placed = (uint32_t)frame->image;
		place.has_offset = true;
	} else if (!place_unlisted(s, frame, &place)) {
		place.image = intern(s, frame->image_name);
	}
	if (!place.address && place.symbol != INTERN_NONE &&
	    place.image == INTERN_NONE)
		push(s, place.symbol);
	else
		push(s, profile_frame(&s->ret->profile, &place));
}

void lag_stacker_add(struct lag_stacker *s, uint64_t samples)
{
	SCOPED(mem_drop) uint32_t *parts = NULL;
	const size_t half = LAG_STACK_FRAMES / 2;
	const uint32_t *frames = s->frames;
	size_t count = s->frame_count;

	if (count > LAG_STACK_FRAMES) {
		parts = mem_alloc(2 * half * sizeof(*parts));
		memcpy(parts, frames, half * sizeof(*parts));
		memcpy(parts + half, frames + count - half,
		       half * sizeof(*parts));
		frames = parts;
		count = 2 * half;
		s->shortened++;
	}
	profile_add(&s->ret->profile, frames, count, samples,
	            lag_stacker_cost(s, samples));
}

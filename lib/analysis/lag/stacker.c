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
 * Calls that were inlined into one another, as the report lists them. Without
 * an address: a symbol file would say all of them again for each.
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
	// Addresses of MetricKit may be of sessions with other images; what
	// holds is the offset.
	if (image && image->base) {
		place.address = image->base + frame->image_offset;
		place.placed = (uint32_t)frame->image;
		place.has_offset = true;
	} else {
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

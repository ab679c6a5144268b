// SPDX-License-Identifier: MIT
#include "lib/model/profile/frames.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

/** Hash all fields: a million symbols may have one address. */
static uint64_t hash_frame(uint64_t seed, const void *key)
{
	const struct profile_frame *frame = key;
	const uint64_t words[] = {
		frame->address,
		(uint64_t)frame->symbol << 32 | frame->image,
		(uint64_t)frame->placed << 1 | frame->is_pc,
	};

	return hash_bytes(seed, words, sizeof(words));
}

static bool is_frame(const void *table, uint32_t index, const void *key)
{
	const struct profile_frames *frames = table;
	const struct profile_frame *a = &frames->items[index];
	const struct profile_frame *b = key;

	return a->address == b->address && a->symbol == b->symbol &&
	       a->image == b->image && a->placed == b->placed &&
	       a->is_pc == b->is_pc;
}

static const struct map_keys frame_keys = { hash_frame, is_frame };

uint32_t profile_frames_add(struct profile_frames *frames,
                            const struct profile_frame *frame)
{
	uint32_t index = map_add(&frames->map, &frame_keys, frames, frame,
	                         frames->count);

	if (index == frames->count) {
		MEM_GROW(frames->items, frames->count, frames->cap);
		frames->items[frames->count++] = *frame;
	}
	return index;
}

void profile_frames_clear(struct profile_frames *frames)
{
	map_clear(&frames->map);
	frames->count = 0;
}

void profile_frames_release(struct profile_frames *frames)
{
	map_release(&frames->map);
	free(frames->items);
	*frames = (struct profile_frames){ 0 };
}

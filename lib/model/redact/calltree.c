// SPDX-License-Identifier: MIT
#include "lib/model/redact/fields.h"
#include "lib/model/redact/redact.h"
#include "lib/model/redact/text.h"
#include "lib/model/timeline.h"

#include <string.h>

void calltree_redact(struct calltree *tree, const struct redactor *redactor,
                     struct arena *arena)
{
	const struct redaction r = { .redactor = redactor, .arena = arena };
	struct calltree_frame *frames =
	        arena_array(arena, tree->frame_count, sizeof(*frames));

	if (tree->frame_count)
		memcpy(frames, tree->frames,
		       tree->frame_count * sizeof(*frames));
	redact_each(&r, calltree_frame, frames, tree->frame_count);
	// A thread's name is no symbol.
	for (size_t i = 0; i < tree->frame_count; i++)
		if (!frames[i].is_symbol)
			frames[i].name = redact_string(&r, frames[i].name,
			                               REDACT_CLASS_THREAD,
			                               "process");
	tree->frames = frames;
	tree->title = redact_message(redactor, tree->title, arena);
	if (tree->timeline)
		redact_each(&r, timeline_track, tree->timeline->tracks,
		            tree->timeline->track_count);
}

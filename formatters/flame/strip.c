// SPDX-License-Identifier: MIT
#include "formatters/flame/strip.h"

#include "formatters/flame/facts.h"
#include "formatters/flame/rest.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/model/timeline.h"

void flame_strip_measure(const struct flame *flame, struct flame_strip *ret)
{
	const struct timeline *timeline = flame->tree->timeline;
	size_t room = FLAME_STRIP_CELLS_MAX;
	bool is_varied = false;

	*ret = (struct flame_strip){ 0 };
	if (!timeline || !flame->total || flame->tree->before)
		return;
	for (size_t i = 0; i < timeline->track_count; i++) {
		size_t count;

		timeline_samples(timeline, i, &count);
		if (!timeline->tracks[i].is_ordered || !count) {
			ret->unordered++;
			continue;
		}
		// Tracks after one that is too long are omitted, too.
		if (ret->more || ret->shown == FLAME_STRIP_TRACKS_MAX ||
		    (ret->shown && count > room)) {
			ret->more++;
			continue;
		}
		ret->is_cut = count > room;
		room -= count < room ? count : room;
		is_varied = is_varied || count > 1;
		ret->shown++;
		ret->tracks = i + 1;
	}
	if (!is_varied)
		ret->shown = 0;
}

/** A cell that may be extended. */
struct cell {
	uint32_t number;
	uint64_t weight;
	uint64_t us;
};

struct writing {
	const struct flame *flame;
	const uint32_t *numbers;
	bool has_time;
	struct cell cell;
	struct str cells;
	size_t count;
};

static void end_cell(struct writing *w)
{
	if (!w->cell.weight)
		return;
	str_add_number(&w->cells, w->cell.number);
	str_add_char(&w->cells, ' ');
	str_add_number(&w->cells, w->cell.weight);
	if (w->has_time) {
		str_add_char(&w->cells, ' ');
		str_add_number(&w->cells, w->cell.us);
	}
	str_add_char(&w->cells, '\n');
	w->cell.weight = 0;
	w->count++;
}

static void add_sample(struct writing *w, const struct timeline_sample *sample)
{
	const struct calltree *tree = w->flame->tree;
	uint32_t node = sample->node;
	uint64_t weight = tree->by_cost ? sample->cost_us : sample->weight;

	// The root is always there.
	while (w->numbers[node] == FLAME_NO_NUMBER)
		node = tree->nodes[node].parent;
	if (w->numbers[node] != w->cell.number)
		end_cell(w);
	if (!w->cell.weight)
		w->cell = (struct cell){ .number = w->numbers[node] };
	w->cell.weight = number_sum(w->cell.weight, weight);
	w->cell.us = number_sum(w->cell.us, sample->cost_us);
}

static void write_track(struct writing *w, size_t track, struct out *out)
{
	const struct timeline *timeline = w->flame->tree->timeline;
	SCOPED(str_release) struct str head = { 0 };
	size_t count;
	const struct timeline_sample *samples =
	        timeline_samples(timeline, track, &count);

	if (!timeline->tracks[track].is_ordered || !count)
		return;
	str_clear(&w->cells);
	w->count = 0;
	for (size_t i = 0; i < count && i < FLAME_STRIP_CELLS_MAX; i++)
		add_sample(w, &samples[i]);
	end_cell(w);
	flame_add_name(&head, timeline->tracks[track].name);
	str_add_char(&head, '\n');
	str_add_number(&head, w->count);
	str_add_char(&head, '\n');
	out_add_bytes(out, head.data, head.size);
	out_add_bytes(out, w->cells.data, w->cells.size);
}

void flame_write_strip(const struct flame *flame,
                       const struct flame_strip *strip, const uint32_t *numbers,
                       struct out *out)
{
	struct writing w = { .flame = flame, .numbers = numbers };

	// A tree without samples has not even a root.
	if (!strip->shown)
		return;
	w.has_time = flame->tree->nodes[CALLTREE_ROOT].cost_us &&
	             cost_unit_is_time(flame->tree->cost_unit);
	out_add(out, "<metadata class=\"strip-data\">");
	for (size_t i = 0; i < strip->tracks; i++)
		write_track(&w, i, out);
	out_add(out, "</metadata>\n");
	str_release(&w.cells);
}

/*
 * The `speedscope` format, which speedscope and others open: a profile of the
 * type `sampled`, a sample a stack that samples ended in, with its weight. The
 * source: src/lib/file-format-spec.ts of jlfwong/speedscope.
 *
 * A tree that shows costs is in microseconds, any other in plain numbers. Of
 * two trees that are compared, the newer is shown first and the older is the
 * second profile. The format knows no image: it stands for the file where no
 * file is known.
 */
#include "formatters/formatter.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_walk.h"
#include "lib/text/json/writer.h"

#include <inttypes.h>
#include <stdlib.h>

#define SCHEMA   "https://www.speedscope.app/file-format-schema.json"
#define UNTITLED "call tree"

/** The place of a frame in the list of those in use, in digits. */
struct frame_number {
	char digits[11];
	unsigned char size; ///< 0: not in use
};

struct scope {
	const struct calltree *tree;
	struct out *out;
	struct json_writer w;
	struct frame_number *numbers; ///< by frame
	struct stack_text stack;
};

static void scope_release(struct scope *s)
{
	free(s->numbers);
	stack_text_release(&s->stack);
}

static void add_frame(struct scope *s, const struct calltree_frame *frame)
{
	json_open_object(&s->w, NULL);
	json_text(&s->w, "name", calltree_name(frame));
	json_text(&s->w, "file", frame->file ? frame->file : frame->image);
	if (frame->file && frame->line)
		json_number(&s->w, "line", frame->line);
	json_close(&s->w);
}

/** Frames in the order in which they are met; others are left out. */
static void add_frames(struct scope *s)
{
	const struct calltree *tree = s->tree;
	uint32_t count = 0;

	s->numbers = mem_zalloc(tree->frame_count, sizeof(*s->numbers));
	json_open_array(&s->w, "frames");
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		struct frame_number *number =
		        &s->numbers[tree->nodes[node].frame];

		if (number->size)
			continue;
		number->size = (unsigned char)snprintf(number->digits,
		                                       sizeof(number->digits),
		                                       "%" PRIu32, count);
		out_add(s->out, count++ ? "" : "\n");
		add_frame(s, calltree_frame_of(tree, node));
	}
	json_close(&s->w);
}

static uint64_t self_of(const struct scope *s, bool before, uint32_t node)
{
	return before ? calltree_self(s->tree, &s->tree->before[node])
	              : calltree_self_of(s->tree, node);
}

/** Written past the writer: what samples have in common is put out once. */
static void add_samples(struct scope *s, bool before)
{
	const struct calltree *tree = s->tree;
	const char *separator = "\n[";

	json_open_array(&s->w, "samples");
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		const struct frame_number *number =
		        &s->numbers[tree->nodes[node].frame];

		stack_text_enter(&s->stack, tree->nodes[node].depth, ',',
		                 (struct text){ number->digits, number->size });
		if (!self_of(s, before, node))
			continue;
		out_add(s->out, separator);
		out_add_bytes(s->out, s->stack.text.data, s->stack.text.size);
		separator = "],\n[";
	}
	out_add(s->out, *separator == ']' ? "]" : "");
	json_close(&s->w);
}

static uint64_t add_weights(struct scope *s, bool before)
{
	uint64_t total = 0;

	json_open_array(&s->w, "weights");
	for (uint32_t node = calltree_next(s->tree, CALLTREE_ROOT); node;
	     node = calltree_next(s->tree, node)) {
		uint64_t self = self_of(s, before, node);

		if (!self)
			continue;
		json_number(&s->w, NULL, self);
		total = number_sum(total, self);
	}
	json_close(&s->w);
	return total;
}

static void add_profile(struct scope *s, const char *name, bool before)
{
	uint64_t total;

	json_open_object(&s->w, NULL);
	json_text(&s->w, "type", "sampled");
	json_text(&s->w, "name", name);
	json_text(&s->w, "unit", s->tree->by_cost ? "microseconds" : "none");
	json_number(&s->w, "startValue", 0);
	add_samples(s, before);
	total = add_weights(s, before);
	json_number(&s->w, "endValue", total);
	json_close(&s->w);
}

static void speedscope_calltree(const struct calltree *tree,
                                const struct format_options *options UNUSED,
                                struct out *out)
{
	SCOPED(scope_release)
	struct scope s = {
		.tree = tree,
		.out = out,
		.w = json_writer_compact(out),
	};
	const char *title = tree->title ? tree->title : UNTITLED;

	json_open_object(&s.w, NULL);
	json_text(&s.w, "$schema", SCHEMA);
	json_text(&s.w, "exporter", "apmtool " APMTOOL_VERSION);
	json_text(&s.w, "name", title);
	json_number(&s.w, "activeProfileIndex", 0);
	json_open_object(&s.w, "shared");
	add_frames(&s);
	json_close(&s.w);
	json_open_array(&s.w, "profiles");
	add_profile(&s, tree->before ? "after" : title, false);
	if (tree->before)
		add_profile(&s, "before", true);
	json_close(&s.w);
	json_close(&s.w);
	json_finish(&s.w);
}

const struct formatter speedscope_formatter = {
	.name = "speedscope",
	.summary = "call trees for speedscope (JSON)",
	.calltree = speedscope_calltree,
};

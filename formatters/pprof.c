// SPDX-License-Identifier: MIT
/*
 * The `pprof` format: profile.proto of google/pprof, compressed with gzip. A
 * sample is a stack with two values: number of samples, and cost in
 * microseconds. A frame is a location in the mapping of its image. In a
 * comparison the older tree is the base: its values are negative, with pprof's
 * label for that.
 */
#include "formatters/formatter.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"
#include "lib/text/gzip.h"

#include <stdlib.h>

// Field numbers of profile.proto, by message.
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILENAMES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINED = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILENAME = 4,
};

/** How a field is written: the low bits of its tag. */
enum wire { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

struct pprof {
	const struct calltree *tree;
	struct intern strings;
	struct intern images; ///< mappings, by number
	bool *used;           ///< by frame
	struct str bytes;     ///< of the profile
	struct str message;   ///< a field of it
	struct str part;      ///< a field of that
};

static void pprof_release(struct pprof *p)
{
	intern_release(&p->strings);
	intern_release(&p->images);
	free(p->used);
	str_release(&p->bytes);
	str_release(&p->message);
	str_release(&p->part);
}

// Protocol buffers

static void add_varint(struct str *out, uint64_t number)
{
	while (number >= 0x80) {
		str_add_char(out, (char)(number | 0x80));
		number >>= 7;
	}
	str_add_char(out, (char)number);
}

/** 0 is the default, and omitted. */
static void add_number(struct str *out, unsigned field, uint64_t number)
{
	if (!number)
		return;
	add_varint(out, field << 3 | WIRE_NUMBER);
	add_varint(out, number);
}

static void add_bytes(struct str *out, unsigned field, struct text bytes)
{
	add_varint(out, field << 3 | WIRE_BYTES);
	add_varint(out, bytes.size);
	str_add_text(out, bytes);
}

/** The message is complete: a field of the profile. */
static void end_message(struct pprof *p, unsigned field)
{
	add_bytes(&p->bytes, field, str_text(&p->message));
	str_clear(&p->message);
}

static void end_part(struct pprof *p, unsigned field)
{
	add_bytes(&p->message, field, str_text(&p->part));
	str_clear(&p->part);
}

/** The number of a string; 0 for NULL. */
static uint32_t string(struct pprof *p, const char *text)
{
	return intern_add(&p->strings, text ? text_from(text) : TEXT_NONE);
}

// Contents of a profile

static void add_type(struct pprof *p, const char *type, const char *unit)
{
	add_number(&p->message, TYPE_TYPE, string(p, type));
	add_number(&p->message, TYPE_UNIT, string(p, unit));
	end_message(p, PROFILE_SAMPLE_TYPE);
}

/** Values are signed; saturates. */
static uint64_t value_of(uint64_t number, bool is_base)
{
	if (number > INT64_MAX)
		number = INT64_MAX;
	return is_base ? ~number + 1 : number;
}

static void add_sample(struct pprof *p, uint32_t node, uint64_t samples,
                       uint64_t cost_us, bool is_base)
{
	const struct calltree *tree = p->tree;

	if (!samples && !cost_us)
		return;
	for (uint32_t i = node; i != CALLTREE_ROOT; i = tree->nodes[i].parent) {
		uint32_t frame = tree->nodes[i].frame;

		p->used[frame] = true;
		add_varint(&p->part, (uint64_t)frame + 1);
	}
	end_part(p, SAMPLE_LOCATION);
	add_varint(&p->part, value_of(samples, is_base));
	add_varint(&p->part, value_of(cost_us, is_base));
	end_part(p, SAMPLE_VALUE);
	if (is_base) {
		add_number(&p->part, LABEL_KEY, string(p, "pprof::base"));
		add_number(&p->part, LABEL_TEXT, string(p, "true"));
		end_part(p, SAMPLE_LABEL);
	}
	end_message(p, PROFILE_SAMPLE);
}

static void add_samples(struct pprof *p)
{
	const struct calltree *tree = p->tree;

	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i)) {
		const struct calltree_weight old =
		        calltree_weight_before(tree, i);

		add_sample(p, i, tree->nodes[i].self_samples,
		           tree->nodes[i].self_cost_us, false);
		if (tree->before)
			add_sample(p, i, old.self_samples, old.self_cost_us,
			           true);
	}
}

static void add_mapping(struct pprof *p, uint32_t number, const char *image)
{
	add_number(&p->message, MAPPING_ID, (uint64_t)number + 1);
	add_number(&p->message, MAPPING_FILENAME, string(p, image));
	add_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
	add_number(&p->message, MAPPING_HAS_FILENAMES, 1);
	add_number(&p->message, MAPPING_HAS_LINES, 1);
	add_number(&p->message, MAPPING_HAS_INLINED, 1);
	end_message(p, PROFILE_MAPPING);
}

/** The id of the mapping of a frame; 0: its image is not known. */
static uint64_t mapping_of(struct pprof *p, const struct calltree_frame *frame)
{
	uint32_t known = p->images.count;
	uint32_t number;

	if (!frame->image)
		return 0;
	number = intern_add(&p->images, text_from(frame->image));
	if (number >= known)
		add_mapping(p, number, frame->image);
	return (uint64_t)number + 1;
}

/** A location and its function, with the same id. */
static void add_frame(struct pprof *p, uint32_t number)
{
	const struct calltree_frame *frame = &p->tree->frames[number];
	const char *name = calltree_name(frame);
	uint64_t id = (uint64_t)number + 1;
	uint64_t mapping = mapping_of(p, frame);

	add_number(&p->message, LOCATION_ID, id);
	add_number(&p->message, LOCATION_MAPPING, mapping);
	add_number(&p->part, LINE_FUNCTION, id);
	add_number(&p->part, LINE_LINE, frame->line);
	end_part(p, LOCATION_LINE);
	end_message(p, PROFILE_LOCATION);
	add_number(&p->message, FUNCTION_ID, id);
	add_number(&p->message, FUNCTION_NAME, string(p, name));
	add_number(&p->message, FUNCTION_SYSTEM_NAME, string(p, name));
	add_number(&p->message, FUNCTION_FILENAME,
	           string(p, calltree_path(frame)));
	end_message(p, PROFILE_FUNCTION);
}

/** Type of the second value. */
static const char *cost_type(const struct calltree *tree)
{
	return cost_unit_is_time(tree->cost_unit)
	               ? "time"
	               : cost_unit_name(tree->cost_unit);
}

static void add_cost_type(struct pprof *p)
{
	const struct calltree *tree = p->tree;

	add_type(p, cost_type(tree),
	         cost_unit_is_time(tree->cost_unit) ? "microseconds"
	         : tree->cost_unit == COST_BYTES    ? "bytes"
	                                            : "count");
	if (cost_origin_note(tree->cost_origin))
		add_number(&p->bytes, PROFILE_COMMENT,
		           string(p, cost_origin_note(tree->cost_origin)));
}

static void pprof_calltree(const struct calltree *tree,
                           const struct format_options *options UNUSED,
                           struct out *out)
{
	SCOPED(pprof_release)
	struct pprof p = {
		.tree = tree,
		.used = mem_zalloc(tree->frame_count + 1, sizeof(bool)),
	};

	string(&p, NULL);
	add_type(&p, "samples", "count");
	add_cost_type(&p);
	add_samples(&p);
	// pprof treats the first mapping as the program.
	for (uint32_t i = 0; i < tree->frame_count; i++)
		if (p.used[i] && tree->frames[i].kind == CALLTREE_APP)
			mapping_of(&p, &tree->frames[i]);
	for (uint32_t i = 0; i < tree->frame_count; i++)
		if (p.used[i])
			add_frame(&p, i);
	add_number(&p.bytes, PROFILE_COMMENT,
	           string(&p, "apmtool " APMTOOL_VERSION));
	add_number(&p.bytes, PROFILE_DEFAULT_TYPE,
	           string(&p, tree->by_cost ? cost_type(tree) : "samples"));
	for (uint32_t i = 0; i < p.strings.count; i++)
		add_bytes(&p.bytes, PROFILE_STRING, p.strings.texts[i]);
	gzip_write(bytes_from_text(str_text(&p.bytes)), out);
}

const struct formatter pprof_formatter = {
	.name = "pprof",
	.summary = "call trees for pprof (profile.proto, gzip)",
	.calltree = pprof_calltree,
};

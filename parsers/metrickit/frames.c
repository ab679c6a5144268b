// SPDX-License-Identifier: MIT
#include "parsers/metrickit/reader.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <string.h>

// Frames

/** Add a frame below @p parent; its object is open. */
static uint32_t add_node(struct metrickit_reader *r,
                         struct metrickit_stack *stack, uint32_t parent)
{
	struct metrickit_diagnostic *d = r->at;

	MEM_GROW(d->frames, d->frame_count, d->frame_cap);
	d->frames[d->frame_count] = (struct metrickit_frame){ 0 };
	return calltree_append(&stack->calls, NULL, parent,
	                       (uint32_t)d->frame_count++);
}

/**
 * A member of @p node. `subFrames` is only opened: its frames come next.
 */
static void read_frame_member(struct metrickit_reader *r,
                              struct calltree_node *node, const char *key)
{
	struct metrickit_frame *frame = &r->at->frames[node->frame];
	const struct json_event *event;

	if (!strcmp(key, "subFrames")) {
		event = json_pull_next(r->source.pull);
		if (event->type != JSON_EVENT_ARRAY)
			json_source_unexpected(&r->source, event, "an array");
	} else if (!strcmp(key, "binaryUUID")) {
		json_take_uuid(&r->source, &frame->uuid);
	} else if (!strcmp(key, "binaryName")) {
		frame->name = json_take_text(&r->source);
	} else if (!strcmp(key, "address")) {
		frame->has_address =
		        json_take_u64(&r->source, UINT64_MAX, &frame->address);
	} else if (!strcmp(key, "offsetIntoBinaryTextSegment")) {
		frame->has_offset =
		        json_take_u64(&r->source, UINT64_MAX, &frame->offset);
	} else if (!strcmp(key, "sampleCount")) {
		json_take_u64(&r->source, UINT64_MAX, &node->samples);
	} else {
		json_pull_skip(r->source.pull);
	}
}

/** Read the frames of the open array, at all levels. */
static void read_frames(struct metrickit_reader *r,
                        struct metrickit_stack *stack)
{
	struct calltree *calls = &stack->calls;
	size_t floor = json_pull_depth(r->source.pull);
	uint32_t node = CALLTREE_ROOT;

	while (json_pull_depth(r->source.pull) >= floor) {
		const struct json_event *event = json_pull_next(r->source.pull);
		struct metrickit_name name;

		switch (event->type) {
		case JSON_EVENT_OBJECT:
			if (json_source_may_read(&r->source))
				node = add_node(r, stack, node);
			else
				json_pull_skip(r->source.pull);
			break;
		case JSON_EVENT_END_OBJECT:
			node = calls->nodes[node].parent;
			break;
		case JSON_EVENT_NAME:
			name = metrickit_name(event);
			read_frame_member(r, &calls->nodes[node], name.text);
			break;
		case JSON_EVENT_END_ARRAY:
			break;
		default:
			json_source_unexpected(&r->source, event, "an object");
			break;
		}
	}
}

// Stacks

static void read_root_frames(struct metrickit_reader *r,
                             struct metrickit_stack *stack)
{
	const struct json_event *event = json_pull_next(r->source.pull);

	if (event->type == JSON_EVENT_ARRAY)
		read_frames(r, stack);
	else
		json_source_unexpected(&r->source, event, "an array");
}

/** Read the open object. */
static void read_stack(struct metrickit_reader *r)
{
	struct metrickit_diagnostic *d = r->at;
	struct metrickit_stack stack = { 0 };
	const struct json_event *event;

	while ((event = json_pull_next(r->source.pull))->type ==
	       JSON_EVENT_NAME) {
		struct metrickit_name name = metrickit_name(event);

		if (!strcmp(name.text, "callStackRootFrames") ||
		    !strcmp(name.text, "rootFrames"))
			read_root_frames(r, &stack);
		else if (!strcmp(name.text, "threadAttributed"))
			json_take_bool(&r->source, &stack.attributed);
		else
			json_pull_skip(r->source.pull);
	}
	MEM_GROW(d->stacks, d->stack_count, d->stack_cap);
	d->stacks[d->stack_count++] = stack;
}

void metrickit_read_stacks(struct metrickit_reader *r)
{
	const struct json_event *event = json_pull_next(r->source.pull);
	struct metrickit_diagnostic *d = r->at;

	d->has_tree = true;
	if (event->type != JSON_EVENT_ARRAY) {
		json_source_unexpected(&r->source, event, "an array");
		return;
	}
	while ((event = json_pull_next(r->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		if (event->type != JSON_EVENT_OBJECT) {
			json_source_unexpected(&r->source, event, "an object");
		} else if (d->stack_count < limit_get(LIMIT_THREADS)) {
			read_stack(r);
		} else {
			json_source_note(&r->source, NULL,
			                 "only the first %zu stack%s read%s",
			                 d->stack_count,
			                 d->stack_count == 1 ? " was"
			                                     : "s were",
			                 limit_hint(LIMIT_THREADS));
			do
				json_pull_skip(r->source.pull);
			while (json_pull_next(r->source.pull)->type !=
			       JSON_EVENT_END_ARRAY);
			return;
		}
	}
}

// Names of binaries, in the format of OS 27

static void add_binary(struct metrickit_diagnostic *d, const struct uuid *uuid,
                       const char *name)
{
	if (uuid_is_zero(uuid) || !name)
		return;
	MEM_GROW(d->binaries, d->binary_count, d->binary_cap);
	d->binaries[d->binary_count] = (struct metrickit_binary){
		.uuid = *uuid,
		.order = d->binary_count,
		.name = name,
	};
	d->binary_count++;
}

/** Read the open object; in a map, its key is the UUID. */
static void read_binary(struct metrickit_reader *r, struct uuid uuid)
{
	const struct json_event *event;
	const char *binary = NULL;

	while ((event = json_pull_next(r->source.pull))->type ==
	       JSON_EVENT_NAME) {
		struct metrickit_name name = metrickit_name(event);

		if (!strcmp(name.text, "uuid") ||
		    !strcmp(name.text, "binaryUUID"))
			json_take_uuid(&r->source, &uuid);
		else if (!strcmp(name.text, "name") ||
		         !strcmp(name.text, "binaryName"))
			binary = json_take_text(&r->source);
		else
			json_pull_skip(r->source.pull);
	}
	add_binary(r->at, &uuid, binary);
}

/** A map from UUIDs to objects or names; it is open. */
static void read_binary_map(struct metrickit_reader *r)
{
	const struct json_event *event;

	while ((event = json_pull_next(r->source.pull))->type ==
	       JSON_EVENT_NAME) {
		struct uuid uuid = { 0 };

		if (!uuid_parse(event->text, &uuid)) {
			json_source_note(&r->source, NULL,
			                 "expected a UUID as name");
			json_pull_skip(r->source.pull);
			continue;
		}
		event = json_pull_next(r->source.pull);
		if (event->type == JSON_EVENT_OBJECT)
			read_binary(r, uuid);
		else if (event->type == JSON_EVENT_TEXT)
			add_binary(r->at, &uuid,
			           arena_text(r->arena, event->text));
		else
			json_source_unexpected(&r->source, event, "an object");
	}
}

void metrickit_read_binaries(struct metrickit_reader *r)
{
	const struct json_event *event = json_pull_next(r->source.pull);

	if (event->type == JSON_EVENT_OBJECT) {
		read_binary_map(r);
		return;
	}
	if (event->type != JSON_EVENT_ARRAY) {
		json_source_unexpected(&r->source, event, "an array or object");
		return;
	}
	while ((event = json_pull_next(r->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		if (event->type == JSON_EVENT_OBJECT)
			read_binary(r, (struct uuid){ 0 });
		else
			json_source_unexpected(&r->source, event, "an object");
	}
}

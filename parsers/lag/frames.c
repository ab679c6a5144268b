// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define HALF ((size_t)LAG_STACK_FRAMES / 2)

// Placeholder for a frame in lag_stack.late.
#define LATE UINT32_MAX
// Number of names in late_names at which unused ones are dropped.
#define LATE_NAMES_MAX (2 * LAG_STACK_FRAMES)

void lag_stack_release(struct lag_stack *stack)
{
	free(stack->late);
	intern_release(&stack->late_names);
}

/** The first half is fixed; the second is a ring of the last frames. */
static size_t slot_of(size_t index)
{
	return index < HALF ? index : HALF + (index - HALF) % HALF;
}

/** Does the next frame exceed the max depth? */
static bool is_late(const struct lag_stack *stack)
{
	return stack->count >= LAG_STACK_FRAMES;
}

/** Intern a name of the next frame. */
static uint32_t add_name(struct lag_json *json, struct text name)
{
	bool is_cut = name.size > LAG_SYMBOL_BYTES;

	if (is_cut)
		json_source_note(&json->source, NULL,
		                 "expected at most %zu bytes, found %zu: "
		                 "truncated",
		                 LAG_SYMBOL_BYTES, name.size);
	if (is_late(&json->stack))
		return intern_add(&json->stack.late_names,
		                  utf8_first(name, LAG_SYMBOL_BYTES));
	return lag_reader_symbol(json->reader, name, &is_cut);
}

static uint32_t number_frame(struct lag_json *json,
                             const struct profile_frame *frame)
{
	if (!frame->address && frame->image == INTERN_NONE)
		return frame->symbol;
	return profile_frame(&json->report->profile, frame);
}

/** Store a frame by its index. */
static void put_frame(struct lag_json *json, size_t index,
                      const struct profile_frame *frame)
{
	struct lag_stack *stack = &json->stack;
	size_t slot = slot_of(index);

	if (index < LAG_STACK_FRAMES) {
		stack->frames[slot] = number_frame(json, frame);
		return;
	}
	if (!stack->late)
		stack->late = mem_zalloc(HALF, sizeof(*stack->late));
	stack->late[slot - HALF] = *frame;
	stack->frames[slot] = LATE;
}

/** Renumber the names of a late frame in @p names. */
static void rename_frame(struct lag_stack *stack, struct profile_frame *frame,
                         struct intern *names)
{
	const struct text *texts = stack->late_names.texts;

	if (frame->symbol != INTERN_NONE)
		frame->symbol = intern_add(names, texts[frame->symbol]);
	if (frame->image != INTERN_NONE)
		frame->image = intern_add(names, texts[frame->image]);
}

/** Forget the names of frames that others have followed. */
static void forget_names(struct lag_stack *stack)
{
	struct intern kept = { 0 };

	for (size_t i = 0; i < HALF; i++)
		if (stack->frames[HALF + i] == LATE)
			rename_frame(stack, &stack->late[i], &kept);
	// Its names are late ones if its place is.
	if (stack->has_last && stack->count > LAG_STACK_FRAMES)
		rename_frame(stack, &stack->last, &kept);
	intern_release(&stack->late_names);
	stack->late_names = kept;
}

/** Intern the remaining late frames at the end. */
static void number_late(struct lag_json *json)
{
	struct lag_stack *stack = &json->stack;

	for (size_t i = 0; i < HALF; i++) {
		if (stack->frames[HALF + i] != LATE)
			continue;
		rename_frame(stack, &stack->late[i],
		             json->report->profile.strings);
		stack->frames[HALF + i] = number_frame(json, &stack->late[i]);
	}
	intern_release(&stack->late_names);
	stack->late_names = (struct intern){ 0 };
}

/** Intern the last frame, since its position is known now. */
static void place_last(struct lag_json *json, bool is_end)
{
	struct lag_stack *stack = &json->stack;
	size_t index = stack->count - 1;

	// All others are after a call.
	stack->last.is_pc = stack->leaf_first ? !index : is_end;
	put_frame(json, index, &stack->last);
	stack->has_last = false;
}

/** Is it the symbol of the previous sample at this position? */
static bool is_same_again(const struct lag_json *json, struct text symbol)
{
	const struct intern *names = json->reader->report.profile.strings;
	uint32_t before = json->stack.frames[slot_of(json->stack.count)];

	return before < names->count &&
	       text_equal(names->texts[before], symbol);
}

static void push_symbol(struct lag_json *json, struct text symbol)
{
	struct lag_stack *stack = &json->stack;
	struct profile_frame frame = { .image = INTERN_NONE };

	// Consecutive samples usually begin alike.
	if (!stack->has_last && is_same_again(json, symbol)) {
		stack->count++;
		return;
	}
	frame.symbol = add_name(json, symbol);
	if (stack->has_last)
		place_last(json, false);
	put_frame(json, stack->count++, &frame);
}

static void push_frame(struct lag_json *json, const struct profile_frame *frame)
{
	struct lag_stack *stack = &json->stack;

	if (stack->has_last)
		place_last(json, false);
	stack->count++;
	stack->last = *frame;
	stack->has_last = true;
}

static void push_address(struct lag_json *json, uint64_t address)
{
	struct profile_frame frame = {
		.address = address,
		.symbol = INTERN_NONE,
		.image = INTERN_NONE,
	};

	if (address)
		push_frame(json, &frame);
	else
		json_source_note(&json->source, NULL,
		                 "expected an address, found 0: left out");
}

/** `0x` and only hex digits. */
static bool is_address(struct text text)
{
	if (text.size < 3 || text.data[0] != '0' ||
	    (text.data[1] | 0x20) != 'x')
		return false;
	for (size_t i = 2; i < text.size; i++)
		if (!text_is_hex_digit(text.data[i]))
			return false;
	return true;
}

static void take_text(struct lag_json *json, const struct json_event *event)
{
	uint64_t address;

	if (!event->text.size)
		json_source_note(&json->source, NULL,
		                 "expected a frame, found empty text: "
		                 "left out");
	else if (!is_address(event->text))
		push_symbol(json, event->text);
	else if (number_any(event->text, &address))
		push_address(json, address);
	else
		json_source_unexpected(&json->source, event,
		                       "an address of 64 bits");
}

// Objects

static uint32_t take_name(struct lag_json *json, bool is_image)
{
	const struct json_event *event = json_pull_next(json->source.pull);
	struct text name = event->text;

	if (event->type != JSON_EVENT_TEXT) {
		json_source_unexpected(&json->source, event, "text");
		return INTERN_NONE;
	}
	if (is_image)
		name = text_base_name(name);
	return name.size ? add_name(json, name) : INTERN_NONE;
}

static bool is_one_of(struct text name, const char *const *names)
{
	for (; *names; names++)
		if (text_is(name, *names))
			return true;
	return false;
}

static void take_member(struct lag_json *json, struct text name,
                        struct profile_frame *frame)
{
	static const char *const addresses[] = { "address", "instruction_addr",
		                                 NULL };
	static const char *const symbols[] = { "symbol", "symbol_name", NULL };
	static const char *const images[] = { "image", "image_name",
		                              "object_name", NULL };

	if (is_one_of(name, addresses))
		lag_json_take_u64(json, "an address", &frame->address);
	else if (is_one_of(name, symbols))
		frame->symbol = take_name(json, false);
	else if (is_one_of(name, images))
		frame->image = take_name(json, true);
	else
		json_pull_skip(json->source.pull);
}

static void take_object(struct lag_json *json)
{
	struct profile_frame frame = {
		.symbol = INTERN_NONE,
		.image = INTERN_NONE,
	};
	struct lag_node node = { .symbol = INTERN_NONE };
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_OBJECT)
		if (text_is(event->text, "symbol") ||
		    !lag_node_member(json, event->text, &node))
			take_member(json, event->text, &frame);
	if (node.address)
		frame.address = node.address;
	if (node.has_depth) {
		node.address = frame.address;
		node.symbol = frame.symbol;
		json->stack.is_nodes = true;
		lag_node_end(json, &node);
		return;
	}
	if (!frame.address && frame.symbol == INTERN_NONE) {
		json_source_note(&json->source, NULL,
		                 "expected an address or a symbol, found "
		                 "none: left out");
	} else if (frame.address || frame.image != INTERN_NONE) {
		push_frame(json, &frame);
	} else {
		if (json->stack.has_last)
			place_last(json, false);
		put_frame(json, json->stack.count++, &frame);
	}
}

// Stacks

static void reverse(uint32_t *frames, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint32_t other = frames[count - 1 - i];

		frames[count - 1 - i] = frames[i];
		frames[i] = other;
	}
}

/** The second half went round in its ring: put it in order. */
static void close_gap(struct lag_json *json)
{
	struct lag_stack *stack = &json->stack;
	uint32_t *ring = stack->frames + HALF;
	size_t oldest = (stack->count - HALF) % HALF;

	json_source_note(&json->source, NULL,
	                 "expected at most %d frames, found %zu: the middle is "
	                 "left out",
	                 LAG_STACK_FRAMES, stack->count);
	number_late(json);
	reverse(ring, oldest);
	reverse(ring + oldest, HALF - oldest);
	reverse(ring, HALF);
	stack->count = LAG_STACK_FRAMES;
}

void lag_frames_take(struct lag_json *json)
{
	struct lag_stack *stack = &json->stack;
	const struct json_event *event;

	stack->count = 0;
	stack->has_last = false;
	stack->is_nodes = false;
	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		uint64_t address;

		if (stack->late_names.count > LATE_NAMES_MAX)
			forget_names(stack);
		if (event->type == JSON_EVENT_TEXT)
			take_text(json, event);
		else if (event->type == JSON_EVENT_OBJECT)
			take_object(json);
		else if (event->type == JSON_EVENT_NUMBER &&
		         lag_event_u64(event, &address))
			push_address(json, address);
		else
			json_source_wrong(&json->source, event,
			                  "a symbol or an address");
	}
	if (stack->has_last)
		place_last(json, true);
	if (stack->count > LAG_STACK_FRAMES)
		close_gap(json);
	if (stack->leaf_first)
		reverse(stack->frames, stack->count);
}

// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <inttypes.h>

#define NAME_BYTES  40
#define PLACE_BYTES 64
/** A node list of `fold` may be the sum over a fleet. */
#define NODE_COST_US_MAX ((uint64_t)1 << 62)

void lag_nodes_begin(struct lag_json *json)
{
	json->nodes.count = 0;
	json->nodes.index = 0;
	json->nodes.has_all = true;
	json->nodes.is_uneven = false;
	json->nodes.count_of_first = json->nodes.cost_of_first = 0;
	json->report->profile.from_nodes = false;
}

// Members

static bool take_count(struct lag_json *json, uint64_t *ret)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (event->type == JSON_EVENT_NUMBER &&
	    number_decimal(event->text, ret))
		return true;
	json_source_unexpected(&json->source, event, "a count");
	return false;
}

static void take_symbol(struct lag_json *json, uint32_t *ret)
{
	const struct json_event *event = json_pull_next(json->source.pull);
	bool is_cut;

	if (event->type != JSON_EVENT_TEXT)
		json_source_unexpected(&json->source, event, "text");
	else if (event->text.size)
		*ret = lag_reader_symbol(json->reader, event->text, &is_cut);
}

/** As in apmtool's own lists, if costs are uncertain. */
static void take_origin(struct lag_json *json)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	for (unsigned i = 0; i < COST_ORIGINS; i++)
		if (event->type == JSON_EVENT_TEXT &&
		    text_is(event->text, cost_origin_name((enum cost_origin)i)))
			json->report->cost_origin = (enum cost_origin)i;
}

bool lag_node_member(struct lag_json *json, struct text name,
                     struct lag_node *node)
{
	if (text_is(name, "depth"))
		node->has_depth =
		        lag_json_take_u64(json, "a depth", &node->depth);
	else if (text_is(name, "count"))
		node->has_count = take_count(json, &node->count);
	else if (text_is(name, "costTime"))
		node->has_cost = lag_json_take_ms(json, NODE_COST_US_MAX,
		                                  &node->cost_us);
	else if (text_is(name, "costOrigin"))
		take_origin(json);
	else if (text_is(name, "methodAddress"))
		lag_json_take_u64(json, "an address", &node->address);
	else if (text_is(name, "methodId"))
		lag_json_take_u64(json, "a number", &node->method_id);
	else if (text_is(name, "symbol"))
		take_symbol(json, &node->symbol);
	else
		return false;
	return true;
}

// The tree

static void note_at(struct lag_json *json, size_t index, const char *member,
                    const char *text)
{
	char place[PLACE_BYTES];

	snprintf(place, sizeof(place), "[%zu]%s", index, member);
	lag_report_note(json->report, place, text);
}

/** The level above the innermost one; or NULL. */
static struct lag_level *caller_of(struct lag_nodes *nodes)
{
	return nodes->count > 1 ? &nodes->levels[nodes->count - 2] : NULL;
}

/** Make the innermost level a node of the tree. */
static void place_level(struct lag_json *json, bool is_innermost)
{
	struct lag_nodes *nodes = &json->nodes;
	struct lag_level *level = &nodes->levels[nodes->count - 1];
	const struct lag_level *caller = caller_of(nodes);
	uint32_t above = caller ? caller->node : CALLTREE_ROOT;
	uint32_t frame = level->symbol;

	if (level->is_placed)
		return;
	level->is_placed = true;
	level->node = above;
	if (!level->is_frame)
		return;
	if (level->frame.address) {
		level->frame.is_pc = is_innermost;
		frame = profile_frame(&json->report->profile, &level->frame);
	}
	level->node =
	        calltree_child(&json->report->profile.stacks, above, frame);
}

/** The innermost level is complete: the rest of its samples are its own. */
static void close_level(struct lag_json *json)
{
	struct lag_nodes *nodes = &json->nodes;
	struct lag_level *level = &nodes->levels[nodes->count - 1];
	struct lag_level *caller = caller_of(nodes);

	place_level(json, true);
	if (!level->is_known) {
		level->count = level->callee_count;
		level->cost_us = level->callee_cost_us;
	}
	if (level->callee_cost_us > level->cost_us)
		note_at(json, level->index, ".costTime",
		        "expected at least the sum of its callees");
	profile_count(&json->report->profile, level->node,
	              number_difference(level->count, level->callee_count),
	              number_difference(level->cost_us, level->callee_cost_us));
	if (caller) {
		caller->callee_count =
		        number_sum(caller->callee_count, level->count);
		caller->callee_cost_us =
		        number_sum(caller->callee_cost_us, level->cost_us);
	}
	nodes->count--;
}

/** Note a depth that leaves levels out: it hangs on the node before. */
static void check_depth(struct lag_json *json, uint64_t depth)
{
	const struct lag_nodes *nodes = &json->nodes;
	uint64_t max = nodes->index ? number_sum(nodes->last_depth, 1) : 0;

	if (depth > max)
		json_source_note(&json->source, NULL,
		                 "expected a depth of at most %" PRIu64
		                 ", found %" PRIu64 ": %s",
		                 max, depth,
		                 nodes->index ? "treated as a callee of the "
		                                "preceding node"
		                              : "treated as 0");
}

/**
 * Counts are samples if all have the same cost; else calls, as lag monitors
 * write them.
 */
static void check_proportion(struct lag_nodes *nodes,
                             const struct lag_node *node)
{
	__extension__ typedef unsigned __int128 wide;

	nodes->has_all &= node->has_count && node->has_cost;
	if (!node->count && !node->cost_us)
		return;
	if (!nodes->count_of_first && !nodes->cost_of_first) {
		nodes->count_of_first = node->count;
		nodes->cost_of_first = node->cost_us;
	}
	nodes->is_uneven |= (wide)node->count * nodes->cost_of_first !=
	                    (wide)node->cost_us * nodes->count_of_first;
}

/** Derive missing numbers from others, if possible. */
static void complete_numbers(struct lag_json *json, const struct lag_node *node,
                             struct lag_level *level)
{
	uint64_t interval = lag_cost_us(1, json->report->interval_us);

	level->is_known = node->has_count || node->has_cost;
	check_proportion(&json->nodes, node);
	if (level->is_known && !node->has_cost && !json->report->interval_us)
		json->report->cost_origin = COST_ASSUMED;
	level->count = node->has_count
	                       ? node->count
	                       : (node->cost_us + interval / 2) / interval;
	if (!node->has_count && !level->count)
		level->count = 1;
	level->cost_us = node->has_cost ? node->cost_us
	                                : lag_cost_us(node->count, interval);
	if (!level->is_known)
		json_source_note(&json->source, NULL,
		                 "expected \"costTime\" and \"count\", "
		                 "found neither: the sum of its callees is "
		                 "used");
	else if (!node->has_cost)
		json_source_note(&json->source, NULL,
		                 "expected \"costTime\", found none: "
		                 "\"count\" times the interval is used");
	else if (!node->has_count)
		json_source_note(&json->source, NULL,
		                 "expected \"count\", found none: "
		                 "\"costTime\" divided by the interval is "
		                 "used");
}

/**
 * A callee cannot take longer than its caller, except for clock errors. It may
 * be called more often: `count` is a number of calls.
 */
static void clamp(struct lag_json *json, const struct lag_level *caller,
                  struct lag_level *level)
{
	if (!caller || !caller->is_known)
		return;
	if (level->cost_us > caller->cost_us) {
		json_source_note(&json->source, NULL,
		                 "expected a \"costTime\" of at most its "
		                 "caller's %g ms, found %g: reduced to that",
		                 (double)caller->cost_us / 1000,
		                 (double)level->cost_us / 1000);
		level->cost_us = caller->cost_us;
	}
}

/** Set a node's name; false if it has none. */
static bool name_level(struct lag_json *json, const struct lag_node *node,
                       struct lag_level *level)
{
	char name[NAME_BYTES];

	level->frame = (struct profile_frame){
		.address = node->address,
		.symbol = node->symbol,
		.image = INTERN_NONE,
	};
	level->symbol = node->symbol;
	if (node->address || node->symbol != INTERN_NONE)
		return true;
	if (!node->method_id)
		return false;
	// Android's method numbers, from a table outside of the list.
	snprintf(name, sizeof(name), "method %" PRIu64, node->method_id);
	level->symbol =
	        intern_add(json->report->profile.strings, text_from(name));
	return true;
}

static void open_level(struct lag_json *json, const struct lag_node *node)
{
	struct lag_nodes *nodes = &json->nodes;
	struct lag_level level = {
		.depth = node->depth,
		.index = nodes->index,
	};

	level.is_frame = name_level(json, node, &level);
	if (!level.is_frame)
		json_source_note(&json->source, NULL,
		                 "expected an address, found none: "
		                 "attributed to its caller");
	complete_numbers(json, node, &level);
	if (nodes->count)
		clamp(json, &nodes->levels[nodes->count - 1], &level);
	MEM_GROW(nodes->levels, nodes->count, nodes->cap);
	nodes->levels[nodes->count++] = level;
}

void lag_node_end(struct lag_json *json, const struct lag_node *node)
{
	struct lag_nodes *nodes = &json->nodes;

	if (lag_json_is_broken(json))
		return;
	json->report->profile.from_nodes = true;
	if (!node->has_depth) {
		json_source_note(&json->source, NULL,
		                 "expected \"depth\", found none: left out");
		nodes->index++;
		return;
	}
	check_depth(json, node->depth);
	while (nodes->count &&
	       nodes->levels[nodes->count - 1].depth >= node->depth)
		close_level(json);
	nodes->last_depth = node->depth;
	if (nodes->count == LAG_STACK_FRAMES) {
		json_source_note(&json->source, NULL,
		                 "expected at most %d levels: left out",
		                 LAG_STACK_FRAMES);
	} else {
		if (nodes->count)
			place_level(json, false);
		open_level(json, node);
	}
	nodes->index++;
}

void lag_node_take(struct lag_json *json)
{
	struct lag_node node = { .symbol = INTERN_NONE };
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_OBJECT)
		if (!lag_node_member(json, event->text, &node))
			json_pull_skip(json->source.pull);
	lag_node_end(json, &node);
}

void lag_nodes_end(struct lag_json *json)
{
	while (json->nodes.count)
		close_level(json);
	json->report->profile.counts_calls = json->nodes.has_all &&
	                                     json->nodes.is_uneven &&
	                                     json->report->profile.cost_us;
}

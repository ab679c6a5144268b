#include "formatters/flame/rest.h"

#include "formatters/flame/facts.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>

#define NONE FLAME_NO_NUMBER

/** What is not drawn, while it is written. */
struct rest {
	const struct flame *flame;
	uint32_t *numbers;   ///< by node: its number as a caller, or NONE
	uint32_t *functions; ///< by frame: its number here, or NONE
	uint32_t function_count;
	uint64_t least; ///< weight of a node that is written
	size_t left;    ///< nodes that are lighter
	struct str names;
	struct str nodes;
	bool has_origins;
	struct intern origins; ///< what is known of reports
	struct str lines;
};

static void rest_release(struct rest *rest)
{
	free(rest->functions);
	str_release(&rest->names);
	str_release(&rest->nodes);
	intern_release(&rest->origins);
	str_release(&rest->lines);
}

void flame_add_class(struct str *out, const struct calltree_frame *frame)
{
	str_add_char(out, frame->kind == CALLTREE_APP ? 'a' : 's');
	str_add_number(out, flame_shade(calltree_name(frame)));
}

/** The greater of both sides: so a caller has no less than its callees. */
static uint64_t weight_of(const struct calltree *tree, uint32_t node)
{
	uint64_t now = flame_weight(tree, node);
	uint64_t before = tree->before ? flame_before(tree, node) : 0;

	return now > before ? now : before;
}

static unsigned digits_of(uint64_t weight)
{
	return weight ? 64 - (unsigned)__builtin_clzll(weight) : 0;
}

/** Set the power of two from which on there are not too many nodes. */
static void find_least(struct rest *rest)
{
	const struct calltree *tree = rest->flame->tree;
	size_t counts[65] = { 0 };
	size_t count = 0;
	unsigned digits = 64;

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (rest->numbers[i] == NONE)
			counts[digits_of(weight_of(tree, i))]++;
	while (digits && count + counts[digits] <= FLAME_REST_MAX)
		count += counts[digits--];
	// What weighs nothing on either side is no call that was sampled.
	for (unsigned i = 1; i <= digits; i++)
		rest->left += counts[i];
	rest->least = digits < 64 ? (uint64_t)1 << digits : UINT64_MAX;
}

static uint32_t function_of(struct rest *rest, uint32_t frame)
{
	const struct calltree_frame *named = &rest->flame->tree->frames[frame];

	if (rest->functions[frame] != NONE)
		return rest->functions[frame];
	flame_add_class(&rest->names, named);
	str_add_char(&rest->names, ' ');
	flame_add_name(&rest->names, calltree_name(named));
	str_add_char(&rest->names, '\n');
	flame_add_place(&rest->names, named);
	str_add_char(&rest->names, '\n');
	return rest->functions[frame] = rest->function_count++;
}

/** The number of what is known of a node's reports, from 1; 0: nothing. */
static uint32_t origin_of(struct rest *rest, uint32_t node)
{
	struct text text;
	uint32_t number;

	str_clear(&rest->lines);
	flame_add_origins(&rest->lines, rest->flame->tree, node);
	for (size_t i = 0; i < rest->lines.size; i++)
		if (rest->lines.data[i] == '\n')
			rest->lines.data[i] = '\t';
	text = str_text(&rest->lines);
	if (!text_take(&text, "\t"))
		return 0;
	number = rest->origins.count < FLAME_ORIGINS_MAX
	                 ? intern_add(&rest->origins, text)
	                 : intern_find(&rest->origins, text);
	return number == INTERN_NONE ? 0 : number + 1;
}

static void add_node(struct rest *rest, uint32_t node, uint32_t number)
{
	const struct calltree *tree = rest->flame->tree;
	uint32_t caller = tree->nodes[node].parent;

	rest->numbers[node] = number;
	str_add_number(&rest->nodes, rest->numbers[caller]);
	str_add_char(&rest->nodes, ' ');
	str_add_number(&rest->nodes,
	               function_of(rest, tree->nodes[node].frame));
	str_add_char(&rest->nodes, ' ');
	str_add_number(&rest->nodes, flame_weight(tree, node));
	if (tree->before) {
		str_add_char(&rest->nodes, ' ');
		str_add_number(&rest->nodes, flame_before(tree, node));
	}
	if (rest->has_origins) {
		str_add_char(&rest->nodes, ' ');
		str_add_number(&rest->nodes, origin_of(rest, node));
	}
	str_add_char(&rest->nodes, '\n');
}

static void number_boxes(struct rest *rest)
{
	const struct flame *flame = rest->flame;
	const struct calltree *tree = flame->tree;

	rest->numbers = mem_alloc(tree->node_count * sizeof(*rest->numbers));
	for (uint32_t i = 0; i < tree->node_count; i++)
		rest->numbers[i] = NONE;
	for (size_t i = 0; i < flame->count; i++)
		rest->numbers[flame->boxes[i].node] = (uint32_t)i;
}

static void gather(struct rest *rest)
{
	const struct flame *flame = rest->flame;
	const struct calltree *tree = flame->tree;
	uint32_t number = (uint32_t)flame->count;

	rest->functions =
	        mem_alloc((tree->frame_count + 1) * sizeof(*rest->functions));
	for (size_t i = 0; i < tree->frame_count; i++)
		rest->functions[i] = NONE;
	find_least(rest);
	rest->has_origins = tree->origins ||
	                    tree->nodes[CALLTREE_ROOT].reports > 1;
	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i))
		if (rest->numbers[i] == NONE &&
		    rest->numbers[tree->nodes[i].parent] != NONE &&
		    weight_of(tree, i) >= rest->least)
			add_node(rest, i, number++);
}

uint32_t *flame_write_rest(const struct flame *flame, struct out *out)
{
	SCOPED(rest_release) struct rest rest = { .flame = flame };
	SCOPED(str_release) struct str head = { 0 };

	if (!flame->count)
		return NULL;
	number_boxes(&rest);
	if (!flame->narrow && !flame->gone)
		return rest.numbers;
	gather(&rest);
	str_add(&head, "<metadata class=\"rest\" data-left=\"");
	str_add_number(&head, rest.left);
	str_add(&head, "\">");
	str_add_number(&head, rest.function_count);
	if (rest.has_origins) {
		str_add_char(&head, ' ');
		str_add_number(&head, rest.origins.count);
	}
	str_add_char(&head, '\n');
	out_add_bytes(out, head.data, head.size);
	for (uint32_t i = 0; i < rest.origins.count; i++) {
		str_add_text(&rest.names, rest.origins.texts[i]);
		str_add_char(&rest.names, '\n');
	}
	out_add_bytes(out, rest.names.data, rest.names.size);
	out_add_bytes(out, rest.nodes.data, rest.nodes.size);
	out_add(out, "</metadata>\n");
	return rest.numbers;
}

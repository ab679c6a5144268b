#include "formatters/calltree/formats.h"
#include "formatters/table/formats.h"
#include "lib/model/calltree_walk.h"

enum {
	DEPTH,
	NAME,
	IMAGE,
	KIND,
	ADDRESS,
	FILE_NAME,
	LINE,
	WEIGHT,
	BEFORE = WEIGHT + 4,
	COLUMNS = BEFORE + 4,
};

static const struct table_column columns[COLUMNS] = {
	[DEPTH] = { "depth", NULL, TABLE_NUMBER },
	[NAME] = { "name", NULL, TABLE_TEXT },
	[IMAGE] = { "image", NULL, TABLE_TEXT },
	[KIND] = { "kind", NULL, TABLE_TEXT },
	[ADDRESS] = { "address", NULL, TABLE_ADDRESS },
	[FILE_NAME] = { "file", NULL, TABLE_TEXT },
	[LINE] = { "line", NULL, TABLE_NUMBER },
	[WEIGHT] = { "samples", NULL, TABLE_NUMBER },
	{ "self_samples", NULL, TABLE_NUMBER },
	{ "cost_ms", NULL, TABLE_DECIMAL },
	{ "self_cost_ms", NULL, TABLE_DECIMAL },
	[BEFORE] = { "before_samples", NULL, TABLE_NUMBER },
	{ "before_self_samples", NULL, TABLE_NUMBER },
	{ "before_cost_ms", NULL, TABLE_DECIMAL },
	{ "before_self_cost_ms", NULL, TABLE_DECIMAL },
};

/** Text that the cells of a record point to. */
struct cost_texts {
	struct str cost;
	struct str self;
};

static void set_weight(struct table_cell *cells, struct cost_texts *texts,
                       const struct calltree_weight *weight)
{
	str_clear(&texts->cost);
	str_clear(&texts->self);
	str_add_ms(&texts->cost, weight->cost_us);
	str_add_ms(&texts->self, weight->self_cost_us);
	table_set_number(&cells[0], weight->samples);
	table_set_number(&cells[1], weight->self_samples);
	table_set_text(&cells[2], str_cstr(&texts->cost));
	table_set_text(&cells[3], str_cstr(&texts->self));
}

static void set_frame(struct table_cell *cells,
                      const struct calltree_frame *frame)
{
	table_set_text(&cells[NAME], calltree_name(frame));
	table_set_text(&cells[IMAGE], frame->image);
	table_set_text(&cells[KIND], calltree_kind_name(frame->kind));
	if (frame->has_address)
		table_set_number(&cells[ADDRESS], frame->address);
	table_set_text(&cells[FILE_NAME], frame->file);
	if (frame->line)
		table_set_number(&cells[LINE], frame->line);
}

static void add_node(const struct calltree *tree, uint32_t index,
                     struct cost_texts texts[2], struct str *line)
{
	struct table_cell cells[COLUMNS] = { 0 };
	const struct table table = {
		.columns = columns,
		.column_count = tree->before ? COLUMNS : BEFORE,
		.cells = cells,
		.row_count = 1,
	};
	const struct calltree_weight weight = calltree_weight_of(tree, index);

	table_set_number(&cells[DEPTH], tree->nodes[index].depth - 1);
	set_frame(cells, calltree_frame_of(tree, index));
	set_weight(&cells[WEIGHT], &texts[0], &weight);
	if (tree->before)
		set_weight(&cells[BEFORE], &texts[1], &tree->before[index]);
	csv_add_record(&table, 0, line);
}

void csv_calltree(const struct calltree *tree,
                  const struct format_options *options UNUSED, struct out *out)
{
	const struct table header = {
		.columns = columns,
		.column_count = tree->before ? COLUMNS : BEFORE,
	};
	struct cost_texts texts[2] = { 0 };
	SCOPED(str_release) struct str line = { 0 };

	csv_add_header(&header, &line);
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		add_node(tree, node, texts, &line);
		out_add_bytes(out, line.data, line.size);
		str_clear(&line);
	}
	out_add_bytes(out, line.data, line.size);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		str_release(&texts[i].cost);
		str_release(&texts[i].self);
	}
}

// SPDX-License-Identifier: MIT
/*
 * A call tree for people. A function with one callee is above it without
 * indentation, so that forty frames of a run loop stay one column; guides are
 * only drawn where the tree branches:
 *
 *     main
 *     ├─ -[Store load]
 *     │  read
 *     └─ -[Store draw]
 */
#include "formatters/calltree/formats.h"
#include "formatters/calltree/rows.h"
#include "formatters/table/paragraph.h"
#include "lib/base/columns.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/model/calltree_change.h"

#include <inttypes.h>
#include <string.h>

#define BOLD  "\x1b[1m"
#define DIM   "\x1b[2m"
#define RED   "\x1b[31m"
#define GREEN "\x1b[32m"
#define PLAIN "\x1b[0m"

#define BAR_CELLS  10
#define COLUMN_GAP 2
/** A wider function pushes its image to the right, but on a terminal. */
#define FUNCTION_COLUMNS 64
/** Without as much for the function, there is no room for its image. */
#define FUNCTION_LEAST 36
/** A wider image is shortened before a function is. */
#define IMAGE_COLUMNS 16
/** Min width of a name after guides. */
#define NAME_LEAST 20
/**
 * Max levels with guides; deeper branches print their depth, so that blanks do
 * not fill a disk.
 */
#define GUIDE_LEVELS 60
/** Width of a guide. */
#define GUIDE_COLUMNS 3
/** Frames of the path in the first line; of a longer one, both ends. */
#define PATH_NAMES 6

/** State of printing a tree. */
struct view {
	struct calltree_rows rows;
	const struct format_options *options;
	struct out *out;
	int samples_columns;
	int cost_columns; ///< 0: no costs are known
	int change_columns;
	struct calltree_scale scale; ///< of the comparison
	size_t function_columns;
	size_t image_columns; ///< 0: there are no images, or no room
	uint32_t guide_levels;
	bool left_images_out;
	bool has_bars;
	uint32_t shown; ///< nodes
};

static void view_release(struct view *view)
{
	calltree_rows_release(&view->rows);
}

static void add_path(const struct view *view, uint32_t end, struct str *line)
{
	const struct calltree *tree = view->rows.tree;
	uint32_t depth = tree->nodes[end].depth;
	SCOPED(mem_drop) uint32_t *frames = mem_zalloc(depth, sizeof(*frames));

	calltree_stack(tree, end, frames);
	for (uint32_t i = 0; i < depth; i++) {
		const char *name = calltree_name(&tree->frames[frames[i]]);

		str_add(line, i ? " → " : "");
		utf8_add_visible(line, text_from(name));
		if (!i && depth > PATH_NAMES) {
			str_add(line, " → …");
			i = depth - PATH_NAMES + 1;
		}
	}
}

static void add_amount(const struct view *view,
                       const struct calltree_weight *weight, struct str *line)
{
	str_addf(line, "%" PRIu64 " %s%s", weight->samples,
	         view->rows.tree->counts_calls ? "call" : "sample",
	         text_plural(weight->samples));
	if (!view->cost_columns)
		return;
	str_add(line, ", ");
	cost_add(line, view->rows.tree->cost_unit, view->rows.tree->cost_origin,
	         weight->cost_us);
}

static void add_answer(struct view *view)
{
	const struct calltree_row all =
	        calltree_row_of(&view->rows, CALLTREE_ROOT);
	SCOPED(str_release) struct str line = { 0 };
	uint32_t end = CALLTREE_ROOT;
	uint32_t next;

	while ((next = calltree_heavy_call(&view->rows, end)) != CALLTREE_ROOT)
		end = next;
	if (view->rows.tree->title) {
		utf8_add_visible(&line, text_from(view->rows.tree->title));
		str_add(&line, ": ");
	}
	add_amount(view, &all.weight, &line);
	if (view->rows.tree->before) {
		str_add(&line, " (before: ");
		add_amount(view, &all.before, &line);
		str_add(&line, ")");
	}
	if (end != CALLTREE_ROOT) {
		const struct calltree_row row =
		        calltree_row_of(&view->rows, end);

		str_add(&line, ": heaviest path ");
		add_path(view, end, &line);
		str_addf(&line, " (%.3g %%)",
		         calltree_share(&view->rows, &row));
	}
	paragraph_write(str_cstr(&line), view->options, view->out);
	out_add(view->out, "\n");
}

// Rows

static void add_guides(const struct view *view, const struct calltree_row *row,
                       struct str *text)
{
	uint32_t max = view->guide_levels;
	uint32_t level = row->level < max ? row->level : max;

	for (uint32_t i = 1; i < level; i++)
		str_add(text, view->rows.open[i] ? "│  " : "   ");
	if (level && row->branch)
		str_add(text, row->last ? "└─ " : "├─ ");
	else if (level)
		str_add(text, view->rows.open[level] ? "│  " : "   ");
	if (row->level > max)
		str_addf(text, "[%" PRIu32 "] ", row->level);
}

static void add_function(const struct view *view,
                         const struct calltree_row *row, struct str *text)
{
	const char *name;

	if (row->node == CALLTREE_ROOT) {
		str_addf(text, "… %" PRIu32 " more", row->folded);
		return;
	}
	name = calltree_name(calltree_frame_of(view->rows.tree, row->node));
	utf8_add_cell(text, text_from(name));
}

static void add_styled(const struct view *view, const char *style,
                       const struct str *text, struct str *line)
{
	bool styled = view->options->color && style && text->size;

	str_add(line, styled ? style : "");
	str_add_text(line, str_text(text));
	str_add(line, styled ? PLAIN : "");
}

/** Eighths of a cell: `██▌       ` */
static void add_bar(double part, struct str *line)
{
	static const char *const eighths[] = { "",  "▏", "▎", "▍",
		                               "▌", "▋", "▊", "▉" };
	unsigned width = (unsigned)(part * BAR_CELLS * 8 / 100 + 0.5);
	unsigned cells = width / 8;

	for (unsigned i = 0; i < cells; i++)
		str_add(line, "█");
	if (width % 8) {
		str_add(line, eighths[width % 8]);
		cells++;
	}
	str_add_repeat(line, ' ', BAR_CELLS - cells + 2);
}

/** Whole ms, or another unit of the tree. */
static uint64_t whole_of(const struct calltree *tree, uint64_t cost)
{
	uint64_t steps = cost_unit_steps(tree->cost_unit);

	return cost / steps + (cost % steps * 2 >= steps && steps > 1);
}

/** Append nothing if it rounds to 0. */
static void add_change_size(const struct view *view, uint64_t now,
                            uint64_t before, struct str *out)
{
	uint64_t size = now > before ? now - before : before - now;
	double points;

	if (view->scale.mode == DIFF_SHARE) {
		points = (double)calltree_change(&view->scale, now, before) /
		         1000;
		if (points >= 0.05 || points <= -0.05)
			str_addf(out, "%+.1f", points);
		return;
	}
	if (view->rows.tree->by_cost)
		size = whole_of(view->rows.tree, size);
	if (size)
		str_addf(out, "%c%" PRIu64, now > before ? '+' : '-', size);
}

static void add_change(const struct view *view, const struct calltree_row *row,
                       struct str *line)
{
	const struct calltree *tree = view->rows.tree;
	uint64_t now = calltree_value(tree, &row->weight);
	uint64_t before = calltree_value(tree, &row->before);
	SCOPED(str_release) struct str change = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	add_change_size(view, now, before, &change);
	str_addf(&text, "%*s", view->change_columns, str_cstr(&change));
	add_styled(view,
	           str_cstr(&change)[0] == '+'   ? RED
	           : str_cstr(&change)[0] == '-' ? GREEN
	                                         : NULL,
	           &text, line);
	str_add(line, "  ");
}

/** Whole milliseconds; `<1` is not 0. */
static void add_cost(const struct view *view, uint64_t cost, struct str *line)
{
	const struct calltree *tree = view->rows.tree;
	SCOPED(str_release) struct str text = { 0 };
	size_t width;

	if (cost)
		str_add(&text, cost_origin_mark(tree->cost_origin));
	if (cost && cost < cost_unit_steps(tree->cost_unit))
		str_add(&text, "<1");
	else
		str_addf(&text, "%" PRIu64, whole_of(tree, cost));
	width = utf8_width(str_text(&text));
	if (width < (size_t)view->cost_columns)
		str_add_repeat(line, ' ', (size_t)view->cost_columns - width);
	str_add_text(line, str_text(&text));
	str_add(line, "  ");
}

static void add_numbers(const struct view *view, const struct calltree_row *row,
                        struct str *line)
{
	str_addf(line, "%*" PRIu64 "  %5.1f %%  ", view->samples_columns,
	         row->weight.samples, calltree_share(&view->rows, row));
	if (view->has_bars)
		add_bar(calltree_share(&view->rows, row), line);
	if (view->rows.tree->before)
		add_change(view, row, line);
	if (view->cost_columns)
		add_cost(view, row->weight.cost_us, line);
}

/** Shorten @p text if lines have a max width. */
static void fit(const struct view *view, struct str *text, size_t columns)
{
	SCOPED(str_release) struct str fitted = { 0 };

	if (!view->options->columns)
		return;
	columns_shorten(str_text(text), columns, &fitted);
	str_clear(text);
	str_add_text(text, str_text(&fitted));
}

static void add_image(const struct view *view, const struct calltree_row *row,
                      size_t width, struct str *line)
{
	const struct calltree_frame *frame;
	SCOPED(str_release) struct str image = { 0 };

	if (row->node == CALLTREE_ROOT)
		return;
	frame = calltree_frame_of(view->rows.tree, row->node);
	if (!frame->image || !view->image_columns)
		return;
	if (width < view->function_columns)
		str_add_repeat(line, ' ', view->function_columns - width);
	str_add(line, "  ");
	utf8_add_visible(&image, text_from(frame->image));
	fit(view, &image, view->image_columns);
	add_styled(view, DIM, &image, line);
}

static void add_row(const struct calltree_row *row, void *context)
{
	struct view *view = context;
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(str_release) struct str guides = { 0 };
	SCOPED(str_release) struct str function = { 0 };
	size_t indent;
	bool is_app = row->node != CALLTREE_ROOT &&
	              calltree_frame_of(view->rows.tree, row->node)->kind ==
	                      CALLTREE_APP;

	add_numbers(view, row, &line);
	add_guides(view, row, &guides);
	add_styled(view, DIM, &guides, &line);
	indent = utf8_width(str_text(&guides));
	add_function(view, row, &function);
	fit(view, &function,
	    view->function_columns > indent ? view->function_columns - indent
	                                    : 1);
	add_styled(view, is_app ? BOLD : NULL, &function, &line);
	add_image(view, row, indent + utf8_width(str_text(&function)), &line);
	str_add_char(&line, '\n');
	out_add_bytes(view->out, line.data, line.size);
	view->shown += row->node != CALLTREE_ROOT;
}

// Columns

static void add_number_titles(const struct view *view, struct str *line)
{
	str_addf(line, "%*s    share  ", view->samples_columns,
	         view->rows.tree->counts_calls ? "calls" : "samples");
	if (view->has_bars)
		str_add_repeat(line, ' ', BAR_CELLS + 2);
	if (view->rows.tree->before)
		str_addf(line, "%*s  ", view->change_columns, "change");
	if (view->cost_columns)
		str_addf(line, "%*s  ", view->cost_columns,
		         cost_unit_title(view->rows.tree->cost_unit));
}

static void measure_row(const struct calltree_row *row, void *context)
{
	struct view *view = context;
	SCOPED(str_release) struct str text = { 0 };
	const char *image;
	size_t width;

	add_guides(view, row, &text);
	add_function(view, row, &text);
	width = utf8_width(str_text(&text));
	if (width > view->function_columns &&
	    (width <= FUNCTION_COLUMNS || view->options->columns))
		view->function_columns = width;
	if (row->node == CALLTREE_ROOT)
		return;
	image = calltree_frame_of(view->rows.tree, row->node)->image;
	if (!image)
		return;
	str_clear(&text);
	utf8_add_visible(&text, text_from(image));
	width = utf8_width(str_text(&text));
	if (width > view->image_columns)
		view->image_columns = width;
}

/** Width of the numbers before a function. */
static size_t numbers_columns(const struct view *view)
{
	SCOPED(str_release) struct str line = { 0 };

	add_number_titles(view, &line);
	return line.size;
}

/** A function begins before the line ends, however deep it is. */
static uint32_t most_levels(const struct view *view)
{
	size_t room = view->options->columns;
	size_t taken = numbers_columns(view) + NAME_LEAST;

	if (!room)
		return GUIDE_LEVELS;
	room = room > taken ? (room - taken) / GUIDE_COLUMNS : 0;
	return room < GUIDE_LEVELS ? (uint32_t)room : GUIDE_LEVELS;
}

/** Divide the rest of the line between function and image. */
static void fit_columns(struct view *view)
{
	size_t taken = numbers_columns(view);
	size_t room = view->options->columns > taken + NAME_LEAST
	                      ? view->options->columns - taken
	                      : NAME_LEAST;
	size_t image = view->image_columns;

	if (image && image < sizeof("image") - 1)
		image = sizeof("image") - 1;
	if (image && view->function_columns + COLUMN_GAP + image > room) {
		image = image < IMAGE_COLUMNS ? image : IMAGE_COLUMNS;
		view->left_images_out = room <
		                        FUNCTION_LEAST + COLUMN_GAP + image;
	}
	if (view->left_images_out)
		image = 0;
	room -= image ? image + COLUMN_GAP : 0;
	view->image_columns = image;
	if (view->function_columns > room)
		view->function_columns = room;
}

static int digits_of(uint64_t number)
{
	return snprintf(NULL, 0, "%" PRIu64, number);
}

static int wider(int a, int b)
{
	return a > b ? a : b;
}

/** Width of the title, or of the total cost with its mark. */
static int cost_columns(const struct calltree *tree, uint64_t cost)
{
	const char *mark = cost_origin_mark(tree->cost_origin);

	return wider(digits_of(whole_of(tree, cost) + 1) +
	                     (int)utf8_width(text_from(mark)),
	             (int)strlen(cost_unit_title(tree->cost_unit)));
}

/** No change exceeds the larger of both totals. */
static int change_digits(const struct view *view)
{
	const struct calltree *tree = view->rows.tree;
	uint64_t max = view->rows.total > view->rows.total_before
	                       ? view->rows.total
	                       : view->rows.total_before;

	return 1 + digits_of(tree->by_cost ? whole_of(tree, max) + 1 : max);
}

static void add_titles(const struct view *view)
{
	SCOPED(str_release) struct str line = { 0 };

	str_add_char(&line, '\n');
	add_number_titles(view, &line);
	if (view->image_columns)
		str_addf(&line, "%-*s  image", (int)view->function_columns,
		         "function");
	else
		str_add(&line, "function");
	str_add_char(&line, '\n');
	out_add_bytes(view->out, line.data, line.size);
}

/** Explain the mark of costs. */
static void add_mark(const struct view *view)
{
	const char *meaning = cost_origin_note(view->rows.tree->cost_origin);

	if (!view->cost_columns || !meaning)
		return;
	out_add(view->out, "\n");
	paragraph_write(meaning, view->options, view->out);
	out_add(view->out, "\n");
}

static void add_left_out(const struct view *view)
{
	uint32_t count = view->rows.tree->node_count - 1;
	SCOPED(str_release) struct str line = { 0 };

	if (view->left_images_out)
		out_add(view->out, "image does not fit (--width=0 shows it)\n");
	if (view->shown == count)
		return;
	str_addf(&line,
	         "%" PRIu32 " of %" PRIu32
	         " calls are below %g %% and not shown",
	         count - view->shown, count, view->options->min_percent);
	out_add(view->out, "\n");
	paragraph_write(str_cstr(&line), view->options, view->out);
	out_add(view->out, "\n");
}

void text_calltree(const struct calltree *tree,
                   const struct format_options *options, struct out *out)
{
	SCOPED(view_release)
	struct view view = { .options = options, .out = out };
	struct calltree_row all;

	if (tree->node_count < 2) {
		out_add(out, "no samples\n");
		return;
	}
	calltree_rows_init(&view.rows, tree, options->min_percent);
	all = calltree_row_of(&view.rows, CALLTREE_ROOT);
	view.samples_columns = wider(digits_of(all.weight.samples), 7);
	if (all.weight.cost_us || all.before.cost_us)
		view.cost_columns = cost_columns(tree, all.weight.cost_us);
	view.scale = calltree_scale_of(tree, options->diff);
	view.change_columns = wider(change_digits(&view), 6);
	view.function_columns = sizeof("function") - 1;
	view.has_bars = options->terminal;
	if (options->columns &&
	    numbers_columns(&view) + FUNCTION_LEAST > options->columns)
		view.has_bars = false;
	view.guide_levels = most_levels(&view);
	add_answer(&view);
	calltree_rows_each(&view.rows, measure_row, &view);
	if (options->columns)
		fit_columns(&view);
	add_titles(&view);
	calltree_rows_each(&view.rows, add_row, &view);
	add_mark(&view);
	add_left_out(&view);
}

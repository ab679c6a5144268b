/*
 * A call tree for people. A function that calls one other is above it
 * without an indentation, so that forty frames of a run loop stay a column;
 * guides are drawn only where the tree branches:
 *
 *     main
 *     ├─ -[Store load]
 *     │  read
 *     └─ -[Store draw]
 */
#include "formatters/calltree/formats.h"
#include "formatters/calltree/rows.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

#define BOLD  "\x1b[1m"
#define DIM   "\x1b[2m"
#define RED   "\x1b[31m"
#define GREEN "\x1b[32m"
#define PLAIN "\x1b[0m"

#define BAR_CELLS 10
/** A wider function pushes its image to the right. */
#define FUNCTION_COLUMNS 64
/** Deeper branches say how deep they are: blanks must not fill a disk. */
#define GUIDE_LEVELS 60
/** Frames of the path in the first line; of a longer one, both ends. */
#define PATH_NAMES 6

/** A tree that is being written. */
struct view {
	struct calltree_rows rows;
	const struct format_options *options;
	struct out *out;
	int samples_columns;
	int cost_columns; ///< 0: no costs are known
	size_t function_columns;
	bool has_images;
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
	str_addf(line, "%" PRIu64 " sample%s", weight->samples,
	         weight->samples == 1 ? "" : "s");
	if (!view->cost_columns)
		return;
	str_add(line, ", ");
	units_add_exact(line, weight->cost_us, 1000);
	str_add(line, " ms");
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
	str_add(&line, "\n");
	out_add_bytes(view->out, line.data, line.size);
}

// Rows

static void add_guides(const struct view *view, const struct calltree_row *row,
                       struct str *text)
{
	uint32_t level = row->level < GUIDE_LEVELS ? row->level : GUIDE_LEVELS;

	for (uint32_t i = 1; i < level; i++)
		str_add(text, view->rows.open[i] ? "│  " : "   ");
	if (level && row->branch)
		str_add(text, row->last ? "└─ " : "├─ ");
	else if (level)
		str_add(text, view->rows.open[level] ? "│  " : "   ");
	if (row->level > GUIDE_LEVELS)
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
	for (const char *tab; (tab = strchr(name, '\t')); name = tab + 1) {
		utf8_add_visible(text, text_first(text_from(name),
		                                  (size_t)(tab - name)));
		str_add(text, "\\x09");
	}
	utf8_add_visible(text, text_from(name));
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

/** In points of percent; nothing where it rounds to nothing. */
static void add_change(const struct view *view, const struct calltree_row *row,
                       struct str *line)
{
	double change = calltree_share(&view->rows, row) -
	                calltree_share_before(&view->rows, row);
	bool differs = change >= 0.05 || change <= -0.05;
	SCOPED(str_release) struct str text = { 0 };

	if (differs)
		str_addf(&text, "%+6.1f", change);
	else
		str_add_repeat(&text, ' ', 6);
	add_styled(view,
	           !differs     ? NULL
	           : change > 0 ? RED
	                        : GREEN,
	           &text, line);
	str_add(line, "  ");
}

/** Whole milliseconds; `<1` is not nothing. */
static void add_cost(const struct view *view, uint64_t us, struct str *line)
{
	SCOPED(str_release) struct str text = { 0 };

	if (us && us < 1000)
		str_add(&text, "<1");
	else
		str_addf(&text, "%" PRIu64, us / 1000 + (us % 1000 >= 500));
	str_addf(line, "%*s  ", view->cost_columns, str_cstr(&text));
}

static void add_numbers(const struct view *view, const struct calltree_row *row,
                        struct str *line)
{
	str_addf(line, "%*" PRIu64 "  %5.1f %%  ", view->samples_columns,
	         row->weight.samples, calltree_share(&view->rows, row));
	if (view->options->terminal)
		add_bar(calltree_share(&view->rows, row), line);
	if (view->rows.tree->before)
		add_change(view, row, line);
	if (view->cost_columns)
		add_cost(view, row->weight.cost_us, line);
}

static void add_image(const struct view *view, const struct calltree_row *row,
                      size_t width, struct str *line)
{
	const struct calltree_frame *frame;
	SCOPED(str_release) struct str image = { 0 };

	if (row->node == CALLTREE_ROOT)
		return;
	frame = calltree_frame_of(view->rows.tree, row->node);
	if (!frame->image)
		return;
	if (width < view->function_columns)
		str_add_repeat(line, ' ', view->function_columns - width);
	str_add(line, "  ");
	utf8_add_visible(&image, text_from(frame->image));
	add_styled(view, DIM, &image, line);
}

static void add_row(const struct calltree_row *row, void *context)
{
	struct view *view = context;
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(str_release) struct str guides = { 0 };
	SCOPED(str_release) struct str function = { 0 };
	bool is_app = row->node != CALLTREE_ROOT &&
	              calltree_frame_of(view->rows.tree, row->node)->kind ==
	                      CALLTREE_APP;

	add_numbers(view, row, &line);
	add_guides(view, row, &guides);
	add_styled(view, DIM, &guides, &line);
	add_function(view, row, &function);
	add_styled(view, is_app ? BOLD : NULL, &function, &line);
	add_image(view, row,
	          utf8_width(str_text(&guides)) +
	                  utf8_width(str_text(&function)),
	          &line);
	str_add_char(&line, '\n');
	out_add_bytes(view->out, line.data, line.size);
	view->shown += row->node != CALLTREE_ROOT;
}

// Columns

static void measure_row(const struct calltree_row *row, void *context)
{
	struct view *view = context;
	SCOPED(str_release) struct str text = { 0 };
	size_t width;

	add_guides(view, row, &text);
	add_function(view, row, &text);
	width = utf8_width(str_text(&text));
	if (width > view->function_columns && width <= FUNCTION_COLUMNS)
		view->function_columns = width;
	if (row->node != CALLTREE_ROOT &&
	    calltree_frame_of(view->rows.tree, row->node)->image)
		view->has_images = true;
}

static int digits_of(uint64_t number)
{
	return snprintf(NULL, 0, "%" PRIu64, number);
}

static int wider(int a, int b)
{
	return a > b ? a : b;
}

static void add_titles(const struct view *view)
{
	SCOPED(str_release) struct str line = { 0 };

	str_addf(&line, "\n%*s    share  ", view->samples_columns, "samples");
	if (view->options->terminal)
		str_add_repeat(&line, ' ', BAR_CELLS + 2);
	if (view->rows.tree->before)
		str_add(&line, "change  ");
	if (view->cost_columns)
		str_addf(&line, "%*s  ", view->cost_columns, "ms");
	if (view->has_images)
		str_addf(&line, "%-*s  image", (int)view->function_columns,
		         "function");
	else
		str_add(&line, "function");
	str_add_char(&line, '\n');
	out_add_bytes(view->out, line.data, line.size);
}

static void add_left_out(const struct view *view)
{
	uint32_t count = view->rows.tree->node_count - 1;

	if (view->shown < count)
		out_addf(view->out,
		         "\n%" PRIu32 " of %" PRIu32
		         " calls are below %g %% and not shown\n",
		         count - view->shown, count,
		         view->options->min_percent);
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
		view.cost_columns =
		        wider(digits_of(all.weight.cost_us / 1000 + 1), 2);
	view.function_columns = sizeof("function") - 1;
	add_answer(&view);
	calltree_rows_each(&view.rows, measure_row, &view);
	add_titles(&view);
	calltree_rows_each(&view.rows, add_row, &view);
	add_left_out(&view);
}

/*
 * A call tree for people. A function that calls one other stands above it
 * without an indentation, so that forty frames of a run loop stay a column;
 * guides are drawn only where the tree branches:
 *
 *     main
 *     ├─ -[Store load]
 *     │  read
 *     └─ -[Store draw]
 */
#include "formatters/calltree/formats.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/model/calltree_walk.h"

#include <inttypes.h>
#include <stdlib.h>

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

/** What a line shows: a node, or the light ones of a caller together. */
struct row {
	uint32_t node;   ///< CALLTREE_ROOT: nodes that are not shown
	uint32_t folded; ///< how many
	uint32_t level;  ///< branches above it
	bool branch;     ///< one of several below its caller
	bool last;       ///< of those
	struct calltree_weight weight;
	struct calltree_weight before;
};

struct page {
	const struct calltree *tree;
	const struct format_options *options;
	struct out *out;
	uint64_t total;
	uint64_t total_before; ///< 0 where nothing is compared
	uint32_t *ranks;

	struct row *rows; ///< that are still to come, the next one last
	size_t row_count;
	size_t row_cap;
	struct calltree_turns turns;
	bool *open; ///< by level: more branches follow
	size_t open_cap;

	int samples_columns;
	int cost_columns; ///< 0: no costs are known
	size_t function_columns;
	bool has_images;
	uint32_t shown; ///< nodes
};

typedef void (*row_visit)(struct page *page, const struct row *row);

static void page_release(struct page *page)
{
	free(page->ranks);
	free(page->rows);
	calltree_turns_release(&page->turns);
	free(page->open);
}

// Walking

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double share(const struct page *page, const struct row *row)
{
	return percent(calltree_value(page->tree, &row->weight), page->total);
}

static double share_before(const struct page *page, const struct row *row)
{
	return percent(calltree_value(page->tree, &row->before),
	               page->total_before);
}

/** Too light to be shown, now and before? */
static bool is_light(const struct page *page, const struct row *row)
{
	double least = page->options->min_percent;

	return share(page, row) < least && share_before(page, row) < least;
}

static struct row row_of(const struct page *page, uint32_t node)
{
	struct row row = {
		.node = node,
		.weight = calltree_weight_of(page->tree, node),
	};

	if (page->tree->before)
		row.before = page->tree->before[node];
	return row;
}

static void add_weight(struct calltree_weight *sum,
                       const struct calltree_weight *weight)
{
	sum->samples = number_sum(sum->samples, weight->samples);
	sum->cost_us = number_sum(sum->cost_us, weight->cost_us);
}

/** The heavier calls of a node wait in `turns`, the others are added up. */
static struct row sort_out(struct page *page, uint32_t caller)
{
	const struct calltree *tree = page->tree;
	struct row folded = { 0 };

	page->turns.count = 0;
	for (uint32_t node = tree->nodes[caller].first_child; node;
	     node = tree->nodes[node].next_sibling) {
		const struct row row = row_of(page, node);

		if (is_light(page, &row)) {
			folded.folded++;
			add_weight(&folded.weight, &row.weight);
			add_weight(&folded.before, &row.before);
			continue;
		}
		calltree_turns_add(&page->turns,
		                   UINT64_MAX -
		                           calltree_value(tree, &row.weight),
		                   page->ranks[tree->nodes[node].frame], node);
	}
	calltree_turns_sort(&page->turns, 0);
	return folded;
}

static void push(struct page *page, struct row row, uint32_t level, bool branch)
{
	row.level = level + branch;
	row.branch = branch;
	// The first to come is the last to be shown.
	row.last = false;
	MEM_GROW(page->rows, page->row_count, page->row_cap);
	page->rows[page->row_count++] = row;
}

static void push_calls(struct page *page, uint32_t caller, uint32_t level)
{
	struct row folded = sort_out(page, caller);
	// Where even their sum is light they are only counted, below.
	bool has_folded = folded.folded && !is_light(page, &folded);
	size_t first = page->row_count;
	bool branch = page->turns.count + has_folded > 1;

	if (has_folded)
		push(page, folded, level, branch);
	for (size_t i = 0; i < page->turns.count; i++)
		push(page, row_of(page, page->turns.turns[i].node), level,
		     branch);
	if (page->row_count > first)
		page->rows[first].last = true;
}

static void each_row(struct page *page, row_visit visit)
{
	push_calls(page, CALLTREE_ROOT, 0);
	while (page->row_count) {
		const struct row row = page->rows[--page->row_count];

		MEM_GROW(page->open, row.level, page->open_cap);
		if (row.branch || !row.level)
			page->open[row.level] = !row.last;
		visit(page, &row);
		if (row.node != CALLTREE_ROOT)
			push_calls(page, row.node, row.level);
	}
}

// The first line

/** The call that holds at least half of its caller; CALLTREE_ROOT: none. */
static uint32_t heavy_call(const struct page *page, uint32_t caller)
{
	const struct calltree *tree = page->tree;
	const struct calltree_weight weight = calltree_weight_of(tree, caller);
	uint64_t whole = calltree_value(tree, &weight);
	uint64_t most = 0;
	uint32_t heaviest = CALLTREE_ROOT;

	for (uint32_t node = tree->nodes[caller].first_child; node;
	     node = tree->nodes[node].next_sibling) {
		const struct calltree_weight one =
		        calltree_weight_of(tree, node);
		uint64_t value = calltree_value(tree, &one);

		if (value > most ||
		    (value == most && heaviest &&
		     page->ranks[tree->nodes[node].frame] <
		             page->ranks[tree->nodes[heaviest].frame])) {
			most = value;
			heaviest = node;
		}
	}
	// Of the outermost functions the heaviest is always one to name.
	if (caller != CALLTREE_ROOT && most < whole - whole / 2)
		return CALLTREE_ROOT;
	return heaviest;
}

static void add_path(const struct page *page, uint32_t end, struct str *line)
{
	const struct calltree *tree = page->tree;
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

static void add_amount(const struct page *page,
                       const struct calltree_weight *weight, struct str *line)
{
	str_addf(line, "%" PRIu64 " sample%s", weight->samples,
	         weight->samples == 1 ? "" : "s");
	if (!page->cost_columns)
		return;
	str_add(line, ", ");
	units_add_exact(line, weight->cost_us, 1000);
	str_add(line, " ms");
}

static void add_answer(struct page *page)
{
	const struct row all = row_of(page, CALLTREE_ROOT);
	SCOPED(str_release) struct str line = { 0 };
	uint32_t end = CALLTREE_ROOT;
	uint32_t next;

	while ((next = heavy_call(page, end)) != CALLTREE_ROOT)
		end = next;
	if (page->tree->title) {
		utf8_add_visible(&line, text_from(page->tree->title));
		str_add(&line, ": ");
	}
	add_amount(page, &all.weight, &line);
	if (page->tree->before) {
		str_add(&line, " (before: ");
		add_amount(page, &all.before, &line);
		str_add(&line, ")");
	}
	if (end != CALLTREE_ROOT) {
		const struct row row = row_of(page, end);

		str_add(&line, ": heaviest path ");
		add_path(page, end, &line);
		str_addf(&line, " (%.3g %%)", share(page, &row));
	}
	str_add(&line, "\n");
	out_add_bytes(page->out, line.data, line.size);
}

// Rows

static void add_guides(const struct page *page, const struct row *row,
                       struct str *text)
{
	uint32_t level = row->level < GUIDE_LEVELS ? row->level : GUIDE_LEVELS;

	for (uint32_t i = 1; i < level; i++)
		str_add(text, page->open[i] ? "│  " : "   ");
	if (level && row->branch)
		str_add(text, row->last ? "└─ " : "├─ ");
	else if (level)
		str_add(text, page->open[level] ? "│  " : "   ");
	if (row->level > GUIDE_LEVELS)
		str_addf(text, "[%" PRIu32 "] ", row->level);
}

static void add_function(const struct page *page, const struct row *row,
                         struct str *text)
{
	const char *name;

	if (row->node == CALLTREE_ROOT) {
		str_addf(text, "… %" PRIu32 " more", row->folded);
		return;
	}
	name = calltree_name(calltree_frame_of(page->tree, row->node));
	for (const char *tab; (tab = strchr(name, '\t')); name = tab + 1) {
		utf8_add_visible(text, text_first(text_from(name),
		                                  (size_t)(tab - name)));
		str_add(text, "\\x09");
	}
	utf8_add_visible(text, text_from(name));
}

static void add_styled(const struct page *page, const char *style,
                       const struct str *text, struct str *line)
{
	bool styled = page->options->color && style && text->size;

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
static void add_change(const struct page *page, const struct row *row,
                       struct str *line)
{
	double change = share(page, row) - share_before(page, row);
	bool differs = change >= 0.05 || change <= -0.05;
	SCOPED(str_release) struct str text = { 0 };

	if (differs)
		str_addf(&text, "%+6.1f", change);
	else
		str_add_repeat(&text, ' ', 6);
	add_styled(page,
	           !differs     ? NULL
	           : change > 0 ? RED
	                        : GREEN,
	           &text, line);
	str_add(line, "  ");
}

/** Whole milliseconds; `<1` is not nothing. */
static void add_cost(const struct page *page, uint64_t us, struct str *line)
{
	SCOPED(str_release) struct str text = { 0 };

	if (us && us < 1000)
		str_add(&text, "<1");
	else
		str_addf(&text, "%" PRIu64, us / 1000 + (us % 1000 >= 500));
	str_addf(line, "%*s  ", page->cost_columns, str_cstr(&text));
}

static void add_numbers(const struct page *page, const struct row *row,
                        struct str *line)
{
	str_addf(line, "%*" PRIu64 "  %5.1f %%  ", page->samples_columns,
	         row->weight.samples, share(page, row));
	if (page->options->terminal)
		add_bar(share(page, row), line);
	if (page->tree->before)
		add_change(page, row, line);
	if (page->cost_columns)
		add_cost(page, row->weight.cost_us, line);
}

static void add_image(const struct page *page, const struct row *row,
                      size_t width, struct str *line)
{
	const struct calltree_frame *frame;
	SCOPED(str_release) struct str image = { 0 };

	if (row->node == CALLTREE_ROOT)
		return;
	frame = calltree_frame_of(page->tree, row->node);
	if (!frame->image)
		return;
	if (width < page->function_columns)
		str_add_repeat(line, ' ', page->function_columns - width);
	str_add(line, "  ");
	utf8_add_visible(&image, text_from(frame->image));
	add_styled(page, DIM, &image, line);
}

static void add_row(struct page *page, const struct row *row)
{
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(str_release) struct str guides = { 0 };
	SCOPED(str_release) struct str function = { 0 };
	bool is_app = row->node != CALLTREE_ROOT &&
	              calltree_frame_of(page->tree, row->node)->kind ==
	                      CALLTREE_APP;

	add_numbers(page, row, &line);
	add_guides(page, row, &guides);
	add_styled(page, DIM, &guides, &line);
	add_function(page, row, &function);
	add_styled(page, is_app ? BOLD : NULL, &function, &line);
	add_image(page, row,
	          utf8_width(str_text(&guides)) +
	                  utf8_width(str_text(&function)),
	          &line);
	str_add_char(&line, '\n');
	out_add_bytes(page->out, line.data, line.size);
	page->shown += row->node != CALLTREE_ROOT;
}

// Columns

static void measure_row(struct page *page, const struct row *row)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t width;

	add_guides(page, row, &text);
	add_function(page, row, &text);
	width = utf8_width(str_text(&text));
	if (width > page->function_columns && width <= FUNCTION_COLUMNS)
		page->function_columns = width;
	if (row->node != CALLTREE_ROOT &&
	    calltree_frame_of(page->tree, row->node)->image)
		page->has_images = true;
}

static int digits_of(uint64_t number)
{
	return snprintf(NULL, 0, "%" PRIu64, number);
}

static int wider(int a, int b)
{
	return a > b ? a : b;
}

static void add_titles(const struct page *page)
{
	SCOPED(str_release) struct str line = { 0 };

	str_addf(&line, "\n%*s    share  ", page->samples_columns, "samples");
	if (page->options->terminal)
		str_add_repeat(&line, ' ', BAR_CELLS + 2);
	if (page->tree->before)
		str_add(&line, "change  ");
	if (page->cost_columns)
		str_addf(&line, "%*s  ", page->cost_columns, "ms");
	if (page->has_images)
		str_addf(&line, "%-*s  image", (int)page->function_columns,
		         "function");
	else
		str_add(&line, "function");
	str_add_char(&line, '\n');
	out_add_bytes(page->out, line.data, line.size);
}

static void add_left_out(const struct page *page)
{
	uint32_t count = page->tree->node_count - 1;

	if (page->shown < count)
		out_addf(page->out,
		         "\n%" PRIu32 " of %" PRIu32
		         " calls are below %g %% and not shown\n",
		         count - page->shown, count,
		         page->options->min_percent);
}

static void rank_frames(struct page *page)
{
	const struct calltree *tree = page->tree;
	SCOPED(mem_drop)
	struct text *names = mem_zalloc(tree->frame_count, sizeof(*names));

	for (size_t i = 0; i < tree->frame_count; i++)
		names[i] = text_from(calltree_name(&tree->frames[i]));
	page->ranks = calltree_rank_names(names, tree->frame_count);
}

void text_calltree(const struct calltree *tree,
                   const struct format_options *options, struct out *out)
{
	SCOPED(page_release)
	struct page page = { .tree = tree, .options = options, .out = out };
	struct row all = row_of(&page, CALLTREE_ROOT);

	if (tree->node_count < 2) {
		out_add(out, "no samples\n");
		return;
	}
	page.total = calltree_value(tree, &all.weight);
	page.total_before = calltree_value(tree, &all.before);
	page.samples_columns = wider(digits_of(all.weight.samples), 7);
	if (all.weight.cost_us || all.before.cost_us)
		page.cost_columns =
		        wider(digits_of(all.weight.cost_us / 1000 + 1), 2);
	page.function_columns = sizeof("function") - 1;
	rank_frames(&page);
	add_answer(&page);
	each_row(&page, measure_row);
	add_titles(&page);
	each_row(&page, add_row);
	add_left_out(&page);
}

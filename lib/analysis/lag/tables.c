/*
 * The tables of `lag-aggregate`: groups, reports, and the steps to a key.
 */
#include "lib/analysis/lag/group_rows.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Devices and systems that a cell names.
#define NAMED_MAX 3

// What the summary counts up to.
#define MOST_PERCENT 80

void lag_stall_name(const struct lag_stall *stall, struct str *out)
{
	if (stall->id)
		str_add(out, stall->id);
	else if (stall->line)
		str_addf(out, "%s:%zu", stall->input, stall->line);
	else
		str_add(out, stall->input ? stall->input : "-");
}

// Cells

static const char *ms_text(struct arena *arena, uint64_t us)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, us, 1000);
	return arena_text(arena, str_text(&text));
}

/** A part of a whole in percent, to hundredths. */
static const char *percent_text(struct arena *arena, uint64_t part,
                                uint64_t whole)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_fixed(&text, units_share(part, whole, 10000), 100, 2);
	return arena_text(arena, str_text(&text));
}

/** Names of functions, outermost first: `main - -[Store load]`. */
static const char *stack_text(struct arena *arena,
                              const struct profile_functions *functions,
                              const uint32_t *stack, size_t count)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (i)
			str_add(&text, " - ");
		str_add(&text, functions->frames[stack[i]].name);
	}
	return arena_text(arena, str_text(&text));
}

static const char *kind_text(bool is_app)
{
	return is_app ? "app" : "system";
}

/** Numbers of functions, kept as bytes. */
static size_t take_functions(struct text bytes, uint32_t *ret)
{
	memcpy(ret, bytes.data, bytes.size);
	return bytes.size / sizeof(*ret);
}

// Groups

/** What was counted, by group and kind, the most frequent first. */
struct ranking {
	const struct lag_groups *groups;
	const struct lag_tally **tallies;
	/** Where the tallies of a group and kind begin; one more at the end. */
	size_t *first;
};

static size_t place(const struct lag_tally *tally)
{
	return (size_t)tally->group * LAG_TALLY_KINDS + tally->kind;
}

static int compare_tallies(const void *a, const void *b)
{
	const struct lag_tally *left = *(const struct lag_tally *const *)a;
	const struct lag_tally *right = *(const struct lag_tally *const *)b;

	if (place(left) != place(right))
		return place(left) < place(right) ? -1 : 1;
	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	// The first that was met.
	return left < right ? -1 : left > right;
}

static void rank(const struct lag_groups *groups, struct arena *arena,
                 struct ranking *ret)
{
	size_t count = groups->tally_ids.count;
	size_t places = (size_t)groups->identities.count * LAG_TALLY_KINDS;
	size_t at = 0;

	ret->groups = groups;
	ret->tallies = arena_array(arena, count + 1, sizeof(*ret->tallies));
	ret->first = arena_array(arena, places + 1, sizeof(*ret->first));
	for (size_t i = 0; i < count; i++)
		ret->tallies[i] = &groups->tallies[i];
	if (count)
		qsort(ret->tallies, count, sizeof(*ret->tallies),
		      compare_tallies);
	for (size_t i = 0; i <= places; i++) {
		while (at < count && place(ret->tallies[at]) < i)
			at++;
		ret->first[i] = at;
	}
}

/** The tallies of a group and kind: @p ret_count of them. */
static const struct lag_tally *const *ranked(const struct ranking *ranking,
                                             uint32_t group,
                                             enum lag_tally_kind kind,
                                             size_t *ret_count)
{
	size_t at = (size_t)group * LAG_TALLY_KINDS + kind;

	*ret_count = ranking->first[at + 1] - ranking->first[at];
	return ranking->tallies + ranking->first[at];
}

/** The most frequent class of a group. */
static const char *class_text(const struct ranking *ranking, uint32_t group,
                              enum lag_tally_kind kind, struct arena *arena)
{
	uint32_t functions[LAG_SUBCLASS_FRAMES];
	size_t class_count;
	const struct lag_tally *const *found =
	        ranked(ranking, group, kind, &class_count);
	size_t count = take_functions(found[0]->what, functions);

	return stack_text(arena, &ranking->groups->functions, functions, count);
}

/** `iPhone14,2 (3), iPhone12,1 (2), 4 more`; NULL where none was told. */
static const char *list_text(const struct ranking *ranking, uint32_t group,
                             enum lag_tally_kind kind, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t count;
	const struct lag_tally *const *found =
	        ranked(ranking, group, kind, &count);

	if (!count)
		return NULL;
	for (size_t i = 0; i < count && i < NAMED_MAX; i++) {
		str_add(&text, i ? ", " : "");
		str_add_text(&text, found[i]->what);
		if (count > 1)
			str_addf(&text, " (%" PRIu64 ")", found[i]->count);
	}
	if (count > NAMED_MAX)
		str_addf(&text, ", %zu more", count - NAMED_MAX);
	return arena_text(arena, str_text(&text));
}

/** A group with what its row says of it. */
struct row {
	uint32_t group;
	const struct lag_group *sums;
	const char *key;
	const char *image;
	bool is_app;
};

/** The group is filed under one function, or under a class of them. */
static struct row make_row(const struct ranking *ranking, uint32_t group,
                           struct arena *arena)
{
	const struct lag_groups *groups = ranking->groups;
	uint32_t functions[LAG_SUBCLASS_FRAMES];
	size_t count =
	        take_functions(groups->identities.texts[group], functions);
	struct row row = {
		.group = group,
		.sums = &groups->groups[group],
		.key = stack_text(arena, &groups->functions, functions, count),
	};

	for (size_t i = 0; i < count; i++) {
		const struct calltree_frame *frame =
		        &groups->functions.frames[functions[i]];

		row.is_app = row.is_app || frame->kind == CALLTREE_APP;
		// The innermost one's.
		row.image = frame->image;
	}
	if (!count)
		row.key = "(no call stands out)";
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a;
	const struct row *right = b;
	int order;

	if (left->sums->cost_us != right->sums->cost_us)
		return left->sums->cost_us > right->sums->cost_us ? -1 : 1;
	if (left->sums->reports != right->sums->reports)
		return left->sums->reports > right->sums->reports ? -1 : 1;
	order = strcmp(left->key, right->key);
	if (order)
		return order;
	// Places without a name: the first that was met.
	return left->group < right->group ? -1 : left->group > right->group;
}

static bool is_most(uint64_t part, uint64_t whole)
{
	__extension__ typedef unsigned __int128 wide;

	return (wide)part * 100 >= (wide)whole * MOST_PERCENT;
}

/** How many groups make up most of the cost. */
static const char *summarise(const struct lag_groups *groups,
                             const struct row *rows, size_t count, size_t shown,
                             struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t most = 0;
	uint64_t part = 0;

	while (most < count && !is_most(part, groups->cost_us))
		part = number_sum(part, rows[most++].sums->cost_us);
	str_addf(&text, "%" PRIu64 " hang%s", groups->reports,
	         groups->reports == 1 ? "" : "s");
	if (groups->repeats)
		str_addf(&text, " (and %" PRIu64 " repeat%s)", groups->repeats,
		         groups->repeats == 1 ? "" : "s");
	str_addf(&text, ", %s ms", ms_text(arena, groups->cost_us));
	if (most)
		str_addf(&text, ": %zu of %zu group%s cause%s %s %%", most,
		         count, count == 1 ? "" : "s", most == 1 ? "s" : "",
		         percent_text(arena, part, groups->cost_us));
	if (shown < count)
		str_addf(&text, "; %zu not shown", count - shown);
	return arena_text(arena, str_text(&text));
}

enum group_column {
	GROUP_SHARE,
	GROUP_RUNNING_SHARE,
	GROUP_REPORTS,
	GROUP_SAMPLES,
	GROUP_COST,
	GROUP_CLASSES,
	GROUP_DEVICES,
	GROUP_SYSTEMS,
	GROUP_EXAMPLE,
	GROUP_KIND,
	GROUP_KEY,
	GROUP_IMAGE,
	GROUP_CLASS2,
	GROUP_CLASS2_COUNT,
	GROUP_CLASS4,
	GROUP_KEY_COUNT,
	GROUP_DEVICE_LIST,
	GROUP_SYSTEM_LIST,
	GROUP_APPS,
	GROUP_EXAMPLE_COST,
	GROUP_COLUMNS,
};

/** What text shows ends with what may be long. */
static const struct table_column group_columns[GROUP_COLUMNS] = {
	[GROUP_SHARE] = { "share", "share %", TABLE_DECIMAL },
	[GROUP_RUNNING_SHARE] = { "running_share", "up to %", TABLE_DECIMAL },
	[GROUP_REPORTS] = { "reports", "reports", TABLE_NUMBER },
	[GROUP_SAMPLES] = { "samples", "samples", TABLE_NUMBER },
	[GROUP_COST] = { "cost_ms", "cost ms", TABLE_DECIMAL },
	[GROUP_CLASSES] = { "class4_count", "classes", TABLE_NUMBER },
	[GROUP_DEVICES] = { "device_count", "devices", TABLE_NUMBER },
	[GROUP_SYSTEMS] = { "os_count", "systems", TABLE_NUMBER },
	[GROUP_EXAMPLE] = { "example", "worst", TABLE_TEXT },
	[GROUP_KIND] = { "kind", "kind", TABLE_TEXT },
	[GROUP_KEY] = { "key", "key", TABLE_TEXT },
	[GROUP_IMAGE] = { "image", NULL, TABLE_TEXT },
	[GROUP_CLASS2] = { "class2", NULL, TABLE_TEXT },
	[GROUP_CLASS2_COUNT] = { "class2_count", NULL, TABLE_NUMBER },
	[GROUP_CLASS4] = { "class4", NULL, TABLE_TEXT },
	[GROUP_KEY_COUNT] = { "key_count", NULL, TABLE_NUMBER },
	[GROUP_DEVICE_LIST] = { "devices", NULL, TABLE_TEXT },
	[GROUP_SYSTEM_LIST] = { "os_versions", NULL, TABLE_TEXT },
	[GROUP_APPS] = { "apps", NULL, TABLE_TEXT },
	[GROUP_EXAMPLE_COST] = { "example_cost_ms", NULL, TABLE_DECIMAL },
};

/** How many different things of a kind a group holds. */
static void set_count(const struct ranking *ranking, uint32_t group,
                      enum lag_tally_kind kind, struct table_cell *cell)
{
	size_t count;

	ranked(ranking, group, kind, &count);
	table_set_number(cell, count);
}

/** What is counted inside of a group: classes, devices and so on. */
static void add_tallies(const struct ranking *ranking, uint32_t group,
                        struct table_cell *cells, struct arena *arena)
{
	set_count(ranking, group, LAG_TALLY_CLASS4, &cells[GROUP_CLASSES]);
	set_count(ranking, group, LAG_TALLY_DEVICE, &cells[GROUP_DEVICES]);
	set_count(ranking, group, LAG_TALLY_OS, &cells[GROUP_SYSTEMS]);
	set_count(ranking, group, LAG_TALLY_CLASS2, &cells[GROUP_CLASS2_COUNT]);
	set_count(ranking, group, LAG_TALLY_KEY, &cells[GROUP_KEY_COUNT]);
	table_set_text(&cells[GROUP_CLASS2],
	               class_text(ranking, group, LAG_TALLY_CLASS2, arena));
	table_set_text(&cells[GROUP_CLASS4],
	               class_text(ranking, group, LAG_TALLY_CLASS4, arena));
	table_set_text(&cells[GROUP_DEVICE_LIST],
	               list_text(ranking, group, LAG_TALLY_DEVICE, arena));
	table_set_text(&cells[GROUP_SYSTEM_LIST],
	               list_text(ranking, group, LAG_TALLY_OS, arena));
	table_set_text(&cells[GROUP_APPS],
	               list_text(ranking, group, LAG_TALLY_APP, arena));
}

static void add_group_row(const struct ranking *ranking, const struct row *row,
                          uint64_t running, struct table *table,
                          struct arena *arena)
{
	uint64_t whole = ranking->groups->cost_us;
	const struct lag_group *sums = row->sums;
	struct table_cell *cells = table_add_row(table, arena);

	table_set_text(&cells[GROUP_SHARE],
	               percent_text(arena, sums->cost_us, whole));
	table_set_text(&cells[GROUP_RUNNING_SHARE],
	               percent_text(arena, running, whole));
	table_set_number(&cells[GROUP_REPORTS], sums->reports);
	table_set_number(&cells[GROUP_SAMPLES], sums->samples);
	table_set_text(&cells[GROUP_COST], ms_text(arena, sums->cost_us));
	table_set_text(&cells[GROUP_EXAMPLE], str_cstr(&sums->example));
	table_set_text(&cells[GROUP_EXAMPLE_COST],
	               ms_text(arena, sums->example_cost_us));
	table_set_text(&cells[GROUP_KIND], kind_text(row->is_app));
	table_set_text(&cells[GROUP_KEY], row->key);
	table_set_text(&cells[GROUP_IMAGE], row->image);
	add_tallies(ranking, row->group, cells, arena);
}

/** Groups that are costly enough, and no more than wanted. */
static size_t shown_count(const struct lag_groups *groups,
                          const struct row *rows, size_t count,
                          const struct lag_table_options *options)
{
	size_t shown = 0;

	while (shown < count && (!options->top || shown < options->top)) {
		__extension__ unsigned __int128 scaled =
		        (unsigned __int128)rows[shown].sums->cost_us * 10000;

		if (options->min_share &&
		    scaled < (unsigned __int128)groups->cost_us *
		                     options->min_share)
			break;
		shown++;
	}
	return shown;
}

const struct table *lag_groups_table(const struct lag_groups *groups,
                                     const struct lag_table_options *options,
                                     struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));
	size_t count = groups->identities.count;
	struct row *rows = arena_array(arena, count + 1, sizeof(*rows));
	struct ranking ranking;
	uint64_t running = 0;
	size_t shown;

	rank(groups, arena, &ranking);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = make_row(&ranking, i, arena);
	qsort(rows, count, sizeof(*rows), compare_rows);
	shown = shown_count(groups, rows, count, options);
	*table = (struct table){
		.name = "lag-groups",
		.columns = group_columns,
		.column_count = ARRAY_SIZE(group_columns),
		.summary = summarise(groups, rows, count, shown, arena),
	};
	for (size_t i = 0; i < shown; i++) {
		running = number_sum(running, rows[i].sums->cost_us);
		add_group_row(&ranking, &rows[i], running, table, arena);
	}
	return table;
}

// Reports

static const struct table_column report_columns[] = {
	{ "id", "report", TABLE_TEXT },
	{ "samples", "samples", TABLE_NUMBER },
	{ "cost_ms", "cost ms", TABLE_DECIMAL },
	{ "nodes", "nodes", TABLE_NUMBER },
	{ "kind", "kind", TABLE_TEXT },
	{ "key", "key", TABLE_TEXT },
	{ "point_count", "count", TABLE_NUMBER },
	{ "point_stack", "heaviest stack", TABLE_TEXT },
	{ "class2", NULL, TABLE_TEXT },
	{ "class4", NULL, TABLE_TEXT },
	{ "session", NULL, TABLE_TEXT },
	{ "repeat", NULL, TABLE_BOOL },
	{ "app", NULL, TABLE_TEXT },
	{ "device", NULL, TABLE_TEXT },
	{ "os", NULL, TABLE_TEXT },
	{ "input", NULL, TABLE_TEXT },
	{ "line", NULL, TABLE_NUMBER },
};

static struct table *new_table(const char *name,
                               const struct table_column *columns,
                               size_t column_count, struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = name,
		.columns = columns,
		.column_count = column_count,
	};
	return table;
}

struct table *lag_reports_table(struct arena *arena)
{
	return new_table("lag-reports", report_columns,
	                 ARRAY_SIZE(report_columns), arena);
}

static const char *name_text(const struct lag_stall *stall, struct arena *arena)
{
	SCOPED(str_release) struct str name = { 0 };

	lag_stall_name(stall, &name);
	return arena_text(arena, str_text(&name));
}

static const char *copy(const char *text, struct arena *arena)
{
	return text ? arena_strdup(arena, text) : NULL;
}

/** The innermost frames of the point stack. */
static const char *innermost_text(const struct lag_folder *folder,
                                  const struct lag_stall *stall, size_t most,
                                  struct arena *arena)
{
	size_t count = stall->stack_count < most ? stall->stack_count : most;

	return stack_text(arena, &folder->functions,
	                  stall->stack + (stall->stack_count - count), count);
}

void lag_reports_add(struct table *table, const struct lag_folder *folder,
                     const struct lag_stall *stall, bool is_repeat,
                     struct arena *arena)
{
	struct table_cell *cells = table_add_row(table, arena);

	table_set_text(&cells[0], name_text(stall, arena));
	table_set_number(&cells[1], stall->samples);
	table_set_text(&cells[2], ms_text(arena, stall->cost_us));
	table_set_number(&cells[3], stall->node_count);
	table_set_text(&cells[10], copy(stall->session, arena));
	table_set_number(&cells[11], is_repeat);
	table_set_text(&cells[12], copy(stall->app, arena));
	table_set_text(&cells[13], copy(stall->device, arena));
	table_set_text(&cells[14], copy(stall->os, arena));
	table_set_text(&cells[15], copy(stall->input, arena));
	if (stall->line)
		table_set_number(&cells[16], stall->line);
	if (!stall->stack_count)
		return;
	if (stall->key != INTERN_NONE) {
		table_set_text(&cells[4], kind_text(stall->is_app));
		table_set_text(
		        &cells[5],
		        copy(folder->functions.frames[stall->key].name, arena));
	}
	table_set_number(&cells[6], stall->point_samples);
	table_set_text(&cells[7],
	               innermost_text(folder, stall, SIZE_MAX, arena));
	table_set_text(&cells[8],
	               innermost_text(folder, stall, LAG_CLASS_FRAMES, arena));
	table_set_text(&cells[9], innermost_text(folder, stall,
	                                         LAG_SUBCLASS_FRAMES, arena));
}

// Steps

static const struct table_column explain_columns[] = {
	{ "report", "report", TABLE_TEXT },
	{ "depth", "depth", TABLE_NUMBER },
	{ "cost_ms", "cost ms", TABLE_DECIMAL },
	{ "parent_cost_ms", "of ms", TABLE_DECIMAL },
	{ "n", "n", TABLE_NUMBER },
	{ "fair_share_ms", "1.1/n ms", TABLE_DECIMAL },
	{ "over_fair_share", "over", TABLE_BOOL },
	{ "fifth_ms", "20 % ms", TABLE_DECIMAL },
	{ "over_fifth", "over", TABLE_BOOL },
	{ "verdict", "verdict", TABLE_TEXT },
	{ "kind", "kind", TABLE_TEXT },
	{ "function", "function", TABLE_TEXT },
	{ "samples", NULL, TABLE_NUMBER },
};

struct table *lag_explain_table(struct arena *arena)
{
	return new_table("lag-explain", explain_columns,
	                 ARRAY_SIZE(explain_columns), arena);
}

static const char *verdict_of(const struct lag_explained *step)
{
	if (step->is_key)
		return "key";
	if (step->step.taken)
		return "taken";
	if (step->step.over_fair_share && step->step.over_fifth)
		return "passed, another goes first";
	return "failed";
}

/** What the first clause asks to be exceeded. */
static uint64_t fair_share_us(const struct lag_step *step)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)step->parent_cost_us * 11 / 10 / step->n);
}

void lag_explain_add(struct table *table, const struct lag_stall *stall,
                     struct arena *arena)
{
	for (size_t i = 0; i < stall->step_count; i++) {
		const struct lag_explained *step = &stall->steps[i];
		struct table_cell *cells = table_add_row(table, arena);
		uint64_t n = step->step.n;

		table_set_text(&cells[0], name_text(stall, arena));
		table_set_number(&cells[1], step->depth);
		table_set_text(&cells[2], ms_text(arena, step->cost_us));
		table_set_text(&cells[3],
		               ms_text(arena, step->step.parent_cost_us));
		table_set_number(&cells[4], n);
		// An only child need not cost more than its parent.
		if (n > 1)
			table_set_text(
			        &cells[5],
			        ms_text(arena, fair_share_us(&step->step)));
		table_set_number(&cells[6], step->step.over_fair_share);
		table_set_text(&cells[7],
		               ms_text(arena, step->step.parent_cost_us / 5));
		table_set_number(&cells[8], step->step.over_fifth);
		table_set_text(&cells[9], verdict_of(step));
		table_set_text(&cells[10], kind_text(step->is_app));
		table_set_text(&cells[11], copy(step->name, arena));
		table_set_number(&cells[12], step->samples);
	}
}

// SPDX-License-Identifier: MIT
/*
 * The table of groups.
 */
#include "lib/analysis/crash/group/group_rows.h"
#include "lib/analysis/crash/group/groups.h"
#include "lib/analysis/crash/group/headline.h"
#include "lib/base/number.h"
#include "lib/base/sorted.h"
#include "lib/base/timestamp.h"
#include "lib/base/units.h"

#include <inttypes.h>
#include <stdlib.h>

// What is counted inside of groups, brought together

/** A value of a group, after groups were joined. */
struct ranked {
	uint32_t group;
	uint32_t kind;
	uint32_t value;
	uint64_t count;
	const char *text;
};

struct ranking {
	struct ranked *items; ///< by group and kind, the most frequent first
	size_t count;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;
	int order = number_compare(left->group, right->group);

	if (!order)
		order = number_compare(left->kind, right->kind);
	return order ? order : number_compare(left->value, right->value);
}

static int by_count(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;
	int order = number_compare(left->group, right->group);

	if (!order)
		order = number_compare(left->kind, right->kind);
	if (!order)
		order = number_compare(right->count, left->count);
	return order ? order : strcmp(left->text, right->text);
}

static struct ranking rank(const struct crash_groups *groups,
                           struct arena *arena)
{
	size_t count = groups->tally_ids.count;
	struct ranked *items = arena_array(arena, count + 1, sizeof(*items));
	size_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct crash_tally tally;

		memcpy(&tally, groups->tally_ids.texts[i].data, sizeof(tally));
		items[i] = (struct ranked){
			.group = groups->groups[tally.group].joined,
			.kind = tally.kind,
			.value = tally.value,
			.count = groups->tally_counts[i],
			.text = intern_cstr(&groups->values, tally.value),
		};
	}
	qsort(items, count, sizeof(*items), by_value);
	for (size_t i = 0; i < count; i++) {
		if (kept && !by_value(&items[kept - 1], &items[i]))
			items[kept - 1].count += items[i].count;
		else
			items[kept++] = items[i];
	}
	qsort(items, kept, sizeof(*items), by_count);
	return (struct ranking){ items, kept };
}

static const struct ranked *find_ranked(const struct ranking *ranking,
                                        uint32_t group,
                                        enum crash_tally_kind kind,
                                        size_t *ret_count)
{
	const struct ranked *items = ranking->items;
	size_t first = SORTED_SKIP(
	        i, ranking->count,
	        items[i].group < group ||
	                (items[i].group == group && items[i].kind < kind));
	size_t end = first;

	while (end < ranking->count && items[end].group == group &&
	       items[end].kind == kind)
		end++;
	*ret_count = end - first;
	return &items[first];
}

// Rows

struct row {
	uint32_t group;
	struct crash_group sums; ///< with those that were joined to it
	const char **raw_hashes;
	size_t raw_count;
	size_t raw_cap;
	const char **members;
	size_t member_count;
	size_t member_cap;
};

static void add_sums(struct crash_group *to, const struct crash_group *from)
{
	to->count += from->count;
	to->at_launch[0] += from->at_launch[0];
	to->at_launch[1] += from->at_launch[1];
	to->knows_launch |= from->knows_launch;
	if (!to->trend)
		to->trend = from->trend;
	else if (from->trend)
		trend_join(to->trend, from->trend);
	if (!from->has_dates)
		return;
	if (!to->has_dates || from->first_ms < to->first_ms)
		to->first_ms = from->first_ms;
	if (!to->has_dates || from->last_ms > to->last_ms)
		to->last_ms = from->last_ms;
	to->has_dates = true;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a;
	const struct row *right = b;
	int order = number_compare(right->sums.count, left->sums.count);

	if (!order)
		order = strcmp(left->sums.text, right->sums.text);
	return order ? order : number_compare(left->group, right->group);
}

/** By group; rows that were joined to another have no reports. */
static struct row *make_rows(const struct crash_groups *groups,
                             struct arena *arena)
{
	size_t count = groups->identities.count;
	struct row *rows = arena_array(arena, count + 1, sizeof(*rows));

	for (uint32_t i = 0; i < count; i++) {
		rows[i].group = i;
		rows[i].sums = groups->groups[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t to = groups->groups[i].joined;

		if (to == i)
			continue;
		add_sums(&rows[to].sums, &rows[i].sums);
		rows[i].sums.count = 0;
	}
	for (size_t i = 0; i < groups->raw_count; i++) {
		const struct crash_raw *raw = &groups->raws[i];
		uint32_t at = raw->named != MAP_NONE ? raw->named : raw->places;
		struct row *row = &rows[groups->groups[at].joined];

		if (row->raw_count == GROUP_ROW_RAW_HASHES)
			continue;
		ARENA_GROW(arena, row->raw_hashes, row->raw_count,
		           row->raw_cap);
		row->raw_hashes[row->raw_count++] =
		        signature_hash_text(raw->hash, arena);
	}
	for (size_t i = 0; i < groups->member_count; i++) {
		const struct crash_member *member = &groups->members[i];
		struct row *row = &rows[groups->groups[member->group].joined];

		ARENA_GROW(arena, row->members, row->member_count,
		           row->member_cap);
		row->members[row->member_count++] = member->name;
	}
	return rows;
}

enum group_column {
	GROUP_COUNT,
	GROUP_SHARE,
	GROUP_USERS,
	GROUP_FIRST,
	GROUP_LAST,
	GROUP_TREND,
	GROUP_APP_COUNT,
	GROUP_DEVICE_COUNT,
	GROUP_SYSTEM_COUNT,
	GROUP_KIND,
	GROUP_OWNER,
	GROUP_EXAMPLE,
	GROUP_SIGNATURE,
	GROUP_HASHES,
	GROUP_RAW_HASHES,
	GROUP_APPS,
	GROUP_DEVICES,
	GROUP_SYSTEMS,
	GROUP_FILE,
	GROUP_LINE,
	GROUP_ALGORITHM,
	GROUP_LEVEL,
	GROUP_SYMBOLICATED,
	GROUP_STACKS,
	// After all others: programs know those of CSV by their places.
	GROUP_AT_LAUNCH,
	GROUP_HEADLINE,
	GROUP_MESSAGE,
	GROUP_HASH,
	GROUP_COLUMNS,
};

static const struct table_column group_columns[GROUP_COLUMNS] = {
	[GROUP_COUNT] = { "count", "reports", TABLE_NUMBER },
	[GROUP_SHARE] = { "share", "share %", TABLE_DECIMAL },
	[GROUP_USERS] = { "users", "users", TABLE_NUMBER },
	[GROUP_FIRST] = { "first_seen", "first seen", TABLE_TEXT },
	[GROUP_LAST] = { "last_seen", "last seen", TABLE_TEXT },
	[GROUP_TREND] = { "trend", "over time", TABLE_SERIES },
	[GROUP_APP_COUNT] = { "app_count", "builds", TABLE_NUMBER },
	[GROUP_DEVICE_COUNT] = { "device_count", "devices", TABLE_NUMBER },
	[GROUP_SYSTEM_COUNT] = { "system_count", "systems", TABLE_NUMBER },
	[GROUP_KIND] = { "kind", "kind", TABLE_TEXT },
	[GROUP_OWNER] = { "owner", "owner", TABLE_NAME },
	[GROUP_EXAMPLE] = { "example", "example", TABLE_PATH },
	[GROUP_SIGNATURE] = { "signature", "signature", TABLE_NAME },
	[GROUP_HASHES] = { "hashes", NULL, TABLE_LEVELS },
	[GROUP_RAW_HASHES] = { "raw_hashes", NULL, TABLE_LEVELS },
	[GROUP_APPS] = { "apps", NULL, TABLE_LIST },
	[GROUP_DEVICES] = { "devices", NULL, TABLE_LIST },
	[GROUP_SYSTEMS] = { "systems", NULL, TABLE_LIST },
	[GROUP_FILE] = { "file", NULL, TABLE_PATH },
	[GROUP_LINE] = { "line", NULL, TABLE_NUMBER },
	[GROUP_ALGORITHM] = { "algorithm", NULL, TABLE_TEXT },
	[GROUP_LEVEL] = { "signature_level", NULL, TABLE_NUMBER },
	[GROUP_SYMBOLICATED] = { "symbolicated", NULL, TABLE_BOOL },
	[GROUP_STACKS] = { "stacks", NULL, TABLE_CALLS },
	[GROUP_AT_LAUNCH] = { "at_launch", "at launch", TABLE_NUMBER },
	[GROUP_HEADLINE] = { "headline", NULL, TABLE_TEXT },
	[GROUP_MESSAGE] = { "message", NULL, TABLE_TEXT },
	[GROUP_HASH] = { "hash", NULL, TABLE_TEXT },
};

/** With groups.keeps_members, and with groups.gates_launch, in this order. */
static const struct table_column members_column = { "members", NULL,
	                                            TABLE_LIST };
static const struct table_column level_column = { "level", NULL, TABLE_TEXT };
#define OTHER_COLUMNS 2

static const struct table_rule rules[] = {
	{ NULL, "A crash, hang or kill",
	  "Reports of one failure: what was raised and the first calls of the "
	  "app are the same.",
	  "Run 'apmtool explain' on its example to see what it means." },
	{ 0 },
};

static const char *const spare_columns[] = {
	"system_count", "device_count", "app_count", "kind",
	"first_seen",   "last_seen",    "users",     "share",
	"example",      "owner",        NULL,
};

static const struct table_measures measures = {
	.sums = (const char *const[]){ "count", "at_launch", NULL },
	.tags = (const char *const[]){ "signature", "hash", "kind", "owner",
	                               NULL },
	.time = "last_seen",
};

static const char *date_text(int64_t ms, struct arena *arena)
{
	// Of dates before 1970 there are none.
	return arena_printf(arena, "%sZ", timestamp_utc(ms / 1000, 'T').text);
}

static const char *percent(uint64_t part, uint64_t whole, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_fixed(&text, units_share(part, whole, 10000), 100, 2);
	return arena_text(arena, str_text(&text));
}

/** How many there are, and which. */
static void add_list(const struct ranking *ranking, uint32_t group,
                     enum crash_tally_kind kind, struct table_cell *count_cell,
                     struct table_cell *list_cell, struct arena *arena)
{
	size_t count;
	const struct ranked *found = find_ranked(ranking, group, kind, &count);
	const char **texts = arena_array(arena, count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = found[i].text;
	table_set_number(count_cell, count);
	if (list_cell)
		table_set_list(list_cell, texts, count);
}

static void add_hashes(const struct crash_groups *groups, const struct row *row,
                       struct table_cell *cells, struct arena *arena)
{
	const char **texts =
	        arena_array(arena, SIGNATURE_LEVELS, sizeof(*texts));

	table_set_list(&cells[GROUP_RAW_HASHES], row->raw_hashes,
	               row->raw_count);
	if (groups->by != CRASH_BY_SIGNATURE)
		return;
	for (unsigned i = 0; i < SIGNATURE_LEVELS; i++)
		texts[i] = signature_hash_text(row->sums.hashes[i], arena);
	table_set_text(&cells[GROUP_HASH], texts[groups->level - 1]);
	table_set_list(&cells[GROUP_HASHES], texts, SIGNATURE_LEVELS);
	table_set_text(&cells[GROUP_KIND], signature_kind_name(row->sums.kind));
	table_set_number(&cells[GROUP_LEVEL], groups->level);
	table_set_number(&cells[GROUP_SYMBOLICATED], !row->sums.has_places);
}

/** All groups together: their rows have the same slots. */
static struct trend join_trends(const struct row *rows, size_t count)
{
	struct trend whole = { 0 };

	for (size_t i = 0; i < count; i++)
		if (rows[i].sums.trend)
			trend_join(&whole, rows[i].sums.trend);
	return whole;
}

static bool is_of_one_day(const struct crash_group *sums)
{
	const int64_t day_ms = INT64_C(24) * 3600 * 1000;

	return sums->first_ms / day_ms == sums->last_ms / day_ms;
}

/** What is drawn of a group. */
static void add_drawings(struct crash_groups *groups, const struct row *row,
                         const struct trend *whole, bool has_stacks,
                         struct table_cell *cells, struct arena *arena)
{
	const struct calltree *calls =
	        has_stacks ? crash_stacks_of(&groups->stacks, row->group,
	                                     row->sums.count)
	                   : NULL;
	SCOPED(str_release) struct str words = { 0 };
	struct table_series *series;
	uint32_t *counts;

	if (calls)
		table_set_calls(&cells[GROUP_STACKS], calls);
	// One day alone is no course of time.
	if (!row->sums.trend || is_of_one_day(&row->sums))
		return;
	counts = arena_array(arena, whole->count, sizeof(*counts));
	trend_spread(row->sums.trend, whole, counts);
	trend_add_words(whole, counts, &words);
	series = arena_alloc(arena, sizeof(*series));
	*series = (struct table_series){
		.counts = counts,
		.count = whole->count,
		.words = arena_text(arena, str_text(&words)),
	};
	table_set_series(&cells[GROUP_TREND], series);
}

/** `2 reports, 1 user, 1 at launch` */
static const char *message_of(const struct table_cell *cells,
                              struct arena *arena)
{
	const struct table_cell *users = &cells[GROUP_USERS];
	uint64_t reports = cells[GROUP_COUNT].number;
	uint64_t at_launch = cells[GROUP_AT_LAUNCH].number;
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "%" PRIu64 " report%s", reports, text_plural(reports));
	if (users->present)
		str_addf(&text, ", %" PRIu64 " user%s", users->number,
		         text_plural(users->number));
	if (at_launch)
		str_addf(&text, ", %" PRIu64 " at launch", at_launch);
	return arena_text(arena, str_text(&text));
}

/** What is for those who read one group alone. */
static void add_finding(const struct crash_group *sums,
                        struct table_cell *cells, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	crash_headline_add(&text, sums->text, sums->file, sums->line);
	table_set_text(&cells[GROUP_HEADLINE],
	               arena_text(arena, str_text(&text)));
	table_set_text(&cells[GROUP_MESSAGE], message_of(cells, arena));
}

static void add_row(const struct crash_groups *groups,
                    const struct ranking *ranking, const struct row *row,
                    struct table *table, struct arena *arena)
{
	const struct crash_group *sums = &row->sums;
	struct table_cell *cells = table_add_row(table, arena);

	table_set_number(&cells[GROUP_COUNT], sums->count);
	table_set_text(&cells[GROUP_SHARE],
	               percent(sums->count, groups->count, arena));
	add_list(ranking, row->group, CRASH_TALLY_USER, &cells[GROUP_USERS],
	         NULL, arena);
	// Nobody was named: that is not the same as no one.
	cells[GROUP_USERS].present = cells[GROUP_USERS].number > 0;
	if (sums->knows_launch)
		table_set_number(&cells[GROUP_AT_LAUNCH],
		                 sums->at_launch[0] + sums->at_launch[1]);
	if (sums->has_dates) {
		table_set_text(&cells[GROUP_FIRST],
		               date_text(sums->first_ms, arena));
		table_set_text(&cells[GROUP_LAST],
		               date_text(sums->last_ms, arena));
	}
	add_list(ranking, row->group, CRASH_TALLY_APP, &cells[GROUP_APP_COUNT],
	         &cells[GROUP_APPS], arena);
	add_list(ranking, row->group, CRASH_TALLY_DEVICE,
	         &cells[GROUP_DEVICE_COUNT], &cells[GROUP_DEVICES], arena);
	add_list(ranking, row->group, CRASH_TALLY_SYSTEM,
	         &cells[GROUP_SYSTEM_COUNT], &cells[GROUP_SYSTEMS], arena);
	if (groups->owners && sums->file)
		table_set_text(&cells[GROUP_OWNER],
		               owners_find(groups->owners, sums->file));
	table_set_text(&cells[GROUP_EXAMPLE], sums->example);
	table_set_text(&cells[GROUP_SIGNATURE], sums->text);
	table_set_text(&cells[GROUP_FILE], sums->file);
	if (sums->line)
		table_set_number(&cells[GROUP_LINE], sums->line);
	table_set_text(&cells[GROUP_ALGORITHM],
	               signature_algorithm_name(groups->algorithm));
	add_finding(sums, cells, arena);
	add_hashes(groups, row, cells, arena);
	cells += GROUP_COLUMNS;
	if (groups->keeps_members)
		table_set_list(cells++, row->members, row->member_count);
	if (groups->gates_launch)
		table_set_text(cells, sums->at_launch[0] + sums->at_launch[1]
		                              ? "error"
		                              : "notice");
}

static const char *summarise(const struct crash_groups *groups, size_t count,
                             size_t shown, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "%" PRIu64 " report%s in %zu group%s", groups->count,
	         text_plural(groups->count), count, text_plural(count));
	if (groups->unsigned_count)
		str_addf(&text, "; %" PRIu64 " without a stack",
		         groups->unsigned_count);
	if (shown < count)
		str_addf(&text, "; %zu not shown", count - shown);
	if (groups->draws && shown > CRASH_STACKS_SHOWN)
		str_addf(&text,
		         "; the stacks of the %d most frequent are drawn",
		         CRASH_STACKS_SHOWN);
	return arena_text(arena, str_text(&text));
}

/**
 * In text, owners and members only where they were asked for, and crashes at
 * launch where there are any.
 */
static const struct table_column *choose_columns(
        const struct crash_groups *groups, struct arena *arena)
{
	static const char *const titles[] = { "signature", "class", "frame",
		                              "image",     "app",   "device",
		                              "system",    "owner" };
	struct table_column *columns = arena_array(
	        arena, GROUP_COLUMNS + OTHER_COLUMNS, sizeof(*columns));
	struct table_column *next = columns + GROUP_COLUMNS;

	memcpy(columns, group_columns, sizeof(group_columns));
	if (groups->keeps_members)
		*next++ = members_column;
	if (groups->gates_launch)
		*next = level_column;
	columns[GROUP_SIGNATURE].title = titles[groups->by];
	if (!groups->draws)
		columns[GROUP_TREND].title = NULL;
	if (!groups->at_launch)
		columns[GROUP_AT_LAUNCH].title = NULL;
	if (!groups->owners)
		columns[GROUP_OWNER].title = NULL;
	if (groups->by != CRASH_BY_SIGNATURE)
		columns[GROUP_KIND].title = NULL;
	return columns;
}

const struct table *crash_groups_table(struct crash_groups *groups, size_t top,
                                       struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));
	size_t count = groups->identities.count;
	struct ranking ranking = rank(groups, arena);
	struct row *rows = make_rows(groups, arena);
	struct trend whole = join_trends(rows, count);
	size_t shown;

	qsort(rows, count, sizeof(*rows), compare_rows);
	while (count && !rows[count - 1].sums.count)
		count--;
	shown = top && top < count ? top : count;
	*table = (struct table){
		.name = "crash-groups",
		.summary = summarise(groups, count, shown, arena),
		.columns = choose_columns(groups, arena),
		.column_count = (size_t)GROUP_COLUMNS + groups->keeps_members +
		                groups->gates_launch,
		.spare = spare_columns,
		.subject = "signature",
		.rules = rules,
		.measures = &measures,
	};
	for (size_t i = 0; i < shown; i++) {
		add_row(groups, &ranking, &rows[i], table, arena);
		add_drawings(groups, &rows[i], &whole, i < CRASH_STACKS_SHOWN,
		             &table->cells[i * table->column_count], arena);
	}
	return table;
}

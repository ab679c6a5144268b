// SPDX-License-Identifier: MIT
/*
 * The `influx` format: InfluxDB's line protocol, a line for each group of a
 * table whose rows count something.
 *
 *     apm_crash_groups,kind=app,signature=SIGSEGV\ |\ read count=3i 1769821687…
 *
 * InfluxDB replaces a point with the same tags and time: rows with equal tags
 * become one line with their sums. Tags never identify a report. The time is
 * that of the last report, absent without dates.
 */
#include "formatters/formatter.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/timestamp.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/**
 * Longer values are truncated; InfluxDB allows 64 kB for all tags of a point.
 */
#define TAG_BYTES_MAX 1000
#define SUMS_MAX      8
#define NS_PER_MS     INT64_C(1000000)

struct point {
	uint64_t sums[SUMS_MAX];
	bool has_sum[SUMS_MAX];
	bool has_time;
	int64_t time_ms;
};

/** The points of a table, by their tags. */
struct points {
	struct intern tags;
	struct point *items;
	size_t count;
	size_t cap;
};

static void points_release(struct points *points)
{
	intern_release(&points->tags);
	free(points->items);
}

/**
 * A value between separators. The protocol cannot escape a backslash, which is
 * itself an escape: it becomes a slash.
 */
static void add_tag_value(const char *value, struct str *out)
{
	SCOPED(str_release) struct str visible = { 0 };

	utf8_add_cell(&visible, utf8_first(text_from(value), TAG_BYTES_MAX));
	for (size_t i = 0; i < visible.size; i++) {
		char c = visible.data[i];

		if (c == ',' || c == '=' || c == ' ')
			str_add_char(out, '\\');
		str_add_char(out, c == '\\' ? '/' : c);
	}
}

static void add_tags(const struct table *table, size_t row, struct str *out)
{
	for (const char *const *key = table->measures->tags; *key; key++) {
		const struct table_cell *cell =
		        table_find_cell(table, row, *key);

		if (!cell || !*cell->text)
			continue;
		str_addf(out, ",%s=", *key);
		add_tag_value(cell->text, out);
	}
}

static void add_time(const struct table *table, size_t row, struct point *point)
{
	const char *key = table->measures->time;
	const struct table_cell *cell = key ? table_find_cell(table, row, key)
	                                    : NULL;
	int64_t ms;

	if (!cell || !timestamp_parse(text_from(cell->text), &ms) ||
	    (point->has_time && ms <= point->time_ms))
		return;
	point->has_time = true;
	point->time_ms = ms;
}

static void add_sums(const struct table *table, size_t row, struct point *point)
{
	const char *const *keys = table->measures->sums;

	for (size_t i = 0; keys[i] && i < SUMS_MAX; i++) {
		const struct table_cell *cell =
		        table_find_cell(table, row, keys[i]);

		if (!cell)
			continue;
		point->has_sum[i] = true;
		point->sums[i] = number_sum(point->sums[i], cell->number);
	}
}

static struct point *find_point(struct points *points, struct text tags)
{
	uint32_t at = intern_add(&points->tags, tags);

	if (at == points->count) {
		MEM_GROW(points->items, points->count, points->cap);
		points->items[points->count++] = (struct point){ 0 };
	}
	return &points->items[at];
}

/** `apm_crash_groups` */
static void add_measurement(const struct table *table, struct str *out)
{
	str_add(out, "apm_");
	for (const char *c = table->name; *c; c++)
		str_add_char(out, *c == '-' ? '_' : *c);
}

static void write_point(const struct table *table, const struct points *points,
                        uint32_t at, struct out *out)
{
	const char *const *keys = table->measures->sums;
	const struct point *point = &points->items[at];
	SCOPED(str_release) struct str line = { 0 };
	char before = ' ';

	add_measurement(table, &line);
	str_add_text(&line, points->tags.texts[at]);
	for (size_t i = 0; keys[i] && i < SUMS_MAX; i++) {
		uint64_t sum = point->sums[i] < INT64_MAX ? point->sums[i]
		                                          : INT64_MAX;

		if (!point->has_sum[i])
			continue;
		str_addf(&line, "%c%s=%" PRIu64 "i", before, keys[i], sum);
		before = ',';
	}
	// A point without fields is an error.
	if (before == ' ')
		return;
	// Nanoseconds of 64 bits end in 2262.
	if (point->has_time && point->time_ms < INT64_MAX / NS_PER_MS)
		str_addf(&line, " %" PRId64, point->time_ms * NS_PER_MS);
	str_add_char(&line, '\n');
	out_add_bytes(out, line.data, line.size);
}

static void influx_table(const struct table *table,
                         const struct format_options *options UNUSED,
                         struct out *out)
{
	SCOPED(points_release) struct points points = { 0 };

	if (!table->measures)
		return;
	for (size_t row = 0; row < table->row_count; row++) {
		SCOPED(str_release) struct str tags = { 0 };
		struct point *point;

		add_tags(table, row, &tags);
		point = find_point(&points, str_text(&tags));
		add_sums(table, row, point);
		add_time(table, row, point);
	}
	for (uint32_t i = 0; i < points.count; i++)
		write_point(table, &points, i, out);
}

static void influx_page(const struct page *page,
                        const struct format_options *options, struct out *out)
{
	if (page->list)
		influx_table(page->list, options, out);
}

const struct formatter influx_formatter = {
	.name = "influx",
	.summary = "sums of groups in InfluxDB's line protocol",
	.counts = true,
	.table = influx_table,
	.page = influx_page,
};

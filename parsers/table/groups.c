// SPDX-License-Identifier: MIT
/*
 * Reads the output of `apmtool group --format json`: groups without their
 * reports.
 */
#include "lib/base/number.h"
#include "lib/text/json/pull.h"
#include "parsers/reader.h"

#include <string.h>

/** The name of the table is among its first members. */
#define HEAD_BYTES 256

/** State of a row. */
struct row_reader {
	struct json_pull *pull;
	struct sink *sink;
	struct group_row row;
	const char *bad_count; ///< the invalid value; or NULL
	struct arena arena;    ///< of the row
};

/** The hex texts of an array whose `[` was read, up to @p max. */
static size_t read_hashes(struct json_pull *pull, uint64_t *ret, size_t max)
{
	const struct json_event *event;
	size_t count = 0;

	while ((event = json_pull_next(pull))->type == JSON_EVENT_TEXT)
		if (count < max && number_hex(event->text, &ret[count]))
			count++;
	return count;
}

static void take_count(struct row_reader *reader,
                       const struct json_event *event)
{
	// A negative number is in two's complement.
	if (!text_starts(event->text, "-") &&
	    json_event_u64(event, &reader->row.count))
		return;
	if (event->type == JSON_EVENT_NUMBER || event->type == JSON_EVENT_TEXT)
		reader->bad_count = arena_text(&reader->arena, event->text);
	else
		reader->bad_count = "none";
	json_pull_skip(reader->pull);
}

/** Read the member @p name, whose first event is @p event. */
static void take_member(struct row_reader *reader, struct text name,
                        const struct json_event *event)
{
	struct group_row *row = &reader->row;
	bool is_array = event->type == JSON_EVENT_ARRAY;
	bool is_text = event->type == JSON_EVENT_TEXT;
	uint64_t line = 0;

	if (is_array && text_is(name, "hashes")) {
		read_hashes(reader->pull, row->hashes, GROUP_ROW_HASHES);
	} else if (is_array && text_is(name, "raw_hashes")) {
		row->raw_count = read_hashes(reader->pull, row->raw_hashes,
		                             GROUP_ROW_RAW_HASHES);
	} else if (is_text && text_is(name, "signature")) {
		row->signature = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "kind")) {
		row->kind = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "algorithm")) {
		row->algorithm = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "example")) {
		row->example = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "file")) {
		row->file = arena_text(&reader->arena, event->text);
	} else if (text_is(name, "count")) {
		take_count(reader, event);
	} else if (text_is(name, "at_launch")) {
		json_event_u64(event, &row->at_launch);
	} else if (text_is(name, "signature_level")) {
		json_event_u64(event, &row->level);
	} else if (text_is(name, "line") && json_event_u64(event, &line)) {
		row->line = line < UINT32_MAX ? (uint32_t)line : 0;
	} else if (text_is(name, "symbolicated")) {
		row->has_places = event->type == JSON_EVENT_BOOL &&
		                  !event->truth;
	} else {
		json_pull_skip(reader->pull);
	}
}

/** Read a row whose `{` was read. */
static struct error *read_row(struct row_reader *reader, size_t number)
{
	const struct json_event *event;

	arena_clear(&reader->arena);
	reader->row = (struct group_row){ .number = number };
	reader->bad_count = NULL;
	while ((event = json_pull_next(reader->pull))->type ==
	       JSON_EVENT_NAME) {
		SCOPED(str_release) struct str name = { 0 };

		str_add_text(&name, event->text);
		take_member(reader, str_text(&name),
		            json_pull_next(reader->pull));
	}
	if (json_pull_truncated(reader->pull))
		return error_new(ERROR_FORMAT, "the table is truncated");
	if (reader->bad_count)
		return error_new(ERROR_FORMAT,
		                 "rows[%zu].count: expected a number of "
		                 "reports, found %s",
		                 number, reader->bad_count);
	return reader->sink->group(&reader->row, reader->sink->context);
}

static struct error *read_rows(struct row_reader *reader)
{
	struct error *err = NULL;

	for (size_t i = 0;
	     !err && json_pull_next(reader->pull)->type == JSON_EVENT_OBJECT;
	     i++)
		err = read_row(reader, i);
	return err;
}

/** Refuse a table of `--top`: omitted rows would look new or gone. */
static struct error *check_summary(struct text summary)
{
	if (text_find(summary, " not shown") == TEXT_NOWHERE)
		return NULL;
	return error_new(ERROR_USAGE,
	                 "the table has not all groups ('%.*s'): make it "
	                 "without --top",
	                 TEXT_ARGS(summary));
}

static struct error *read_table_member(struct row_reader *reader,
                                       struct text name)
{
	bool is_rows = text_is(name, "rows");
	bool is_summary = text_is(name, "summary");
	const struct json_event *event = json_pull_next(reader->pull);

	if (is_rows && event->type == JSON_EVENT_ARRAY)
		return read_rows(reader);
	if (is_summary && event->type == JSON_EVENT_TEXT)
		return check_summary(event->text);
	json_pull_skip(reader->pull);
	return NULL;
}

static struct error *read_table(struct row_reader *reader)
{
	const struct json_event *event = json_pull_next(reader->pull);
	struct error *err = NULL;

	while (!err &&
	       (event = json_pull_next(reader->pull))->type == JSON_EVENT_NAME)
		err = read_table_member(reader, event->text);
	if (!err)
		err = json_pull_take_error(reader->pull);
	if (!err && json_pull_truncated(reader->pull))
		err = error_new(ERROR_FORMAT, "the table is truncated");
	return err;
}

static bool groups_sniff(const struct envelope *in)
{
	struct text text = text_first(in->text, HEAD_BYTES);

	return text_starts(text_trim_left(text), "{") &&
	       text_find(text, "\"apmtool.table/1\"") != TEXT_NOWHERE &&
	       text_find(text, "\"crash-groups\"") != TEXT_NOWHERE;
}

static struct error *groups_read(const struct envelope *in, struct sink *sink)
{
	struct row_reader reader = { .pull = in->pull, .sink = sink };
	struct error *err = read_table(&reader);

	arena_release(&reader.arena);
	return err;
}

const struct reader group_table_reader = {
	.name = "crash-groups",
	.yields = YIELDS_GROUPS,
	.streams = STREAMS_DOCUMENTS,
	.sniff = groups_sniff,
	.read = groups_read,
};

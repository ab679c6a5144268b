#include "cmd/run/group_file.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/text/json/pull.h"

#include <string.h>

/** The name of the table is among its first members. */
#define HEAD_BYTES 256
/** As gzip data, too, they are among so many bytes. */
#define PACKED_BYTES ((size_t)4 << 10)

bool group_file_is_one(struct source *source)
{
	struct text head = source_peek(source, PACKED_BYTES);
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	SCOPED(error_drop)
	struct error *err = decode(bytes_from_text(head),
	                           limit_get(LIMIT_UNPACKED), &decoded);
	struct text text = text_first(bytes_text(decoded.bytes), HEAD_BYTES);

	return !err && text_starts(text_trim_left(text), "{") &&
	       text_find(text, "\"apmtool.table/1\"") != TEXT_NOWHERE &&
	       text_find(text, "\"crash-groups\"") != TEXT_NOWHERE;
}

/** A row that is being read. */
struct row_reader {
	struct json_pull *pull;
	struct crash_groups *groups;
	struct crash_group_row row;
	bool has_kind;
	uint64_t level;
	const char *algorithm;
	const char *bad_count; ///< what is there in its place; or NULL
	size_t number;         ///< of the row
	struct arena arena;    ///< of the row
};

static enum signature_kind find_kind(struct text name, bool *ret_found)
{
	enum signature_kind kind = SIGNATURE_APP;

	for (; kind <= SIGNATURE_JETSAM; kind++)
		if (text_is(name, signature_kind_name(kind)))
			break;
	*ret_found = kind <= SIGNATURE_JETSAM;
	return kind;
}

/** The hex texts of an array whose `[` was read, up to @p most. */
static size_t read_hashes(struct json_pull *pull, uint64_t *ret, size_t most)
{
	const struct json_event *event;
	size_t count = 0;

	while ((event = json_pull_next(pull))->type == JSON_EVENT_TEXT)
		if (count < most && number_hex(event->text, &ret[count]))
			count++;
	return count;
}

static void take_count(struct row_reader *reader,
                       const struct json_event *event)
{
	// Of what is below 0, it is the two's complement.
	if (!text_starts(event->text, "-") &&
	    json_event_u64(event, &reader->row.count))
		return;
	if (event->type == JSON_EVENT_NUMBER || event->type == JSON_EVENT_TEXT)
		reader->bad_count = arena_text(&reader->arena, event->text);
	else
		reader->bad_count = "none";
	json_pull_skip(reader->pull);
}

/** The value of the member @p name, whose first event is @p event. */
static void take_member(struct row_reader *reader, struct text name,
                        const struct json_event *event)
{
	struct crash_group_row *row = &reader->row;
	bool is_array = event->type == JSON_EVENT_ARRAY;
	bool is_text = event->type == JSON_EVENT_TEXT;
	uint64_t line = 0;

	if (is_array && text_is(name, "hashes")) {
		read_hashes(reader->pull, row->hashes, SIGNATURE_LEVELS);
	} else if (is_array && text_is(name, "raw_hashes")) {
		row->raw_count = read_hashes(reader->pull, row->raw_hashes,
		                             CRASH_GROUP_RAW_HASHES);
	} else if (is_text && text_is(name, "signature")) {
		row->signature = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "kind")) {
		row->kind = find_kind(event->text, &reader->has_kind);
	} else if (is_text && text_is(name, "algorithm")) {
		reader->algorithm = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "example")) {
		row->example = arena_text(&reader->arena, event->text);
	} else if (is_text && text_is(name, "file")) {
		row->file = arena_text(&reader->arena, event->text);
	} else if (text_is(name, "count")) {
		take_count(reader, event);
	} else if (text_is(name, "signature_level")) {
		json_event_u64(event, &reader->level);
	} else if (text_is(name, "line") && json_event_u64(event, &line)) {
		row->line = line < UINT32_MAX ? (uint32_t)line : 0;
	} else if (text_is(name, "symbolicated")) {
		row->has_places = event->type == JSON_EVENT_BOOL &&
		                  !event->truth;
	} else {
		json_pull_skip(reader->pull);
	}
}

static struct error *check_row(const struct row_reader *reader)
{
	const struct crash_groups *groups = reader->groups;
	const char *algorithm = signature_algorithm_name(groups->algorithm);

	if (reader->bad_count)
		return error_new(ERROR_FORMAT,
		                 "rows[%zu].count: expected a number of "
		                 "reports, found %s",
		                 reader->number, reader->bad_count);
	if (!reader->row.signature || !reader->has_kind)
		return error_new(ERROR_FORMAT,
		                 "expected groups by signature, found a row "
		                 "without 'signature' or 'kind'");
	if (!reader->algorithm || strcmp(reader->algorithm, algorithm) != 0)
		return error_new(ERROR_USAGE,
		                 "the groups are by '%s', not by '%s': see "
		                 "--algorithm",
		                 reader->algorithm ? reader->algorithm : "-",
		                 algorithm);
	if (reader->level != groups->level)
		return error_new(ERROR_USAGE,
		                 "the groups are of level %u, not %u: see "
		                 "--level",
		                 (unsigned)reader->level, groups->level);
	return NULL;
}

/** A row, whose `{` was read. */
static struct error *read_row(struct row_reader *reader)
{
	const struct json_event *event;
	struct error *err;

	arena_clear(&reader->arena);
	reader->row = (struct crash_group_row){ 0 };
	reader->has_kind = false;
	reader->algorithm = NULL;
	reader->bad_count = NULL;
	reader->level = 0;
	while ((event = json_pull_next(reader->pull))->type ==
	       JSON_EVENT_NAME) {
		SCOPED(str_release) struct str name = { 0 };

		str_add_text(&name, event->text);
		take_member(reader, str_text(&name),
		            json_pull_next(reader->pull));
	}
	if (json_pull_truncated(reader->pull))
		return error_new(ERROR_FORMAT, "the table is truncated");
	if ((err = check_row(reader)))
		return err;
	crash_groups_add_row(reader->groups, &reader->row);
	reader->number++;
	return NULL;
}

static struct error *read_rows(struct row_reader *reader)
{
	struct error *err = NULL;

	while (!err && json_pull_next(reader->pull)->type == JSON_EVENT_OBJECT)
		err = read_row(reader);
	return err;
}

/** What `--top` left out would be new on the other side, or gone. */
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

static struct error *read_decoded(struct source *source,
                                  struct crash_groups *groups)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(source_read, source, 0);
	struct row_reader reader = { .pull = pull, .groups = groups };
	struct error *err = read_table(&reader);

	arena_release(&reader.arena);
	return err;
}

struct error *group_file_read(struct source *source,
                              struct crash_groups *groups)
{
	struct error *err = source_decode(source, limit_get(LIMIT_UNPACKED));

	if (err)
		return err;
	err = read_decoded(source, groups);
	return err ? source_blame(source, err) : source_take_error(source);
}

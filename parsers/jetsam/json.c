// SPDX-License-Identifier: MIT
/*
 * JetsamEvents in JSON (apmtool-formats(5)): header line and body, only the
 * body, or both in the wrong order. Numbers keep the unit of the log; invalid
 * ones become a note and stay unknown.
 */
#include "parsers/jetsam/json.h"
#include "lib/base/timestamp.h"
#include "lib/darwin/bug_types.h"
#include "lib/text/json/json.h"
#include "parsers/jetsam/clean.h"
#include "parsers/jetsam/jetsam.h"
#include "parsers/json/shape.h"
#include "parsers/reader.h"

#include <string.h>

/** Max parts of a damaged list of processes. */
#define PIECES_MAX 10000

/** The dates of a header line and its body are not further apart. */
#define DATES_SLACK_MS ((int64_t)60 * 1000)

// Detection

/**
 * Panics and stackshots list processes, too; a crash may contain any number.
 */
#define OTHER_NAMES                                                           \
	(JSON_HAS(PANIC_STRING) | JSON_HAS(MACOS_PANIC_STRING) |              \
	 JSON_HAS(PROCESS_BY_PID) | JSON_HAS(STACKSHOT) | JSON_HAS(THREADS) | \
	 JSON_HAS(USED_IMAGES) | JSON_HAS(CRASH_DIAGNOSTICS))

/** The system's pages are near the start of a log. */
#define LOOK_BYTES ((size_t)64 << 10)

/** Logs of watchOS may have neither `largestProcess` nor `timeDelta`. */
static bool is_body(uint64_t names, struct text in)
{
	if (names & OTHER_NAMES)
		return false;
	return names & JSON_HAS(LARGEST_PROCESS) ||
	       (names & JSON_HAS(MEMORY_STATUS) &&
	        (names & (JSON_HAS(PROCESSES) | JSON_HAS(TIME_DELTA)) ||
	         text_find(text_first(in, LOOK_BYTES), "\"memoryPages\"") !=
	                 TEXT_NOWHERE));
}

/** Is the text below the header line such a log? */
static bool is_log(const struct envelope *in)
{
	const struct bug_type *type = bug_type_find(in->header.bug_type);

	// An analytics log (211) may count memory of any process.
	if (type && type->body == BUG_BODY_JSON_LINES)
		return false;
	if (!type || type->body != BUG_BODY_JETSAM)
		return is_body(in->body_names, in->body);
	return !(in->body_names & OTHER_NAMES) &&
	       !text_starts(text_trim_left(in->body), "Process:");
}

/** After the first line: a damaged header costs its line only. */
static struct text below_line(struct text in)
{
	struct text line;

	in = text_trim_left(in);
	text_next_line(&in, &line);
	return text_trim_left(in);
}

static bool jetsam_sniff(const struct envelope *in)
{
	struct text below;

	if (!text_starts(text_trim_left(in->text), "{"))
		return false;
	if (is_body(in->names, in->text))
		return true;
	if (in->has_header)
		return is_log(in);
	below = below_line(in->text);
	return is_body(json_shape(below).names, below);
}

// Processes

static void read_processes(const struct json_place *root, const cJSON *body,
                           struct jetsam *jetsam)
{
	struct json_place place = JSON_PLACE_MEMBER(root, "processes");
	const cJSON *processes =
	        json_place_member(root, body, "processes", JSON_ARRAY);
	struct json_lookup lookup = jetsam_process_lookup();

	jetsam->has_process_list = processes != NULL;
	place.index = 0;
	for (const cJSON *process = cJSON_GetArrayItem(processes, 0); process;
	     process = process->next, place.index++)
		jetsam_read_process(&place, &lookup, process, jetsam);
}

// The log

static const struct jetsam_field log_numbers[] = {
	JETSAM_NUMBER("timeDelta", struct jetsam, time_delta_ms,
	              "a count of milliseconds"),
	JETSAM_NUMBER("eventCode", struct jetsam, event_code, "a number"),
};

static const struct jetsam_field status_numbers[] = {
	JETSAM_NUMBER("pageSize", struct jetsam_memory, page_bytes,
	              "a count of bytes"),
	JETSAM_PAGES("compressorSize", struct jetsam_memory, compressor),
	JETSAM_PAGES("uncompressed", struct jetsam_memory, uncompressed),
	JETSAM_NUMBER("compressions", struct jetsam_memory, compressions,
	              "a count"),
	JETSAM_NUMBER("decompressions", struct jetsam_memory, decompressions,
	              "a count"),
	JETSAM_NUMBER("zoneMapCap", struct jetsam_memory, zone_map_cap,
	              "a count of bytes"),
	JETSAM_NUMBER("zoneMapSize", struct jetsam_memory, zone_map_size,
	              "a count of bytes"),
	JETSAM_NUMBER("largestZoneSize", struct jetsam_memory,
	              largest_zone_size, "a count of bytes"),
};

static const struct jetsam_field page_numbers[] = {
	JETSAM_PAGES("free", struct jetsam_memory, free),
	JETSAM_PAGES("active", struct jetsam_memory, active),
	JETSAM_PAGES("inactive", struct jetsam_memory, inactive),
	JETSAM_PAGES("purgeable", struct jetsam_memory, purgeable),
	JETSAM_PAGES("wired", struct jetsam_memory, wired),
	JETSAM_PAGES("speculative", struct jetsam_memory, speculative),
	JETSAM_PAGES("throttled", struct jetsam_memory, throttled),
	JETSAM_PAGES("fileBacked", struct jetsam_memory, file_backed),
	JETSAM_PAGES("anonymous", struct jetsam_memory, anonymous),
};

static const struct json_field report_fields[] = {
	JSON_FIELD("bug_type", JSON_FIELD_NUMBER_TEXT, struct report, bug_type),
	JSON_FIELD("incident", JSON_FIELD_TEXT, struct report, incident),
	JSON_FIELD("crashReporterKey", JSON_FIELD_TEXT, struct report,
	           reporter_key),
	JSON_FIELD("product", JSON_FIELD_TEXT, struct report, hardware_model),
	JSON_FIELD("date", JSON_FIELD_TEXT, struct report, date_time),
	JSON_FIELD("build", JSON_FIELD_TEXT, struct report, os_version),
};

static const struct json_field log_fields[] = {
	JSON_FIELD("kernel", JSON_FIELD_TEXT, struct jetsam, kernel),
	JSON_FIELD("eventReason", JSON_FIELD_TEXT, struct jetsam, event_reason),
	JSON_FIELD("largestProcess", JSON_FIELD_TEXT, struct jetsam,
	           largest_name),
};

static const struct json_field status_fields[] = {
	JSON_FIELD("largestZone", JSON_FIELD_TEXT, struct jetsam_memory,
	           largest_zone),
};

/** The page size, possibly in an object of its own. */
static void read_pages(const struct json_place *place, const cJSON *object,
                       struct jetsam_memory *memory)
{
	jetsam_read_numbers(place, object, status_numbers, 1, memory);
}

static void read_status(const struct json_place *root, const cJSON *body,
                        struct jetsam_memory *memory)
{
	struct json_place place = JSON_PLACE_MEMBER(root, "memoryStatus");
	struct json_place inner = JSON_PLACE_MEMBER(&place, "memoryPages");
	const cJSON *status =
	        json_place_member(root, body, "memoryStatus", JSON_OBJECT);
	const cJSON *pages =
	        json_place_member(&place, status, "memoryPages", JSON_OBJECT);

	json_place_fields(&place, status, status_fields,
	                  ARRAY_SIZE(status_fields), memory);
	jetsam_read_numbers(&place, status, status_numbers,
	                    ARRAY_SIZE(status_numbers), memory);
	jetsam_read_numbers(&inner, pages, page_numbers,
	                    ARRAY_SIZE(page_numbers), memory);
	// In a log shortened by people, it may be next to the processes.
	if (!memory->page_bytes.known)
		read_pages(root, body, memory);
}

static void read_body(struct json_reader *reader, const cJSON *body)
{
	struct report *report = reader->report;
	struct jetsam *jetsam = report->jetsam;
	struct json_place root = JSON_PLACE_ROOT(reader);

	json_place_fields(&root, body, report_fields, ARRAY_SIZE(report_fields),
	                  report);
	json_place_fields(&root, body, log_fields, ARRAY_SIZE(log_fields),
	                  jetsam);
	jetsam_read_numbers(&root, body, log_numbers, ARRAY_SIZE(log_numbers),
	                    jetsam);
	read_status(&root, body, &jetsam->memory);
	read_processes(&root, body, jetsam);
	if (jetsam->largest_name && !strcmp(jetsam->largest_name, "none"))
		jetsam->largest_name = NULL;
}

// Pieces

/** An object of the log, a process, or an object around one. */
static void read_piece(const struct json_place *root,
                       struct json_lookup *lookup, const cJSON *object)
{
	struct jetsam *jetsam = root->reader->report->jetsam;
	struct json_place place = JSON_PLACE_MEMBER(root, "processes");

	place.index = jetsam->process_count;
	if (cJSON_GetObjectItemCaseSensitive(object, "name") &&
	    cJSON_GetObjectItemCaseSensitive(object, "rpages"))
		jetsam_read_process(&place, lookup, object, jetsam);
	if (!jetsam->memory.page_bytes.known)
		read_pages(root, object, &jetsam->memory);
	if (cJSON_GetObjectItemCaseSensitive(object, "memoryStatus") ||
	    cJSON_GetObjectItemCaseSensitive(object, "processes"))
		read_body(root->reader, object);
}

void jetsam_read_pieces(const struct json_place *root, struct text rest)
{
	struct json_lookup lookup = jetsam_process_lookup();

	for (size_t i = 0; i <= PIECES_MAX; i++) {
		SCOPED(json_doc_drop) struct json_doc *doc = NULL;
		SCOPED(error_drop) struct error *err = NULL;
		size_t used = 0;

		rest = text_after(rest, text_find_char(rest, '{'));
		if (!rest.size)
			return;
		if (i == PIECES_MAX) {
			json_place_note(root, "processes",
			                "more than %d pieces after the "
			                "damage: the rest is left out",
			                PIECES_MAX);
			return;
		}
		err = json_salvage(rest, &used, &doc);
		if (!err)
			read_piece(root, &lookup, json_root(doc));
		rest = text_after(rest, used ? used : 1);
	}
}

static void note_document(struct json_reader *reader,
                          const struct json_doc *doc)
{
	struct report *report = reader->report;
	struct arena *arena = reader->arena;

	json_note_repairs(doc, "body", report, arena);
	report->truncated = json_truncated(doc);
	if (json_fault(doc))
		report_add_note(
		        report, arena, "body",
		        arena_printf(arena, "damaged at %s", json_fault(doc)));
}

/** Drop empty fields. */
static void drop_empty(struct report *report)
{
	const char **const fields[] = {
		&report->bug_type,     &report->incident,
		&report->reporter_key, &report->hardware_model,
		&report->date_time,    &report->os_version
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (*fields[i] && !**fields[i])
			*fields[i] = NULL;
}

/** Header lines are written later than bodies: by a second, not a minute. */
static bool dates_differ(const char *a, const char *b)
{
	int64_t first, second;

	return timestamp_parse(text_from(a), &first) &&
	       timestamp_parse(text_from(b), &second) &&
	       (first > second + DATES_SLACK_MS ||
	        second > first + DATES_SLACK_MS);
}

static bool texts_differ(const char *a, const char *b)
{
	return !text_is_nocase(text_from(a), b);
}

static void compare(struct report *report, struct arena *arena,
                    const char *place, const char *body, const char *header,
                    bool (*differ)(const char *a, const char *b))
{
	if (body && header && *header && differ(body, header))
		report_add_note(report, arena, place,
		                arena_printf(arena,
		                             "the body says '%.64s', the "
		                             "header line '%.64s'",
		                             body, header));
}

/** The body decides; the header line above may be another log's. */
static void take_header(const struct ips_header *header, struct arena *arena,
                        struct report *report)
{
	drop_empty(report);
	compare(report, arena, "incident", report->incident, header->incident,
	        texts_differ);
	compare(report, arena, "date", report->date_time, header->timestamp,
	        dates_differ);
	compare(report, arena, "build", report->os_version, header->os_version,
	        texts_differ);
	ips_header_merge(header, report);
}

/** Text after the body: the header, if they were swapped. */
static void read_rest(struct json_reader *reader, struct text rest)
{
	SCOPED(envelope_release)
	struct envelope after = envelope_open(rest, reader->arena);

	if (after.has_header) {
		take_header(&after.header, reader->arena, reader->report);
		report_add_note(reader->report, reader->arena, "body",
		                "the header line follows the body");
	} else if (text_trim_left(rest).size) {
		report_add_note(reader->report, reader->arena, "body",
		                "unexpected data follows: it was not read");
	}
}

/** Read the text after a fault. */
static void read_beyond(const struct json_place *root, struct text rest)
{
	if (!text_trim(rest).size)
		return;
	root->reader->report->jetsam->part = JETSAM_DAMAGED;
	jetsam_read_pieces(root, jetsam_clean(rest, root->reader->arena));
}

static struct error *parse_body(struct text body, struct arena *arena,
                                struct report **ret)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct json_reader reader = { .arena = arena };
	struct json_place root = JSON_PLACE_ROOT(&reader);
	struct error *err;
	size_t used;

	err = json_salvage(body, &used, &doc);
	if (err)
		return error_prefix(err, "body");
	reader.report = jetsam_report_new(arena, "jetsam");
	note_document(&reader, doc);
	read_body(&reader, json_root(doc));
	if (!json_fault(doc))
		read_rest(&reader, text_after(body, used));
	else
		read_beyond(&root, text_after(body, used));
	drop_empty(reader.report);
	if (reader.report->truncated)
		jetsam_note_missing(reader.report, arena);
	*ret = reader.report;
	return NULL;
}

/** Read the body after a header line; old systems have text there. */
static struct error *parse_below(struct text body, struct arena *arena,
                                 struct report **ret)
{
	body = text_trim_left(body);
	if (!body.size)
		return error_new(ERROR_FORMAT,
		                 "the file ends after its header line");
	if (text_starts(body, "{"))
		return parse_body(body, arena, ret);
	return reader_read(&jetsam_text_reader, body, arena, ret);
}

static struct error *jetsam_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	bool has_body = is_body(in->names, in->text);
	struct report *report = NULL;
	struct error *err;

	if (has_body)
		err = parse_body(text_trim_left(in->text), arena, &report);
	else
		err = parse_below(in->has_header ? in->body
		                                 : below_line(in->text),
		                  arena, &report);
	if (err)
		return err;
	if (!has_body)
		take_header(&in->header, arena, report);
	sink_report(sink, report);
	return NULL;
}

const struct reader ips_jetsam_reader = {
	.name = "jetsam",
	.summary = "jetsam logs in JSON (JetsamEvent, bug_type 298)",
	.yields = YIELDS_JETSAM,
	.sniff = jetsam_sniff,
	.read = jetsam_read,
};

#include "lib/base/str.h"
#include "lib/text/json.h"
#include "parsers/ips_crash.h"
#include "parsers/parser.h"

#include <string.h>

// Apple's headers have some 600 bytes.
#define HEADER_LINE_MAX ((size_t)64 << 10)

#define CONSOLE_MARK "Translated Report (Full Report Below)"

// Kinds of report

/** Reports whose JSON body has threads and images (formats.md 3.2). */
static const char *const crash_types[] = { "309", "308", "385", "109" };

/** Reports that `.ips` files carry and that are something else. */
static const struct {
	const char *bug_type;
	const char *name;
} other_types[] = {
	{ "10", "a kernel panic log" },
	{ "11", "a spin report" },
	{ "12", "a hang report" },
	{ "21", "a GPU restart log" },
	{ "22", "a resource limit report" },
	{ "28", "a watchdog timeout report" },
	{ "29", "a service watchdog report" },
	{ "98", "a jetsam log" },
	{ "110", "a kernel panic log" },
	{ "115", "a reset counter log" },
	{ "117", "a WiFi log" },
	{ "118", "a Bluetooth log" },
	{ "120", "a low battery log" },
	{ "142", "a CPU wakeups report" },
	{ "145", "a disk writes report" },
	{ "151", "a forced reset log" },
	{ "154", "a memory graph" },
	{ "157", "a CPU microstackshot" },
	{ "183", "a software update log" },
	{ "184", "a GPU restart log" },
	{ "185", "a resource limit report" },
	{ "187", "a sandbox violation report" },
	{ "188", "a stackshot" },
	{ "194", "a restore log" },
	{ "198", "a jetsam log" },
	{ "202", "a CPU usage report" },
	{ "206", "a CPU usage report" },
	{ "210", "a kernel panic log" },
	{ "211", "a CoreAnalytics log" },
	{ "222", "a run loop hang report" },
	{ "223", "a run loop hang report" },
	{ "225", "an App Store log" },
	{ "227", "a thread limit report" },
	{ "228", "a hang report" },
	{ "284", "a GPU event log" },
	{ "288", "a stackshot" },
	{ "298", "a jetsam log" },
	{ "301", "a system memory reset log" },
	{ "310", "a run loop hang report" },
	{ "327", "a thread limit report" },
	{ "328", "a hang report" },
	{ "409", "a system watchdog report" },
};

static bool is_crash_type(const char *bug_type)
{
	for (size_t i = 0; bug_type && i < ARRAY_SIZE(crash_types); i++)
		if (!strcmp(bug_type, crash_types[i]))
			return true;
	return false;
}

static const char *other_type_name(const char *bug_type)
{
	for (size_t i = 0; bug_type && i < ARRAY_SIZE(other_types); i++)
		if (!strcmp(bug_type, other_types[i].bug_type))
			return other_types[i].name;
	return NULL;
}

static struct error *unsupported(const char *bug_type)
{
	const char *name = other_type_name(bug_type);

	if (!bug_type)
		return error_new(ERROR_UNSUPPORTED,
		                 "a report without a bug_type and without "
		                 "threads, which 'symbolicate' does not read");
	if (!name)
		return error_new(ERROR_UNSUPPORTED,
		                 "a report of bug_type %.32s, which "
		                 "'symbolicate' does not read",
		                 bug_type);
	return error_new(ERROR_UNSUPPORTED,
	                 "%s (bug_type %s), which 'symbolicate' does not read",
	                 name, bug_type);
}

// The header line

struct header {
	const char *bug_type;
	const char *timestamp;
	const char *os_version;
	const char *incident;
	const char *app_name;
	const char *name;
	const char *version;
	const char *build;
	const char *bundle_id;
	uint64_t platform;
};

static const struct json_field header_fields[] = {
	JSON_FIELD("bug_type", JSON_FIELD_NUMBER_TEXT, struct header, bug_type),
	JSON_FIELD("timestamp", JSON_FIELD_TEXT, struct header, timestamp),
	JSON_FIELD("os_version", JSON_FIELD_TEXT, struct header, os_version),
	JSON_FIELD("incident_id", JSON_FIELD_TEXT, struct header, incident),
	JSON_FIELD("app_name", JSON_FIELD_TEXT, struct header, app_name),
	JSON_FIELD("name", JSON_FIELD_TEXT, struct header, name),
	JSON_FIELD("app_version", JSON_FIELD_NUMBER_TEXT, struct header,
	           version),
	JSON_FIELD("build_version", JSON_FIELD_NUMBER_TEXT, struct header,
	           build),
	JSON_FIELD("bundleID", JSON_FIELD_TEXT, struct header, bundle_id),
	JSON_FIELD("platform", JSON_FIELD_U64, struct header, platform),
};

/** The header is a help, not a report: what is mistyped in it is absent. */
static struct header read_header(const struct json *object, struct arena *arena)
{
	struct header header = { 0 };

	json_read_fields(object, header_fields, ARRAY_SIZE(header_fields),
	                 arena, &header, NULL, NULL);
	return header;
}

/** System processes have empty versions: those say nothing. */
static void fill(const char **target, const char *value)
{
	if (!*target && value && *value)
		*target = value;
}

/** The body knows better; the header fills what it leaves out. */
static void merge_header(const struct header *header, struct report *report)
{
	fill(&report->bug_type, header->bug_type);
	fill(&report->incident, header->incident);
	fill(&report->process.name, header->app_name);
	fill(&report->process.name, header->name);
	if (!report->version) {
		fill(&report->version, header->version);
		fill(&report->build, header->build);
	}
	fill(&report->identifier, header->bundle_id);
	fill(&report->date_time, header->timestamp);
	fill(&report->os_version, header->os_version);
	if (!report->platform && header->platform <= 255)
		report->platform = (int)header->platform;
}

/** Is this the object of a header line (formats.md chapter 1)? */
static bool is_header(const struct json *object)
{
	static const char *const usual[] = { "app_name", "timestamp",
		                             "incident_id", "os_version" };
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		count += json_as_text(json_member(object, usual[i])) != NULL;
	return json_member(object, "bug_type") || count >= 2;
}

/** A body that lost its header line, or its end, still has one of these. */
static bool is_body(const struct json *object)
{
	return json_member(object, "threads") ||
	       json_member(object, "usedImages") ||
	       json_member(object, "exception") ||
	       json_member(object, "faultingThread");
}

// The console's copy

/**
 * macOS Console copies the translated text, then `Full Report`, then the
 * file. Find the two parts.
 */
static bool find_console_parts(struct text in, struct text *text,
                               struct text *json)
{
	size_t mark = text_find(text_first(in, 512), CONSOLE_MARK);
	struct text rest;
	struct text line;
	size_t end;

	if (mark == TEXT_NOWHERE || text_trim_left(in).data[0] != '-')
		return false;
	rest = text_after(in, mark);
	text_next_line(&rest, &line);
	end = text_find(rest, "\nFull Report");
	if (end == TEXT_NOWHERE)
		return false;
	*text = text_first(rest, end + 1);
	// The line of dashes below the title belongs to it.
	if (text_starts(*text, "---"))
		text_next_line(text, &line);
	rest = text_after(rest, end + 1);
	while (text_next_line(&rest, &line)) {
		if (text_starts(line, "{")) {
			rest.size += (size_t)(rest.data - line.data);
			rest.data = line.data;
			*json = rest;
			return true;
		}
	}
	return false;
}

static bool ips_sniff(struct text in)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	struct text text;
	struct text line;
	size_t used;

	in = text_trim_left(in);
	if (!text_starts(in, "{"))
		return in.size && find_console_parts(in, &text, &line);
	text = text_first(in, HEADER_LINE_MAX);
	text_next_line(&text, &line);
	err = json_parse(line, &used, &doc);
	if (!err && !json_truncated(doc) && is_header(json_root(doc)))
		return true;
	return text_find(in, "\"usedImages\"") != TEXT_NOWHERE ||
	       text_find(in, "\"faultingThread\"") != TEXT_NOWHERE;
}

// Bodies

/** The context that an error inside a body needs. */
static struct error *in_body(struct error *err)
{
	// "a jetsam log" is no fault at a place.
	if (err && error_code(err) != ERROR_UNSUPPORTED)
		return error_prefix(err, "body");
	return err;
}

static void note_document(const struct json_doc *doc, struct arena *arena,
                          struct report *report)
{
	for (size_t i = 0; i < json_repair_count(doc); i++) {
		struct json_repair repair = json_repair(doc, i);

		report_add_note(report, arena,
		                arena_printf(arena, "body, offset 0x%zx",
		                             repair.offset),
		                repair.text);
	}
	report->truncated = json_truncated(doc);
	if (json_fault(doc))
		report_add_note(report, arena, "body",
		                arena_printf(arena, "damaged, read up to %s",
		                             json_fault(doc)));
	else if (report->truncated)
		report_add_note(report, arena, "body",
		                "the report ends early: what follows is lost");
}

/** @p rest is what stands behind the body, usually nothing. */
static void note_rest(struct text rest, struct arena *arena,
                      struct report *report)
{
	// macOS may append its System Profile, which nobody misses.
	if (text_starts(text_trim_left(rest), "{"))
		report_add_note(report, arena, "body",
		                "another report follows in the file: only the "
		                "first one was read");
}

static struct error *read_json_body(const struct json_doc *doc,
                                    const struct header *header,
                                    struct arena *arena, struct report **ret)
{
	const struct json *body = json_root(doc);
	struct header own = read_header(body, arena);
	const char *bug_type = own.bug_type ? own.bug_type : header->bug_type;
	bool has_shape = ips_is_crash_body(body);
	struct ips_reader reader = { .arena = arena,
		                     .truncated = json_truncated(doc) };

	if (json_type(body) != JSON_OBJECT)
		return error_new(ERROR_FORMAT, "expected an object, found %s",
		                 json_type_name(json_type(body)));
	if (bug_type ? !is_crash_type(bug_type) && !has_shape : !is_body(body))
		return unsupported(bug_type);
	reader.report = report_new(arena);
	reader.report->form = ips_parser.name;
	note_document(doc, arena, reader.report);
	if (bug_type && !is_crash_type(bug_type))
		report_add_note(reader.report, arena, "bug_type",
		                arena_printf(arena,
		                             "%.32s is not a crash by its "
		                             "number: read as one by its shape",
		                             bug_type));
	ips_read_crash(&reader, body);
	merge_header(header, reader.report);
	*ret = reader.report;
	return NULL;
}

/** Old systems, and Xcode's exports, have Apple's text below the header. */
static struct error *read_text_body(struct text body,
                                    const struct header *header,
                                    struct arena *arena, struct report **ret)
{
	struct error *err;

	if (other_type_name(header->bug_type))
		return unsupported(header->bug_type);
	if (!body.size)
		return error_new(ERROR_FORMAT,
		                 "the file ends after its header line");
	err = crash_text_parser.parse(body, arena, ret);
	if (err)
		return in_body(err);
	merge_header(header, *ret);
	return NULL;
}

static struct error *read_body(struct text body, const struct header *header,
                               struct arena *arena, struct report **ret)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct error *err;
	size_t used;

	body = text_trim_left(body);
	if (!text_starts(body, "{"))
		return read_text_body(body, header, arena, ret);
	err = json_salvage(body, &used, &doc);
	if (!err)
		err = read_json_body(doc, header, arena, ret);
	if (err)
		return in_body(err);
	if (!json_fault(doc))
		note_rest(text_after(body, used), arena, *ret);
	return NULL;
}

/** A file: header line and body, or a body alone. */
static struct error *read_file(struct text in, struct arena *arena,
                               struct report **ret)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct header header = { 0 };
	struct text line;
	struct text rest = in;
	struct error *err;
	size_t used;

	err = json_salvage(in, &used, &doc);
	if (err)
		return err;
	if (is_body(json_root(doc)))
		return in_body(read_json_body(doc, &header, arena, ret));
	header = read_header(json_root(doc), arena);
	// A damaged header costs its line only.
	if (json_fault(doc))
		text_next_line(&rest, &line);
	else
		rest = text_after(in, used);
	json_doc_free(doc);
	doc = NULL;
	return read_body(rest, &header, arena, ret);
}

static struct error *ips_parse(struct text in, struct arena *arena,
                               struct report **ret)
{
	struct report *report = NULL;
	struct text translated;
	struct text json;
	struct error *err;

	in = text_trim_left(in);
	if (!in.size || !find_console_parts(in, &translated, &json))
		return read_file(in, arena, ret);
	err = read_file(json, arena, &report);
	if (!err && !report->truncated) {
		*ret = report;
		return NULL;
	}
	error_free(err);
	// A copy cut short lost its end, the JSON: the text came before it.
	err = crash_text_parser.parse(translated, arena, &report);
	if (err)
		return err;
	report_add_note(report, arena, "Full Report",
	                "the JSON is damaged: the translated text was read");
	*ret = report;
	return NULL;
}

const struct parser ips_parser = {
	.name = "ips-crash",
	.summary = "crash reports of iOS 15, macOS 12 and later (.ips)",
	.sniff = ips_sniff,
	.parse = ips_parse,
};

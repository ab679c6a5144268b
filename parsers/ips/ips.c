// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "lib/darwin/bug_types.h"
#include "lib/text/json/json.h"
#include "parsers/ips/crash.h"
#include "parsers/ips/other.h"
#include "parsers/reader.h"

#include <string.h>

#define CONSOLE_MARK "Translated Report (Full Report Below)"

/**
 * A body without its header line, or a truncated one, still has one of these.
 * Other tools use such names for values of other types.
 */
static bool is_body(const cJSON *object)
{
	static const struct {
		const char *key;
		enum json_type type;
	} members[] = {
		{ "threads", JSON_ARRAY },
		{ "usedImages", JSON_ARRAY },
		{ "exception", JSON_OBJECT },
		{ "termination", JSON_OBJECT },
		{ "faultingThread", JSON_NUMBER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(
		        object, members[i].key);

		if (value && json_type(value) == members[i].type)
			return true;
	}
	return false;
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

/** Members copied from a report, with their typical names. */
static bool is_part(struct text in)
{
	static const struct {
		const char *name;
		const char *word;
	} parts[] = {
		{ "\"exception\"", "\"EXC_" },
		{ "\"termination\"", "\"namespace\"" },
		{ "\"threads\"", "\"imageOffset\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (text_find(in, parts[i].name) != TEXT_NOWHERE &&
		    text_find(in, parts[i].word) != TEXT_NOWHERE)
			return true;
	return false;
}

static bool ips_sniff(const struct envelope *in)
{
	static const char *const keys[] = { "\"usedImages\"",
		                            "\"faultingThread\"",
		                            IPS_OTHER_KEYS };
	struct text text = text_trim_left(in->text);
	struct text translated;
	struct text json;

	if (!text_starts(text, "{"))
		return text.size &&
		       find_console_parts(text, &translated, &json);
	for (size_t i = 0; i < ARRAY_SIZE(keys) && !in->has_header; i++)
		if (text_find(text, keys[i]) != TEXT_NOWHERE)
			return true;
	return in->has_header || is_part(text);
}

// Bodies

/** @p rest is the text after the body, usually empty. */
static void note_rest(struct text rest, struct arena *arena,
                      struct report *report)
{
	const struct bug_type *type = bug_type_find(report->bug_type);
	size_t count = 1;
	struct text line;

	// macOS may append its System Profile, which is ignored.
	if (!text_starts(text_trim_left(rest), "{"))
		return;
	if (!type || type->body != BUG_BODY_JSON_LINES) {
		report_add_note(report, arena, "body",
		                "another report follows in the file: only the "
		                "first one was read");
		return;
	}
	while (text_next_line(&rest, &line))
		count += text_starts(line, "{");
	report_add_note(report, arena, "body",
	                arena_printf(arena,
	                             "%zu records, one per line: only the "
	                             "first is shown",
	                             count));
}

/** The shape of the body knows better than the number of the report. */
static bool is_crash(const cJSON *body, const char *bug_type)
{
	if (ips_is_crash_body(body))
		return true;
	if (ips_is_panic_or_stackshot(body))
		return false;
	return bug_type ? bug_type_is_crash(bug_type) : is_body(body);
}

static void read_crash(struct json_reader *reader, const cJSON *body,
                       const char *bug_type)
{
	reader->report->format = ips_reader.name;
	if (bug_type && !bug_type_is_crash(bug_type))
		report_add_note(reader->report, reader->arena, "bug_type",
		                arena_printf(reader->arena,
		                             "%.32s is not a crash report's: "
		                             "read as one by its members",
		                             bug_type));
	ips_read_crash(reader, body);
}

static struct error *read_json_body(const struct json_doc *doc,
                                    const struct ips_header *header,
                                    struct arena *arena, struct report **ret)
{
	const cJSON *body = json_root(doc);
	struct ips_header own = ips_header_read(body, arena);
	const char *bug_type = own.bug_type ? own.bug_type : header->bug_type;
	struct json_reader reader = { .arena = arena };

	if (!cJSON_IsObject(body))
		return error_new(ERROR_FORMAT, "%s",
		                 json_unexpected(body, "an object", arena));
	reader.report = report_new(arena);
	json_note_document(doc, "body", reader.report, arena);
	if (is_crash(body, bug_type))
		read_crash(&reader, body, bug_type);
	else
		ips_read_other(&reader, body, bug_type);
	ips_header_merge(header, reader.report);
	*ret = reader.report;
	return NULL;
}

/** Old systems, and Xcode's exports, have Apple's text below the header. */
static struct error *read_text_body(struct text body,
                                    const struct ips_header *header,
                                    struct arena *arena, struct report **ret)
{
	struct error *err;

	if (!body.size)
		return error_new(ERROR_FORMAT,
		                 "the file ends after its header line");
	err = reader_read(&crash_text_reader, body, arena, ret);
	if (err)
		return error_prefix(err, "body");
	ips_header_merge(header, *ret);
	return NULL;
}

static struct error *read_body(struct text body,
                               const struct ips_header *header,
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
		return error_prefix(err, "body");
	if (!json_fault(doc))
		note_rest(text_after(body, used), arena, *ret);
	return NULL;
}

/** Complete JSON can be written back unchanged. */
static void keep_raw(struct text in, struct arena *arena, struct report *report)
{
	// A text body has lines for that.
	if (report->lines || report->truncated)
		return;
	report->raw =
	        (struct text){ .data = arena_text(arena, in), .size = in.size };
}

/** A file: header line and body, or a body alone. */
static struct error *read_file(const struct envelope *in, struct arena *arena,
                               struct report **ret)
{
	SCOPED(json_doc_drop) struct json_doc *own = NULL;
	const struct json_doc *doc = in->doc;
	struct ips_header header = { 0 };
	struct text text = text_trim_left(in->text);
	struct text rest = in->body;
	struct text line;
	struct error *err;
	size_t used;

	if (!doc) {
		err = json_salvage(text, &used, &own);
		if (err)
			return err;
		doc = own;
		rest = text_after(text, used);
	}
	if (is_body(json_root(doc)) ||
	    ips_is_panic_or_stackshot(json_root(doc))) {
		err = error_prefix(read_json_body(doc, &header, arena, ret),
		                   "body");
		if (!err)
			keep_raw(text, arena, *ret);
		return err;
	}
	// Neither body nor header: another tool's JSON.
	if (!in->has_header && !json_fault(doc) && !text_trim(rest).size)
		return NULL;
	header = doc == own ? ips_header_read(json_root(doc), arena)
	                    : in->header;
	// A damaged header costs its line only.
	if (json_fault(doc)) {
		rest = text;
		text_next_line(&rest, &line);
	}
	err = read_body(rest, &header, arena, ret);
	if (!err && !json_fault(doc))
		keep_raw(text, arena, *ret);
	return err;
}

static struct error *ips_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	SCOPED(envelope_release) struct envelope copy = { 0 };
	struct text text = text_trim_left(in->text);
	struct report *report = NULL;
	struct text translated;
	struct text json;
	struct error *err;

	if (!text.size || !find_console_parts(text, &translated, &json)) {
		err = read_file(in, arena, &report);
		sink_report(sink, report);
		return err;
	}
	copy = envelope_open(json, arena);
	err = read_file(&copy, arena, &report);
	if (!err && report && !report->truncated) {
		sink_report(sink, report);
		return NULL;
	}
	error_free(err);
	// A truncated copy lost the JSON at its end; the text precedes it.
	err = reader_read(&crash_text_reader, translated, arena, &report);
	if (err)
		return err;
	report_add_note(report, arena, "Full Report",
	                "the JSON is damaged: the translated text was read");
	sink_report(sink, report);
	return NULL;
}

const struct reader ips_reader = {
	.name = "ips-crash",
	.summary = "crash reports, panics and stackshots in JSON (.ips)",
	.yields = YIELDS_REPORTS,
	.sniff = ips_sniff,
	.read = ips_read,
};

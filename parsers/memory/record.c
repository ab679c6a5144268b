// SPDX-License-Identifier: MIT
/*
 * Memory records of apps: JSON with footprint and available memory, and XML
 * property lists (plist.c).
 */
#include "lib/text/json/json.h"
#include "parsers/memory/memory.h"
#include "parsers/reader.h"

#define LOOK_BYTES ((size_t)64 << 10)

static bool has_key(struct text in, const char *key)
{
	return text_find(text_first(in, LOOK_BYTES), key) != TEXT_NOWHERE;
}

static bool is_list(struct text in)
{
	return text_starts(in, "<?xml") || text_starts(in, "<plist") ||
	       text_starts(in, "<!DOCTYPE plist");
}

static bool record_sniff(const struct envelope *envelope)
{
	struct text in = text_trim_left(envelope->text);

	if (is_list(in))
		return memory_plist_sniff(in);
	return (text_starts(in, "{") || text_starts(in, "[")) &&
	       has_key(in, "\"" MEMORY_FOOTPRINT "\"") &&
	       has_key(in, "\"" MEMORY_AVAILABLE "\"");
}

static struct text value_text(const cJSON *object, const char *key,
                              struct arena *arena)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	const char *text = json_number_text(value, arena);

	if (!text)
		text = cJSON_GetStringValue(value);
	return text ? text_from(text) : TEXT_NONE;
}

/** @return Was there room for it? */
static bool add_record(const cJSON *object, size_t index, struct report *report,
                       struct arena *arena)
{
	const char *fault;

	if (!memory_has_room(report, arena))
		return false;
	fault = memory_add_sum(report, arena,
	                       value_text(object, MEMORY_FOOTPRINT, arena),
	                       value_text(object, MEMORY_AVAILABLE, arena));
	if (fault)
		report_add_note(report, arena,
		                arena_printf(arena, "record %zu", index + 1),
		                fault);
	return true;
}

/** One record, or an array of them; @return as add_record(). */
static bool add_records(const cJSON *root, size_t *index, struct report *report,
                        struct arena *arena)
{
	if (!cJSON_IsArray(root))
		return add_record(root, (*index)++, report, arena);
	const cJSON *item;

	cJSON_ArrayForEach (item, root)
		if (!add_record(item, (*index)++, report, arena))
			return false;
	return true;
}

/** Read one record, an array, or several in sequence. */
static struct error *read_json(struct text rest, struct report *report,
                               struct arena *arena)
{
	size_t index = 0;

	while ((rest = text_trim_left(rest)).size) {
		SCOPED(json_doc_drop) struct json_doc *doc = NULL;
		size_t used;
		struct error *err = json_parse(rest, &used, &doc);

		if (err)
			return err;
		report->truncated |= json_truncated(doc);
		if (!add_records(json_root(doc), &index, report, arena))
			break;
		rest = text_after(rest, used);
	}
	return NULL;
}

static struct error *record_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = memory_report_new(arena, memory_reader.name);
	struct text text = text_trim_left(in->text);
	struct error *err;

	if (is_list(text))
		err = memory_plist_read(bytes_from_text(text), arena, report);
	else
		err = read_json(text, report, arena);
	if (!err && !report->memory_limit_count)
		err = error_new(ERROR_FORMAT, "no record of a memory limit%s%s",
		                report->note_count ? ": " : "",
		                report->note_count ? report->notes[0].text
		                                   : "");
	if (!err)
		sink_report(sink, report);
	return err;
}

const struct reader memory_reader = {
	.name = "memory",
	.summary = "records of memory and what is left of its limit (JSON, "
	           "XML property list)",
	.yields = YIELDS_MEMORY,
	.sniff = record_sniff,
	.read = record_read,
};

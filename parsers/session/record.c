// SPDX-License-Identifier: MIT
#include "parsers/session/record.h"

#include "lib/base/number.h"
#include "lib/base/timestamp.h"
#include "lib/text/json/json.h"
#include "lib/text/plist/plist.h"
#include "parsers/reader.h"

#include <inttypes.h>
#include <string.h>

/** Max records of a file; devices keep a handful. */
#define RECORDS_MAX 10000

/** A value of either format: recorders write flags and numbers as strings, too.
 */
struct value {
	const char *text;  ///< for strings, numbers and flags; else NULL
	const char *found; ///< its type, for messages; NULL: no value
};

/** A record of either format: one of both is set. */
struct record {
	const cJSON *json;
	const struct plist *plist;
};

static struct value json_value(const cJSON *value, struct arena *arena)
{
	enum json_type type = json_type(value);
	const char *text = cJSON_GetStringValue(value);
	bool truth;

	if (type == JSON_NULL)
		return (struct value){ 0 };
	if (type == JSON_NUMBER)
		text = json_number_text(value, arena);
	else if (type == JSON_BOOL && json_as_bool(value, &truth))
		text = truth ? "true" : "false";
	return (struct value){ text, json_type_name(type) };
}

/** Seconds from 1970 to 2001, the epoch of property lists. */
#define SECONDS_TO_2001 978307200

/** As in an XML list, `2026-01-31T09:08:07Z`; NULL if out of range. */
static const char *date_text(double seconds, struct arena *arena)
{
	// From 1 to 9999.
	if (!(seconds > -63114076800.0 && seconds < 252423993600.0))
		return NULL;
	return arena_printf(
	        arena, "%sZ",
	        timestamp_utc((int64_t)seconds + SECONDS_TO_2001, 'T').text);
}

static struct value plist_value(const struct plist *value, struct arena *arena)
{
	if (!value || value->kind == PLIST_NULL)
		return (struct value){ 0 };
	switch (value->kind) {
	case PLIST_BOOL:
		return (struct value){ value->number ? "true" : "false",
			               "a boolean" };
	case PLIST_INTEGER:
		return (struct value){
			value->negative ? arena_printf(arena, "%" PRId64,
			                               (int64_t)value->number)
			                : arena_printf(arena, "%" PRIu64,
			                               value->number),
			"a number",
		};
	case PLIST_DATE:
		return (struct value){ date_text(value->real, arena),
			               "a date" };
	case PLIST_REAL:
		return (struct value){ arena_printf(arena, "%.2f", value->real),
			               "a number" };
	case PLIST_STRING:
		return (struct value){ value->text.data, "text" };
	case PLIST_ARRAY:
		return (struct value){ NULL, "an array" };
	case PLIST_DICT:
		return (struct value){ NULL, "a dictionary" };
	default:
		return (struct value){ NULL, "data" };
	}
}

static struct value find_value(struct record record, const char *key,
                               struct arena *arena)
{
	if (record.json)
		return json_value(
		        cJSON_GetObjectItemCaseSensitive(record.json, key),
		        arena);
	return plist_value(plist_get(record.plist, key), arena);
}

// Fields

static void note(struct session *session, struct arena *arena, const char *key,
                 const char *expected, struct value value)
{
	ARENA_GROW(arena, session->notes, session->note_count,
	           session->note_cap);
	session->notes[session->note_count++] =
	        value.text
	                ? arena_printf(arena, "%s: expected %s, found '%.64s'",
	                               key, expected, value.text)
	                : arena_printf(arena, "%s: expected %s, found %s", key,
	                               expected, value.found);
}

static bool read_truth(const char *text, bool *ret)
{
	static const char *const words[] = { "false", "true", "0", "1",
		                             "no",    "yes",  "n", "y" };

	// A real number is `1.0` or `1.00`.
	struct text word = text_from(text);
	size_t point = text_find_char(word, '.');
	struct text zeros = text_after(word, point);

	while (text_ends(zeros, "0"))
		zeros = text_first(zeros, zeros.size - 1);
	if (text_is(zeros, "."))
		word = text_first(word, point);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!text_is_nocase(word, words[i]))
			continue;
		*ret = i % 2;
		return true;
	}
	return false;
}

/** The value of a flag; @p ret_key is its name in the record. */
static struct value find_flag(struct record record, enum session_flag flag,
                              const char **ret_key, struct arena *arena)
{
	const char *other = session_flag_other_key(flag);
	struct value value;

	*ret_key = session_flag_key(flag);
	value = find_value(record, *ret_key, arena);
	if (value.found || !other)
		return value;
	*ret_key = other;
	return find_value(record, other, arena);
}

static void read_flags(struct record record, struct arena *arena,
                       struct session *session)
{
	for (unsigned i = 0; i < SESSION_FLAG_COUNT; i++) {
		const char *key;
		struct value value = find_flag(record, i, &key, arena);

		if (!value.found)
			continue;
		if (value.text &&
		    read_truth(value.text, &session->flags[i].value)) {
			session->flags[i].has_value = true;
			session->flags[i].key = key;
		} else {
			note(session, arena, key, "true or false", value);
		}
	}
}

/** NULL if absent or empty. */
static const char *read_text(struct record record, const char *key,
                             struct arena *arena, struct session *session)
{
	struct value value = find_value(record, key, arena);

	if (value.found && !value.text)
		note(session, arena, key, "text", value);
	return value.text && *value.text ? arena_strdup(arena, value.text)
	                                 : NULL;
}

static void read_pid(struct record record, struct arena *arena,
                     struct session *session)
{
	struct value value = find_value(record, "pid", arena);

	if (!value.found)
		return;
	session->has_pid = value.text &&
	                   number_decimal(text_from(value.text), &session->pid);
	if (!session->has_pid)
		note(session, arena, "pid", "a number", value);
}

/** The first of these keys with a time; dates are the recorder's own. */
static bool read_time(struct record record, const char *const keys[2],
                      struct arena *arena, struct session *session,
                      int64_t *ret)
{
	for (size_t i = 0; i < 2; i++) {
		struct value value = find_value(record, keys[i], arena);

		if (!value.found)
			continue;
		if (value.text && session_time(value.text, ret))
			return true;
		note(session, arena, keys[i], "a time", value);
	}
	return false;
}

static void read_times(struct record record, struct arena *arena,
                       struct session *session)
{
	// Spelled as in foomDict.
	static const char *const launch[2] = { "launchTime", "LaunchTime" };
	static const char *const end[2] = { "endTime", "CREATE_TIME" };

	session->has_launch =
	        read_time(record, launch, arena, session, &session->launch_ms);
	session->has_end =
	        read_time(record, end, arena, session, &session->end_ms);
}

/** A list of lines, as in `callStackSymbols`: its first, and their number. */
static struct value find_lines(struct record record, const char *key,
                               struct arena *arena, size_t *ret_count)
{
	const cJSON *json = cJSON_GetObjectItemCaseSensitive(record.json, key);
	const struct plist *plist = plist_get(record.plist, key);

	*ret_count = 0;
	if (cJSON_IsArray(json)) {
		const cJSON *i;

		cJSON_ArrayForEach (i, json)
			++*ret_count;
		return json_value(cJSON_GetArrayItem(json, 0), arena);
	}
	if (plist && plist->kind == PLIST_ARRAY) {
		*ret_count = plist->count;
		return plist->count ? plist_value(plist->items[0].value, arena)
		                    : (struct value){ 0 };
	}
	return find_value(record, key, arena);
}

/** Max bytes of a stack's line. */
#define LINE_BYTES_MAX 200

static void read_stack(struct record record, enum session_stack stack,
                       struct arena *arena, struct session *session)
{
	const char *key;

	for (size_t i = 0; (key = session_stack_key(stack, i)); i++) {
		size_t count;
		struct value value = find_lines(record, key, arena, &count);
		struct text rest =
		        text_trim(text_from(value.text ? value.text : ""));
		struct text line;

		if (!text_next_line(&rest, &line) || !line.size)
			continue;
		if (!count)
			count = 1 + text_count_char(rest, '\n') +
			        (rest.size > 0);
		session->stacks[stack].key = key;
		session->stacks[stack].count = count;
		session->stacks[stack].first = arena_text(
		        arena, text_first(text_trim(line), LINE_BYTES_MAX));
		return;
	}
}

// Unknown keys

/** Max keys to name. */
#define UNKNOWN_MAX 16

/** `isRelaunched`: looks like a flag, but is unknown. */
static bool is_unknown_flag(struct text key)
{
	if (key.size < 3 || key.size > 64 || !text_starts(key, "is") ||
	    key.data[2] < 'A' || key.data[2] > 'Z')
		return false;
	for (unsigned i = 0; i < SESSION_FLAG_COUNT; i++)
		if (text_is(key, session_flag_key(i)))
			return false;
	return true;
}

static void add_unknown(struct session *session, struct arena *arena,
                        struct text key)
{
	if (session->unknown_count >= UNKNOWN_MAX || !is_unknown_flag(key))
		return;
	ARENA_GROW(arena, session->unknown_keys, session->unknown_count,
	           session->unknown_cap);
	session->unknown_keys[session->unknown_count++] =
	        arena_text(arena, key);
}

static void find_unknown(struct record record, struct arena *arena,
                         struct session *session)
{
	const cJSON *json;

	cJSON_ArrayForEach (json, record.json)
		if (json->string)
			add_unknown(session, arena, text_from(json->string));
	for (size_t i = 0; record.plist && i < record.plist->count; i++)
		add_unknown(session, arena, record.plist->items[i].key);
}

static void read_state(struct record record, struct arena *arena,
                       struct session *session)
{
	session->state_text = read_text(record, "appState", arena, session);
	if (!session->state_text)
		return;
	session->state = session_state_find(session->state_text);
	if (session->state == SESSION_STATE_UNKNOWN)
		note(session, arena, "appState", "a known state",
		     (struct value){ session->state_text, "text" });
}

/** Does the record have any data about its end? */
static bool bears_on_end(struct record record, struct arena *arena)
{
	const char *key;

	if (find_value(record, "appState", arena).found ||
	    find_value(record, "crash_type", arena).found)
		return true;
	for (unsigned i = 0; i < SESSION_STACK_COUNT; i++)
		for (size_t k = 0; (key = session_stack_key(i, k)); k++)
			if (find_value(record, key, arena).found)
				return true;
	for (unsigned i = 0; i < SESSION_FLAG_COUNT; i++)
		if (find_flag(record, i, &key, arena).found)
			return true;
	return false;
}

// Records

/** The records of a file, as they come. */
struct reading {
	struct arena *arena;
	struct session_file file;
	struct session *last;
	size_t count; ///< of all parts, records or not
	bool is_full;
	enum error_code code; ///< of the first unreadable one
};

static void note_file(struct reading *reading, const char *text)
{
	struct session_file *file = &reading->file;

	ARENA_GROW(reading->arena, file->notes, file->note_count,
	           file->note_cap);
	file->notes[file->note_count++] = text;
}

/** Note that the next part is not a record. */
static void lose(struct reading *reading, enum error_code code, const char *why)
{
	if (!reading->file.lost++)
		reading->code = code;
	note_file(reading, arena_printf(reading->arena, "record %zu: %s",
	                                ++reading->count, why));
}

static bool is_full(struct reading *reading)
{
	if (reading->is_full || reading->count < RECORDS_MAX)
		return reading->is_full;
	reading->is_full = true;
	note_file(reading,
	          arena_printf(reading->arena,
	                       "more than %d records: the rest is left out",
	                       RECORDS_MAX));
	reading->file.lost++;
	return true;
}

/** The record inside of a dictionary, or itself. */
static struct record open_record(struct record outer)
{
	const cJSON *json =
	        cJSON_GetObjectItemCaseSensitive(outer.json, "foomDict");
	const struct plist *plist = plist_get(outer.plist, "foomDict");

	return json || plist ? (struct record){ json, plist } : outer;
}

static void add_record(struct reading *reading, struct record record)
{
	struct arena *arena = reading->arena;
	struct session *session;

	record = open_record(record);
	if (!bears_on_end(record, arena)) {
		lose(reading, ERROR_UNSUPPORTED,
		     "not a last-session record: it has no key about the end "
		     "of a session");
		return;
	}
	session = arena_alloc(arena, sizeof(*session));
	session->index = reading->count++;
	read_flags(record, arena, session);
	for (unsigned i = 0; i < SESSION_TRAIT_COUNT; i++) {
		session->traits[i].then =
		        read_text(record, session_trait_key(i), arena, session);
		session->traits[i].now = read_text(
		        record, session_trait_now_key(i), arena, session);
	}
	read_state(record, arena, session);
	session->app_name = read_text(record, "appName", arena, session);
	session->session_id = read_text(record, "sessionId", arena, session);
	if (!session->session_id)
		session->session_id =
		        read_text(record, "APP_SESSION_ID", arena, session);
	read_pid(record, arena, session);
	read_times(record, arena, session);
	session->crash_type = read_text(record, "crash_type", arena, session);
	for (unsigned i = 0; i < SESSION_STACK_COUNT; i++)
		read_stack(record, i, arena, session);
	find_unknown(record, arena, session);
	if (reading->last)
		reading->last->next = session;
	else
		reading->file.first = session;
	reading->last = session;
}

static void add_json(struct reading *reading, const cJSON *root)
{
	if (!cJSON_IsArray(root)) {
		add_record(reading, (struct record){ .json = root });
		return;
	}
	for (const cJSON *item = cJSON_GetArrayItem(root, 0);
	     item && !is_full(reading); item = item->next)
		add_record(reading, (struct record){ .json = item });
}

/** Note truncation and repairs: the app did not write that. */
static void note_document(struct reading *reading, const struct json_doc *doc)
{
	if (json_truncated(doc))
		note_file(reading,
		          arena_printf(reading->arena,
		                       "record %zu: truncated: its remaining "
		                       "values are missing",
		                       reading->count));
	for (size_t i = 0; i < json_repair_count(doc); i++)
		note_file(reading,
		          arena_printf(reading->arena, "record %zu: %s",
		                       reading->count,
		                       json_repair(doc, i).text));
}

/** After a damaged record, the next line that begins one. */
static struct text next_record(struct text rest)
{
	struct text line;

	while (text_next_line(&rest, &line))
		if (text_starts(rest, "{") || text_starts(rest, "["))
			break;
	return rest;
}

static void read_json(struct text rest, struct reading *reading)
{
	while ((rest = text_trim_left(rest)).size && !is_full(reading)) {
		SCOPED(json_doc_drop) struct json_doc *doc = NULL;
		SCOPED(error_drop) struct error *err = NULL;
		size_t used;

		err = json_parse(rest, &used, &doc);
		if (err) {
			lose(reading, error_code(err), error_message(err));
			rest = next_record(rest);
			continue;
		}
		add_json(reading, json_root(doc));
		note_document(reading, doc);
		rest = text_after(rest, used);
	}
}

/** Note the rest after an XML list, perhaps another one, which is lost. */
static void note_rest(struct bytes in, struct reading *reading)
{
	struct text text = bytes_text(in);
	size_t end = text_find(text, "</plist>");

	if (text_starts(text, "bplist") || end == TEXT_NOWHERE ||
	    !text_trim(text_after(text, end + strlen("</plist>"))).size)
		return;
	note_file(reading, "unexpected data follows the property list: it was "
	                   "not read");
	reading->file.lost++;
}

/** Note that the last record may be incomplete. */
static void note_damage(struct reading *reading, const char *fault)
{
	note_file(reading, arena_printf(reading->arena,
	                                "the property list is damaged: the "
	                                "rest was not read: %s",
	                                fault));
	reading->file.lost++;
}

static struct error *read_plist(struct bytes in, struct reading *reading)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct plist *root;
	const char *fault;
	struct error *err = plist_salvage(in, &arena, &root, &fault);

	if (err)
		return err;
	if (fault)
		note_damage(reading, fault);
	else
		note_rest(in, reading);
	if (root->kind != PLIST_ARRAY) {
		add_record(reading, (struct record){ .plist = root });
		return NULL;
	}
	for (size_t i = 0; i < root->count && !is_full(reading); i++)
		add_record(reading,
		           (struct record){ .plist = root->items[i].value });
	return NULL;
}

static bool is_plist(struct text in)
{
	return text_starts(in, "bplist") || text_starts(in, "<?xml") ||
	       text_starts(in, "<!DOCTYPE plist") || text_starts(in, "<plist");
}

struct error *session_record_parse(struct bytes in, struct arena *arena,
                                   struct session_file *ret)
{
	struct reading reading = { .arena = arena };
	struct error *err = NULL;

	if (is_plist(text_trim_left(bytes_text(in))))
		err = read_plist(in, &reading);
	else
		read_json(bytes_text(in), &reading);
	if (err)
		return err;
	if (!reading.file.first)
		return reading.file.lost ? error_new(reading.code, "%s",
		                                     reading.file.notes[0])
		                         : error_new(ERROR_UNSUPPORTED,
		                                     "no last-session record");
	*ret = reading.file;
	return NULL;
}

// Detection

/** Size for the keys of a record, which has a few dozen. */
#define LOOK_BYTES ((size_t)64 << 10)

/** Names that identify reports, which may quote a key of a session. */
#define REPORT_NAMES                                                    \
	(JSON_HAS(CRASH) | JSON_HAS(REPORT) | JSON_HAS(BINARY_IMAGES) | \
	 JSON_HAS(THREADS) | JSON_HAS(BUG_TYPE) | JSON_HAS(PROCESSES))

/** Does it have a key about an end? */
static bool session_sniff(const struct envelope *in)
{
	struct text text = text_first(text_trim_left(in->text), LOOK_BYTES);
	bool found = text_find(text, "appState") != TEXT_NOWHERE ||
	             text_find(text, "\"crash_type\"") != TEXT_NOWHERE;

	// The only other property lists are those of memory.
	if (is_plist(text))
		return true;
	if (in->names & REPORT_NAMES ||
	    !(text_starts(text, "{") || text_starts(text, "[")))
		return false;
	for (unsigned i = 0; i < SESSION_STACK_COUNT && !found; i++)
		for (size_t k = 0; session_stack_key(i, k) && !found; k++)
			found = text_find(text, session_stack_key(i, k)) !=
			        TEXT_NOWHERE;
	for (unsigned i = 0; i < SESSION_FLAG_COUNT && !found; i++) {
		const char *other = session_flag_other_key(i);

		found = text_find(text, session_flag_key(i)) != TEXT_NOWHERE ||
		        (other && text_find(text, other) != TEXT_NOWHERE);
	}
	return found;
}

static struct error *session_read(const struct envelope *in, struct sink *sink)
{
	struct session_file file = { 0 };
	struct error *err = session_record_parse(bytes_from_text(in->text),
	                                         sink->lasting, &file);

	if (!err)
		sink->sessions(&file, sink);
	return err;
}

const struct reader session_reader = {
	.name = "session",
	.yields = YIELDS_SESSIONS,
	.sniff = session_sniff,
	.read = session_read,
};

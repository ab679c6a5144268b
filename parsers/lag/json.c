#include "parsers/lag/reader.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Comments and the first key of an image list, by which it is known. */
#define IMAGE_TEXT_SIGN_BYTES ((size_t)4 << 10)

/** What an object is, told by its members. */
enum kind {
	KIND_NONE,
	KIND_IMAGES,
	KIND_SAMPLE,
	KIND_NODE,
	KIND_REPORT,
	KIND_USELESS, ///< a report; what is wrong was handed to `failed`
};

/** An object of a kind that is not known before it was read. */
struct object {
	size_t line;
	bool has_samples;
	bool has_images;
	bool is_report;      ///< has other members of one
	struct error *fault; ///< that makes it useless
	struct lag_sample sample;
	bool is_sample;
	struct lag_node node;
	bool is_node;
};

// Members of a report

static bool take_samples(struct lag_json *json, struct object *object)
{
	const struct json_event *event = json_pull_next(json->pull);

	if (event->type != JSON_EVENT_ARRAY) {
		SCOPED(str_release) struct str found = { 0 };
		SCOPED(str_release) struct str place = { 0 };

		json_event_add_found(&found, event);
		json_pull_path(json->pull, &place);
		if (!object->fault)
			object->fault = error_new(
			        ERROR_FORMAT,
			        "%s: expected an array of samples, found %s",
			        str_cstr(&place), str_cstr(&found));
		json_pull_skip(json->pull);
		return true;
	}
	object->has_samples = true;
	while ((event = json_pull_next(json->pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		if (event->type == JSON_EVENT_OBJECT)
			lag_sample_take(json);
		else
			lag_json_wrong(json, event, "a sample, an object");
	}
	return true;
}

static bool take_images(struct lag_json *json, struct object *object)
{
	const struct json_event *event = json_pull_next(json->pull);

	if (event->type == JSON_EVENT_ARRAY) {
		object->has_images = true;
		lag_images_take(json);
	} else {
		lag_json_unexpected(json, event, "an array of images");
	}
	return true;
}

static bool take_interval(struct lag_json *json, struct object *object)
{
	object->is_report = true;
	if (lag_json_take_ms(json, LAG_COST_US_MAX,
	                     &json->report->interval_us) &&
	    !json->report->interval_us)
		lag_json_note(json,
		              "expected more than 0, found 0: %d ms is used",
		              LAG_INTERVAL_US / 1000);
	return true;
}

static bool take_order(struct lag_json *json, struct object *object)
{
	const struct json_event *event = json_pull_next(json->pull);

	object->is_report = true;
	if (event->type == JSON_EVENT_TEXT &&
	    text_is(event->text, "leaf-first"))
		json->samples.leaf_first = true;
	else if (event->type == JSON_EVENT_TEXT &&
	         text_is(event->text, "root-first"))
		json->samples.leaf_first = false;
	else
		lag_json_unexpected(json, event,
		                    "\"root-first\" or \"leaf-first\"");
	return true;
}

static const struct {
	const char *name;
	/** NULL: a text at @c offset of the report. */
	bool (*take)(struct lag_json *json, struct object *object);
	size_t offset;
} members[] = {
	{ "samples", take_samples, 0 },
	{ "dyld_images", take_images, 0 },
	{ "interval_ms", take_interval, 0 },
	{ "order", take_order, 0 },
	{ "id", NULL, offsetof(struct lag_report, id) },
	{ "session", NULL, offsetof(struct lag_report, session) },
	{ "app", NULL, offsetof(struct lag_report, app) },
	{ "os", NULL, offsetof(struct lag_report, os) },
	{ "device", NULL, offsetof(struct lag_report, device) },
	// An image list has one, too.
	{ "arch", NULL, offsetof(struct lag_report, arch) },
};

/** A text, or a number as it is written. */
static void take_text(struct lag_json *json, size_t offset)
{
	const struct json_event *event = json_pull_next(json->pull);
	const char **field =
	        (const char **)(void *)((char *)json->report + offset);

	if (event->type == JSON_EVENT_TEXT || event->type == JSON_EVENT_NUMBER)
		*field = arena_text(&json->report->arena, event->text);
	else
		lag_json_unexpected(json, event, "text");
}

static bool take_member(struct lag_json *json, struct text name,
                        struct object *object)
{
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (!text_is(name, members[i].name))
			continue;
		if (members[i].take)
			return members[i].take(json, object);
		object->is_report |= members[i].offset !=
		                     offsetof(struct lag_report, arch);
		take_text(json, members[i].offset);
		return true;
	}
	return false;
}

// Objects

/** The line of the last event, in its file. */
static size_t line_of(const struct lag_json *json)
{
	return json_pull_line(json->pull) + json->first_line - 1;
}

static void begin_report(struct lag_json *json, size_t line)
{
	lag_report_clear(json->report);
	json->report->line = line;
	lag_samples_begin(json);
	lag_nodes_begin(json);
}

/** Give a complete report the list of the input, if there is one. */
static void hand_out(struct lag_json *json, struct lag_report *report)
{
	lag_images_give(&json->images, report);
	lag_reader_hand_out(json->reader, report);
}

/** Images of the input came: for the report before, and for all that follow. */
static void hand_out_waiting(struct lag_json *json)
{
	if (json->is_waiting)
		hand_out(json, &json->waiting);
	json->is_waiting = false;
}

static void fail(struct lag_json *json, size_t line, struct error *err)
{
	json->reader->failed(line, err, json->reader->context);
}

/** Of a report whose end is missing. */
static const char *cut_text(const struct lag_json *json)
{
	return json->alone ? "truncated at the end of the line"
	                   : "truncated at the end of the input";
}

/** The end of the input left nothing of a report to count. */
static void fail_cut(struct lag_json *json, size_t line)
{
	fail(json, line,
	     error_new(ERROR_FORMAT, "%s, before its first sample",
	               cut_text(json)));
}

/** The report was read to its end, or to that of the input. */
static void end_report(struct lag_json *json, bool has_samples)
{
	struct lag_report *report = json->report;
	struct lag_report next;
	bool is_broken = lag_json_is_broken(json);

	if (has_samples)
		lag_samples_end(json);
	else
		lag_nodes_end(json);
	// A line that is no JSON is reported as such, whole.
	if (json->err && (json->alone || !report->profile.sample_count))
		return;
	if (is_broken && !report->profile.sample_count) {
		fail_cut(json, report->line);
		return;
	}
	if (is_broken)
		lag_report_note(report, "report",
		                json->err ? error_message(json->err)
		                          : cut_text(json));
	lag_images_check(report);
	hand_out_waiting(json);
	if (json->alone || report->profile.images.count || json->images.count ||
	    json->images.note_count) {
		hand_out(json, report);
		return;
	}
	json->is_waiting = true;
	next = json->waiting;
	json->waiting = *report;
	*report = next;
}

/** An object that is an image list was read. */
static void end_images(struct lag_json *json, size_t line)
{
	lag_images_check(json->report);
	if (json->alone && lag_json_is_broken(json)) {
		fail_cut(json, line);
		return;
	}
	if (json->alone) {
		fail(json, line,
		     error_new(ERROR_FORMAT, "expected a lag report, found a "
		                             "list of images"));
		return;
	}
	arena_clear(&json->arena);
	json->images = lag_images_copy(json->report, &json->arena);
	hand_out_waiting(json);
}

/** Where the last event stands is no report, but @p found. */
static void fail_here(struct lag_json *json, size_t line, const char *found)
{
	SCOPED(str_release) struct str place = { 0 };
	struct error *err = error_new(ERROR_FORMAT,
	                              "expected a lag report, found %s", found);

	json_pull_path(json->pull, &place);
	fail(json, line,
	     place.size ? error_prefix(err, "%s", str_cstr(&place)) : err);
}

static void fail_event(struct lag_json *json, const struct json_event *event)
{
	SCOPED(str_release) struct str found = { 0 };

	json_event_add_found(&found, event);
	fail_here(json, line_of(json), str_cstr(&found));
	json_pull_skip(json->pull);
}

static void fail_useless(struct lag_json *json, struct object *object)
{
	SCOPED(str_release) struct str place = { 0 };

	// The input's fault is told for itself.
	if (json->err)
		return;
	if (lag_json_is_broken(json)) {
		fail_cut(json, object->line);
		return;
	}
	json_pull_path(json->pull, &place);
	if (!object->fault) {
		object->fault = error_new(ERROR_FORMAT,
		                          "expected \"samples\", found none");
		if (place.size)
			error_prefix(object->fault, "%s", str_cstr(&place));
	}
	fail(json, object->line, object->fault);
	object->fault = NULL;
}

/** Read an object into the report, whatever it is. */
static enum kind read_object(struct lag_json *json)
{
	const struct json_event *event;
	enum kind kind;
	struct object object = {
		.line = line_of(json),
		.node.symbol = INTERN_NONE,
	};

	while ((event = json_pull_next(json->pull))->type !=
	       JSON_EVENT_END_OBJECT) {
		struct text name = event->text;

		if (take_member(json, name, &object))
			continue;
		if (lag_sample_member(json, name, &object.sample))
			object.is_sample = true;
		else if (lag_node_member(json, name, &object.node))
			object.is_node = true;
		else
			json_pull_skip(json->pull);
	}
	lag_json_is_broken(json);
	if (object.has_samples)
		kind = KIND_REPORT;
	else if (object.is_node && object.node.has_depth)
		kind = KIND_NODE;
	else if (object.is_sample)
		kind = KIND_SAMPLE;
	else if (object.has_images)
		kind = KIND_IMAGES;
	else
		kind = KIND_USELESS;
	if (object.fault && kind != KIND_REPORT)
		kind = KIND_USELESS;
	if (kind == KIND_NODE)
		lag_node_end(json, &object.node);
	else if (kind == KIND_SAMPLE)
		lag_sample_end(json, &object.sample);
	else if (kind == KIND_IMAGES)
		end_images(json, object.line);
	else if (kind == KIND_USELESS)
		fail_useless(json, &object);
	error_free(object.fault);
	return kind;
}

/** Read an element of an array of @p kind; returns the kind it tells. */
static enum kind read_element(struct lag_json *json, enum kind kind)
{
	size_t line = line_of(json);
	enum kind found;

	begin_report(json, line);
	found = read_object(json);
	if (found == KIND_REPORT) {
		end_report(json, true);
		return KIND_REPORT;
	}
	if (found != KIND_SAMPLE && found != KIND_NODE)
		return kind;
	if (kind == KIND_NONE) {
		// What a sample may have, too, is not its report's.
		json->report->id = NULL;
		json->report->session = NULL;
		return found;
	}
	fail_here(json, line,
	          found == KIND_SAMPLE ? "a sample" : "a node of a tree");
	return kind;
}

/** Reports, or what makes one report: samples, nodes. */
static void read_array(struct lag_json *json)
{
	size_t line = line_of(json);
	enum kind kind = KIND_NONE;
	const struct json_event *event;

	while ((event = json_pull_next(json->pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		bool is_object = event->type == JSON_EVENT_OBJECT;

		if (kind == KIND_SAMPLE && is_object)
			lag_sample_take(json);
		else if (kind == KIND_NODE && is_object)
			lag_node_take(json);
		else if (is_object)
			kind = read_element(json, kind);
		else if (kind == KIND_SAMPLE || kind == KIND_NODE)
			lag_json_wrong(json, event, "an object");
		else
			fail_event(json, event);
		if (kind == KIND_SAMPLE || kind == KIND_NODE)
			json->report->line = line;
	}
	if (kind == KIND_SAMPLE || kind == KIND_NODE)
		end_report(json, kind == KIND_SAMPLE);
}

static void read_document(struct lag_json *json)
{
	const struct json_event *event = json_pull_next(json->pull);
	enum kind kind;

	if (event->type == JSON_EVENT_OBJECT) {
		begin_report(json, line_of(json));
		kind = read_object(json);
		if (kind == KIND_REPORT || kind == KIND_SAMPLE ||
		    kind == KIND_NODE)
			end_report(json, kind != KIND_NODE);
	} else if (event->type == JSON_EVENT_ARRAY) {
		read_array(json);
	} else if (event->type != JSON_EVENT_DONE) {
		fail_event(json, event);
	}
	while (json_pull_next(json->pull)->type != JSON_EVENT_DONE)
		;
	lag_json_is_broken(json);
}

/** An image list as text may stand beside the documents (formats.md 7.1). */
static bool is_image_text(const struct lag_json *json)
{
	return lag_is_image_text(
	        json_pull_peek(json->pull, IMAGE_TEXT_SIGN_BYTES));
}

static void read_image_text(struct lag_json *json)
{
	size_t line = line_of(json);
	struct text in = json_pull_peek(json->pull, LAG_HEAD_BYTES);
	size_t size = in.size;

	arena_clear(&json->arena);
	json->images = (struct lag_images){ 0 };
	json->err = lag_images_read(&in, &json->arena, &json->images);
	json_pull_step(json->pull, size - in.size);
	if (json->err)
		error_prefix(json->err, "image list at line %zu", line);
	else
		hand_out_waiting(json);
}

static void read_documents(struct lag_json *json)
{
	while (!json->err && json_pull_again(json->pull)) {
		if (!json->alone && is_image_text(json))
			read_image_text(json);
		else
			read_document(json);
	}
}

// Inputs

static struct lag_json json_begin(struct lag_reader *reader)
{
	if (!reader->stack) {
		reader->stack =
		        mem_zalloc(LAG_STACK_FRAMES, sizeof(*reader->stack));
		reader->stack_cap = LAG_STACK_FRAMES;
	}
	return (struct lag_json){
		.reader = reader,
		.report = &reader->report,
		.first_line = 1,
		.stack.frames = reader->stack,
	};
}

static void json_end(struct lag_json *json)
{
	lag_stack_release(&json->stack);
	free(json->samples.tallies);
	free(json->nodes.levels);
	arena_release(&json->arena);
}

struct error *lag_read_documents(struct lag_reader *reader,
                                 struct json_pull *pull)
{
	struct lag_json json = json_begin(reader);
	struct lag_report spare;

	json.pull = pull;
	json.is_waiting = reader->pending;
	lag_report_init(&json.waiting, reader->report.profile.strings);
	json.waiting.input = reader->report.input;
	if (reader->pending) {
		spare = json.waiting;
		json.waiting = reader->report;
		reader->report = spare;
	}
	read_documents(&json);
	reader->pending = json.is_waiting;
	if (reader->pending) {
		spare = json.waiting;
		json.waiting = reader->report;
		reader->report = spare;
	}
	lag_report_release(&json.waiting);
	json_end(&json);
	return json.err;
}

/** The fault of one line: there is no line 2 in it. */
static struct error *line_error(struct error *err)
{
	struct text message = text_from(error_message(err));
	struct error *ret;

	text_take(&message, "line 1, ");
	ret = error_new(error_code(err), "%.*s", TEXT_ARGS(message));
	error_free(err);
	return ret;
}

static void read_line(struct lag_json *json, struct text line)
{
	json->pull = json_pull_new(line, 0);
	read_documents(json);
	json_pull_free(json->pull);
	if (json->err)
		fail(json, json->first_line, line_error(json->err));
	json->err = NULL;
	lag_report_clear(json->report);
}

void lag_read_lines(struct lag_reader *reader, struct text lines,
                    size_t first_line)
{
	struct lag_json json = json_begin(reader);

	json.alone = true;
	json.first_line = first_line;
	while (lines.size) {
		size_t size = text_find_char(lines, '\n');
		struct text line;

		if (size == TEXT_NOWHERE)
			size = lines.size;
		line = text_trim(text_first(lines, size));
		lines = text_after(lines, size + 1);
		if (text_starts(line, "\xef\xbb\xbf"))
			line = text_after(line, 3);
		if (line.size)
			read_line(&json, line);
		json.first_line++;
	}
	json_end(&json);
}

// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"
#include "lib/base/utf8.h"
#include "parsers/lag/reader.h"

#include <stdlib.h>

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
		.source = lag_json_source(NULL, &reader->report),
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

/** Size for comments and the first key, which identify an image list. */
#define IMAGE_TEXT_SIGN_BYTES ((size_t)4 << 10)

/** Kind of an object by its members. */
enum kind {
	KIND_NONE,
	KIND_IMAGES,
	KIND_SAMPLE,
	KIND_NODE,
	KIND_REPORT,
	KIND_USELESS, ///< a report; its fault went to `failed`
};

// Objects

/** The last event is at no report, but at @p found. */
static void fail_here(struct lag_json *json, size_t line, const char *found)
{
	SCOPED(str_release) struct str place = { 0 };
	struct error *err = error_new(ERROR_FORMAT,
	                              "expected a lag report, found %s", found);

	json_pull_path(json->source.pull, &place);
	lag_json_fail(json, line,
	              place.size ? error_prefix(err, "%s", str_cstr(&place))
	                         : err);
}

static void fail_event(struct lag_json *json, const struct json_event *event)
{
	SCOPED(str_release) struct str found = { 0 };

	json_event_add_found(&found, event);
	fail_here(json, lag_json_line(json), str_cstr(&found));
	json_pull_skip(json->source.pull);
}

static void fail_useless(struct lag_json *json, struct lag_object *object)
{
	SCOPED(str_release) struct str place = { 0 };

	// The input's fault is reported for itself.
	if (json->err)
		return;
	if (lag_json_is_broken(json)) {
		lag_json_fail_truncated(json, object->line);
		return;
	}
	json_pull_path(json->source.pull, &place);
	if (!object->fault) {
		object->fault = error_new(ERROR_FORMAT,
		                          "expected \"samples\", found none");
		if (place.size)
			error_prefix(object->fault, "%s", str_cstr(&place));
	}
	lag_json_fail(json, object->line, object->fault);
	object->fault = NULL;
}

/** Read an object of any kind into the report. */
static enum kind read_object(struct lag_json *json)
{
	const struct json_event *event;
	enum kind kind;
	struct lag_object object = {
		.line = lag_json_line(json),
		.node.symbol = INTERN_NONE,
	};

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_OBJECT) {
		struct text name = event->text;

		if (lag_json_member(json, name, &object))
			continue;
		if (lag_sample_member(json, name, &object.sample))
			object.is_sample = true;
		else if (lag_node_member(json, name, &object.node))
			object.is_node = true;
		else
			json_pull_skip(json->source.pull);
	}
	lag_json_is_broken(json);
	if (object.has_samples || (object.is_sample && json->stack.is_nodes))
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
		lag_json_end_images(json, object.line);
	else if (kind == KIND_USELESS)
		fail_useless(json, &object);
	error_free(object.fault);
	return kind;
}

/** Read an element of an array of @p kind; returns the kind it shows. */
static enum kind read_element(struct lag_json *json, enum kind kind)
{
	size_t line = lag_json_line(json);
	enum kind found;

	lag_json_begin_report(json, line);
	found = read_object(json);
	if (found == KIND_REPORT) {
		lag_json_end_report(json);
		return KIND_REPORT;
	}
	if (found != KIND_SAMPLE && found != KIND_NODE)
		return kind;
	if (kind == KIND_NONE) {
		// Samples have these members, too: they are not the report's.
		json->report->id = NULL;
		json->report->session = NULL;
		return found;
	}
	fail_here(json, line,
	          found == KIND_SAMPLE ? "a sample" : "a node of a tree");
	return kind;
}

/** Read an array of reports, or of the samples or nodes of one. */
static void read_array(struct lag_json *json)
{
	size_t line = lag_json_line(json);
	enum kind kind = KIND_NONE;
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		bool is_object = event->type == JSON_EVENT_OBJECT;
		// A line is a report, or a fault.
		bool is_stack = event->type == JSON_EVENT_ARRAY && !json->alone;

		if (is_stack && kind == KIND_NONE) {
			lag_json_begin_report(json, line);
			kind = KIND_SAMPLE;
		}
		if (kind == KIND_SAMPLE && is_stack)
			lag_sample_take_bare(json);
		else if (kind == KIND_SAMPLE && is_object)
			lag_sample_take(json);
		else if (kind == KIND_NODE && is_object)
			lag_node_take(json);
		else if (is_object)
			kind = read_element(json, kind);
		else if (kind == KIND_SAMPLE || kind == KIND_NODE)
			json_source_wrong(&json->source, event, "an object");
		else
			fail_event(json, event);
		if (kind == KIND_SAMPLE || kind == KIND_NODE)
			json->report->line = line;
	}
	if (kind == KIND_SAMPLE || kind == KIND_NODE)
		lag_json_end_report(json);
}

static void read_document(struct lag_json *json)
{
	const struct json_event *event = json_pull_next(json->source.pull);
	enum kind kind;

	if (event->type == JSON_EVENT_OBJECT) {
		lag_json_begin_report(json, lag_json_line(json));
		kind = read_object(json);
		if (kind == KIND_REPORT || kind == KIND_SAMPLE ||
		    kind == KIND_NODE)
			lag_json_end_report(json);
	} else if (event->type == JSON_EVENT_ARRAY) {
		read_array(json);
	} else if (event->type != JSON_EVENT_DONE) {
		fail_event(json, event);
	}
	while (json_pull_next(json->source.pull)->type != JSON_EVENT_DONE)
		;
	lag_json_is_broken(json);
}

/** A text image list may be next to the documents. */
static bool is_image_text(const struct lag_json *json)
{
	return lag_is_image_text(
	        json_pull_peek(json->source.pull, IMAGE_TEXT_SIGN_BYTES));
}

static void read_image_text(struct lag_json *json)
{
	size_t line = lag_json_line(json);
	struct text in = json_pull_peek(json->source.pull, LAG_HEAD_BYTES);
	size_t size = in.size;

	arena_clear(&json->arena);
	json->images = (struct lag_images){ 0 };
	json->err = lag_images_read(&in, &json->arena, &json->images);
	json_pull_step(json->source.pull, size - in.size);
	if (json->err)
		error_prefix(json->err, "image list at line %zu", line);
	else
		lag_json_hand_out_waiting(json);
}

static void read_documents(struct lag_json *json)
{
	while (!json->err && json_pull_again(json->source.pull)) {
		if (!json->alone && is_image_text(json))
			read_image_text(json);
		else
			read_document(json);
	}
}

// Inputs

static void swap_reports(struct lag_report *a, struct lag_report *b)
{
	struct lag_report kept = *a;

	*a = *b;
	*b = kept;
}

struct error *lag_read_documents(struct lag_reader *reader,
                                 struct json_pull *pull)
{
	struct lag_json json = json_begin(reader);

	json.source.pull = pull;
	json.is_waiting = reader->pending;
	lag_report_init(&json.waiting, reader->report.profile.strings);
	json.waiting.input = reader->report.input;
	json.waiting.profile.keeps_order = reader->report.profile.keeps_order;
	if (json.is_waiting)
		swap_reports(&json.waiting, &reader->report);
	read_documents(&json);
	reader->pending = json.is_waiting;
	if (json.is_waiting)
		swap_reports(&json.waiting, &reader->report);
	lag_report_release(&json.waiting);
	json_end(&json);
	return json.err;
}

/** The fault of a single line: "line 1" is redundant. */
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
	json->source.pull = json_pull_new(line, 0);
	json->repairs_seen = 0;
	read_documents(json);
	json_pull_free(json->source.pull);
	if (json->err)
		lag_json_fail(json, json->first_line, line_error(json->err));
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
		text_take(&line, UTF8_MARK);
		if (line.size)
			read_line(&json, line);
		json.first_line++;
	}
	json_end(&json);
}

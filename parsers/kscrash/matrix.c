// SPDX-License-Identifier: MIT
#include "parsers/kscrash/matrix.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"
#include "lib/text/json/pull.h"
#include "parsers/json/shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Trees are identified near the start.
#define SNIFF_BYTES ((size_t)256 << 10)

// Max values to examine: each costs as much as a small tree.
#define LOOKS_MAX (10 * MATRIX_TREES_MAX)

// `crash.threads_profile[0].profile.stack_string`
#define LEVELS 6

void matrix_release(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->tree_count; i++) {
		free(matrix->trees[i].path);
		free(matrix->trees[i].closed);
	}
	free(matrix->trees);
	str_release(&matrix->copy);
	*matrix = (struct matrix){ 0 };
}

// Detection of trees

/** The names of nodes, down to the first that decides. */
static bool sniff_nodes(struct json_pull *pull)
{
	const struct json_event *event;

	while ((event = json_pull_next(pull))->type == JSON_EVENT_NAME) {
		if (text_is(event->text, "instruction_address"))
			return true;
		if (!text_is(event->text, "child")) {
			json_pull_skip(pull);
			continue;
		}
		// Members come in any order: a child decides, too.
		if (json_pull_next(pull)->type != JSON_EVENT_ARRAY ||
		    json_pull_next(pull)->type != JSON_EVENT_OBJECT)
			return false;
	}
	return false;
}

bool matrix_is_tree(struct text in)
{
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;

	in = text_trim_left(in);
	if (!text_starts(in, "["))
		return false;
	pull = json_pull_new(text_first(in, SNIFF_BYTES), 0);
	return json_pull_next(pull)->type == JSON_EVENT_ARRAY &&
	       json_pull_next(pull)->type == JSON_EVENT_OBJECT &&
	       sniff_nodes(pull);
}

/** Does @p in, a text as written in JSON, contain a tree? */
static bool holds_tree(struct text in)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	const struct json_event *event = json_pull_next(pull);

	return event->type == JSON_EVENT_TEXT && matrix_is_tree(event->text);
}

// Positions of trees

/** An open object or array. */
struct level {
	struct text name; ///< of the current member
	size_t index;     ///< of the current element
	bool is_array;
};

struct finder {
	struct text in;
	size_t at;
	size_t depth;
	struct level levels[LEVELS];
	size_t looks; ///< at values that might be trees
	struct matrix *found;
};

/** Path of the finder's position: `crash.threads_profile[0].profile`. */
static void add_path(const struct finder *f, bool numbered, struct str *path)
{
	for (size_t i = 0; i < f->depth; i++) {
		const struct level *level = &f->levels[i];

		if (!level->is_array) {
			str_add(path, path->size ? "." : "");
			str_add_text(path, utf8_first(level->name, 64));
		} else if (numbered) {
			str_addf(path, "[%zu]", level->index);
		} else {
			str_add(path, "[]");
		}
	}
}

/** Can a tree be here? */
static bool is_place(const struct finder *f)
{
	static const char *const places[] = {
		"stack_string",
		"profile",
		"profile.stack_string",
		"threads_profile[].profile",
		"threads_profile[].profile.stack_string",
	};
	SCOPED(str_release) struct str path = { 0 };
	struct text text = f->levels[f->depth - 1].name;

	// Most names are others.
	if (!text_is(text, "stack_string") && !text_is(text, "profile"))
		return false;
	add_path(f, false, &path);
	text = str_text(&path);
	text_take(&text, "crash.");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (text_is(text, places[i]))
			return true;
	return false;
}

/** @p closed is the memory of @p text if it must be freed; else NULL. */
static void add_tree(struct finder *f, struct text text, char *closed)
{
	SCOPED(str_release) struct str path = { 0 };
	struct matrix *found = f->found;

	if (found->tree_count == MATRIX_TREES_MAX) {
		found->has_more = true;
		free(closed);
		return;
	}
	add_path(f, true, &path);
	MEM_GROW(found->trees, found->tree_count, found->tree_cap);
	found->trees[found->tree_count++] = (struct matrix_tree){
		.text = text,
		.closed = closed,
		.path = mem_strndup(str_cstr(&path), path.size),
		.is_profile = text_find(str_text(&path), "profile") !=
		              TEXT_NOWHERE,
	};
}

/** Blanks between the brackets; lines stay as long as they are. */
static void empty_array(struct matrix *matrix, size_t start,
                        const struct json_shape *shape)
{
	size_t end = start + shape->size - (shape->complete ? 1 : 0);

	for (size_t i = start + 1; i < end; i++)
		if (matrix->copy.data[i] != '\n' &&
		    matrix->copy.data[i] != '\r')
			matrix->copy.data[i] = ' ';
}

/** Position of an escape that the end of @p in truncates; else its end. */
static size_t find_cut_escape(struct text in)
{
	size_t start = in.size < 6 ? 0 : in.size - 6;
	size_t last = text_find_last_char(text_after(in, start), '\\');
	size_t run = 0;
	size_t whole;

	if (last == TEXT_NOWHERE)
		return in.size;
	last += start;
	while (run <= last && in.data[last - run] == '\\')
		run++;
	// Pairs are escaped backslashes.
	if (run % 2 == 0)
		return in.size;
	whole = last + 1 < in.size && in.data[last + 1] == 'u' ? 6 : 2;
	return in.size - last < whole ? last : in.size;
}

/** A text that the input's end truncates, closed there. */
static char *close_string(struct text in)
{
	SCOPED(str_release) struct str closed = { 0 };

	str_add_text(&closed, text_first(in, find_cut_escape(in)));
	str_add_char(&closed, '"');
	return mem_strndup(closed.data, closed.size);
}

/** The offset after the string that begins at @p at; or the end. */
static size_t skip_string(struct text in, size_t at)
{
	for (at++; at < in.size && in.data[at] != '"'; at++)
		if (in.data[at] == '\\')
			at++;
	return at < in.size ? at + 1 : in.size;
}

/** Skip a colon and the blanks before it; false without one. */
static bool skip_colon(struct text in, size_t *at)
{
	size_t next = *at;

	while (next < in.size && text_is_space(in.data[next]))
		next++;
	if (next >= in.size || in.data[next] != ':')
		return false;
	*at = next + 1;
	return true;
}

/** Read the text that begins at the finder's position. */
static void take_text(struct finder *f)
{
	size_t end = skip_string(f->in, f->at);
	struct text text = text_first(text_after(f->in, f->at), end - f->at);
	char *closed = NULL;

	// A complete text is followed at least by the end of the object.
	if (end == f->in.size)
		closed = close_string(text);
	if (closed)
		text = text_from(closed);
	if (holds_tree(text))
		add_tree(f, text, closed);
	else
		free(closed);
	f->at = end;
}

/** A value follows a colon: take it if it is a tree. */
static void take_value(struct finder *f)
{
	struct text rest;

	while (f->at < f->in.size && text_is_space(f->in.data[f->at]))
		f->at++;
	rest = text_after(f->in, f->at);
	if (f->depth > LEVELS || !is_place(f))
		return;
	if (f->looks++ == LOOKS_MAX)
		f->found->has_more = true;
	if (f->looks > LOOKS_MAX)
		return;
	if (text_starts(rest, "[") && matrix_is_tree(rest)) {
		struct json_shape shape = json_shape_in_line(rest);

		add_tree(f, text_first(rest, shape.size), NULL);
		empty_array(f->found, f->at, &shape);
		f->at += shape.size;
	} else if (text_starts(rest, "\"")) {
		take_text(f);
	}
}

static void open_level(struct finder *f, bool is_array)
{
	if (f->depth < LEVELS)
		f->levels[f->depth] = (struct level){ .is_array = is_array };
	f->depth++;
}

static void take_string(struct finder *f)
{
	size_t start = f->at;

	f->at = skip_string(f->in, start);
	if (!f->depth || f->at - start < 2 || !skip_colon(f->in, &f->at))
		return;
	if (f->depth <= LEVELS) {
		struct text name = text_after(f->in, start + 1);

		// Names that matter have no escapes.
		f->levels[f->depth - 1].name =
		        text_first(name, text_find_char(name, '"'));
	}
	take_value(f);
}

/** Damage to a document must not hide a tree after it: no strict reading. */
static void find(struct finder *f)
{
	while (f->at < f->in.size) {
		char c = f->in.data[f->at];

		if (c == '"') {
			take_string(f);
			continue;
		}
		f->at++;
		if (c == '{' || c == '[')
			open_level(f, c == '[');
		else if ((c == '}' || c == ']') && !--f->depth)
			return;
		else if (c == ',' && f->depth <= LEVELS)
			f->levels[f->depth - 1].index++;
	}
}

void matrix_find(struct text in, struct matrix *ret)
{
	struct finder f = { .in = in, .found = ret };

	ret->document = in;
	f.at = in.size - text_trim_left(in).size;
	if (!text_starts(text_after(in, f.at), "{") ||
	    (text_find(in, "\"stack_string\"") == TEXT_NOWHERE &&
	     text_find(in, "\"profile\"") == TEXT_NOWHERE))
		return;
	str_add_text(&ret->copy, in);
	find(&f);
	ret->document = str_text(&ret->copy);
}

void matrix_take_bare(struct text in, struct matrix *ret)
{
	struct finder f = { .in = in, .found = ret };

	add_tree(&f, in, NULL);
}

// Kinds of reports

/** Matrix' `g_RunLoopTimeOut`, unless the app sets another. */
#define BLOCK_US 2000000

static const struct matrix_type {
	uint64_t type;
	const char *what;
	enum sample_kind kind;
	/** It is written after the run loop was blocked for BLOCK_US. */
	bool is_block;
} types[] = {
	{ 2000, "no lag", SAMPLE_KIND_NONE, false },
	{ 2001, "main thread block", SAMPLE_KIND_STALL, true },
	{ 2002, "main thread block in background", SAMPLE_KIND_STALL, true },
	{ 2003, "CPU block", SAMPLE_KIND_CPU, false },
	{ 2005, "self-defined", SAMPLE_KIND_STALL, false },
	{ 2007, "launch block", SAMPLE_KIND_LAUNCH, true },
	{ 2009, "block with too many threads", SAMPLE_KIND_STALL, true },
	{ 2010, "block, then killed", SAMPLE_KIND_STALL, true },
	{ 2011, "power consumption", SAMPLE_KIND_CPU, false },
	{ 2013, "disk I/O", SAMPLE_KIND_DISK, false },
	{ 2014, "frame rate", SAMPLE_KIND_STALL, false },
	{ 10000, "test", SAMPLE_KIND_STALL, false },
};

static const struct matrix_type *find_type(uint64_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == type)
			return &types[i];
	return NULL;
}

const char *matrix_kind(const cJSON *type, struct arena *arena)
{
	const struct matrix_type *known;
	uint64_t number;

	if (!json_as_u64(type, &number))
		return "record of Matrix";
	known = find_type(number);
	if (known)
		return arena_printf(arena, "lag report of Matrix: %s",
		                    known->what);
	return arena_printf(arena, "lag report of Matrix: dump type %" PRIu64,
	                    number);
}

enum sample_kind matrix_sample_kind(const cJSON *type)
{
	const struct matrix_type *known = NULL;
	uint64_t number;

	if (json_as_u64(type, &number))
		known = find_type(number);
	return known ? known->kind : SAMPLE_KIND_STALL;
}

void matrix_set_kind(const cJSON *type, struct report *report)
{
	const struct matrix_type *known = NULL;
	uint64_t number;

	report->sample_kind = matrix_sample_kind(type);
	if (json_as_u64(type, &number))
		known = find_type(number);
	if (!known || !known->is_block)
		return;
	report->sampled_us = BLOCK_US;
	report->sampled_at_least = true;
}

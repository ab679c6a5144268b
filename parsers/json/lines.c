// SPDX-License-Identifier: MIT
#include "parsers/json/lines.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define INDENT 4

struct lines {
	struct str *out;
	struct arena numbers;
};

struct member {
	const cJSON *value;
	size_t position;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *left = a;
	const struct member *right = b;
	int order = strcmp(left->value->string, right->value->string);

	if (order)
		return order;
	return (left->position > right->position) -
	       (left->position < right->position);
}

static void add_text(struct lines *lines, const char *text)
{
	struct str *out = lines->out;

	str_add_char(out, '"');
	for (; *text && json_lines_fit(out); text++) {
		if (*text == '"' || *text == '\\')
			str_addf(out, "\\%c", *text);
		else if (*text == '\n')
			str_add(out, "\\n");
		else if (*text == '\t')
			str_add(out, "\\t");
		else if ((unsigned char)*text < 0x20)
			str_addf(out, "\\u%04x", (unsigned)*text);
		else
			str_add_char(out, *text);
	}
	str_add_char(out, '"');
}

static void begin_line(struct lines *lines, size_t depth)
{
	str_add_char(lines->out, '\n');
	str_add_repeat(lines->out, ' ', depth * INDENT);
}

static void add_value(struct lines *lines, const cJSON *value, size_t depth);

/** Add a child on its line; false without room for more. */
static bool add_child(struct lines *lines, const cJSON *value, bool named,
                      bool first, size_t depth)
{
	if (!json_lines_fit(lines->out))
		return false;
	if (!first)
		str_add_char(lines->out, ',');
	begin_line(lines, depth);
	if (named) {
		add_text(lines, value->string);
		str_add(lines->out, ": ");
	}
	add_value(lines, value, depth);
	return true;
}

static void add_object(struct lines *lines, const cJSON *object, size_t depth)
{
	size_t count = (size_t)cJSON_GetArraySize(object);
	SCOPED(mem_drop)
	struct member *members = mem_zalloc(count + 1, sizeof(*members));
	size_t i = 0;

	for (const cJSON *value = cJSON_GetArrayItem(object, 0);
	     value && i < count; value = value->next, i++)
		members[i] = (struct member){ .value = value, .position = i };
	qsort(members, count, sizeof(*members), compare_members);
	str_add_char(lines->out, '{');
	for (i = 0; i < count; i++)
		if (!add_child(lines, members[i].value, true, !i, depth + 1))
			break;
	if (count)
		begin_line(lines, depth);
	str_add_char(lines->out, '}');
}

static void add_array(struct lines *lines, const cJSON *array, size_t depth)
{
	const cJSON *value = cJSON_GetArrayItem(array, 0);

	str_add_char(lines->out, '[');
	for (bool first = true; value; value = value->next, first = false)
		if (!add_child(lines, value, false, first, depth + 1))
			break;
	if (cJSON_GetArrayItem(array, 0))
		begin_line(lines, depth);
	str_add_char(lines->out, ']');
}

/** Recursion is limited to LIMIT_JSON_DEPTH, as in all documents. */
static void add_value(struct lines *lines, const cJSON *value, size_t depth)
{
	bool truth = false;

	switch (json_type(value)) {
	case JSON_NULL:
		str_add(lines->out, "null");
		break;
	case JSON_BOOL:
		json_as_bool(value, &truth);
		str_add(lines->out, truth ? "true" : "false");
		break;
	case JSON_NUMBER:
		str_add(lines->out, json_number_text(value, &lines->numbers));
		break;
	case JSON_TEXT:
		add_text(lines, cJSON_GetStringValue(value));
		break;
	case JSON_ARRAY:
		add_array(lines, value, depth);
		break;
	case JSON_OBJECT:
		add_object(lines, value, depth);
		break;
	}
}

void json_lines_add(struct str *out, const cJSON *value)
{
	struct lines lines = { .out = out };

	add_value(&lines, value, 0);
	arena_release(&lines.numbers);
}

void json_lines_section(struct report *report, struct arena *arena,
                        const char *label, const struct str *text)
{
	size_t max = limit_get(LIMIT_SECTION_TEXT);
	bool fits = json_lines_fit(text);

	report_add_section(report, arena, label,
	                   arena_text(arena, utf8_first(str_text(text), max)));
	if (fits)
		return;
	report->truncated = true;
	report_add_note(report, arena, label,
	                arena_printf(arena,
	                             "more than %s of text: the rest is left "
	                             "out%s",
	                             limit_size(max).text,
	                             limit_hint(LIMIT_SECTION_TEXT)));
}

// SPDX-License-Identifier: MIT
#include "parsers/envelope/envelope.h"

static size_t count_line_ends(struct text text)
{
	struct text line;
	size_t count = 0;

	while (text_next_line(&text, &line))
		count++;
	return count;
}

/** Is @p in a complete value, and nothing else? */
static bool is_only(struct text in, const struct json_shape *value)
{
	return value->complete && !text_trim(text_after(in, value->size)).size;
}

/** Read the header line at the front of @p in, if it is one. */
static void open_header(struct text in, const struct json_shape_known *known,
                        struct arena *arena, struct envelope *ret)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	struct text rest = text_first(in, IPS_HEADER_LINE_MAX);
	struct json_shape body;
	struct text line;
	size_t used;

	text_next_line(&rest, &line);
	err = json_parse(line, &used, &doc);
	if (err || json_truncated(doc) || !ips_header_is(json_root(doc)))
		return;
	ret->has_header = true;
	ret->header = ips_header_read(json_root(doc), arena);
	ret->body = text_after(in, used);
	rest = text_trim_left(ret->body);
	body = json_shape_known(rest, known);
	ret->body_names = body.names;
	ret->is_whole_ips = is_only(rest, &body);
	ret->doc = doc;
	doc = NULL;
}

struct envelope envelope_open(struct text in, struct arena *arena)
{
	return envelope_open_known(in, &(struct json_shape_known){ 0 }, arena);
}

struct envelope envelope_open_known(struct text in,
                                    const struct json_shape_known *known,
                                    struct arena *arena)
{
	struct text trimmed = text_trim_left(in);
	struct json_shape shape = json_shape_known(trimmed, known);
	struct envelope ret = {
		.text = in,
		.names = shape.names,
		.body = in,
		.body_names = shape.names,
	};

	if (shape.complete && shape.has_header_names &&
	    shape.size <= IPS_HEADER_LINE_MAX)
		open_header(trimmed, known, arena, &ret);
	if (ret.has_header)
		ret.header_lines = 1 + count_line_ends(text_first(
		                               in, in.size - trimmed.size));
	if (ret.has_header ? !ret.is_whole_ips : !is_only(trimmed, &shape))
		ret.kind = text_kind_find(ret.body);
	return ret;
}

void envelope_release(struct envelope *envelope)
{
	json_doc_free(envelope->doc);
	envelope->doc = NULL;
}

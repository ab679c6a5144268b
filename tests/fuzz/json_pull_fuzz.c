// SPDX-License-Identifier: MIT
#include "lib/text/json/json.h"
#include "lib/text/json/pull.h"
#include "tests/unit/lib/text/json/pull_trace.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The input in pieces of any size must read as it does in one. */
static void compare_formats(struct text in, unsigned flags)
{
	struct pieces pieces = {
		.left = in,
		.random = (uint32_t)in.size,
	};
	SCOPED(json_pull_drop) struct json_pull *whole = NULL;
	SCOPED(json_pull_drop) struct json_pull *feed = NULL;
	SCOPED(str_release) struct str expected = { 0 };
	SCOPED(str_release) struct str found = { 0 };

	for (size_t i = 0; i < in.size; i++)
		pieces.random = pieces.random * 31 + (unsigned char)in.data[i];
	whole = json_pull_new(in, flags);
	feed = json_pull_new_feed(read_pieces, &pieces, flags);
	trace_values(whole, &expected);
	trace_values(feed, &found);
	if (!text_equal(str_text(&expected), str_text(&found)))
		__builtin_trap();
}

/** Documents and the pull reader must agree on what JSON is. */
static void compare_readers(struct text in)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *doc_err = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	size_t used;

	while (json_pull_next(pull)->type != JSON_EVENT_DONE)
		;
	err = json_pull_take_error(pull);
	doc_err = json_parse(in, &used, &doc);
	if (doc_err && error_code(doc_err) == ERROR_LIMIT)
		return;
	if (doc_err ? !err || strcmp(error_message(doc_err), error_message(err))
	            : err || used != json_pull_used(pull) ||
	                      json_truncated(doc) != json_pull_truncated(pull))
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text in = { .data = (const char *)data, .size = size };

	compare_readers(in);
	compare_formats(in, 0);
	compare_formats(in, JSON_PULL_REPAIR);
	return 0;
}

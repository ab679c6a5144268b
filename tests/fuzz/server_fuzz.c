// SPDX-License-Identifier: MIT
/*
 * A request for names, up to a NUL byte, and the report that answers it; the
 * same bytes as a form. A request that is read has a report that is JSON, and,
 * where nothing is found, a response that is.
 */
#include "cmd/server/form.h"
#include "cmd/server/symbolicate.h"

#include "lib/base/text.h"
#include "lib/text/json/pull.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_json(struct text text)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(text, 0);
	struct error *err;

	while (json_pull_again(pull))
		while (json_pull_next(pull)->type != JSON_EVENT_DONE)
			continue;
	err = json_pull_take_error(pull);
	if (err || json_pull_truncated(pull) || json_pull_repair_count(pull))
		__builtin_trap();
}

static void ask(struct text body, struct text document)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct symbolicate_request request;
	struct error *err = symbolicate_read(body, &arena, &request);

	if (err) {
		error_free(err);
		return;
	}
	symbolicate_add_report(&request, &text);
	expect_json(str_text(&text));
	str_clear(&text);
	if (symbolicate_add_response(&request, TEXT_NONE, &text))
		__builtin_trap();
	expect_json(str_text(&text));
	str_clear(&text);
	err = symbolicate_add_response(&request, document, &text);
	if (!err)
		expect_json(str_text(&text));
	error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text input = { (const char *)data, size };
	struct text body = text_first(input, text_find_char(input, '\0'));
	struct text document = text_after(input, body.size + 1);
	struct text field;

	ask(body, document);
	if (form_find(text_from("multipart/form-data; boundary=b"), input,
	              &field) &&
	    (field.data < input.data ||
	     field.data + field.size > input.data + input.size))
		__builtin_trap();
	return 0;
}

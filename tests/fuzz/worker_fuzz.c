// SPDX-License-Identifier: MIT
/*
 * What apmtool-worker reads: both files of its settings, references that wait,
 * several with a NUL byte between them, and an answer of its filter. All of the
 * same bytes. No setting is one that the worker makes itself, or a secret in
 * the YAML; what is taken for a reference or a document is JSON.
 */
#include "cmd/worker/reference.h"
#include "cmd/worker/settings.h"
#include "lib/answers/answer.h"
#include "lib/base/error.h"
#include "lib/text/json/pull.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void expect_json(struct text text)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(text, 0);

	while (json_pull_next(pull)->type != JSON_EVENT_DONE)
		continue;
	expect(!json_pull_take_error(pull) && !json_pull_truncated(pull));
}

static void read_settings(struct text text,
                          struct error *(*add)(struct text, const char *,
                                               struct worker_settings *),
                          bool may_be_secret)
{
	struct worker_settings settings = { 0 };
	struct error *err = add(text, "file", &settings);

	for (size_t i = 0; !err && i < settings.property_count; i++) {
		const struct kafka_property *property = &settings.properties[i];

		expect(strcmp(property->name, "acks") &&
		       strcmp(property->name, "group.id"));
		expect(may_be_secret || !strstr(property->name, "password"));
		expect(property->value && property->place);
	}
	for (size_t i = 0; !err && i < settings.filter_count; i++)
		expect(settings.filter[i]);
	error_free(err);
	worker_settings_release(&settings);
}

static void read_references(struct text rest)
{
	struct references references = { 0 };

	while (rest.size) {
		struct text value =
		        text_first(rest, text_find_char(rest, '\0'));
		struct text key = text_first(value, 4);
		struct error *err = references_add(&references, key, value);

		if (!err)
			expect_json(value);
		error_free(err);
		rest = text_after(rest, value.size + 1);
	}
	references_sort(&references);
	for (size_t i = 0; i < references.count; i++) {
		const struct reference *one = &references.all[i];

		expect(*one->topic && one->partition >= 0 && one->offset >= 0);
		expect(!i || strcmp(one[-1].topic, one->topic) <= 0);
	}
	references_release(&references);
}

static void read_answer(struct text text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct filter_answer answer;
	struct error *err = filter_answer_read(text, &arena, &answer);

	for (size_t i = 0; !err && i < answer.document_count; i++) {
		struct text document = answer.documents[i].text;

		expect(document.data >= text.data &&
		       document.data + document.size <= text.data + text.size);
		expect_json(document);
	}
	error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text input = { (const char *)data, size };

	read_settings(input, worker_settings_add_yaml, false);
	read_settings(input, worker_settings_add_conf, true);
	read_references(input);
	read_answer(input);
	return 0;
}

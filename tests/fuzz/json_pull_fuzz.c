#include "lib/text/json.h"
#include "lib/text/json_pull.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Documents and the pull reader must agree on what JSON is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text in = { .data = (const char *)data, .size = size };
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *doc_err = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(str_release) struct str path = { 0 };
	size_t used;

	while (json_pull_next(pull)->type != JSON_EVENT_DONE) {
		str_clear(&path);
		json_pull_path(pull, &path);
	}
	err = json_pull_take_error(pull);
	doc_err = json_parse(in, &used, &doc);
	if (doc_err && error_code(doc_err) == ERROR_LIMIT)
		return 0;
	if (doc_err ? !err || strcmp(error_message(doc_err), error_message(err))
	            : err || used != json_pull_used(pull) ||
	                      json_truncated(doc) != json_pull_truncated(pull))
		__builtin_trap();
	return 0;
}

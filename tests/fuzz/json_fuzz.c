// SPDX-License-Identifier: MIT
#include "lib/text/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text in = { .data = (const char *)data, .size = size };
	struct json_doc *doc = NULL;
	struct error *err;
	uint64_t number;
	size_t used;

	err = json_parse(in, &used, &doc);
	if (err) {
		error_free(err);
		return 0;
	}
	if (used > size)
		__builtin_trap();
	for (const cJSON *value = cJSON_GetArrayItem(json_root(doc), 0); value;
	     value = value->next)
		json_as_u64(value, &number);
	json_doc_free(doc);
	return 0;
}

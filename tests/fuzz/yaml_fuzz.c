// SPDX-License-Identifier: MIT
#include "lib/text/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "dsym", "in-app", "jobs", NULL };
	struct text in = { .data = (const char *)data, .size = size };
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct yml *root = NULL;
	struct error *err;
	uint64_t number;

	err = yml_parse(in, "f.yml", &arena, &root);
	if (!err)
		err = yml_known_fields(root, names);
	if (!err && yml_field(root, "jobs"))
		err = yml_number(yml_field(root, "jobs"), 1, 8, &number);
	error_free(err);
	return 0;
}

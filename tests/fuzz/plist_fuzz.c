// SPDX-License-Identifier: MIT
#include "lib/text/plist/plist.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Values are shared in binary lists: a walk must bound its own depth. */
static size_t touch(const struct plist *value, unsigned depth)
{
	size_t sum = value->text.size;

	if (value->text.size && value->text.data[value->text.size])
		abort();
	for (size_t i = 0; depth && i < value->count && i < 4; i++)
		sum += value->items[i].key.size +
		       touch(value->items[i].value, depth - 1);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct plist *root = NULL;
	struct error *err;

	err = plist_parse((struct bytes){ .data = data, .size = size }, &arena,
	                  &root);
	if (!err)
		touch(root, 6);
	error_free(err);
	return 0;
}

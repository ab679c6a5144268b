#include "parsers/session_record.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct session_file file = { 0 };
	struct error *err = session_record_parse(in, &arena, &file);

	// Either a record or a reason.
	if (!err != !!file.first)
		abort();
	error_free(err);
	return 0;
}

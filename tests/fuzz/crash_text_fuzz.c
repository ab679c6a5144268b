#include "parsers/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct report *report = NULL;
	struct error *err;

	// Detection first, then the text reader whatever that said.
	err = parser_read(in, &arena, &report);
	if (!err != !!report)
		__builtin_trap();
	error_free(err);
	report = NULL;
	err = crash_text_parser.parse(bytes_text(in), &arena, &report);
	if (!err != !!report)
		__builtin_trap();
	error_free(err);
	return 0;
}

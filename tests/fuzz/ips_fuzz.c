#include "lib/base/arena.h"
#include "parsers/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = (const char *)data, .size = size };
	struct report *report = NULL;
	struct error *err;

	parser_sniff(&ips_parser, in);
	err = parser_parse(&ips_parser, in, &arena, &report);
	if (!err != !!report)
		__builtin_trap();
	error_free(err);
	return 0;
}

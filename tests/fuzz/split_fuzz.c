#include "lib/base/arena.h"
#include "parsers/parser.h"
#include "parsers/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The way of every input: unpacked, split, identified and read. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct split split = split_open(bytes_text(in));
	struct report *report = NULL;
	struct split_part part;
	struct error *err;
	size_t total = 0;

	while (split_next(&split, &part))
		total += part.text.size;
	err = parser_read(in, &arena, &report);
	if (total != size || !err != !!report)
		__builtin_trap();
	for (; report; report = report->next)
		if (!report->format)
			__builtin_trap();
	error_free(err);
	return 0;
}

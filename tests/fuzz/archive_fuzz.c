/* The walk through archives, and the pieces of files that it reads. */
#include "lib/text/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** As the search for slices does: the head, then further on. */
static struct error *peek(struct archive_file *file, void *context)
{
	static const uint64_t offsets[] = { 0, 0, 100, 5000, 4000, 1 << 20 };
	uint8_t buffer[512];
	unsigned *count = context;

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		size_t got = 0;

		error_free(archive_peek(file, offsets[i], buffer,
		                        sizeof(buffer), &got));
		if (got > sizeof(buffer))
			__builtin_trap();
	}
	// A fuzzer's time goes into zlib otherwise.
	return ++*count < 8 ? NULL : error_new(ERROR_LIMIT, "enough");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { .data = data, .size = size };
	struct archive_budget budget = archive_symbols_budget(size);
	unsigned count = 0;

	archive_is(in);
	error_free(archive_walk_bytes(in, &budget, peek, &count));
	return 0;
}

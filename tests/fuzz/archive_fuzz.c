// SPDX-License-Identifier: MIT
/* The walk through archives, and files in pieces and as a whole. */
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

/** As readers of reports do. */
static struct error *unpack(struct archive_file *file, void *context)
{
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	unsigned *count = context;

	error_free(archive_unpack(file, &unpacked));
	return ++*count < 8 ? NULL : error_new(ERROR_LIMIT, "enough");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { .data = data, .size = size };
	struct archive_budget budget = archive_symbols_budget(size);
	struct archive_budget small =
	        archive_budget(LIMIT_UNPACKED, (size_t)1 << 20);
	unsigned count = 0;

	archive_is(in);
	error_free(archive_walk_bytes(in, &budget, peek, &count));
	count = 0;
	error_free(archive_walk_bytes(in, &small, unpack, &count));
	return 0;
}

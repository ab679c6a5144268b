// SPDX-License-Identifier: MIT
#include "lib/text/gzip.h"

// Small: a fuzzer's time goes into zlib otherwise.
#define LIMIT ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { .data = data, .size = size };
	SCOPED(gzip_release) struct gzip gzip = { 0 };
	struct error *err = gzip_inflate(in, LIMIT, &gzip);

	if (gzip.bytes.size > LIMIT || (err && gzip.bytes.data))
		__builtin_trap();
	error_free(err);
	return 0;
}

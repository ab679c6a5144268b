// SPDX-License-Identifier: MIT
#include "lib/text/zip.h"

// Small: a fuzzer's time goes into zlib otherwise.
#define LIMIT ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { .data = data, .size = size };
	SCOPED(zip_release) struct zip zip = { 0 };
	struct error *err = zip_open(in, &zip);

	error_free(err);
	for (size_t i = 0; i < zip.count && i < 16; i++) {
		SCOPED(gzip_release) struct gzip file = { 0 };

		err = zip_unpack(&zip, i, LIMIT, &file);
		if (file.bytes.size > LIMIT || (err && file.bytes.data))
			__builtin_trap();
		error_free(err);
	}
	return 0;
}

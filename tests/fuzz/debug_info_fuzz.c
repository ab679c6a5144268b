// SPDX-License-Identifier: MIT
/*
 * Debug information of a file: the functions at some addresses, then all of
 * them, by our reader. Debian 12's libdwarf reads beyond damaged line tables,
 * and allocates what a damaged size says: it runs in a confined process, whose
 * end is an error.
 */
#include "lib/object/dwarf/macho_debug.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void collect(const struct macho *macho, const uint64_t *addresses,
                    size_t count)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct debug_object object = macho_debug_object(macho);
	struct debug_info info;

	error_free(debug_info_collect(&object, DEBUG_READER_NATIVE, addresses,
	                              count, &arena, &info));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = { .data = data, .size = size };
	struct macho macho;
	struct error *err = macho_parse(file, &macho);

	if (err) {
		error_free(err);
		return 0;
	}
	uint64_t base = macho.text_address % UINT32_MAX;
	const uint64_t addresses[] = { base, base + 0x10, base + 0x100,
		                       base + 0x408, base + 0x4000 };

	collect(&macho, addresses, ARRAY_SIZE(addresses));
	collect(&macho, NULL, 0);
	macho_release(&macho);
	return 0;
}

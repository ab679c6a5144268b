// SPDX-License-Identifier: MIT
/*
 * Debug information of a file: the functions at some addresses, then all of
 * them, by each reader. libdwarf is fuzzed with it, as we hand sections to it.
 */
#include "lib/object/dwarf/macho_debug.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

// libdwarf allocates what a damaged size asks for, terabytes too, and goes on
// without: so does the process that is confined for it.
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void collect(const struct macho *macho, enum debug_reader reader,
                    const uint64_t *addresses, size_t count)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct debug_object object = macho_debug_object(macho);
	struct debug_info info;

	error_free(debug_info_collect(&object, reader, addresses, count, &arena,
	                              &info));
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
	static const enum debug_reader readers[] = { DEBUG_READER_NATIVE,
		                                     DEBUG_READER_LIBDWARF };

	for (size_t i = 0; i < ARRAY_SIZE(readers); i++) {
		collect(&macho, readers[i], addresses, ARRAY_SIZE(addresses));
		collect(&macho, readers[i], NULL, 0);
	}
	macho_release(&macho);
	return 0;
}

// SPDX-License-Identifier: MIT
/*
 * Our own reader of debug information, on sections without a Mach-O around
 * them: an input is a list of sections, each a byte that names it, two of its
 * size, and its bytes. The top bit of the first says that only some addresses
 * are looked up. The fuzzer's time goes into DWARF, not into finding out
 * that a load command is bad; debug_info_fuzz.c reads whole files.
 */
#include "lib/object/dwarf/macho_debug.h"

#include "lib/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** Their order is part of the seeds: tests/fuzz/make_seeds knows it. */
static const char *const names[] = {
	"__debug_info",     "__debug_abbrev",  "__debug_line",
	"__debug_str",      "__debug_aranges", "__debug_ranges",
	"__debug_rnglists", "__debug_addr",    "__debug_line_str",
	"__debug_str_offs",
};

#define HEADER_BYTES 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The sections of an input; what comes twice counts once. */
static size_t read_sections(struct bytes in, struct macho_section *sections)
{
	struct cursor c = cursor_at(in, 0, CURSOR_LITTLE);
	size_t count = 0;

	while (count < ARRAY_SIZE(names) && cursor_left(&c) > HEADER_BYTES) {
		struct macho_section *section = &sections[count++];
		const char *name = names[cursor_u8(&c) % ARRAY_SIZE(names)];
		size_t length = cursor_u16(&c);

		if (length > cursor_left(&c))
			length = cursor_left(&c);
		*section = (struct macho_section){ .segment = "__DWARF" };
		memcpy(section->name, name, strlen(name));
		section->size = length;
		section->contents = cursor_bytes(&c, length);
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct macho_section sections[ARRAY_SIZE(names)];
	struct bytes in = { .data = data, .size = size };
	const struct macho macho = {
		.slice = in,
		.order = CURSOR_LITTLE,
		.is_64 = true,
		.has_text = true,
		.text_size = UINT32_MAX,
		.sections = sections,
		.section_count = read_sections(in, sections),
	};
	static const uint64_t addresses[] = { 4, 0x20, 0x1004, 0x4010 };
	const struct debug_object object = macho_debug_object(&macho);
	struct debug_info info = { 0 };
	bool reads_all = !size || data[0] < 128;

	error_free(debug_info_collect(&object, DEBUG_READER_NATIVE, addresses,
	                              reads_all ? 0 : ARRAY_SIZE(addresses),
	                              &arena, &info));
	return 0;
}

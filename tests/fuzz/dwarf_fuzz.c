// SPDX-License-Identifier: MIT
/*
 * Our own reader of debug information, on sections without a Mach-O around
 * them: an input is a list of sections, each a byte that names it, two of its
 * size, and its bytes. The top bit of the first says that only some addresses
 * are looked up: then what is read in a moment is compared with what is read
 * without that limit. The fuzzer's time goes into DWARF, not into finding out
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

static void collect(const struct macho *macho, enum debug_reader reader,
                    const uint64_t *addresses, size_t count,
                    struct arena *arena, struct debug_info *ret)
{
	const struct debug_object object = macho_debug_object(macho);

	*ret = (struct debug_info){ 0 };
	error_free(debug_info_collect(&object, reader, addresses, count, arena,
	                              ret));
}

/** What is read in a moment, and without a fault, is all there is to read. */
static void compare(const struct debug_info *brief,
                    const struct debug_info *full)
{
	if (brief->bad_unit_count)
		return;
	if (full->bad_unit_count ||
	    full->function_count != brief->function_count)
		abort();
	for (size_t i = 0; i < full->function_count; i++) {
		const struct debug_function *a = &brief->functions[i];
		const struct debug_function *b = &full->functions[i];

		if (a->range.low != b->range.low ||
		    a->range.high != b->range.high ||
		    a->line_count != b->line_count ||
		    a->inline_count != b->inline_count ||
		    strcmp(a->name, b->name) != 0)
			abort();
	}
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
	struct debug_info brief;
	struct debug_info full;

	// One of the two, so that an execution is a reading.
	if (!size || data[0] < 128) {
		collect(&macho, DEBUG_READER_NATIVE, NULL, 0, &arena, &full);
		return 0;
	}
	collect(&macho, DEBUG_READER_BRIEF, addresses, ARRAY_SIZE(addresses),
	        &arena, &brief);
	collect(&macho, DEBUG_READER_NATIVE, addresses, ARRAY_SIZE(addresses),
	        &arena, &full);
	compare(&brief, &full);
	return 0;
}

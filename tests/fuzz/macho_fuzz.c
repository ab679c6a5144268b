// SPDX-License-Identifier: MIT
/*
 * A file through everything that reads Mach-O: its slices, each image, its
 * sections, its UUID from a truncated head, and names from its symbol table.
 */
#include "lib/object/macho/macho.h"
#include "lib/symbols/source/symtab.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned touch(struct bytes bytes)
{
	return bytes.size ? bytes.data[0] + bytes.data[bytes.size - 1] : 0u;
}

static void resolve_some(const struct macho *macho)
{
	uint64_t base = macho->text_address;
	const uint64_t addresses[] = {
		0, base, base + 0x1000, base + 0x1001, base + 0x2000, UINT64_MAX
	};
	struct symtab_answer answers[ARRAY_SIZE(addresses)];

	// They must ascend, and the base may be anything.
	if (base > UINT64_MAX - 0x2000)
		return;
	symtab_resolve(macho, addresses, ARRAY_SIZE(addresses), answers);
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		touch(bytes_from_text(answers[i].name));
}

static void read_slice(struct bytes slice)
{
	struct macho macho;
	struct error *err = macho_parse(slice, &macho);

	if (err) {
		error_free(err);
		return;
	}
	for (size_t i = 0; i < macho.section_count; i++)
		touch(macho.sections[i].contents);
	macho_section(&macho, "__DWARF", "__debug_info");
	resolve_some(&macho);
	macho_release(&macho);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = { .data = data, .size = size };
	struct macho_slices slices;
	SCOPED(error_drop) struct error *err = macho_slices(file, &slices);
	uint32_t file_type, cpu_type, cpu_subtype;
	struct uuid uuid;
	uint64_t needed;

	if (err)
		return 0;
	for (size_t i = 0; i < slices.count; i++) {
		const struct macho_slice *at = &slices.slices[i];
		struct bytes slice = bytes_part(file, at->offset, at->size);

		if (macho_peek_uuid(bytes_part(slice, 0, slice.size / 2), &uuid,
		                    &file_type, &cpu_type, &cpu_subtype,
		                    &needed) &&
		    needed)
			abort();
		read_slice(slice);
	}
	return 0;
}

// SPDX-License-Identifier: MIT
/*
 * Changes the contents of a section of a Mach-O file in place, in three cases
 * of four: nothing moves, so that all that leads to it stays right. Changes of
 * any place would be spent on padding and on unread bytes.
 */
#include "lib/object/macho/macho.h"

#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

/** Of one of its sections that are in the file, in turn; empty without one. */
static struct bytes choose(struct bytes file, unsigned seed)
{
	struct bytes chosen = { 0 };
	struct macho macho;
	struct error *err = macho_parse(file, &macho);
	size_t count;

	if (err) {
		error_free(err);
		return chosen;
	}
	count = macho.section_count;
	for (size_t i = 0; i < count && !chosen.size; i++)
		chosen = macho.sections[(seed + i) % count].contents;
	macho_release(&macho);
	return chosen;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed)
{
	struct bytes part = { 0 };

	if (seed % 4)
		part = choose((struct bytes){ .data = data, .size = size },
		              seed / 4);
	if (!part.size)
		return LLVMFuzzerMutate(data, size, max_size);
	LLVMFuzzerMutate(data + (part.data - data), part.size, part.size);
	return size;
}

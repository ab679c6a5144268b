// SPDX-License-Identifier: MIT
/*
 * Changes one of the parts that dwarf_fuzz and store_fuzz are made of, a byte
 * that names it, two of its size, and its bytes, and keeps the sizes right. A
 * section of debug information that is one unit, with its length in front,
 * stays one in half of the cases.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PARTS_MAX    32
#define HEADER_BYTES 3
#define PART_MAX     UINT16_MAX

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

static size_t part_size(const uint8_t *at, size_t left)
{
	size_t size = at[1] | (size_t)at[2] << 8;

	return size < left - HEADER_BYTES ? size : left - HEADER_BYTES;
}

static uint32_t length_in_front(const uint8_t *part)
{
	return part[0] | (uint32_t)part[1] << 8 | (uint32_t)part[2] << 16 |
	       (uint32_t)part[3] << 24;
}

static void set_bytes(uint8_t *at, size_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed)
{
	static uint8_t part[PART_MAX];
	size_t starts[PARTS_MAX];
	size_t count = 0;
	size_t before, after, most;
	int is_unit;
	uint8_t *at;

	for (size_t i = 0; i + HEADER_BYTES < size && count < PARTS_MAX;
	     i += HEADER_BYTES + part_size(data + i, size - i))
		starts[count++] = i;
	if (!count || !(seed % 4))
		return LLVMFuzzerMutate(data, size, max_size);
	seed /= 4;
	at = data + starts[seed / 2 % count];
	before = part_size(at, size - (size_t)(at - data));
	is_unit = before > 4 &&
	          length_in_front(at + HEADER_BYTES) + 4 == before;
	most = max_size - size + before;
	most = most < PART_MAX ? most : PART_MAX;
	if (!before || before > most)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(part, at + HEADER_BYTES, before);
	after = LLVMFuzzerMutate(part, before, most);
	if (is_unit && after > 4 && seed % 2)
		set_bytes(part, after - 4, 4);
	memmove(at + HEADER_BYTES + after, at + HEADER_BYTES + before,
	        size - (size_t)(at - data) - HEADER_BYTES - before);
	memcpy(at + HEADER_BYTES, part, after);
	set_bytes(at + 1, after, 2);
	return size - before + after;
}

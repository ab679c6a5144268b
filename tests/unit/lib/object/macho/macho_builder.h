// SPDX-License-Identifier: MIT
/**
 * Mach-O and fat files built in memory, byte by byte: well-formed ones, and
 * ones that are wrong in exactly one place.
 *
 *     struct macho_builder b;
 *     macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
 *     macho_add_uuid(&b, "0123456789ABCDEF");
 *     macho_add_segment(&b, "__TEXT", 0x100000000, 0x4000, 0, 0, 1);
 *     macho_add_section(&b, "__TEXT", "__text", 0x100001000, 0x100, 0, 0);
 *     macho_put(&b, 0x1000, data, size);
 *     parse(macho_finish(&b));
 *     macho_builder_release(&b);
 */
#ifndef APMTOOL_TESTS_UNIT_MACHO_BUILDER_H
#define APMTOOL_TESTS_UNIT_MACHO_BUILDER_H

#include "lib/base/cursor.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CPU_ARM    12u
#define CPU_X86_64 0x01000007u
#define CPU_ARM64  0x0100000cu

struct macho_builder {
	struct str image;
	enum cursor_order order;
	bool is_64;
	uint32_t command_count;
	size_t commands_start;
	size_t commands_end; ///< bytes put after it are not commands
};

static inline void put_uint(struct str *out, uint64_t value, unsigned size,
                            enum cursor_order order)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned at = order == CURSOR_BIG ? size - 1 - i : i;

		str_add_char(out, (char)(value >> (8 * at)));
	}
}

/** Overwrite four bytes that are there already. */
static inline void patch_u32(struct str *image, size_t offset, uint32_t value,
                             enum cursor_order order)
{
	struct str bytes = { 0 };

	put_uint(&bytes, value, 4, order);
	memcpy(image->data + offset, bytes.data, 4);
	str_release(&bytes);
}

static inline void macho_u32(struct macho_builder *b, uint32_t value)
{
	put_uint(&b->image, value, 4, b->order);
}

/** A field that has the size of an address. */
static inline void macho_word(struct macho_builder *b, uint64_t value)
{
	put_uint(&b->image, value, b->is_64 ? 8 : 4, b->order);
}

/** A name of at most 16 characters, padded with NUL. */
static inline void macho_name(struct macho_builder *b, const char *name)
{
	size_t size = strlen(name);

	str_add_bytes(&b->image, name, size);
	str_add_repeat(&b->image, '\0', 16 - size);
}

static inline void macho_begin(struct macho_builder *b, enum cursor_order order,
                               bool is_64, uint32_t cpu_type,
                               uint32_t cpu_subtype, uint32_t file_type)
{
	*b = (struct macho_builder){ .order = order, .is_64 = is_64 };
	macho_u32(b, is_64 ? 0xfeedfacf : 0xfeedface);
	macho_u32(b, cpu_type);
	macho_u32(b, cpu_subtype);
	macho_u32(b, file_type);
	macho_u32(b, 0); // commands: count and bytes, by macho_finish()
	macho_u32(b, 0);
	macho_u32(b, 0); // flags
	if (is_64)
		macho_u32(b, 0);
	b->commands_start = b->commands_end = b->image.size;
}

/** Begin a command of @p size bytes, type and size included. */
static inline void macho_command(struct macho_builder *b, uint32_t type,
                                 uint32_t size)
{
	macho_u32(b, type);
	macho_u32(b, size);
	b->command_count++;
	b->commands_end += size;
}

static inline void macho_add_uuid(struct macho_builder *b,
                                  const char sixteen_bytes[16])
{
	macho_command(b, 0x1b, 24);
	str_add_bytes(&b->image, sixteen_bytes, 16);
}

/** Exactly @p section_count calls of macho_add_section() must follow. */
static inline void macho_add_segment(struct macho_builder *b, const char *name,
                                     uint64_t address, uint64_t size,
                                     uint64_t offset, uint64_t file_size,
                                     uint32_t section_count)
{
	uint32_t own = b->is_64 ? 72 : 56;
	uint32_t section = b->is_64 ? 80 : 68;

	macho_command(b, b->is_64 ? 0x19 : 0x1, own + section_count * section);
	macho_name(b, name);
	macho_word(b, address);
	macho_word(b, size);
	macho_word(b, offset);
	macho_word(b, file_size);
	macho_u32(b, 7);
	macho_u32(b, 5);
	macho_u32(b, section_count);
	macho_u32(b, 0);
}

static inline void macho_add_section(struct macho_builder *b,
                                     const char *segment, const char *name,
                                     uint64_t address, uint64_t size,
                                     uint32_t offset, uint32_t flags)
{
	macho_name(b, name);
	macho_name(b, segment);
	macho_word(b, address);
	macho_word(b, size);
	macho_u32(b, offset);
	macho_u32(b, 0); // alignment
	macho_u32(b, 0); // relocations
	macho_u32(b, 0);
	macho_u32(b, flags);
	macho_u32(b, 0); // reserved
	macho_u32(b, 0);
	if (b->is_64)
		macho_u32(b, 0);
}

static inline void macho_add_symtab(struct macho_builder *b,
                                    uint32_t symbols_offset,
                                    uint32_t symbol_count,
                                    uint32_t strings_offset,
                                    uint32_t strings_size)
{
	macho_command(b, 0x2, 24);
	macho_u32(b, symbols_offset);
	macho_u32(b, symbol_count);
	macho_u32(b, strings_offset);
	macho_u32(b, strings_size);
}

static inline void macho_add_function_starts(struct macho_builder *b,
                                             uint32_t offset, uint32_t size)
{
	macho_command(b, 0x26, 16);
	macho_u32(b, offset);
	macho_u32(b, size);
}

/** Fill up to @p offset with zeros, where the image is shorter. */
static inline void macho_pad(struct macho_builder *b, size_t offset)
{
	if (offset > b->image.size)
		str_add_repeat(&b->image, '\0', offset - b->image.size);
}

/** Data after the commands; @p offset is not before what is there. */
static inline void macho_put(struct macho_builder *b, size_t offset,
                             const void *data, size_t size)
{
	macho_pad(b, offset);
	str_add_bytes(&b->image, data, size);
}

/** One symbol table entry, appended. */
static inline void macho_put_symbol(struct macho_builder *b, uint32_t name,
                                    uint8_t type, uint8_t section,
                                    uint16_t description, uint64_t value)
{
	macho_u32(b, name);
	put_uint(&b->image, type, 1, b->order);
	put_uint(&b->image, section, 1, b->order);
	put_uint(&b->image, description, 2, b->order);
	macho_word(b, value);
}

/** The image, borrowed from @p b; the commands are counted and measured. */
static inline struct bytes macho_finish(struct macho_builder *b)
{
	patch_u32(&b->image, 16, b->command_count, b->order);
	patch_u32(&b->image, 20,
	          (uint32_t)(b->commands_end - b->commands_start), b->order);
	return bytes_from_text(str_text(&b->image));
}

static inline void macho_builder_release(struct macho_builder *b)
{
	str_release(&b->image);
}

/** The head of a fat file; fat_add_slice() as often as @p count says. */
static inline void fat_begin(struct str *file, bool is_64, uint32_t count)
{
	put_uint(file, is_64 ? 0xcafebabf : 0xcafebabe, 4, CURSOR_BIG);
	put_uint(file, count, 4, CURSOR_BIG);
}

static inline void fat_add_slice(struct str *file, bool is_64,
                                 uint32_t cpu_type, uint32_t cpu_subtype,
                                 uint64_t offset, uint64_t size)
{
	put_uint(file, cpu_type, 4, CURSOR_BIG);
	put_uint(file, cpu_subtype, 4, CURSOR_BIG);
	put_uint(file, offset, is_64 ? 8 : 4, CURSOR_BIG);
	put_uint(file, size, is_64 ? 8 : 4, CURSOR_BIG);
	put_uint(file, 0, is_64 ? 8 : 4, CURSOR_BIG);
}

/** Slice contents; @p offset is not before what is there. */
static inline void fat_put(struct str *file, size_t offset, struct bytes slice)
{
	if (offset > file->size)
		str_add_repeat(file, '\0', offset - file->size);
	str_add_bytes(file, slice.data, slice.size);
}

#endif

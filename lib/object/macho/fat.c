// SPDX-License-Identifier: MIT
#include "lib/object/macho/macho.h"

#include "lib/object/macho/commands.h"

#include <inttypes.h>

#define FAT_MAGIC       0xcafebabeu
#define FAT_MAGIC_64    0xcafebabfu
#define FAT_HEADER_SIZE 8u
#define FAT_ARCH_SIZE   20u
#define FAT_ARCH_SIZE64 32u

/**
 * A Java class has the magic number of a fat file; in place of the number of
 * slices it has its minor and major version. Majors begin at 45 (JDK 1.1), and
 * no fat file has as many slices. With the upper bound, a fat header with an
 * absurd count is reported as such.
 */
static bool is_java_class(uint32_t count_or_version)
{
	uint32_t major = count_or_version & 0xffff;

	return major >= 45 && major < 256;
}

static bool is_fat(struct bytes head)
{
	// Always big-endian.
	struct cursor c = cursor_at(head, 0, CURSOR_BIG);
	uint32_t magic = cursor_u32(&c);
	uint32_t count = cursor_u32(&c);

	if (magic == FAT_MAGIC_64)
		return true;
	return magic == FAT_MAGIC && !(cursor_ok(&c) && is_java_class(count));
}

bool macho_sniff(struct bytes head)
{
	struct cursor c = cursor_at(head, 0, CURSOR_LITTLE);
	uint32_t magic = cursor_u32(&c);

	return magic == MACHO_MAGIC_32 || magic == MACHO_MAGIC_64 ||
	       magic == MACHO_MAGIC_32_BIG || magic == MACHO_MAGIC_64_BIG ||
	       is_fat(head);
}

static struct macho_slice read_fat_arch(struct cursor *c, bool is_64)
{
	unsigned word = is_64 ? 8 : 4;
	struct macho_slice slice;

	slice.cpu_type = cursor_u32(c);
	slice.cpu_subtype = cursor_u32(c);
	slice.offset = cursor_uint(c, word);
	slice.size = cursor_uint(c, word);
	cursor_skip(c, word); // alignment, reserved
	return slice;
}

/**
 * Do two slices share bytes? Linkers never write such; each copy would be read.
 */
static bool overlaps(const struct macho_slices *slices,
                     const struct macho_slice *slice)
{
	for (size_t i = 0; i < slices->count; i++) {
		const struct macho_slice *other = &slices->slices[i];

		if (slice->offset < other->offset + other->size &&
		    other->offset < slice->offset + slice->size)
			return true;
	}
	return false;
}

/** Leave @p slice out; one that ends beyond the file shows a truncated file. */
static void skip(struct macho_slices *slices, const struct macho_slice *slice,
                 uint64_t file_size)
{
	slices->skipped++;
	if (slices->has_outside || (slice->offset <= file_size &&
	                            slice->size <= file_size - slice->offset))
		return;
	slices->outside = *slice;
	slices->has_outside = true;
}

static struct error *read_fat(struct bytes head, uint64_t file_size,
                              struct macho_slices *ret)
{
	struct cursor c = cursor_at(head, 0, CURSOR_BIG);
	bool is_64 = cursor_u32(&c) == FAT_MAGIC_64;
	uint32_t count = cursor_u32(&c);
	uint64_t arch_size = is_64 ? FAT_ARCH_SIZE64 : FAT_ARCH_SIZE;
	uint64_t table_end = FAT_HEADER_SIZE + count * arch_size;
	size_t max = limit_get(LIMIT_SLICES);

	if (!cursor_ok(&c))
		return cursor_error(&c, "fat header");
	if (table_end > file_size)
		return error_new(ERROR_FORMAT,
		                 "fat header: offset 0x4: %" PRIu32
		                 " slices cannot fit in %" PRIu64 " bytes",
		                 count, file_size);
	ret->fat = true;
	for (uint32_t i = 0; i < count && i < max; i++) {
		struct macho_slice slice = read_fat_arch(&c, is_64);

		if (!cursor_ok(&c))
			return cursor_error(&c, "fat header");
		// The table itself cannot be in a slice: that would contain the
		// file.
		if (slice.offset < table_end || slice.offset > file_size ||
		    slice.size > file_size - slice.offset ||
		    overlaps(ret, &slice))
			skip(ret, &slice, file_size);
		else
			ret->slices[ret->count++] = slice;
	}
	if (count > max)
		ret->skipped += count - max;
	if (!ret->count)
		return error_new(ERROR_FORMAT,
		                 "fat header: none of %" PRIu32
		                 " slices lies inside the file",
		                 count);
	return NULL;
}

static struct error *read_thin(struct bytes head, uint64_t file_size,
                               struct macho_slices *ret)
{
	struct macho_header header;
	struct error *err = macho_header_read(head, &header);

	if (err)
		return err;
	ret->count = 1;
	ret->slices[0] = (struct macho_slice){
		.cpu_type = header.cpu_type,
		.cpu_subtype = header.cpu_subtype,
		.size = file_size,
	};
	return NULL;
}

struct error *macho_slices_from_head(struct bytes head, uint64_t file_size,
                                     struct macho_slices *ret)
{
	struct macho_slices slices = { 0 };
	struct error *err = is_fat(head) ? read_fat(head, file_size, &slices)
	                                 : read_thin(head, file_size, &slices);

	if (!err)
		*ret = slices;
	return err;
}

struct error *macho_slices(struct bytes file, struct macho_slices *ret)
{
	return macho_slices_from_head(file, file.size, ret);
}

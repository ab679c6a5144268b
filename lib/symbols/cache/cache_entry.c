// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/cache_entry.h"

#include "lib/base/limit.h"
#include "lib/object/dwarf/debug_info.h"

#include <string.h>

// apmtool-cache(5) describes this format: change both, and the version.
#define SEAL_MAGIC   UINT64_C(0x6c616573746d7061) // "apmtseal"
#define SEAL_VERSION 3
#define SEAL_BYTES   256
#define SEAL_IMAGE   1u // it has an image
/** The last word of the seal is its own checksum. */
#define SEAL_SUM_AT (SEAL_BYTES - 8)
/** Block size of checksums; a few records fit. */
#define BLOCK_BYTES 512

uint64_t cache_reader_id(enum debug_reader reader)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "%s %u %s", cache_reader_sources, (unsigned)reader,
	         debug_info_library());
	// These limits reject files, even if an earlier run allowed more.
	if (limit_is_changed(LIMIT_SECTIONS) || limit_is_changed(LIMIT_SYMBOLS))
		str_addf(&text, " %zu %zu", limit_get(LIMIT_SECTIONS),
		         limit_get(LIMIT_SYMBOLS));
	return guard_sum(bytes_from_text(str_text(&text)));
}

void cache_sum_contents(struct bytes slice, uint64_t ret[2])
{
	size_t half = slice.size / 2;

	ret[0] = guard_sum_file(bytes_part(slice, 0, half));
	ret[1] = guard_sum_file(bytes_part(slice, half, slice.size - half));
}

static struct bytes bytes_of(const struct str *str, size_t first, size_t end)
{
	return bytes_part(bytes_from_text(str_text(str)), first, end - first);
}

static void put_stamp(struct str *out, const struct file_stamp *stamp)
{
	str_add_le(out, stamp->size, 8);
	str_add_le(out, stamp->inode, 8);
	str_add_le(out, (uint64_t)stamp->modified_ns, 8);
	str_add_le(out, (uint64_t)stamp->changed_ns, 8);
}

/** Is the image the whole contents of @p out? */
static bool is_in_place(const struct cache_entry *entry, const struct str *out)
{
	return entry->image.size && entry->image.size == out->size &&
	       entry->image.data == (const uint8_t *)out->data;
}

void cache_entry_write(const struct cache_entry *entry, struct str *out)
{
	const struct cache_source *source = &entry->source;
	SCOPED(str_release) struct str sums = { 0 };
	size_t first = is_in_place(entry, out) ? 0 : out->size;
	size_t body_end, seal;

	if (out->size == first)
		str_add_bytes(out, entry->image.data, entry->image.size);
	body_end = out->size;
	guard_add_sums(bytes_of(out, first, body_end), BLOCK_BYTES, &sums);
	str_add_text(out, str_text(&sums));
	seal = out->size;
	str_add_le(out, SEAL_MAGIC, 8);
	str_add_le(out, SEAL_VERSION, 4);
	str_add_le(out, body_end > first ? SEAL_IMAGE : 0, 4);
	str_add_le(out, source->reader, 8);
	str_add_bytes(out, source->uuid.bytes, sizeof(source->uuid.bytes));
	str_add_le(out, source->offset, 8);
	str_add_le(out, source->size, 8);
	put_stamp(out, &source->stamp);
	str_add_le(out, source->contents[0], 8);
	str_add_le(out, source->contents[1], 8);
	str_add_le(out, body_end - first, 8);
	str_add_le(out, guard_sum(bytes_of(out, body_end, seal)), 8);
	str_add_repeat(out, '\0', seal + SEAL_SUM_AT - out->size);
	str_add_le(out, guard_sum(bytes_of(out, seal, out->size)), 8);
}

bool cache_entry_has_mark(const char *path, uint64_t size_bytes)
{
	uint8_t magic[8];
	struct bytes bytes = { .data = magic };
	struct cursor c;

	if (size_bytes < SEAL_BYTES)
		return false;
	error_free(file_peek_found(path, size_bytes - SEAL_BYTES, magic,
	                           sizeof(magic), &bytes.size));
	c = cursor_at(bytes, 0, CURSOR_LITTLE);
	return cursor_u64(&c) == SEAL_MAGIC;
}

static struct error *error_seal(const char *what)
{
	return error_new(ERROR_FORMAT, "cache entry: %s", what);
}

static struct file_stamp read_stamp(struct cursor *c)
{
	struct file_stamp stamp;

	stamp.size = cursor_u64(c);
	stamp.inode = cursor_u64(c);
	stamp.modified_ns = (int64_t)cursor_u64(c);
	stamp.changed_ns = (int64_t)cursor_u64(c);
	return stamp;
}

/** The positions in a seal. */
struct seal {
	uint64_t image_size;
	uint64_t sums_sum;
};

static struct error *read_seal(struct bytes file, struct cache_entry *entry,
                               struct seal *seal)
{
	struct cache_source *source = &entry->source;
	struct bytes raw, uuid;
	struct cursor c;
	uint32_t flags;

	if (file.size < SEAL_BYTES)
		return error_seal("shorter than its seal");
	raw = bytes_part(file, file.size - SEAL_BYTES, SEAL_BYTES);
	c = cursor_at(raw, SEAL_SUM_AT, CURSOR_LITTLE);
	if (guard_sum(bytes_part(raw, 0, SEAL_SUM_AT)) != cursor_u64(&c))
		return error_seal("the seal's checksum is wrong");
	c = cursor_at(raw, 0, CURSOR_LITTLE);
	if (cursor_u64(&c) != SEAL_MAGIC)
		return error_seal("it has no seal");
	if (cursor_u32(&c) != SEAL_VERSION)
		return error_seal("it is of another version");
	flags = cursor_u32(&c);
	source->reader = cursor_u64(&c);
	uuid = cursor_bytes(&c, sizeof(source->uuid.bytes));
	if (cursor_ok(&c))
		memcpy(source->uuid.bytes, uuid.data, uuid.size);
	source->offset = cursor_u64(&c);
	source->size = cursor_u64(&c);
	source->stamp = read_stamp(&c);
	source->contents[0] = cursor_u64(&c);
	source->contents[1] = cursor_u64(&c);
	seal->image_size = cursor_u64(&c);
	seal->sums_sum = cursor_u64(&c);
	if (!cursor_ok(&c) || flags != (seal->image_size ? SEAL_IMAGE : 0))
		return error_seal("the seal is invalid");
	return NULL;
}

static struct error *read_image(struct bytes file, const struct seal *seal,
                                struct cache_entry *entry)
{
	struct bytes rest = bytes_part(file, 0, file.size - SEAL_BYTES);
	struct bytes image = bytes_part(rest, 0, seal->image_size);
	struct bytes sums;
	struct error *err;

	if (image.size != seal->image_size)
		return error_seal("its size differs from the size in its seal");
	sums = bytes_part(rest, image.size, rest.size - image.size);
	if (guard_sum(sums) != seal->sums_sum)
		return error_seal("the checksum of its checksums is wrong");
	if (!guard_init(&entry->guard, image, BLOCK_BYTES, sums))
		return error_seal(
		        "the numbers of its checksums and blocks differ");
	if (!image.size)
		return NULL;
	entry->image = image;
	err = gsym_open_guarded(image, &entry->guard, 0, &entry->gsym);
	if (!err && !uuid_equal(&entry->gsym.uuid, &entry->source.uuid))
		err = error_seal("its image is of another UUID");
	return err;
}

struct error *cache_entry_read(struct bytes file, struct cache_entry *ret)
{
	struct cache_entry entry = { 0 };
	struct seal seal = { 0 };
	struct error *err = read_seal(file, &entry, &seal);

	*ret = entry;
	if (!err)
		err = read_image(file, &seal, ret);
	if (err)
		cache_entry_release(ret);
	return err;
}

void cache_entry_release(struct cache_entry *entry)
{
	guard_release(&entry->guard);
	*entry = (struct cache_entry){ 0 };
}

bool cache_entry_is_sound(struct cache_entry *entry)
{
	return guard_check(&entry->guard, 0, entry->guard.body.size);
}

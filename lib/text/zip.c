// SPDX-License-Identifier: MIT
#include "lib/text/zip.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

// APPNOTE.TXT of PKWARE, the chapters in brackets.
#define SIGNATURE_LOCAL 0x04034b50 // 4.3.7
#define SIGNATURE_FILE  0x02014b50 // 4.3.12
#define SIGNATURE_END   0x06054b50 // 4.3.16
#define SIGNATURE_END64 0x06064b50 // 4.3.14
#define SIGNATURE_FIND  0x07064b50 // 4.3.15

#define LOCAL_BYTES   30
#define END_BYTES     22
#define FIND_BYTES    20
#define COMMENT_BYTES 0xffff

/** Mark for a value that is in the zip64 record instead. */
#define IN_ZIP64     UINT32_MAX
#define EXTRA_ZIP64  1
#define FLAG_SECRETS 1

enum { METHOD_STORED = 0, METHOD_DEFLATED = 8 };

static const struct {
	unsigned method;
	const char *name;
} methods[] = {
	{ 1, "Shrink" },     { 6, "Implode" }, { 9, "Deflate64" },
	{ 12, "bzip2" },     { 14, "LZMA" },   { 20, "Zstandard" },
	{ 93, "Zstandard" }, { 94, "MP3" },    { 95, "XZ" },
	{ 97, "WavPack" },   { 98, "PPMd" },   { 99, "AES encryption" },
};

bool zip_is(struct bytes in)
{
	return in.size >= 4 &&
	       (!memcmp(in.data, "PK\3\4", 4) || !memcmp(in.data, "PK\5\6", 4));
}

void zip_release(struct zip *zip)
{
	free(zip->files);
	*zip = (struct zip){ 0 };
}

// The list of files

/** Position of the list. */
struct list {
	uint64_t offset;
	uint64_t size;
	uint64_t count;
};

/** Does the record at @p end give the position of a list? */
static bool leads_to_list(struct bytes in, size_t end)
{
	struct cursor c = cursor_at(in, end + 8, CURSOR_LITTLE);
	unsigned count_here = cursor_u16(&c);
	unsigned count = cursor_u16(&c);
	uint64_t size = cursor_u32(&c);
	uint64_t offset = cursor_u32(&c);
	size_t comment = cursor_u16(&c);

	if (!cursor_ok(&c) || comment > cursor_left(&c))
		return false;
	if (count == UINT16_MAX || size == IN_ZIP64 || offset == IN_ZIP64) {
		c = cursor_at(in,
		              end >= FIND_BYTES ? end - FIND_BYTES : in.size,
		              CURSOR_LITTLE);
		return cursor_u32(&c) == SIGNATURE_FIND;
	}
	c = cursor_at(in, offset, CURSOR_LITTLE);
	return count_here == count && offset + size == end &&
	       (!count || cursor_u32(&c) == SIGNATURE_FILE);
}

/**
 * The end record, before a comment. Other bytes may follow, such as a line end,
 * or an addition by a download or mail.
 *
 * @return Its offset; or SIZE_MAX.
 */
static size_t find_end(struct bytes in)
{
	size_t found = SIZE_MAX;

	for (size_t left = 0;
	     left <= COMMENT_BYTES && left + END_BYTES <= in.size; left++) {
		size_t at = in.size - END_BYTES - left;
		struct cursor c = cursor_at(in, at, CURSOR_LITTLE);

		if (cursor_u32(&c) != SIGNATURE_END)
			continue;
		cursor_skip(&c, END_BYTES - 6);
		if (cursor_u16(&c) == left)
			return at;
		if (found == SIZE_MAX && leads_to_list(in, at))
			found = at;
	}
	return found;
}

/** Read the zip64 record, if there is one. */
static void read_end64(struct bytes in, size_t end, struct list *list)
{
	struct cursor c =
	        cursor_at(in, end >= FIND_BYTES ? end - FIND_BYTES : in.size,
	                  CURSOR_LITTLE);
	struct list found;
	uint64_t offset;

	if (cursor_u32(&c) != SIGNATURE_FIND)
		return;
	cursor_skip(&c, 4);
	offset = cursor_u64(&c);
	c = cursor_at(in, offset, CURSOR_LITTLE);
	if (cursor_u32(&c) != SIGNATURE_END64)
		return;
	cursor_skip(&c, 28);
	found.count = cursor_u64(&c);
	found.size = cursor_u64(&c);
	found.offset = cursor_u64(&c);
	if (cursor_ok(&c))
		*list = found;
}

static struct error *find_list(struct bytes in, struct list *ret)
{
	size_t end = find_end(in);
	struct cursor c = cursor_at(in, end, CURSOR_LITTLE);

	if (end == SIZE_MAX)
		return error_new(ERROR_FORMAT,
		                 "the zip archive is truncated%s: the list of "
		                 "its files is missing",
		                 in.size > COMMENT_BYTES + END_BYTES
		                         ? ", or more than 64 kB follow it"
		                         : "");
	cursor_skip(&c, 10);
	ret->count = cursor_u16(&c);
	ret->size = cursor_u32(&c);
	ret->offset = cursor_u32(&c);
	if (ret->count == UINT16_MAX || ret->size == IN_ZIP64 ||
	    ret->offset == IN_ZIP64)
		read_end64(in, end, ret);
	if (!bytes_has(in, ret->offset, ret->size))
		return error_new(ERROR_FORMAT,
		                 "the zip archive is damaged: the list of its "
		                 "files is not where it says");
	return NULL;
}

/** Sizes and offset in the zip64 extra field, in order. */
static void read_extra(struct bytes extra, bool has_size, bool has_packed,
                       struct zip_file *file)
{
	struct cursor c = cursor_at(extra, 0, CURSOR_LITTLE);

	while (cursor_left(&c) >= 4) {
		unsigned id = cursor_u16(&c);
		struct bytes data = cursor_bytes(&c, cursor_u16(&c));
		struct cursor in = cursor_at(data, 0, CURSOR_LITTLE);

		if (!cursor_ok(&c))
			return;
		if (id != EXTRA_ZIP64)
			continue;
		if (has_size)
			file->size_bytes = cursor_u64(&in);
		if (has_packed)
			file->packed_bytes = cursor_u64(&in);
		if (file->offset == IN_ZIP64)
			file->offset = cursor_u64(&in);
		return;
	}
}

static struct zip_file read_file(struct cursor *c)
{
	struct zip_file file = { 0 };
	unsigned name_size, extra_size, comment_size;

	cursor_skip(c, 4);
	file.encrypted = cursor_u16(c) & FLAG_SECRETS;
	file.method = cursor_u16(c);
	cursor_skip(c, 4);
	file.crc = cursor_u32(c);
	file.packed_bytes = cursor_u32(c);
	file.size_bytes = cursor_u32(c);
	name_size = cursor_u16(c);
	extra_size = cursor_u16(c);
	comment_size = cursor_u16(c);
	cursor_skip(c, 8);
	file.offset = cursor_u32(c);
	file.name = bytes_text(cursor_bytes(c, name_size));
	read_extra(cursor_bytes(c, extra_size), file.size_bytes == IN_ZIP64,
	           file.packed_bytes == IN_ZIP64, &file);
	cursor_skip(c, comment_size);
	return file;
}

/** Not a directory, nor macOS' own metadata. */
static bool is_content(struct text name)
{
	struct text base = text_base_name(name);

	return base.size && !text_starts(name, "__MACOSX/") &&
	       !text_starts(base, "._") && !text_is(base, ".DS_Store");
}

static struct error *read_list(const struct list *list, struct zip *zip)
{
	struct cursor c =
	        cursor_at(bytes_part(zip->in, list->offset, list->size), 0,
	                  CURSOR_LITTLE);

	for (uint64_t i = 0; i < list->count; i++) {
		struct zip_file file;

		if (cursor_u32(&c) != SIGNATURE_FILE || !cursor_ok(&c))
			return error_new(ERROR_FORMAT,
			                 "the zip archive is damaged: expected "
			                 "%llu files in its list, found %llu",
			                 (unsigned long long)list->count,
			                 (unsigned long long)i);
		file = read_file(&c);
		if (!cursor_ok(&c))
			return cursor_error(&c, "the list of the zip archive");
		if (!is_content(file.name))
			continue;
		if (zip->count == limit_get(LIMIT_ZIP_FILES))
			return limit_error(
			        LIMIT_ZIP_FILES,
			        "a zip archive of more than %zu file%s",
			        zip->count, text_plural(zip->count));
		MEM_GROW(zip->files, zip->count, zip->cap);
		zip->files[zip->count++] = file;
	}
	return NULL;
}

static int compare_offsets(const void *a, const void *b)
{
	const struct zip_file *left = *(struct zip_file *const *)a;
	const struct zip_file *right = *(struct zip_file *const *)b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return (left > right) - (left < right);
}

/** A lower bound: ignores the names in its local header. */
static uint64_t end_of(const struct zip_file *file)
{
	return file->offset + LOCAL_BYTES + file->packed_bytes;
}

/** Check files inside of the archive; others are refused already. */
static void find_overlaps(struct zip *zip)
{
	SCOPED(mem_drop)
	struct zip_file **sorted = mem_zalloc(zip->count + 1, sizeof(*sorted));
	struct zip_file *furthest = NULL; ///< earlier file with the highest end
	size_t count = 0;

	for (size_t i = 0; i < zip->count; i++)
		if (bytes_has(zip->in, zip->files[i].offset,
		              zip->files[i].packed_bytes))
			sorted[count++] = &zip->files[i];
	qsort(sorted, count, sizeof(struct zip_file *), compare_offsets);
	for (size_t i = 0; i < count; i++) {
		struct zip_file *file = sorted[i];

		if (furthest && file->offset < end_of(furthest))
			file->overlaps = furthest->overlaps = true;
		if (!furthest || end_of(file) > end_of(furthest))
			furthest = file;
	}
}

struct error *zip_open(struct bytes in, struct zip *ret)
{
	SCOPED(zip_release) struct zip zip = { .in = in };
	struct list list = { 0 };
	struct error *err = find_list(in, &list);

	if (!err)
		err = read_list(&list, &zip);
	if (err)
		return err;
	find_overlaps(&zip);
	*ret = zip;
	zip = (struct zip){ 0 };
	return NULL;
}

// A file

/** The bytes after its local header, whose name may have another length. */
static struct error *find_data(const struct zip *zip,
                               const struct zip_file *file, struct bytes *ret)
{
	struct cursor c = cursor_at(zip->in, file->offset, CURSOR_LITTLE);
	unsigned name_size, extra_size;
	uint32_t signature = cursor_u32(&c);

	cursor_skip(&c, 22);
	name_size = cursor_u16(&c);
	extra_size = cursor_u16(&c);
	cursor_skip(&c, name_size + extra_size);
	if (!cursor_ok(&c) || signature != SIGNATURE_LOCAL ||
	    !bytes_has(zip->in, c.pos, file->packed_bytes))
		return error_new(ERROR_FORMAT,
		                 "the zip archive is damaged: the file is not "
		                 "where its list says");
	*ret = bytes_part(zip->in, c.pos, file->packed_bytes);
	return NULL;
}

static struct error *refuse_method(unsigned method)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (methods[i].method == method)
			return error_new(ERROR_UNSUPPORTED,
			                 "compressed with %s in a zip archive: "
			                 "unpack it first",
			                 methods[i].name);
	return error_new(ERROR_UNSUPPORTED,
	                 "compressed by method %u in a zip archive: unpack it "
	                 "first",
	                 method);
}

static struct error *copy_stored(struct bytes data, size_t limit_bytes,
                                 struct gzip *ret)
{
	uint8_t *copy;

	if (data.size > limit_bytes)
		return error_new(ERROR_LIMIT,
		                 "a file of more than %s in a zip archive",
		                 limit_size(limit_bytes).text);
	copy = mem_alloc(data.size + 1);
	memcpy(copy, data.data, data.size);
	ret->bytes = (struct bytes){ .data = copy, .size = data.size };
	ret->made_bytes = data.size;
	return NULL;
}

/** The packed bytes of a file that we can unpack. */
static struct error *packed_data(const struct zip *zip,
                                 const struct zip_file *file, struct bytes *ret)
{
	if (file->encrypted)
		return error_new(ERROR_UNSUPPORTED,
		                 "encrypted in a zip archive: unpack it first");
	if (file->method != METHOD_STORED && file->method != METHOD_DEFLATED)
		return refuse_method(file->method);
	if (file->overlaps)
		return error_new(ERROR_FORMAT,
		                 "shares bytes with another file of the zip "
		                 "archive, as bombs do: not unpacked");
	return find_data(zip, file, ret);
}

struct error *zip_start(const struct zip *zip, size_t index,
                        struct inflater **ret, struct bytes *ret_stored)
{
	const struct zip_file *file = &zip->files[index];
	struct bytes data;
	struct error *err = packed_data(zip, file, &data);

	if (err)
		return err;
	*ret = NULL;
	*ret_stored = (struct bytes){ 0 };
	if (file->method == METHOD_STORED)
		*ret_stored = data;
	else
		*ret = inflater_new_deflate(data);
	return NULL;
}

struct error *zip_unpack(const struct zip *zip, size_t index,
                         size_t limit_bytes, struct gzip *ret)
{
	const struct zip_file *file = &zip->files[index];
	struct bytes data;
	struct error *err = packed_data(zip, file, &data);

	if (!err && file->method == METHOD_STORED)
		err = copy_stored(data, limit_bytes, ret);
	else if (!err)
		err = deflate_inflate(data, limit_bytes, ret);
	if (!err && !ret->fault && gzip_crc(ret->bytes) != file->crc)
		ret->fault = "the zip data is damaged";
	return err;
}

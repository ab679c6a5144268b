// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_catalog.h"

#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/symbols/gsym/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// apmtool-cache(5) describes this format: change both, and the version.
#define CATALOG_MAGIC   UINT64_C(0x64697575746d7061) // "apmtuuid"
#define CATALOG_VERSION 3
#define BLOCK_BYTES     4096
#define HEADER_BYTES    64
#define HEADER_SUM_AT   (HEADER_BYTES - 8)
#define ITEM_BYTES      56
#define FILE_BYTES      48
#define ROOT_BYTES      8

struct uuid_catalog {
	struct file_data file; ///< empty: the bytes are borrowed
	struct gsym_guard guard;
	uint64_t count;
	uint64_t file_count;
	uint64_t root_count;
	uint64_t files_at; ///< in the body, after the items
	uint64_t roots_at;
	uint64_t strings_at;
};

bool catalog_item_is_dsym(const struct catalog_item *item)
{
	const struct symbol_source *source = symbol_source_of(item->kind);
	struct symbol_facts facts = { .role = SYMBOL_ROLE_IMAGE };

	if (source)
		source->describe(&item->at, &facts);
	return facts.role == SYMBOL_ROLE_DEBUG;
}

int catalog_compare(const void *a, const void *b)
{
	const struct catalog_item *x = a;
	const struct catalog_item *y = b;
	int order = uuid_compare(&x->uuid, &y->uuid);

	if (!order && catalog_item_is_dsym(x) != catalog_item_is_dsym(y))
		order = catalog_item_is_dsym(x) ? -1 : 1;
	if (!order)
		order = strcmp(x->path, y->path);
	return order ? order
	             : (x->at.offset > y->at.offset) -
	                       (x->at.offset < y->at.offset);
}

void catalog_sort(struct catalog_item *items, size_t count)
{
	if (count)
		qsort(items, count, sizeof(*items), catalog_compare);
}

/** State of writing the tables. */
struct writer {
	struct str items, files, roots, strings;
	struct intern paths; ///< by file number
	uint32_t file_count;
};

static void writer_release(struct writer *w)
{
	str_release(&w->items);
	str_release(&w->files);
	str_release(&w->roots);
	str_release(&w->strings);
	intern_release(&w->paths);
}

/** Append a string, and put its offset and size. */
static void put_string(struct writer *w, struct str *out, const char *cstr)
{
	size_t size = cstr ? strlen(cstr) : 0;

	str_add_le(out, w->strings.size, 4);
	str_add_le(out, size, 4);
	str_add_bytes(&w->strings, cstr ? cstr : "", size + 1);
}

static void put_item(struct writer *w, const struct catalog_item *item)
{
	uint32_t file = intern_add(&w->paths, text_from(item->path));

	if (file == w->file_count) {
		put_string(w, &w->files, item->path);
		put_string(w, &w->files, item->version);
		str_add_le(&w->files, item->stamp.size, 8);
		str_add_le(&w->files, item->stamp.inode, 8);
		str_add_le(&w->files, (uint64_t)item->stamp.modified_ns, 8);
		str_add_le(&w->files, (uint64_t)item->stamp.changed_ns, 8);
		w->file_count++;
	}
	str_add_bytes(&w->items, item->uuid.bytes, sizeof(item->uuid.bytes));
	str_add_le(&w->items, item->at.offset, 8);
	for (size_t i = 0; i < ARRAY_SIZE(item->at.own); i++)
		str_add_le(&w->items, item->at.own[i], 8);
	str_add_le(&w->items, item->kind, 4);
	str_add_le(&w->items, file, 4);
}

static struct bytes bytes_since(const struct str *str, size_t first)
{
	return bytes_part(bytes_from_text(str_text(str)), first,
	                  str->size - first);
}

/** Join header, body, and checksums of the body's blocks. */
static void join(const struct writer *w, const struct catalog_contents *in,
                 struct str *out)
{
	SCOPED(str_release) struct str body = { 0 };
	SCOPED(str_release) struct str sums = { 0 };

	str_add_text(&body, str_text(&w->items));
	str_add_text(&body, str_text(&w->files));
	str_add_text(&body, str_text(&w->roots));
	str_add_text(&body, str_text(&w->strings));
	guard_add_sums(bytes_since(&body, 0), BLOCK_BYTES, &sums);
	str_add_le(out, CATALOG_MAGIC, 8);
	str_add_le(out, CATALOG_VERSION, 8);
	str_add_le(out, in->count, 8);
	str_add_le(out, w->file_count, 8);
	str_add_le(out, in->root_count, 8);
	str_add_le(out, body.size, 8);
	str_add_le(out, guard_sum(bytes_since(&sums, 0)), 8);
	str_add_le(out, guard_sum(bytes_since(out, 0)), 8);
	str_add_text(out, str_text(&body));
	str_add_text(out, str_text(&sums));
}

struct error *uuid_catalog_write(struct cache_directory *directory,
                                 const struct catalog_contents *in)
{
	SCOPED(writer_release) struct writer w = { 0 };
	SCOPED(str_release) struct str out = { 0 };

	for (size_t i = 0; i < in->count; i++)
		put_item(&w, &in->items[i]);
	for (size_t i = 0; i < in->root_count; i++)
		put_string(&w, &w.roots, in->roots[i]);
	if (w.strings.size > UINT32_MAX)
		return error_new(ERROR_LIMIT, "the paths take more than 4 GB");
	join(&w, in, &out);
	return cache_directory_put(directory, UUID_CATALOG_NAME, &out);
}

static struct error *error_damaged(const char *what)
{
	return error_new(ERROR_FORMAT, "UUID index: %s", what);
}

/** Read the header, with the positions of the tables. */
static struct error *read_header(struct bytes in, struct uuid_catalog *catalog,
                                 uint64_t *ret_body, uint64_t *ret_sum)
{
	struct cursor c = cursor_at(in, HEADER_SUM_AT, CURSOR_LITTLE);
	uint64_t sum = cursor_u64(&c);

	if (!cursor_ok(&c) ||
	    guard_sum(bytes_part(in, 0, HEADER_SUM_AT)) != sum)
		return error_damaged("the header's checksum is wrong");
	c = cursor_at(in, 0, CURSOR_LITTLE);
	if (cursor_u64(&c) != CATALOG_MAGIC)
		return error_damaged("it is not an index");
	if (cursor_u64(&c) != CATALOG_VERSION)
		return error_damaged("it is of another version");
	catalog->count = cursor_u64(&c);
	catalog->file_count = cursor_u64(&c);
	catalog->root_count = cursor_u64(&c);
	*ret_body = cursor_u64(&c);
	*ret_sum = cursor_u64(&c);
	if (catalog->count > in.size / ITEM_BYTES ||
	    catalog->file_count > in.size / FILE_BYTES ||
	    catalog->root_count > in.size / ROOT_BYTES)
		return error_damaged("it is too short");
	catalog->files_at = catalog->count * ITEM_BYTES;
	catalog->roots_at = catalog->files_at +
	                    catalog->file_count * FILE_BYTES;
	catalog->strings_at = catalog->roots_at +
	                      catalog->root_count * ROOT_BYTES;
	if (*ret_body < catalog->strings_at)
		return error_damaged("it is too short");
	return NULL;
}

struct error *uuid_catalog_read(struct bytes in, struct uuid_catalog **ret)
{
	struct uuid_catalog *catalog = mem_zalloc(1, sizeof(*catalog));
	uint64_t body_bytes = 0, sum = 0;
	struct error *err = read_header(in, catalog, &body_bytes, &sum);
	struct bytes body, sums;

	if (!err) {
		body = bytes_part(in, HEADER_BYTES, body_bytes);
		sums = bytes_part(in, HEADER_BYTES + body.size,
		                  in.size - HEADER_BYTES - body.size);
		if (body.size != body_bytes || guard_sum(sums) != sum ||
		    !guard_init(&catalog->guard, body, BLOCK_BYTES, sums))
			err = error_damaged(
			        "its size or its checksums are wrong");
	}
	if (err)
		uuid_catalog_close(catalog);
	else
		*ret = catalog;
	return err;
}

/** Takes @p err; NULL is allowed. */
static struct error *add_advice(struct error *err,
                                const struct cache_directory *directory)
{
	SCOPED(error_drop) struct error *why = err;
	SCOPED(str_release) struct str path = { 0 };

	if (!err)
		return NULL;
	cache_directory_add_path(directory, UUID_CATALOG_NAME, &path);
	return error_new(error_code(why),
	                 "%s: %s: run 'apmtool index' with all its "
	                 "directories again",
	                 str_cstr(&path), error_message(why));
}

/** Is there any file with the catalog's name? */
static bool is_there(const struct cache_directory *directory)
{
	SCOPED(str_release) struct str path = { 0 };

	cache_directory_add_path(directory, UUID_CATALOG_NAME, &path);
	return !access(str_cstr(&path), F_OK);
}

/** Why there is none, from errno. */
static struct error *absence_error(const struct cache_directory *directory)
{
	return errno == EACCES && file_is_directory(
	                                  cache_directory_path(directory))
	               ? cache_directory_check_access(directory)
	               : NULL;
}

/** Why it cannot be mapped. */
static struct error *refusal_error(const struct cache_directory *directory)
{
	struct error *err = cache_directory_check(directory);

	return err ? err
	           : add_advice(error_damaged("it cannot be read, or others "
	                                      "may write to it"),
	                        directory);
}

struct error *uuid_catalog_open(const struct cache_directory *directory,
                                struct uuid_catalog **ret)
{
	struct uuid_catalog *catalog = NULL;
	struct file_data file;
	struct error *err;
	bool mapped = cache_directory_map(directory, UUID_CATALOG_NAME, &file);

	// It may be written or removed in between: decide by each call's own
	// result.
	if (!mapped && !is_there(directory))
		return absence_error(directory);
	if (!mapped)
		mapped = cache_directory_map(directory, UUID_CATALOG_NAME,
		                             &file);
	if (!mapped && !is_there(directory))
		return absence_error(directory);
	if (!mapped)
		return refusal_error(directory);
	err = uuid_catalog_read(file.bytes, &catalog);
	if (err) {
		file_release(&file);
		return add_advice(err, directory);
	}
	catalog->file = file;
	*ret = catalog;
	return NULL;
}

struct error *uuid_catalog_fault(const struct uuid_catalog *catalog,
                                 const struct cache_directory *directory)
{
	return catalog->guard.damaged
	               ? add_advice(error_damaged("part of it is damaged"),
	                            directory)
	               : NULL;
}

struct error *uuid_catalog_open_whole(const struct cache_directory *directory,
                                      struct uuid_catalog **ret)
{
	struct error *err = uuid_catalog_open(directory, ret);

	if (err || !*ret || uuid_catalog_is_sound(*ret))
		return err;
	err = uuid_catalog_fault(*ret, directory);
	uuid_catalog_close(*ret);
	*ret = NULL;
	return err;
}

void uuid_catalog_close(struct uuid_catalog *catalog)
{
	if (!catalog)
		return;
	guard_release(&catalog->guard);
	file_release(&catalog->file);
	free(catalog);
}

size_t uuid_catalog_count(const struct uuid_catalog *catalog)
{
	return (size_t)catalog->count;
}

size_t uuid_catalog_root_count(const struct uuid_catalog *catalog)
{
	return (size_t)catalog->root_count;
}

/** A cursor at verified bytes of the body. */
static struct cursor checked_at(struct uuid_catalog *catalog, uint64_t offset,
                                uint64_t size)
{
	struct bytes none = { 0 };

	if (!guard_check(&catalog->guard, offset, size))
		return cursor_at(none, 1, CURSOR_LITTLE);
	return cursor_at(catalog->guard.body, offset, CURSOR_LITTLE);
}

/** Read a string of a table; NULL: damaged. */
static const char *read_string(struct uuid_catalog *catalog, struct cursor *c)
{
	uint64_t offset = cursor_u32(c);
	uint64_t size = cursor_u32(c);
	uint64_t at = catalog->strings_at + offset;
	struct bytes string;

	if (!cursor_ok(c) || !guard_check(&catalog->guard, at, size + 1))
		return NULL;
	string = bytes_part(catalog->guard.body, at, size + 1);
	if (string.data[size] || memchr(string.data, '\0', (size_t)size))
		return NULL;
	return (const char *)string.data;
}

static struct uuid uuid_at(struct uuid_catalog *catalog, size_t index)
{
	struct uuid uuid = { 0 };
	struct cursor c = checked_at(catalog, (uint64_t)index * ITEM_BYTES,
	                             sizeof(uuid.bytes));
	struct bytes raw = cursor_bytes(&c, sizeof(uuid.bytes));

	if (raw.size)
		memcpy(uuid.bytes, raw.data, sizeof(uuid.bytes));
	return uuid;
}

static bool comes_before(struct uuid_catalog *catalog, size_t index,
                         const struct uuid *uuid, bool or_is)
{
	struct uuid other = uuid_at(catalog, index);
	int order = uuid_compare(&other, uuid);

	return or_is ? order <= 0 : order < 0;
}

size_t uuid_catalog_find(struct uuid_catalog *catalog, const struct uuid *uuid,
                         size_t *ret_first)
{
	size_t count = (size_t)catalog->count;
	size_t first =
	        SORTED_SKIP(i, count, comes_before(catalog, i, uuid, false));
	size_t end = first;

	while (end < count && comes_before(catalog, end, uuid, true))
		end++;
	*ret_first = first;
	return catalog->guard.damaged ? 0 : end - first;
}

static bool read_file(struct uuid_catalog *catalog, uint32_t file,
                      struct catalog_item *item)
{
	struct cursor c = checked_at(
	        catalog, catalog->files_at + (uint64_t)file * FILE_BYTES,
	        FILE_BYTES);

	item->path = read_string(catalog, &c);
	item->version = read_string(catalog, &c);
	item->stamp.size = cursor_u64(&c);
	item->stamp.inode = cursor_u64(&c);
	item->stamp.modified_ns = (int64_t)cursor_u64(&c);
	item->stamp.changed_ns = (int64_t)cursor_u64(&c);
	if (!cursor_ok(&c) || !item->path || !item->version)
		return false;
	if (!item->version[0])
		item->version = NULL;
	return true;
}

bool uuid_catalog_item(struct uuid_catalog *catalog, size_t index,
                       struct catalog_item *ret)
{
	struct catalog_item item = { .uuid = uuid_at(catalog, index) };
	struct cursor c =
	        checked_at(catalog, (uint64_t)index * ITEM_BYTES, ITEM_BYTES);
	uint32_t file;

	cursor_skip(&c, sizeof(item.uuid.bytes));
	item.at.offset = cursor_u64(&c);
	for (size_t i = 0; i < ARRAY_SIZE(item.at.own); i++)
		item.at.own[i] = cursor_u64(&c);
	item.kind = (enum symbol_kind)cursor_u32(&c);
	file = cursor_u32(&c);
	if (!cursor_ok(&c) || file >= catalog->file_count ||
	    (item.kind >= SYMBOL_KIND_COUNT && item.kind != SYMBOL_KIND_MAP) ||
	    !read_file(catalog, file, &item))
		return false;
	*ret = item;
	return true;
}

const char *uuid_catalog_root(struct uuid_catalog *catalog, size_t index)
{
	struct cursor c = checked_at(
	        catalog, catalog->roots_at + (uint64_t)index * ROOT_BYTES,
	        ROOT_BYTES);

	return read_string(catalog, &c);
}

bool uuid_catalog_is_sound(struct uuid_catalog *catalog)
{
	return guard_check(&catalog->guard, 0, catalog->guard.body.size);
}

bool uuid_catalog_has_mark(const struct cache_directory *directory)
{
	SCOPED(str_release) struct str path = { 0 };
	uint8_t magic[8];
	struct bytes bytes = { .data = magic };
	struct cursor c;

	cache_directory_add_path(directory, UUID_CATALOG_NAME, &path);
	error_free(file_peek_found(str_cstr(&path), 0, magic, sizeof(magic),
	                           &bytes.size));
	c = cursor_at(bytes, 0, CURSOR_LITTLE);
	return cursor_u64(&c) == CATALOG_MAGIC;
}

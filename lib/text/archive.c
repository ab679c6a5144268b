// SPDX-License-Identifier: MIT
#include "lib/text/archive.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/text/archive_kind.h"
#include "lib/text/gzip.h"
#include "lib/text/tar.h"
#include "lib/text/zip.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STEP_BYTES ((size_t)256 << 10)

/** An open archive, and the visited file. */
struct archive_reading {
	struct bytes in;
	struct archive_budget *budget;

	size_t at;                 ///< position in an uncompressed tar archive
	struct inflater *inflater; ///< of a tar archive in gzip data
	struct tar tar;
	/** bytes that may still be decompressed to walk through it */
	uint64_t stream_left;

	const struct zip *zip; ///< NULL: a tar archive
	size_t index;          ///< of the file in it
	struct inflater *file_inflater;
	struct bytes file_stored;
	bool file_open;

	/** Recently read bytes of the file, from @p start on. */
	uint64_t start;
	struct str window;
};

static void reading_release(struct archive_reading *reading)
{
	inflater_free(reading->inflater);
	inflater_free(reading->file_inflater);
	tar_release(&reading->tar);
	str_release(&reading->window);
}

struct archive_budget archive_symbols_budget(size_t packed_size)
{
	return archive_budget(LIMIT_ARCHIVE_SYMBOLS,
	                      limit_get(LIMIT_ARCHIVE_SYMBOLS) +
	                              packed_size * ARCHIVE_RATIO);
}

/** The error at the limit. @param budget  NULL: for symbols. */
static struct error *unpacks_to_more(const struct archive_budget *budget)
{
	SCOPED(str_release) struct str max = { 0 };

	if (budget && budget->limit != LIMIT_ARCHIVE_SYMBOLS)
		return limit_error(budget->limit,
		                   "an archive that unpacks to more than %s",
		                   limit_size(budget->limit_bytes).text);
	limit_add_value(&max, LIMIT_ARCHIVE_SYMBOLS,
	                limit_get(LIMIT_ARCHIVE_SYMBOLS));
	return limit_error(LIMIT_ARCHIVE_SYMBOLS,
	                   "an archive that unpacks to more than %s and %d "
	                   "times its size",
	                   str_cstr(&max), ARCHIVE_RATIO);
}

/**
 * Read from a gzip or deflate stream within the budget.
 *
 * @param left_bytes  Bytes left; reduced by what was decompressed.
 * @param budget      NULL: the limit of symbols.
 */
static struct error *inflate_some(struct inflater *inflater, void *buffer,
                                  size_t size, uint64_t *left_bytes,
                                  const struct archive_budget *budget,
                                  size_t *ret_size)
{
	struct error *err;

	if (size > *left_bytes)
		return unpacks_to_more(budget);
	err = inflater_read(inflater, buffer, size, ret_size);
	*left_bytes -= *ret_size;
	return err;
}

// Tar archives

/** A tar_source for decompressed gzip data. */
static struct error *read_unpacked(void *context, void *buffer, uint64_t size,
                                   uint64_t *ret_size)
{
	struct archive_reading *reading = context;
	SCOPED(mem_drop) uint8_t *dropped = NULL;

	if (!buffer && size)
		dropped = mem_alloc(size < STEP_BYTES ? (size_t)size
		                                      : STEP_BYTES);
	for (*ret_size = 0; *ret_size < size;) {
		uint64_t left = size - *ret_size;
		size_t step = left < STEP_BYTES ? (size_t)left : STEP_BYTES;
		size_t got = 0;
		struct error *err = inflate_some(
		        reading->inflater,
		        buffer ? (uint8_t *)buffer + *ret_size : dropped, step,
		        &reading->stream_left, NULL, &got);

		*ret_size += got;
		if (err)
			return err;
		if (got < step)
			break;
	}
	return NULL;
}

/** A tar_source, of the archive itself. */
static struct error *read_plain(void *context, void *buffer, uint64_t size,
                                uint64_t *ret_size)
{
	struct archive_reading *reading = context;
	size_t left = reading->in.size - reading->at;
	size_t step = size < left ? (size_t)size : left;

	if (buffer && step)
		memcpy(buffer, reading->in.data + reading->at, step);
	reading->at += step;
	*ret_size = step;
	return NULL;
}

static void open_tar(struct archive_reading *reading)
{
	bool is_gzip = gzip_is(reading->in);

	if (is_gzip)
		reading->inflater = inflater_new_gzip(reading->in);
	reading->stream_left =
	        archive_symbols_budget(reading->in.size).left_bytes;
	reading->tar = (struct tar){
		.read = is_gzip ? read_unpacked : read_plain,
		.context = reading,
	};
}

/**
 * Decompress the rest, so that the checksum at the end of gzip data is
 * verified.
 */
static struct error *read_to_end(struct archive_reading *reading)
{
	uint64_t got;

	return reading->inflater
	               ? read_unpacked(reading, NULL, UINT64_MAX, &got)
	               : NULL;
}

// The file that is visited

static void close_file(struct archive_reading *reading)
{
	inflater_free(reading->file_inflater);
	reading->file_inflater = NULL;
	reading->file_open = false;
	reading->start = 0;
	str_clear(&reading->window);
}

static struct error *open_file(struct archive_reading *reading)
{
	struct error *err = NULL;

	if (reading->zip && !reading->file_open)
		err = zip_start(reading->zip, reading->index,
		                &reading->file_inflater, &reading->file_stored);
	reading->file_open = !err;
	return err;
}

/** The next bytes of the file. */
static struct error *read_file(struct archive_reading *reading, void *buffer,
                               size_t size, size_t *ret_size)
{
	struct bytes *stored = &reading->file_stored;

	if (!reading->zip)
		return tar_read(&reading->tar, buffer, size, ret_size);
	if (reading->file_inflater)
		return inflate_some(reading->file_inflater, buffer, size,
		                    &reading->budget->left_bytes,
		                    reading->budget, ret_size);
	*ret_size = size < stored->size ? size : stored->size;
	if (*ret_size)
		memcpy(buffer, stored->data, *ret_size);
	*stored = bytes_part(*stored, *ret_size, stored->size - *ret_size);
	return NULL;
}

/** Extend the window by @p size bytes; fewer at the end of the file. */
static struct error *extend_window(struct archive_reading *reading, size_t size)
{
	struct str *window = &reading->window;
	size_t before = window->size;
	size_t got = 0;
	struct error *err;

	str_add_repeat(window, '\0', size);
	err = read_file(reading, window->data + before, size, &got);
	window->size = before + got;
	return err;
}

/** Move the window to @p offset, which is after it. */
static struct error *move_window(struct archive_reading *reading,
                                 uint64_t offset)
{
	struct error *err = NULL;

	while (!err && reading->start + reading->window.size < offset) {
		uint64_t left;
		size_t step;

		reading->start += reading->window.size;
		str_clear(&reading->window);
		left = offset - reading->start;
		step = left < STEP_BYTES ? (size_t)left : STEP_BYTES;
		err = extend_window(reading, step);
		if (reading->window.size < step)
			break;
	}
	return err;
}

struct error *archive_peek(struct archive_file *file, uint64_t offset,
                           void *buffer, size_t size, size_t *ret_size)
{
	struct archive_reading *reading = file->reading;
	struct error *err = open_file(reading);
	uint64_t at, have;

	*ret_size = 0;
	if (!err)
		err = move_window(reading, offset);
	if (err)
		return err;
	if (offset < reading->start)
		return error_new(ERROR_UNSUPPORTED,
		                 "its parts are not in their order: unpack it "
		                 "first");
	at = offset - reading->start;
	have = reading->window.size;
	if (at > have)
		return NULL;
	if (size > have - at) {
		err = extend_window(reading, size - (size_t)(have - at));
		have = reading->window.size;
	}
	if (err)
		return err;
	*ret_size = size < have - at ? size : (size_t)(have - at);
	memcpy(buffer, str_cstr(&reading->window) + at, *ret_size);
	return NULL;
}

// Walking

static struct error *walk_zip(struct archive_reading *reading,
                              archive_visit visit, void *context)
{
	SCOPED(zip_release) struct zip zip = { 0 };
	struct error *err = zip_open(reading->in, &zip);

	reading->zip = &zip;
	for (size_t i = 0; !err && i < zip.count; i++) {
		struct archive_file file = {
			.name = zip.files[i].name,
			.size_bytes = zip.files[i].size_bytes,
			.index = i,
			.count = zip.count,
			.reading = reading,
		};

		reading->index = i;
		err = visit(&file, context);
		close_file(reading);
	}
	reading->zip = NULL;
	return err;
}

static struct error *walk_tar(struct archive_reading *reading,
                              archive_visit visit, void *context)
{
	open_tar(reading);
	for (size_t i = 0;; i++) {
		struct archive_file file = { .reading = reading,
			                     .index = i,
			                     .count = i + 1 };
		bool found = false;
		struct error *err = tar_next(&reading->tar, &found);

		if (err || !found)
			return err ? err : read_to_end(reading);
		if (i == limit_get(LIMIT_TAR_FILES))
			return limit_error(LIMIT_TAR_FILES,
			                   "an archive of more than %zu file%s",
			                   i, text_plural(i));
		file.name = reading->tar.name;
		file.size_bytes = reading->tar.size_bytes;
		err = visit(&file, context);
		if (err)
			return err;
		close_file(reading);
	}
}

struct error *archive_walk_bytes(struct bytes in, struct archive_budget *budget,
                                 archive_visit visit, void *context)
{
	SCOPED(reading_release)
	struct archive_reading reading = { .in = in, .budget = budget };

	budget->is_tar = !zip_is(in);
	if (!budget->is_tar)
		return walk_zip(&reading, visit, context);
	return walk_tar(&reading, visit, context);
}

struct error *archive_walk(const char *path, archive_visit visit, void *context)
{
	SCOPED(file_release) struct file_data archive = { 0 };
	struct archive_budget budget;
	struct error *err = file_map(path, &archive);

	if (err)
		return err;
	budget = archive_symbols_budget(archive.bytes.size);
	return archive_walk_bytes(archive.bytes, &budget, visit, context);
}

const char *archive_file_name(const struct archive_file *file,
                              struct arena *arena)
{
	struct text name = text_first(file->name, ARCHIVE_NAME_MAX + 1);
	const char *whole = arena_text(arena, name);
	const char *number;

	if (name.size <= ARCHIVE_NAME_MAX)
		return whole;
	// The number distinguishes names with the same beginning.
	number = arena_printf(arena, " (file %zu)", file->index + 1);
	return arena_printf(
	        arena, "%s%s",
	        arena_abridge(arena, whole, ARCHIVE_NAME_MAX - strlen(number)),
	        number);
}

struct error *archive_refuse_large(struct archive_budget *budget)
{
	budget->too_large++;
	return limit_error(budget->limit,
	                   "the files of a %s archive unpack to more than %s "
	                   "together",
	                   archive_kind_name(budget),
	                   limit_size(budget->limit_bytes).text);
}

/** Decompress the file of a tar archive, including the part already read. */
static struct error *unpack_tar(struct archive_reading *reading,
                                uint64_t size_bytes, struct gzip *ret)
{
	struct archive_budget *budget = reading->budget;
	const struct str *seen = &reading->window;
	SCOPED(mem_drop) uint8_t *data = NULL;
	size_t size = (size_t)size_bytes;
	size_t got = 0;
	struct error *err;

	assert(!reading->start);
	if (size_bytes > budget->left_bytes)
		return archive_refuse_large(budget);
	budget->left_bytes -= size_bytes;
	data = mem_alloc(size + 1);
	if (seen->size)
		memcpy(data, seen->data, seen->size);
	err = tar_read(&reading->tar, data + seen->size, size - seen->size,
	               &got);
	ret->made_bytes = seen->size + got;
	if (err && !ret->made_bytes)
		return err;
	// The archive's own error ends the walk after this file.
	if (ret->made_bytes < size)
		ret->fault = "the tar archive is truncated";
	error_free(err);
	ret->is_whole = !ret->fault;
	ret->bytes = (struct bytes){ .data = data, .size = ret->made_bytes };
	data = NULL;
	return NULL;
}

/** Files that claim to be too large do not use up the budget. */
static struct error *unpack_from_zip(const struct archive_reading *reading,
                                     struct gzip *ret)
{
	struct archive_budget *budget = reading->budget;
	size_t i = reading->index;
	struct error *err;

	if (reading->zip->files[i].size_bytes > budget->left_bytes)
		return archive_refuse_large(budget);
	err = zip_unpack(reading->zip, i, budget->left_bytes, ret);
	budget->left_bytes =
	        number_difference(budget->left_bytes, ret->made_bytes);
	if (!err || error_code(err) != ERROR_LIMIT || budget->left_bytes)
		return err;
	error_free(err);
	return archive_refuse_large(budget);
}

/** Read the current file; memory grows with the bytes read. */
static struct error *read_tar_file(struct archive_reading *reading,
                                   struct bytes *ret)
{
	SCOPED(mem_drop) uint8_t *data = NULL;
	size_t size = 0, cap = 0;

	for (size_t got = 1; got && reading->tar.left; size += got) {
		struct error *err;

		MEM_ROOM(data, size + STEP_BYTES, cap);
		err = tar_read(&reading->tar, data + size, STEP_BYTES, &got);
		if (err)
			return err;
	}
	*ret = (struct bytes){ .data = data, .size = size };
	data = NULL;
	return NULL;
}

struct error *archive_unpack(struct archive_file *file, struct gzip *ret)
{
	struct archive_reading *reading = file->reading;
	struct error *err =
	        reading->zip ? unpack_from_zip(reading, ret)
	                     : unpack_tar(reading, file->size_bytes, ret);

	if (!err && zip_is(ret->bytes))
		err = error_new(ERROR_UNSUPPORTED,
		                "a zip archive inside a %s archive: unpack "
		                "it first",
		                archive_kind_name(reading->budget));
	else if (!err && archive_is(ret->bytes))
		err = error_new(ERROR_UNSUPPORTED,
		                "a tar archive inside a %s archive: unpack "
		                "it first",
		                archive_kind_name(reading->budget));
	return err;
}

// One file

static struct error *map_from_zip(struct bytes in, struct text name,
                                  struct file_data *ret, bool *ret_found)
{
	SCOPED(zip_release) struct zip zip = { 0 };
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	struct error *err = zip_open(in, &zip);
	size_t i = 0;

	while (i < zip.count && !text_equal(zip.files[i].name, name))
		i++;
	if (err || i == zip.count)
		return err;
	*ret_found = true;
	err = zip_unpack(&zip, i,
	                 limit_get(LIMIT_ARCHIVE_SYMBOLS) +
	                         (size_t)zip.files[i].packed_bytes *
	                                 ARCHIVE_RATIO,
	                 &unpacked);
	if (err)
		return err;
	if (unpacked.fault)
		return error_new(ERROR_FORMAT, "%s", unpacked.fault);
	ret->bytes = unpacked.bytes;
	unpacked.bytes = (struct bytes){ 0 };
	return NULL;
}

/**
 * Damaged data would silently give wrong names, so all of it is decompressed to
 * verify the checksum. Other faults after a file do not concern it.
 */
static struct error *check_rest(struct archive_reading *reading)
{
	struct error *err = read_to_end(reading);

	if (!err || inflater_is_damaged(reading->inflater))
		return err;
	error_free(err);
	return NULL;
}

static struct error *map_from_tar(struct bytes in, struct text name,
                                  struct file_data *ret, bool *ret_found)
{
	struct archive_budget budget = archive_symbols_budget(in.size);
	SCOPED(reading_release)
	struct archive_reading reading = { .in = in, .budget = &budget };
	bool more = true;
	struct error *err = NULL;

	open_tar(&reading);
	while (!err && more && !*ret_found) {
		err = tar_next(&reading.tar, &more);
		*ret_found = !err && more && text_equal(reading.tar.name, name);
	}
	if (!err && *ret_found)
		err = read_tar_file(&reading, &ret->bytes);
	return err ? err : check_rest(&reading);
}

struct error *archive_map(const char *path, struct file_data *ret)
{
	SCOPED(file_release) struct file_data archive = { 0 };
	SCOPED(str_release) struct str archive_path = { 0 };
	size_t length = archive_path_length(path);
	struct file_data found = { 0 };
	bool is_there = false;
	struct text name;
	struct error *err;

	if (!length)
		return file_map(path, ret);
	str_add_bytes(&archive_path, path, length);
	name = text_from(path + length + 1);
	err = file_map(str_cstr(&archive_path), &archive);
	if (err)
		return err;
	if (zip_is(archive.bytes))
		err = map_from_zip(archive.bytes, name, &found, &is_there);
	else if (archive_is(archive.bytes))
		err = map_from_tar(archive.bytes, name, &found, &is_there);
	if (!err && !is_there)
		err = error_new(ERROR_NOT_FOUND,
		                "cannot open '%s': no such file in the archive",
		                path);
	if (err) {
		file_release(&found);
		return err;
	}
	*ret = found;
	ret->stamp = archive.stamp;
	return NULL;
}

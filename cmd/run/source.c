// SPDX-License-Identifier: MIT
#include "cmd/run/source.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/text/gzip.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES  ((size_t)256 << 10)
#define FIRST_BYTES ((size_t)64 << 10)

struct error *source_open(struct source *source, const char *path)
{
	source->name = path;
	if (!strcmp(path, "-"))
		return NULL;
	return file_open(path, &source->fd);
}

void source_open_bytes(struct source *source, const char *name, struct bytes in)
{
	source->name = name;
	source->whole = bytes_text(in);
	source->ended = true;
}

void source_release(struct source *source)
{
	if (source->fd > 2)
		close(source->fd);
	str_release(&source->head);
	decoded_release(&source->decoded);
	error_free(source->failure);
	str_release(&source->packed);
	inflater_free(source->inflater);
	*source = (struct source){ 0 };
}

void source_forget(struct source *source)
{
	str_release(&source->head);
	if (source->whole.data)
		source->whole = text_from("");
	source->used = 0;
	source->decoded.bytes = (struct bytes){ 0 };
	// Keep the first fault.
	if (source->decoded.fault)
		return;
	gzip_release(&source->decoded.gzip);
	arena_release(&source->decoded.arena);
}

/** Get the size of a regular file. */
static void begin(struct source *source)
{
	off_t at;

	source->has_begun = true;
	if (!file_stamp_open(source->fd, &source->stamp))
		return;
	at = lseek(source->fd, 0, SEEK_CUR);
	if (at >= 0)
		source->unread_bytes =
		        number_difference(source->stamp.size, (uint64_t)at);
}

/** Some system files have an estimated size, which must not change. */
static struct error *check_end(const struct source *source)
{
	struct file_stamp now;

	if (!source->unread_bytes || !file_stamp_open(source->fd, &now) ||
	    file_stamp_equal(&now, &source->stamp))
		return NULL;
	return error_prefix(file_changed_error(), "%s", source->name);
}

static size_t read_fd(struct source *source, char *buffer, size_t size)
{
	ssize_t got;

	if (source->ended)
		return 0;
	if (!source->has_begun)
		begin(source);
	do
		got = read(source->fd, buffer, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		source->failure = file_read_error(errno, source->name);
	else if (!got)
		source->failure = check_end(source);
	else
		source->unread_bytes =
		        number_difference(source->unread_bytes, (uint64_t)got);
	source->ended = got <= 0;
	return got > 0 ? (size_t)got : 0;
}

size_t source_unpacked_max(size_t packed_size)
{
	return limit_get(LIMIT_PACKED_SAMPLES) +
	       SOURCE_UNPACKED_TIMES * packed_size;
}

/** Does the decompressed size exceed its limit? */
static struct error *check_unpacked(const struct source *source)
{
	size_t max = source_unpacked_max(source->packed.size);
	size_t size = source->unpacked_bytes;

	if (size > max)
		return limit_error(LIMIT_PACKED_SAMPLES,
		                   "%s: gzip data that decompresses to more "
		                   "than %s",
		                   source->name, limit_size(max).text);
	return error_prefix(gzip_check_growth(size, source->packed.size), "%s",
	                    source->name);
}

static size_t unpack(struct source *source, char *buffer, size_t size)
{
	SCOPED(error_drop) struct error *err = NULL;
	size_t got = 0;

	if (source->ended)
		return 0;
	err = inflater_read(source->inflater, buffer, size, &got);
	source->unpacked_bytes += got;
	source->ended = got < size;
	source->failure = check_unpacked(source);
	if (source->failure) {
		source->ended = true;
		return 0;
	}
	if (err && !source->unpacked_bytes)
		source->failure = error_new(
		        ERROR_FORMAT, "%s: %s: nothing can be decompressed",
		        source->name, error_message(err));
	else if (err)
		source->decoded.fault = arena_strdup(&source->decoded.arena,
		                                     error_message(err));
	return got;
}

static size_t read_more(struct source *source, char *buffer, size_t size)
{
	return source->inflater ? unpack(source, buffer, size)
	                        : read_fd(source, buffer, size);
}

/** Append one read of at most @p size bytes to the head. */
static void extend_head(struct source *source, size_t size)
{
	struct str *head = &source->head;

	head->data = mem_grow(head->data, &head->cap, head->size + size + 1, 1);
	head->size += read_more(source, head->data + head->size, size);
	head->data[head->size] = '\0';
}

/** Bytes available without reading. */
static struct text ready(const struct source *source)
{
	struct text all = source->whole.data ? source->whole
	                                     : str_text(&source->head);

	return text_after(all, source->used);
}

/** Read the rest of the input into the head. */
static struct error *read_head(struct source *source, size_t limit_bytes)
{
	struct str *head = &source->head;

	while (!source->ended) {
		if (head->size > limit_bytes)
			return limit_error_of(
			        LIMIT_UNPACKED,
			        file_too_large(source->name, limit_bytes));
		extend_head(source, head->size + READ_BYTES);
	}
	return NULL;
}

/** Read and decode all bytes as a whole. */
static struct error *decode_whole(struct source *source, size_t limit_bytes)
{
	struct str *head = &source->head;
	enum limit_id id = LIMIT_UNPACKED;
	size_t max = limit_bytes;
	struct error *err = read_head(source, limit_bytes);
	size_t samples = source_unpacked_max(head->size);

	if (err)
		return err;
	if (samples < max) {
		id = LIMIT_PACKED_SAMPLES;
		max = samples;
	}
	err = decode(bytes_from_text(ready(source)), max, &source->decoded);
	if (err && error_code(err) == ERROR_LIMIT &&
	    source->decoded.made_bytes >= max)
		err = limit_error_of(id, err);
	if (err)
		return error_prefix(err, "%s", source->name);
	// An archive of several files is not decompressed.
	if (!source->decoded.is_archive)
		str_release(head);
	source->whole = bytes_text(source->decoded.bytes);
	return NULL;
}

static struct bytes peek_head(struct source *source)
{
	return bytes_from_text(source_peek(source, DECODE_HEAD_BYTES));
}

/** From here on, reading decompresses the rest of the input. */
static struct error *unpack_from_here(struct source *source, size_t limit_bytes)
{
	struct error *err = read_head(source, limit_bytes);

	if (err || source->failure)
		return err;
	source->packed = source->head;
	source->head = (struct str){ 0 };
	source->ended = false;
	source->decoded.packing = "gzip";
	source->inflater =
	        inflater_new_gzip(bytes_from_text(str_text(&source->packed)));
	return error_prefix(decode_refuse_packed(peek_head(source)), "%s",
	                    source->name);
}

/** @param head  Enough bytes to detect the encoding. */
static struct error *decode_from(struct source *source, struct bytes head,
                                 size_t limit_bytes)
{
	SCOPED(decoded_release) struct decoded mark = { 0 };
	struct error *err;

	if (decode_needs_all(head))
		return decode_whole(source, limit_bytes);
	err = decode(head, sizeof(head), &mark);
	source_skip(source, head.size - mark.bytes.size);
	return err;
}

struct error *source_decode_lines(struct source *source, size_t limit_bytes)
{
	struct text line = source_peek_line(source, DECODE_HEAD_BYTES);

	line = text_first(line, DECODE_HEAD_BYTES);
	return decode_from(source, bytes_from_text(line), limit_bytes);
}

struct error *source_decode(struct source *source, size_t limit_bytes)
{
	struct bytes head = peek_head(source);
	struct error *err;

	// Bytes in memory are decompressed in memory.
	if (gzip_is(head) && !source->whole.data &&
	    limit_bytes > limit_get(LIMIT_UNPACKED)) {
		err = unpack_from_here(source, limit_bytes);
		if (err)
			return err;
		head = peek_head(source);
	}
	return decode_from(source, head, limit_bytes);
}

size_t source_step(size_t size, size_t wanted)
{
	return size < FIRST_BYTES && wanted > FIRST_BYTES - size
	               ? FIRST_BYTES - size
	               : wanted;
}

struct text source_peek(struct source *source, size_t size)
{
	while (!source->whole.data && !source->ended &&
	       ready(source).size < size) {
		size_t come = ready(source).size;

		extend_head(source, source_step(come, size - come));
	}
	return text_first(ready(source), size);
}

struct text source_peek_line(struct source *source, size_t limit)
{
	size_t searched = 0;

	for (;;) {
		struct text all = ready(source);
		struct text new = text_after(all, searched);

		if (source->ended || all.size > limit ||
		    text_find_char(new, '\n') != TEXT_NOWHERE)
			return all;
		searched = all.size;
		extend_head(source, READ_BYTES);
	}
}

void source_skip(struct source *source, size_t size)
{
	source->used += size;
}

size_t source_read(void *context, char *buffer, size_t size)
{
	struct source *source = context;
	struct text left = text_first(ready(source), size);

	if (!left.size)
		return source->whole.data ? 0 : read_more(source, buffer, size);
	memcpy(buffer, left.data, left.size);
	source->used += left.size;
	return left.size;
}

bool source_has_more(struct source *source, int wait_ms)
{
	struct pollfd input = { .fd = source->fd, .events = POLLIN };

	return ready(source).size || source->whole.data || source->inflater ||
	       source->ended || poll(&input, 1, wait_ms) > 0;
}

/** Size of the first read: a whole file, plus one byte to see its end. */
static size_t first_bytes(const struct source *source)
{
	struct stat info;

	if (fstat(source->fd, &info) || !S_ISREG(info.st_mode))
		return READ_BYTES;
	if ((uint64_t)info.st_size > limit_get(LIMIT_REPORT))
		return limit_get(LIMIT_REPORT) + 1;
	return (size_t)info.st_size + 1;
}

/** Input that was decoded as a whole has its own limit. */
static enum limit_id limit_of(const struct source *source)
{
	return source->whole.data || source->inflater ? LIMIT_UNPACKED
	                                              : LIMIT_REPORT;
}

static struct error *too_large(const struct source *source)
{
	enum limit_id id = limit_of(source);

	return limit_error_of(id, file_too_large(source->name, limit_get(id)));
}

struct error *source_read_all(struct source *source, struct bytes *ret)
{
	size_t max = limit_get(limit_of(source));
	size_t step = first_bytes(source);

	while (!source->ended && ready(source).size <= max) {
		extend_head(source, step);
		step = READ_BYTES;
	}
	if (ready(source).size > max)
		return too_large(source);
	*ret = bytes_from_text(ready(source));
	source->used += ret->size;
	return source->failure ? source_take_error(source) : NULL;
}

struct error *source_open_all(struct source *source, const char *path,
                              struct bytes *ret)
{
	struct error *err = source_open(source, path);

	if (!err)
		err = source_decode(source, limit_get(LIMIT_UNPACKED));
	return err ? err : source_read_all(source, ret);
}

struct error *source_take_error(struct source *source)
{
	const char *fault = source->decoded.fault;
	struct error *err = source->failure;

	source->failure = NULL;
	source->decoded.fault = NULL;
	if (!err && fault)
		err = error_new(ERROR_FORMAT, "%s: %s", source->name, fault);
	return err;
}

/** Decompress the rest, which the reader did not need, within limits. */
static void unpack_rest(struct source *source)
{
	SCOPED(mem_drop) char *dropped = mem_alloc(READ_BYTES);

	while (!source->ended)
		unpack(source, dropped, READ_BYTES);
}

struct error *source_blame(struct source *source, struct error *err)
{
	if (err && source->failure) {
		error_free(err);
		return source_take_error(source);
	}
	if (err && source->inflater)
		unpack_rest(source);
	if (source->decoded.fault)
		err = error_prefix(err, "%s", source->decoded.fault);
	return error_prefix(err, "%s", source->name);
}

/** Decompress the start of gzip data, enough for readers to recognize it. */
static struct bytes unpack_head(struct bytes head, struct str *unpacked)
{
	struct inflater *inflater = inflater_new_gzip(head);
	size_t size = 0;

	str_add_repeat(unpacked, '\0', READER_HEAD_BYTES);
	// If it ends early, the bytes so far may suffice.
	error_free(inflater_read(inflater, unpacked->data, READER_HEAD_BYTES,
	                         &size));
	inflater_free(inflater);
	unpacked->size = size;
	return bytes_from_text(str_text(unpacked));
}

const struct reader *source_reader(struct source *source, unsigned yields)
{
	SCOPED(str_release) struct str unpacked = { 0 };
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct bytes head =
	        bytes_from_text(source_peek(source, READER_HEAD_BYTES));

	if (gzip_is(head))
		head = unpack_head(head, &unpacked);
	err = decode(head, limit_get(LIMIT_UNPACKED), &decoded);
	return err ? NULL : reader_of_head(bytes_text(decoded.bytes), yields);
}

// SPDX-License-Identifier: MIT
#include "lib/text/gzip.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

// zlib counts in unsigned int.
#define STEP_BYTES ((size_t)256 << 10)
/** zlib's level before the slow ones: similar size, in half the time. */
#define PACKING_LEVEL 4
// 15 bits of window, plus 16 for a gzip header only; negative: no header.
#define GZIP_WINDOW    (15 + 16)
#define DEFLATE_WINDOW (-15)

/** Names of the data in messages. */
struct packing {
	int window;
	const char *name;
	const char *truncated;
	const char *damaged;
	const char *rest; ///< other bytes follow
};

static const struct packing gzip_packing = {
	.window = GZIP_WINDOW,
	.name = "gzip data",
	.truncated = "the gzip data is truncated",
	.damaged = "the gzip data is damaged",
	.rest = "other bytes follow the gzip data",
};

static const struct packing zip_packing = {
	.window = DEFLATE_WINDOW,
	.name = "a file in a zip archive",
	.truncated = "the zip data is truncated",
	.damaged = "the zip data is damaged",
};

/** State of decompression. */
struct unpacking {
	const struct packing *packing;
	z_stream stream;
	struct bytes in;
	size_t in_at; ///< position after the input given to zlib
	uint8_t *out;
	size_t size;
	size_t cap;
	size_t limit_bytes;
};

bool gzip_is(struct bytes in)
{
	return in.size >= 2 && in.data[0] == 0x1f && in.data[1] == 0x8b;
}

static void refill(struct unpacking *u)
{
	size_t left = u->in.size - u->in_at;
	size_t step = left < STEP_BYTES ? left : STEP_BYTES;

	if (u->stream.avail_in || !step)
		return;
	// zlib does not write to it; its interface predates const.
	u->stream.next_in = (z_const Bytef *)(uintptr_t)(u->in.data + u->in_at);
	u->stream.avail_in = (uInt)step;
	u->in_at += step;
}

/** After a member: is there another one? */
static bool next_member(struct unpacking *u)
{
	size_t at = u->in_at - u->stream.avail_in;

	return u->packing == &gzip_packing &&
	       gzip_is(bytes_part(u->in, at, u->in.size - at)) &&
	       inflateReset(&u->stream) == Z_OK;
}

/** After the last member: is there more than padding zeros? */
static bool has_rest(const struct unpacking *u)
{
	size_t at = u->in_at - u->stream.avail_in;

	while (at < u->in.size && !u->in.data[at])
		at++;
	return at < u->in.size;
}

static struct error *check_growth(const struct packing *packing, size_t size,
                                  size_t packed_size)
{
	size_t ratio = limit_get(LIMIT_GZIP_RATIO);

	if (size <= GZIP_RATIO_FREE_BYTES || size / ratio <= packed_size)
		return NULL;
	return limit_error(
	        LIMIT_GZIP_RATIO,
	        "%s that decompresses to more than %zu times its size",
	        packing->name, ratio);
}

struct error *gzip_check_growth(size_t size, size_t packed_size)
{
	return check_growth(&gzip_packing, size, packed_size);
}

static struct error *check_limits(const struct unpacking *u)
{
	size_t taken = u->in_at - u->stream.avail_in;

	if (u->size > u->limit_bytes)
		return error_new(
		        ERROR_LIMIT, "%s that decompresses to more than %s",
		        u->packing->name, limit_size(u->limit_bytes).text);
	return check_growth(u->packing, u->size, taken);
}

/** Unpack a step to @p out; @return zlib's opinion. */
static int step_to(struct unpacking *u, uint8_t *out, size_t room)
{
	int status;

	refill(u);
	if (room > STEP_BYTES)
		room = STEP_BYTES;
	u->stream.next_out = out;
	u->stream.avail_out = (uInt)room;
	status = inflate(&u->stream, Z_NO_FLUSH);
	if (status == Z_MEM_ERROR)
		mem_fail();
	u->size += room - u->stream.avail_out;
	return status;
}

static int unpack_step(struct unpacking *u)
{
	MEM_ROOM(u->out, u->size + STEP_BYTES, u->cap);
	return step_to(u, u->out + u->size, u->cap - u->size);
}

/**
 * Is it complete, or ended by a fault?
 *
 * @param ret_fault  Or NULL.
 */
static bool has_ended(struct unpacking *u, int status, const char **ret_fault)
{
	const struct packing *packing = u->packing;

	*ret_fault = NULL;
	if (status == Z_OK || (status == Z_STREAM_END && next_member(u)))
		return false;
	// No progress is possible: the input ended.
	if (status == Z_BUF_ERROR)
		*ret_fault = packing->truncated;
	else if (status != Z_STREAM_END)
		*ret_fault = packing->damaged;
	else if (packing->rest && has_rest(u))
		*ret_fault = packing->rest;
	return true;
}

static struct error *unpack(struct unpacking *u, const char **fault)
{
	for (;;) {
		int status = unpack_step(u);
		struct error *err = check_limits(u);

		if (err || has_ended(u, status, fault))
			return err;
	}
}

static struct error *inflate_all(const struct packing *packing, struct bytes in,
                                 size_t limit_bytes, struct gzip *ret)
{
	struct unpacking u = { .packing = packing,
		               .in = in,
		               .limit_bytes = limit_bytes };
	SCOPED(mem_drop) uint8_t *out = NULL;
	const char *fault = NULL;
	struct error *err;

	if (inflateInit2(&u.stream, packing->window) != Z_OK)
		mem_fail();
	err = unpack(&u, &fault);
	inflateEnd(&u.stream);
	out = u.out;
	ret->made_bytes = u.size;
	if (err)
		return err;
	if (fault && !u.size)
		return error_new(ERROR_FORMAT,
		                 "%s: nothing can be "
		                 "decompressed",
		                 fault);
	ret->bytes = (struct bytes){ .data = out, .size = u.size };
	ret->fault = fault;
	ret->is_whole = !fault || fault == packing->rest;
	out = NULL;
	return NULL;
}

struct error *gzip_inflate(struct bytes in, size_t limit_bytes,
                           struct gzip *ret)
{
	return inflate_all(&gzip_packing, in, limit_bytes, ret);
}

struct error *deflate_inflate(struct bytes in, size_t limit_bytes,
                              struct gzip *ret)
{
	return inflate_all(&zip_packing, in, limit_bytes, ret);
}

// Piece by piece

struct inflater {
	struct unpacking unpacking; ///< without its own buffer
	bool ended;
	bool is_damaged;
};

static struct inflater *inflater_new(const struct packing *packing,
                                     struct bytes in)
{
	struct inflater *inflater = mem_zalloc(1, sizeof(*inflater));

	inflater->unpacking.packing = packing;
	inflater->unpacking.in = in;
	if (inflateInit2(&inflater->unpacking.stream, packing->window) != Z_OK)
		mem_fail();
	return inflater;
}

struct inflater *inflater_new_gzip(struct bytes in)
{
	return inflater_new(&gzip_packing, in);
}

struct inflater *inflater_new_deflate(struct bytes in)
{
	return inflater_new(&zip_packing, in);
}

void inflater_free(struct inflater *inflater)
{
	if (!inflater)
		return;
	inflateEnd(&inflater->unpacking.stream);
	free(inflater);
}

struct error *inflater_read(struct inflater *inflater, void *buffer,
                            size_t size, size_t *ret_size)
{
	struct unpacking *u = &inflater->unpacking;
	size_t first = u->size;

	while (!inflater->ended && u->size - first < size) {
		size_t have = u->size - first;
		int status = step_to(u, (uint8_t *)buffer + have, size - have);
		const char *fault;

		*ret_size = u->size - first;
		inflater->ended = has_ended(u, status, &fault);
		inflater->is_damaged = fault == u->packing->damaged;
		if (fault)
			return error_new(ERROR_FORMAT, "%s", fault);
	}
	*ret_size = u->size - first;
	return NULL;
}

bool inflater_is_damaged(const struct inflater *inflater)
{
	return inflater->is_damaged;
}

uint32_t gzip_crc(struct bytes in)
{
	uLong crc = crc32(0, NULL, 0);

	for (size_t at = 0; at < in.size; at += STEP_BYTES) {
		size_t left = in.size - at;

		crc = crc32(crc, in.data + at,
		            (uInt)(left < STEP_BYTES ? left : STEP_BYTES));
	}
	return (uint32_t)crc;
}

void gzip_release(struct gzip *gzip)
{
	free((void *)(uintptr_t)gzip->bytes.data);
	*gzip = (struct gzip){ 0 };
}

const char *gzip_library_version(void)
{
	return zlibVersion();
}

// Packing

/** Append zlib's output for one piece of input. */
static void add_piece(z_stream *stream, int flush, uint8_t *buffer, size_t size,
                      struct str *ret)
{
	do {
		stream->next_out = buffer;
		stream->avail_out = (unsigned)size;
		deflate(stream, flush);
		str_add_bytes(ret, (const char *)buffer,
		              size - stream->avail_out);
	} while (!stream->avail_out);
}

void gzip_pack(struct bytes in, struct str *ret)
{
	SCOPED(mem_drop) uint8_t *buffer = mem_alloc(STEP_BYTES);
	z_stream stream = { 0 };
	size_t at = 0;

	if (deflateInit2(&stream, PACKING_LEVEL, Z_DEFLATED, GZIP_WINDOW,
	                 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		mem_fail();
	do {
		size_t left = in.size - at;
		size_t step = left < STEP_BYTES ? left : STEP_BYTES;

		// zlib does not write to its input.
		stream.next_in = (uint8_t *)in.data + at;
		stream.avail_in = (unsigned)step;
		at += step;
		add_piece(&stream, at < in.size ? Z_NO_FLUSH : Z_FINISH, buffer,
		          STEP_BYTES, ret);
	} while (at < in.size);
	deflateEnd(&stream);
}

void gzip_write(struct bytes in, struct out *out)
{
	SCOPED(str_release) struct str packed = { 0 };

	gzip_pack(in, &packed);
	out_set_content(out, OUT_BINARY);
	out_add_bytes(out, packed.data, packed.size);
}

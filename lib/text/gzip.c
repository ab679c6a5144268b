#include "lib/text/gzip.h"

#include "lib/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

// zlib counts in unsigned int.
#define STEP_BYTES ((size_t)256 << 10)
// 15 bits of window, and 16 for "a gzip header, nothing else".
#define GZIP_WINDOW (15 + 16)

/** Data that is being unpacked. */
struct unpacking {
	z_stream stream;
	struct bytes in;
	size_t in_at; ///< after what zlib was given
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
	// zlib does not write there; its interface predates const.
	u->stream.next_in = (z_const Bytef *)(uintptr_t)(u->in.data + u->in_at);
	u->stream.avail_in = (uInt)step;
	u->in_at += step;
}

/** After a member: is there another one? */
static bool next_member(struct unpacking *u)
{
	size_t at = u->in_at - u->stream.avail_in;

	return gzip_is(bytes_part(u->in, at, u->in.size - at)) &&
	       inflateReset(&u->stream) == Z_OK;
}

static struct error *check_limits(const struct unpacking *u)
{
	size_t taken = u->in_at - u->stream.avail_in;

	if (u->size > u->limit_bytes)
		return error_new(ERROR_LIMIT,
		                 "gzip data that decompresses to more than "
		                 "%zu bytes",
		                 u->limit_bytes);
	if (u->size > GZIP_RATIO_FREE_BYTES && u->size / GZIP_RATIO > taken)
		return error_new(ERROR_LIMIT,
		                 "gzip data that grows more than %d times",
		                 GZIP_RATIO);
	return NULL;
}

/** Unpack a step; @return zlib's opinion. */
static int unpack_step(struct unpacking *u)
{
	int status;
	size_t room;

	refill(u);
	MEM_ROOM(u->out, u->size + STEP_BYTES, u->cap);
	room = u->cap - u->size;
	if (room > STEP_BYTES)
		room = STEP_BYTES;
	u->stream.next_out = u->out + u->size;
	u->stream.avail_out = (uInt)room;
	status = inflate(&u->stream, Z_NO_FLUSH);
	u->size += room - u->stream.avail_out;
	return status;
}

static struct error *unpack(struct unpacking *u, const char **fault)
{
	for (;;) {
		int status = unpack_step(u);
		struct error *err = check_limits(u);

		if (err)
			return err;
		if (status == Z_MEM_ERROR)
			mem_fail();
		if (status == Z_STREAM_END && !next_member(u))
			return NULL;
		// No progress was possible: there is no more input.
		if (status == Z_BUF_ERROR) {
			*fault = "the gzip data is truncated";
			return NULL;
		}
		if (status != Z_OK && status != Z_STREAM_END) {
			*fault = "the gzip data is damaged";
			return NULL;
		}
	}
}

struct error *gzip_inflate(struct bytes in, size_t limit_bytes,
                           struct gzip *ret)
{
	struct unpacking u = { .in = in, .limit_bytes = limit_bytes };
	SCOPED(mem_drop) uint8_t *out = NULL;
	const char *fault = NULL;
	struct error *err;

	if (inflateInit2(&u.stream, GZIP_WINDOW) != Z_OK)
		mem_fail();
	err = unpack(&u, &fault);
	inflateEnd(&u.stream);
	out = u.out;
	if (err)
		return err;
	if (fault && !u.size)
		return error_new(ERROR_FORMAT,
		                 "%s: nothing can be "
		                 "decompressed",
		                 fault);
	ret->bytes = (struct bytes){ .data = out, .size = u.size };
	ret->fault = fault;
	out = NULL;
	return NULL;
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

// SPDX-License-Identifier: MIT
#include "parsers/input/decode.h"

#include "lib/base/text.h"
#include "lib/base/utf8.h"
#include "lib/text/archive_kind.h"
#include "lib/text/tar.h"
#include "lib/text/zip.h"

#include <string.h>

#define MARK_UTF16_LE "\xff\xfe"
#define MARK_UTF16_BE "\xfe\xff"

/** The next character; U+FFFD, and @p damaged, for half a surrogate pair. */
static uint32_t take_utf16(struct cursor *cursor, bool *damaged)
{
	uint32_t high = cursor_u16(cursor);
	struct cursor ahead = *cursor;
	uint32_t low;

	if (high < 0xd800 || high > 0xdfff)
		return high;
	low = cursor_left(cursor) < 2 ? 0 : cursor_u16(&ahead);
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff) {
		*damaged = true;
		return 0xfffd;
	}
	*cursor = ahead;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/** Number of ASCII characters that identify UTF-16 without a mark. */
#define UNMARKED_MIN        4
#define UNMARKED_LOOK_BYTES 16

/** Is it ASCII in 16 bits each, its low half first or second, as far as seen?
 */
static bool is_unmarked_utf16(struct bytes in, size_t low)
{
	size_t size = in.size < UNMARKED_LOOK_BYTES ? in.size
	                                            : UNMARKED_LOOK_BYTES;

	for (size_t i = 0; i + 1 < size; i += 2) {
		uint8_t c = in.data[i + low];

		if (in.data[i + 1 - low] ||
		    (c < ' ' && !text_is_space((char)c)) || c > '~')
			return false;
	}
	return size / 2 >= UNMARKED_MIN;
}

/** How UTF-16 is read. */
struct utf16 {
	enum cursor_order order;
	size_t mark_size;
};

static bool find_utf16(struct bytes in, struct utf16 *ret)
{
	struct text text = bytes_text(in);

	ret->mark_size = 2;
	ret->order = CURSOR_LITTLE;
	if (text_starts(text, MARK_UTF16_LE))
		return true;
	ret->order = CURSOR_BIG;
	if (text_starts(text, MARK_UTF16_BE))
		return true;
	ret->mark_size = 0;
	if (is_unmarked_utf16(in, 1))
		return true;
	ret->order = CURSOR_LITTLE;
	return is_unmarked_utf16(in, 0);
}

static void transcode(struct decoded *decoded, const struct utf16 *from)
{
	struct bytes in = decoded->bytes;
	struct cursor cursor = cursor_at(in, from->mark_size, from->order);
	// Two bytes become at most three.
	char *data = arena_array(&decoded->arena, in.size / 2 + 1, 3);
	char *to = data;
	bool damaged = in.size % 2;

	while (cursor_left(&cursor) >= 2)
		to += utf8_encode(take_utf16(&cursor, &damaged), to);
	decoded->note = damaged ? "the file is UTF-16 with invalid characters: "
	                          "converted to UTF-8"
	                        : "the file is UTF-16: converted to UTF-8";
	decoded->bytes = (struct bytes){ .data = (const uint8_t *)data,
		                         .size = (size_t)(to - data) };
	decoded->made_bytes += decoded->bytes.size;
	gzip_release(&decoded->gzip);
}

static void take_mark(struct decoded *decoded)
{
	struct text text = bytes_text(decoded->bytes);

	struct utf16 utf16;

	decoded->had_mark = true;
	if (find_utf16(decoded->bytes, &utf16))
		transcode(decoded, &utf16);
	else if (text_take(&text, UTF8_MARK))
		decoded->bytes = bytes_from_text(text);
	else
		decoded->had_mark = false;
}

bool decode_needs_all(struct bytes head)
{
	struct utf16 utf16;

	return gzip_is(head) || zip_is(head) || tar_is(head) ||
	       find_utf16(head, &utf16);
}

struct error *decode_refuse_packed(struct bytes head)
{
	if (gzip_is(head))
		return error_new(ERROR_UNSUPPORTED,
		                 "gzip data inside gzip data: unpack it first");
	if (zip_is(head))
		return error_new(ERROR_UNSUPPORTED,
		                 "a zip archive in gzip data: unpack it first");
	return NULL;
}

static struct error *unpack(struct decoded *decoded, size_t limit_bytes)
{
	struct error *err =
	        gzip_inflate(decoded->bytes, limit_bytes, &decoded->gzip);

	decoded->made_bytes += decoded->gzip.made_bytes;
	if (err)
		return err;
	// A zip archive may contain gzip data.
	if (!decoded->packing)
		decoded->packing = "gzip";
	decoded->fault = decoded->gzip.fault;
	decoded->is_whole = decoded->gzip.is_whole;
	decoded->bytes = decoded->gzip.bytes;
	return decode_refuse_packed(decoded->bytes);
}

struct error *decode_failure(struct error *err)
{
	struct error *ret;

	if (error_code(err) != ERROR_UNSUPPORTED)
		return err;
	ret = error_new(ERROR_FORMAT, "%s", error_message(err));
	error_free(err);
	return ret;
}

/** The packaging of device logs: a report, perhaps compressed once more. */
static struct error *unpack_file(const struct zip *zip, size_t limit_bytes,
                                 struct decoded *decoded)
{
	SCOPED(gzip_release) struct gzip file = { 0 };
	struct error *err = zip_unpack(zip, 0, limit_bytes, &file);

	decoded->made_bytes += file.made_bytes;
	if (err)
		return decode_failure(err);
	decoded->packing = "zip";
	decoded->bytes = file.bytes;
	if (zip_is(file.bytes))
		return error_new(ERROR_UNSUPPORTED,
		                 "a zip archive inside a zip archive: unpack "
		                 "it first");
	if (gzip_is(file.bytes))
		return unpack(decoded, limit_bytes);
	decoded->fault = file.fault;
	decoded->gzip = file;
	file = (struct gzip){ 0 };
	return NULL;
}

static struct error *unzip(struct decoded *decoded, size_t limit_bytes)
{
	SCOPED(zip_release) struct zip zip = { 0 };
	struct error *err = zip_open(decoded->bytes, &zip);

	if (err)
		return err;
	if (!zip.count)
		return error_new(ERROR_UNSUPPORTED,
		                 "a zip archive without files");
	decoded->is_archive = zip.count > 1;
	return decoded->is_archive ? NULL
	                           : unpack_file(&zip, limit_bytes, decoded);
}

struct error *decode(struct bytes in, size_t limit_bytes, struct decoded *ret)
{
	struct error *err = NULL;

	ret->bytes = in;
	ret->is_archive = !zip_is(in) && archive_is(in);
	if (ret->is_archive)
		return NULL;
	if (gzip_is(in))
		err = unpack(ret, limit_bytes);
	else if (zip_is(in))
		err = unzip(ret, limit_bytes);
	if (!err)
		take_mark(ret);
	return err;
}

void decoded_release(struct decoded *decoded)
{
	gzip_release(&decoded->gzip);
	arena_release(&decoded->arena);
	*decoded = (struct decoded){ 0 };
}

// SPDX-License-Identifier: MIT
#include "lib/text/zip.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#define LIMIT ((size_t)64 << 20)

/** An archive that is being written. */
struct archive {
	struct str out;
	struct str list;
	unsigned count;
};

static void archive_release(struct archive *archive)
{
	str_release(&archive->out);
	str_release(&archive->list);
}

static void put(struct str *out, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		str_add_char(out, (char)(value >> (8 * i) & 0xff));
}

/** How a file of it is written. */
struct member {
	const char *name;
	const char *text;
	unsigned method;
	unsigned flags;
	bool zip64; ///< its sizes and offset are in the extra field
	bool bad_crc;
};

static void add_deflated(struct str *out, const char *text)
{
	uint8_t room[4096];
	z_stream stream = {
		.next_in = (Bytef *)(uintptr_t)text,
		.avail_in = (uInt)strlen(text),
		.next_out = room,
		.avail_out = sizeof(room),
	};

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9,
	                              Z_DEFAULT_STRATEGY),
	                 Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	str_add_bytes(out, room, stream.total_out);
	deflateEnd(&stream);
}

/** What local header and list have in common: from the flags on. */
static void put_common(struct str *out, const struct member *m, size_t packed,
                       unsigned extra)
{
	size_t size = strlen(m->text);
	uint32_t crc = (uint32_t)crc32(0, (const Bytef *)m->text, (uInt)size);

	put(out, m->flags, 2);
	put(out, m->method, 2);
	put(out, 0, 4);
	put(out, m->bad_crc ? ~crc : crc, 4);
	put(out, m->zip64 ? UINT32_MAX : packed, 4);
	put(out, m->zip64 ? UINT32_MAX : size, 4);
	put(out, strlen(m->name), 2);
	put(out, extra, 2);
}

static void add(struct archive *archive, const struct member *m)
{
	SCOPED(str_release) struct str packed = { 0 };
	size_t offset = archive->out.size;

	if (m->method == 8)
		add_deflated(&packed, m->text);
	else
		str_add(&packed, m->text);
	put(&archive->out, 0x04034b50, 4);
	put(&archive->out, 20, 2);
	put_common(&archive->out, m, packed.size, 3);
	str_add(&archive->out, m->name);
	str_add(&archive->out, "xyz");
	str_add_text(&archive->out, str_text(&packed));
	put(&archive->list, 0x02014b50, 4);
	put(&archive->list, 0, 2);
	put(&archive->list, 20, 2);
	put_common(&archive->list, m, packed.size, m->zip64 ? 32 : 0);
	put(&archive->list, 1, 2);
	put(&archive->list, 0, 8);
	put(&archive->list, m->zip64 ? UINT32_MAX : offset, 4);
	str_add(&archive->list, m->name);
	if (m->zip64) {
		put(&archive->list, 0x5455, 2);
		put(&archive->list, 0, 2);
		put(&archive->list, 1, 2);
		put(&archive->list, 24, 2);
		put(&archive->list, strlen(m->text), 8);
		put(&archive->list, packed.size, 8);
		put(&archive->list, offset, 8);
	}
	str_add(&archive->list, "c");
	archive->count++;
}

static struct bytes finish(struct archive *archive, const char *comment)
{
	size_t offset = archive->out.size;

	str_add_text(&archive->out, str_text(&archive->list));
	put(&archive->out, 0x06054b50, 4);
	put(&archive->out, 0, 4);
	put(&archive->out, archive->count, 2);
	put(&archive->out, archive->count, 2);
	put(&archive->out, archive->list.size, 4);
	put(&archive->out, offset, 4);
	put(&archive->out, strlen(comment), 2);
	str_add(&archive->out, comment);
	return bytes_from_text(str_text(&archive->out));
}

static void files_are_listed_and_unpacked(void **state UNUSED)
{
	static const struct member members[] = {
		{ .name = "a.crash", .text = "stored" },
		{ .name = "logs/", .text = "" },
		{ .name = "logs/b.ips", .text = "deflated", .method = 8 },
		{ .name = "__MACOSX/logs/._b.ips", .text = "x" },
		{ .name = "logs/.DS_Store", .text = "x" },
		{ .name = "logs/._b.ips", .text = "x" },
		{ .name = "c", .text = "", .method = 8 },
		{ .name = "d", .text = "large", .method = 8, .zip64 = true },
	};
	static const char *const expected[][2] = {
		{ "a.crash", "stored" },
		{ "logs/b.ips", "deflated" },
		{ "c", "" },
		{ "d", "large" },
	};
	SCOPED(archive_release) struct archive archive = { 0 };
	SCOPED(zip_release) struct zip zip = { 0 };
	struct bytes in;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		add(&archive, &members[i]);
	// A comment may look like the record that it follows.
	in = finish(&archive, "PK\5\6 is how it begins");
	assert_true(zip_is(in));
	assert_null(zip_open(in, &zip));
	assert_int_equal(zip.count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < zip.count; i++) {
		SCOPED(gzip_release) struct gzip file = { 0 };

		assert_true(text_is(zip.files[i].name, expected[i][0]));
		assert_null(zip_unpack(&zip, i, LIMIT, &file));
		assert_null(file.fault);
		assert_true(text_is(bytes_text(file.bytes), expected[i][1]));
	}
}

static void what_cannot_be_unpacked_says_why(void **state UNUSED)
{
	static const struct {
		struct member member;
		const char *message;
	} cases[] = {
		{ { .name = "a", .text = "x", .flags = 1 },
		  "encrypted in a zip archive: unpack it first" },
		{ { .name = "a", .text = "x", .method = 14 },
		  "compressed with LZMA in a zip archive: unpack it first" },
		{ { .name = "a", .text = "x", .method = 77 },
		  "compressed by method 77 in a zip archive: unpack it "
		  "first" },
		{ { .name = "a", .text = "longer than that" },
		  "a file of more than 10 bytes in a zip archive" },
		{ { .name = "a", .text = "longer than that", .method = 8 },
		  "a file in a zip archive that decompresses to more than 10 "
		  "bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(archive_release) struct archive archive = { 0 };
		SCOPED(zip_release) struct zip zip = { 0 };
		SCOPED(gzip_release) struct gzip file = { 0 };
		SCOPED(error_drop) struct error *err = NULL;

		add(&archive, &cases[i].member);
		assert_null(zip_open(finish(&archive, ""), &zip));
		err = zip_unpack(&zip, 0, 10, &file);
		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
		assert_null(file.bytes.data);
	}
}

/** As bombs have it: the second file's header is data of the first. */
static void files_that_share_bytes_are_refused(void **state UNUSED)
{
	static const struct member members[] = {
		{ .name = "a", .text = "alone" },
		{ .name = "b", .text = "outer" },
		{ .name = "c", .text = "inner" },
		{ .name = "d", .text = "alone" },
	};
	SCOPED(archive_release) struct archive archive = { 0 };
	SCOPED(zip_release) struct zip zip = { 0 };
	char *sizes;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		add(&archive, &members[i]);
	// The packed size in the second record of the list.
	sizes = archive.list.data + 48 + 20;
	assert_int_equal(*sizes, strlen("outer"));
	*sizes = 20;
	assert_null(zip_open(finish(&archive, ""), &zip));
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		SCOPED(gzip_release) struct gzip file = { 0 };
		SCOPED(error_drop)
		struct error *err = zip_unpack(&zip, i, LIMIT, &file);

		if (text_is(text_from(members[i].text), "alone"))
			assert_null(err);
		else
			assert_string_equal(error_message(err),
			                    "shares bytes with another file of "
			                    "the zip archive, as bombs do: not "
			                    "unpacked");
	}
}

static void a_wrong_checksum_is_damage(void **state UNUSED)
{
	SCOPED(archive_release) struct archive archive = { 0 };
	SCOPED(zip_release) struct zip zip = { 0 };
	SCOPED(gzip_release) struct gzip file = { 0 };

	add(&archive, &(struct member){ .name = "a",
	                                .text = "text",
	                                .method = 8,
	                                .bad_crc = true });
	assert_null(zip_open(finish(&archive, ""), &zip));
	assert_null(zip_unpack(&zip, 0, LIMIT, &file));
	assert_string_equal(file.fault, "the zip data is damaged");
	assert_true(text_is(bytes_text(file.bytes), "text"));
}

/** Whatever byte is wrong, nothing but an error or other bytes come of it. */
static void damage_anywhere_is_survived(void **state UNUSED)
{
	SCOPED(archive_release) struct archive archive = { 0 };
	struct bytes in;

	add(&archive,
	    &(struct member){ .name = "a", .text = "text", .method = 8 });
	add(&archive,
	    &(struct member){
	            .name = "b", .text = "text", .method = 8, .zip64 = true });
	in = finish(&archive, "");
	for (size_t i = 0; i < 2 * in.size; i++) {
		SCOPED(mem_drop) uint8_t *copy = mem_alloc(in.size);
		struct bytes part = { .data = copy, .size = in.size };
		SCOPED(zip_release) struct zip zip = { 0 };

		memcpy(copy, in.data, in.size);
		if (i < in.size)
			copy[i] ^= 0xff;
		else
			part.size = i - in.size;
		error_free(zip_open(part, &zip));
		for (size_t file = 0; file < zip.count; file++) {
			SCOPED(gzip_release) struct gzip unpacked = { 0 };

			error_free(zip_unpack(&zip, file, LIMIT, &unpacked));
		}
	}
}

static void files_are_counted(void **state UNUSED)
{
	for (int more = 0; more < 2; more++) {
		SCOPED(archive_release) struct archive archive = { 0 };
		SCOPED(zip_release) struct zip zip = { 0 };
		SCOPED(error_drop) struct error *err = NULL;

		for (int i = 0; i < LIMIT_DEFAULT_ZIP_FILES + more; i++)
			add(&archive,
			    &(struct member){ .name = "a", .text = "" });
		err = zip_open(finish(&archive, ""), &zip);
		if (!more) {
			assert_null(err);
			assert_int_equal(zip.count, LIMIT_DEFAULT_ZIP_FILES);
			continue;
		}
		assert_int_equal(error_code(err), ERROR_LIMIT);
		assert_string_equal(
		        error_message(err),
		        "a zip archive of more than 60000 files (--limit "
		        "zip-files=COUNT raises it)");
	}
}

static void an_archive_without_a_list_is_truncated(void **state UNUSED)
{
	SCOPED(archive_release) struct archive archive = { 0 };
	SCOPED(zip_release) struct zip zip = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct bytes in;

	add(&archive, &(struct member){ .name = "a", .text = "text" });
	in = finish(&archive, "");
	in.size -= 1;
	err = zip_open(in, &zip);
	assert_string_equal(error_message(err),
	                    "the zip archive is truncated: the list of its "
	                    "files is missing");
}

static void what_follows_an_archive_is_passed_over(void **state UNUSED)
{
	// The last one is a record without a list.
	static const char *const tails[] = { "\n", "xx", "PK\5\6" };

	for (size_t i = 0; i < ARRAY_SIZE(tails) * 3; i++) {
		static const size_t sizes[] = { 0, 60000, 70000 };
		SCOPED(archive_release) struct archive archive = { 0 };
		SCOPED(zip_release) struct zip zip = { 0 };
		SCOPED(error_drop) struct error *err = NULL;

		add(&archive, &(struct member){ .name = "a", .text = "text" });
		finish(&archive, i % 2 ? "" : "a comment");
		str_add(&archive.out, tails[i % 3]);
		str_add_repeat(&archive.out, '\0', 40 + sizes[i / 3]);
		err = zip_open(bytes_from_text(str_text(&archive.out)), &zip);
		if (i / 3 < 2) {
			assert_null(err);
			assert_int_equal(zip.count, 1);
		} else {
			assert_string_equal(
			        error_message(err),
			        "the zip archive is truncated, or more than "
			        "64 kB follow it: the list of its files is "
			        "missing");
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_listed_and_unpacked),
		cmocka_unit_test(what_cannot_be_unpacked_says_why),
		cmocka_unit_test(files_that_share_bytes_are_refused),
		cmocka_unit_test(a_wrong_checksum_is_damage),
		cmocka_unit_test(damage_anywhere_is_survived),
		cmocka_unit_test(files_are_counted),
		cmocka_unit_test(an_archive_without_a_list_is_truncated),
		cmocka_unit_test(what_follows_an_archive_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/text/archive.h"

#include "lib/base/out.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#define BLOCK      512
#define FILE_BYTES 1500000

/** The byte at @p at of the large file, `d/large`. */
static char byte_at(size_t at)
{
	return (char)(at * 7 + at / 251);
}

static void put_header(struct str *out, const char *name, size_t size)
{
	char block[BLOCK] = { 0 };
	unsigned sum = 0;

	memcpy(block, name, strlen(name));
	snprintf(block + 124, 12, "%011zo", size);
	block[156] = '0';
	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum);
	str_add_bytes(out, block, BLOCK);
}

/** `a`, `d/large` and `z`. */
static void make_tar(struct str *out)
{
	put_header(out, "a", 1);
	str_add_char(out, 'A');
	str_add_repeat(out, '\0', BLOCK - 1);
	put_header(out, "d/large", FILE_BYTES);
	for (size_t i = 0; i < FILE_BYTES; i++)
		str_add_char(out, byte_at(i));
	str_add_repeat(out, '\0', BLOCK - FILE_BYTES % BLOCK);
	put_header(out, "z", 0);
	str_add_repeat(out, '\0', 2 * (size_t)BLOCK);
}

static void pack(const struct str *in, struct str *out)
{
	z_stream stream = {
		.next_in = (Bytef *)in->data,
		.avail_in = (uInt)in->size,
	};

	str_add_repeat(out, '\0', in->size);
	stream.next_out = (Bytef *)out->data;
	stream.avail_out = (uInt)out->size;
	assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 9,
	                              Z_DEFAULT_STRATEGY),
	                 Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	out->size = stream.total_out;
	deflateEnd(&stream);
}

static void check_piece(struct archive_file *file, uint64_t offset, size_t size,
                        size_t expected)
{
	char *buffer = malloc(size);
	size_t got = 0;

	assert_null(archive_peek(file, offset, buffer, size, &got));
	assert_int_equal(got, expected);
	for (size_t i = 0; i < got; i++)
		assert_int_equal(buffer[i], byte_at((size_t)offset + i));
	free(buffer);
}

static struct error *visit(struct archive_file *file, void *context)
{
	struct str *names = context;
	struct error *err;
	char byte;
	size_t got;

	str_add_text(names, file->name);
	str_add_char(names, ' ');
	if (!text_is(file->name, "d/large"))
		return NULL;
	assert_int_equal(file->size_bytes, FILE_BYTES);
	check_piece(file, 0, 16, 16);
	check_piece(file, 0, 4096, 4096);
	check_piece(file, 100, 5000, 5000);
	// What overlaps is still there, what lies far ahead is gone to.
	check_piece(file, 4000, 10, 10);
	check_piece(file, 1200000, 8, 8);
	check_piece(file, FILE_BYTES - 5, 100, 5);
	check_piece(file, FILE_BYTES, 100, 0);
	check_piece(file, FILE_BYTES + 1000, 100, 0);
	err = archive_peek(file, 0, &byte, 1, &got);
	assert_non_null(err);
	assert_string_equal(error_message(err), "its parts are not in their "
	                                        "order: unpack it first");
	error_free(err);
	return NULL;
}

static struct error *walk(const struct str *in, archive_visit take,
                          void *context)
{
	struct archive_budget budget = archive_symbols_budget(in->size);

	return archive_walk_bytes(bytes_from_text(str_text(in)), &budget, take,
	                          context);
}

static void files_are_read_forwards(void **state)
{
	SCOPED(str_release) struct str tar = { 0 };
	SCOPED(str_release) struct str packed = { 0 };
	SCOPED(str_release) struct str names = { 0 };

	(void)state;
	make_tar(&tar);
	pack(&tar, &packed);
	assert_true(archive_is(bytes_from_text(str_text(&tar))));
	assert_true(archive_is(bytes_from_text(str_text(&packed))));
	assert_null(walk(&tar, visit, &names));
	assert_null(walk(&packed, visit, &names));
	assert_string_equal(str_cstr(&names), "a d/large z a d/large z ");
}

static void gzip_data_of_something_else_is_no_archive(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str packed = { 0 };

	(void)state;
	str_add_repeat(&text, 'x', 1000);
	pack(&text, &packed);
	assert_false(archive_is(bytes_from_text(str_text(&packed))));
	assert_false(archive_is(bytes_from_text(str_text(&text))));
	assert_false(archive_is((struct bytes){ 0 }));
}

static void write_file(const char *path, const struct str *text)
{
	struct out *out;

	assert_null(out_open(path, &out));
	out_add_bytes(out, text->data, text->size);
	assert_null(out_close(out));
}

static void a_path_may_lead_into_an_archive(void **state)
{
	SCOPED(str_release) struct str tar = { 0 };
	SCOPED(str_release) struct str packed = { 0 };
	SCOPED(str_release) struct str long_path = { 0 };
	SCOPED(file_release) struct file_data file = { 0 };
	char directory[] = "/tmp/apmtool-packed.XXXXXX";
	struct error *err;

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	make_tar(&tar);
	pack(&tar, &packed);
	write_file("x.tgz", &packed);
	assert_int_equal(archive_path_length("x.tgz/d/large"), 5);
	assert_int_equal(archive_path_length("x.tgz"), 0);
	assert_int_equal(archive_path_length("./x.tgz/a"), 7);
	// In an archive, names may be longer than those of files.
	str_add(&long_path, "x.tgz/");
	str_add_repeat(&long_path, 'a', 300);
	assert_int_equal(archive_path_length(str_cstr(&long_path)), 5);
	assert_int_equal(archive_path_length("y/x.tgz/a"), 0);
	assert_int_equal(archive_path_length("/"), 0);
	assert_int_equal(archive_path_length(""), 0);
	assert_null(archive_map("x.tgz/d/large", &file));
	assert_int_equal(file.bytes.size, FILE_BYTES);
	assert_int_equal((char)file.bytes.data[1400000], byte_at(1400000));
	err = archive_map("x.tgz/d", &file);
	assert_non_null(err);
	assert_string_equal(
	        error_message(err),
	        "cannot open 'x.tgz/d': no such file in the archive");
	error_free(err);
	assert_int_equal(unlink("x.tgz"), 0);
	assert_int_equal(rmdir(directory), 0);
}

static void assert_fails(struct error *err, const char *message)
{
	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	error_free(err);
}

/** Also of files that are unpacked before the checksum is met. */
static void damaged_gzip_data_gives_no_file(void **state)
{
	SCOPED(str_release) struct str tar = { 0 };
	SCOPED(str_release) struct str packed = { 0 };
	SCOPED(str_release) struct str names = { 0 };
	SCOPED(file_release) struct file_data file = { 0 };
	char directory[] = "/tmp/apmtool-packed.XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	make_tar(&tar);
	pack(&tar, &packed);
	packed.size -= 9;
	write_file("cut.tgz", &packed);
	packed.size += 9;
	packed.data[packed.size - 8] ^= 1;
	write_file("damaged.tgz", &packed);
	assert_fails(walk(&packed, visit, &names), "the gzip data is damaged");
	assert_fails(archive_map("damaged.tgz/a", &file),
	             "the gzip data is damaged");
	// Where it only ends early, what comes before is as it was.
	assert_null(archive_map("cut.tgz/a", &file));
	assert_int_equal(file.bytes.size, 1);
	assert_int_equal(unlink("cut.tgz"), 0);
	assert_int_equal(unlink("damaged.tgz"), 0);
	assert_int_equal(rmdir(directory), 0);
}

/** An archive_visit. */
static struct error *unpack_large(struct archive_file *file, void *context)
{
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	struct error *err;

	if (!text_is(file->name, "d/large"))
		return NULL;
	assert_int_equal(file->index, 1);
	err = archive_unpack(file, &unpacked);
	if (err)
		return err;
	*(size_t *)context = unpacked.bytes.size;
	assert_int_equal((char)unpacked.bytes.data[1400000], byte_at(1400000));
	return NULL;
}

/** An archive_visit. */
static struct error *peek_and_unpack(struct archive_file *file, void *context)
{
	uint8_t head[1024];
	size_t got;

	assert_null(archive_peek(file, 0, head, sizeof(head), &got));
	return unpack_large(file, context);
}

static void files_of_a_tar_archive_are_unpacked(void **state UNUSED)
{
	SCOPED(str_release) struct str tar = { 0 };
	SCOPED(str_release) struct str packed = { 0 };
	size_t size = 0;

	make_tar(&tar);
	pack(&tar, &packed);
	assert_null(walk(&tar, unpack_large, &size));
	assert_int_equal(size, FILE_BYTES);
	size = 0;
	assert_null(walk(&packed, unpack_large, &size));
	assert_int_equal(size, FILE_BYTES);
	size = 0;
	assert_null(walk(&packed, peek_and_unpack, &size));
	assert_int_equal(size, FILE_BYTES);
}

/** @param take  Fails where no more than @p limit_bytes may be unpacked. */
static void check_limit(const struct str *in, archive_visit take, void *context,
                        size_t limit_bytes, const char *message)
{
	struct archive_budget budget =
	        archive_budget(LIMIT_UNPACKED, limit_bytes);

	assert_fails(archive_walk_bytes(bytes_from_text(str_text(in)), &budget,
	                                take, context),
	             message);
}

/** An archive_visit. */
static struct error *pass_over(struct archive_file *file UNUSED,
                               void *context UNUSED)
{
	return NULL;
}

static void a_limit_is_named_as_that_of_the_budget(void **state UNUSED)
{
	SCOPED(str_release) struct str tar = { 0 };
	SCOPED(str_release) struct str packed = { 0 };
	struct archive_budget budget =
	        archive_budget(LIMIT_UNPACKED, (size_t)1 << 20);
	size_t size = 0;

	make_tar(&tar);
	pack(&tar, &packed);
	// What is passed over counts for the limit of symbols alone.
	assert_null(archive_walk_bytes(bytes_from_text(str_text(&packed)),
	                               &budget, pass_over, NULL));
	assert_int_equal(budget.left_bytes, budget.limit_bytes);
	assert_true(budget.is_tar);
	check_limit(&packed, unpack_large, &size, (size_t)1 << 20,
	            "the files of a tar archive unpack to more than 1 MB "
	            "together (--limit unpacked=SIZE raises it)");
	assert_int_equal(size, 0);
}

static void long_names_that_begin_alike_are_kept_apart(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct archive_file files[3] = { { .name = text_from("short.ips") } };
	char name[2][300];
	const char *first, *second;

	for (size_t i = 0; i < 2; i++) {
		memset(name[i], 'a', sizeof(name[i]));
		name[i][sizeof(name[i]) - 1] = (char)('x' + i);
		files[i + 1].name = (struct text){ name[i], sizeof(name[i]) };
		files[i + 1].index = i + 1;
	}
	assert_string_equal(archive_file_name(&files[0], &arena), "short.ips");
	first = archive_file_name(&files[1], &arena);
	second = archive_file_name(&files[2], &arena);
	assert_int_equal(strlen(first), ARCHIVE_NAME_MAX);
	assert_true(text_ends(text_from(first), "(file 2)"));
	assert_true(text_ends(text_from(second), "(file 3)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_names_that_begin_alike_are_kept_apart),
		cmocka_unit_test(files_are_read_forwards),
		cmocka_unit_test(gzip_data_of_something_else_is_no_archive),
		cmocka_unit_test(a_path_may_lead_into_an_archive),
		cmocka_unit_test(damaged_gzip_data_gives_no_file),
		cmocka_unit_test(files_of_a_tar_archive_are_unpacked),
		cmocka_unit_test(a_limit_is_named_as_that_of_the_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/text/tar.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/** An archive that is being written, and how far it was read. */
struct archive {
	struct str out;
	size_t at;
};

struct member {
	const char *name;
	const char *text;
	char type;
	const char *prefix; ///< of ustar
	const char *size;   ///< the field as it is; NULL: octal
};

static void put_sum(char *block)
{
	char text[8];
	unsigned sum = 0;

	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < TAR_BLOCK_BYTES; i++)
		sum += (unsigned char)block[i];
	snprintf(text, sizeof(text), "%06o", sum);
	memcpy(block + 148, text, 7);
}

static void add(struct archive *archive, const struct member *m)
{
	char block[TAR_BLOCK_BYTES] = { 0 };
	char size[24];
	size_t length = strlen(m->text);

	snprintf(size, sizeof(size), "%011zo", length);
	memcpy(block, m->name, strnlen(m->name, 100));
	memcpy(block + 124, m->size ? m->size : size, 12);
	block[156] = m->type;
	if (m->prefix) {
		memcpy(block + 257,
		       "ustar\0"
		       "00",
		       8);
		memcpy(block + 345, m->prefix, strlen(m->prefix));
	}
	put_sum(block);
	str_add_bytes(&archive->out, block, sizeof(block));
	str_add(&archive->out, m->text);
	while (archive->out.size % TAR_BLOCK_BYTES)
		str_add_char(&archive->out, '\0');
}

static void add_end(struct archive *archive)
{
	str_add_repeat(&archive->out, '\0', 2 * TAR_BLOCK_BYTES);
}

static struct error *read_archive(void *context, void *buffer, uint64_t size,
                                  uint64_t *ret_size)
{
	struct archive *archive = context;
	size_t left = archive->out.size - archive->at;

	*ret_size = size < left ? size : left;
	if (buffer && *ret_size)
		memcpy(buffer, archive->out.data + archive->at, *ret_size);
	archive->at += (size_t)*ret_size;
	return NULL;
}

/** Names and contents of all files, and how it ended, as one text. */
static const char *list(struct archive *archive, struct str *out)
{
	struct tar tar = { .read = read_archive, .context = archive };
	bool found = false;
	struct error *err;

	archive->at = 0;
	while (!(err = tar_next(&tar, &found)) && found) {
		char text[64] = { 0 };
		size_t got = 0;

		str_add_text(out, tar.name);
		err = tar_read(&tar, text, 3, &got);
		str_addf(out, "=%s", text);
		if (err)
			break;
		str_addf(out, "(%llu) ", (unsigned long long)tar.left);
	}
	if (err)
		str_addf(out, "%s", error_message(err));
	error_free(err);
	tar_release(&tar);
	return str_cstr(out);
}

static void check(const struct member *members, size_t count,
                  const char *expected)
{
	SCOPED(str_release) struct str out = { 0 };
	struct archive archive = { 0 };

	for (size_t i = 0; i < count; i++)
		add(&archive, &members[i]);
	add_end(&archive);
	assert_string_equal(list(&archive, &out), expected);
	str_release(&archive.out);
}

static void files_are_found_and_nothing_else(void **state)
{
	static const struct member members[] = {
		{ "d/", "", '5', NULL, NULL },
		{ "./d/a", "abc", '0', NULL, NULL },
		{ "link", "", '2', NULL, NULL },
		{ "old", "abcdef", '\0', NULL, NULL },
		{ "b", "", '0', "a/long/way", NULL },
	};

	(void)state;
	check(members, ARRAY_SIZE(members),
	      "d/a=abc(0) old=abc(3) a/long/way/b=(0) ");
}

static void a_link_with_a_size_has_no_data(void **state)
{
	static const struct member members[] = {
		{ "hard", "", '1', NULL, "00000001000 " },
		{ "a", "x", '0', NULL, NULL },
	};

	(void)state;
	check(members, ARRAY_SIZE(members), "a=x(0) ");
}

static void long_names_and_sizes_come_before_their_file(void **state)
{
	static const struct member members[] = {
		{ "././@LongLink", "gnu/name", 'L', NULL, NULL },
		{ "cut", "1", '0', NULL, NULL },
		{ "PaxHeaders", "16 path=pax/one\n9 size=2\n12 mtime=1\n", 'x',
		  "", NULL },
		{ "cut", "12", '0', "", "00000000000 " },
		{ "after", "3", '0', NULL, NULL },
		{ "binary", "4567", '0', NULL, "\x80\0\0\0\0\0\0\0\0\0\0\4" },
	};

	(void)state;
	check(members, ARRAY_SIZE(members),
	      "gnu/name=1(0) pax/one=12(0) after=3(0) binary=456(1) ");
}

static void damage_is_named(void **state)
{
	SCOPED(str_release) struct str out = { 0 };
	struct archive archive = { 0 };

	(void)state;
	add(&archive,
	    &(struct member){ .name = "a", .text = "1", .type = '0' });
	add(&archive,
	    &(struct member){ .name = "b", .text = "2", .type = '0' });
	// An end without its mark is one.
	assert_string_equal(list(&archive, &out), "a=1(0) b=2(0) ");
	archive.out.size -= TAR_BLOCK_BYTES;
	str_clear(&out);
	assert_string_equal(list(&archive, &out),
	                    "a=1(0) b=the tar archive is truncated");
	archive.out.size -= 100;
	str_clear(&out);
	assert_string_equal(list(&archive, &out),
	                    "a=1(0) the tar archive is truncated");
	archive.out.data[3] = 'x';
	str_clear(&out);
	assert_string_equal(list(&archive, &out),
	                    "the tar archive is damaged: a header has a wrong "
	                    "checksum");
	str_clear(&archive.out);
	add(&archive, &(struct member){ .name = "a",
	                                .text = "",
	                                .type = '0',
	                                .size = "0000000000x " });
	str_clear(&out);
	assert_string_equal(
	        list(&archive, &out),
	        "the tar archive is damaged: a size is not a number");
	str_release(&archive.out);
}

static void the_first_block_says_what_it_is(void **state)
{
	struct archive archive = { 0 };
	struct bytes head;

	(void)state;
	add(&archive,
	    &(struct member){ .name = "a", .text = "1", .type = '0' });
	head = bytes_from_text(str_text(&archive.out));
	assert_true(tar_is(head));
	head.size = TAR_BLOCK_BYTES - 1;
	assert_false(tar_is(head));
	archive.out.data[0] = 'b';
	head.size = TAR_BLOCK_BYTES;
	assert_false(tar_is(head));
	str_release(&archive.out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_found_and_nothing_else),
		cmocka_unit_test(a_link_with_a_size_has_no_data),
		cmocka_unit_test(long_names_and_sizes_come_before_their_file),
		cmocka_unit_test(damage_is_named),
		cmocka_unit_test(the_first_block_says_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

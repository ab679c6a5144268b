// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/cache_entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/** Of the seal, as apmtool-cache(5) has it; it is the end of an entry. */
enum {
	SEAL_BYTES = 256,
	SEAL_VERSION = 8,
	SEAL_FLAGS = 12,
	SEAL_IMAGE = 104,
	SEAL_SUMS_SUM = 112,
	SEAL_SUM = 248,
};

static const struct uuid uuid = { { 7, 7, 7 } };

/** An image with one function, at 0x1000 to 0x1100. */
static void add_image(struct str *image, const struct uuid *of)
{
	struct debug_file file = { "", "" };
	struct debug_function function = { .range = { 0x1000, 0x1100 },
		                           .name = "one" };
	const struct debug_info info = { .files = &file,
		                         .file_count = 1,
		                         .functions = &function,
		                         .function_count = 1 };

	assert_null(gsym_write(&info, of, image));
}

/** An entry; without a UUID of its image, a mark. */
static void add_entry(struct str *out, const struct uuid *of)
{
	SCOPED(str_release) struct str image = { 0 };
	struct cache_entry entry = {
		.source = { .uuid = uuid, .reader = 99, .size = 5 },
	};

	if (of)
		add_image(&image, of);
	entry.image = bytes_from_text(str_text(&image));
	cache_entry_write(&entry, out);
}

static void set(struct str *file, size_t at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		file->data[at + i] = (char)(value >> 8 * i);
}

static uint64_t number_at(const struct str *file, size_t at)
{
	struct cursor c =
	        cursor_at(bytes_from_text(str_text(file)), at, CURSOR_LITTLE);

	return cursor_u64(&c);
}

/** Make the checksums of the checksums, and of the seal, right again. */
static void seal_again(struct str *file)
{
	struct bytes all = bytes_from_text(str_text(file));
	size_t seal = file->size - SEAL_BYTES;
	uint64_t body = number_at(file, seal + SEAL_IMAGE);

	if (body <= seal)
		set(file, seal + SEAL_SUMS_SUM,
		    guard_sum(bytes_part(all, body, seal - body)), 8);
	set(file, seal + SEAL_SUM, guard_sum(bytes_part(all, seal, SEAL_SUM)),
	    8);
}

static void check(const struct str *file, const char *message)
{
	struct cache_entry entry;
	struct error *err =
	        cache_entry_read(bytes_from_text(str_text(file)), &entry);

	assert_string_equal(err ? error_message(err) : "", message);
	if (!err) {
		assert_true(uuid_equal(&entry.source.uuid, &uuid));
		assert_int_equal(entry.source.reader, 99);
		assert_true(cache_entry_is_sound(&entry));
		cache_entry_release(&entry);
	}
	error_free(err);
}

static void an_entry_comes_back_as_it_was(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	add_entry(&file, &uuid);
	check(&file, "");
	str_clear(&file);
	add_entry(&file, NULL);
	check(&file, "");
	assert_int_equal(file.size, SEAL_BYTES);
}

/** A seal whose checksum is right, and which lies. */
static void seals_that_make_no_sense(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		unsigned size;
		const char *message;
	} cases[] = {
		{ 0, 0, 8, "cache entry: it has no seal" },
		{ SEAL_VERSION, 2, 4, "cache entry: it is of another version" },
		{ SEAL_FLAGS, 0, 4, "cache entry: the seal is invalid" },
		{ SEAL_FLAGS, 3, 4, "cache entry: the seal is invalid" },
		{ SEAL_IMAGE, 0, 8, "cache entry: the seal is invalid" },
		{ SEAL_IMAGE, UINT64_MAX, 8,
		  "cache entry: its size differs from the size in its seal" },
		{ SEAL_IMAGE, 8, 8,
		  "cache entry: the numbers of its checksums and blocks "
		  "differ" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str file = { 0 };

		add_entry(&file, &uuid);
		set(&file, file.size - SEAL_BYTES + cases[i].at, cases[i].value,
		    cases[i].size);
		seal_again(&file);
		check(&file, cases[i].message);
	}
}

static void checksums_have_one_of_their_own(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	add_entry(&file, &uuid);
	file.data[file.size - SEAL_BYTES - 1] ^= 1;
	check(&file, "cache entry: the checksum of its checksums is wrong");
}

static void images_are_of_the_entrys_uuid(void **state UNUSED)
{
	static const struct uuid other = { { 8 } };
	SCOPED(str_release) struct str file = { 0 };

	add_entry(&file, &other);
	check(&file, "cache entry: its image is of another UUID");
}

static void each_cut_and_each_damaged_byte_is_seen(void **state)
{
	SCOPED(str_release) struct str file = { 0 };

	(void)state;
	add_entry(&file, &uuid);
	for (size_t at = 0; at < file.size; at++) {
		struct bytes all = bytes_from_text(str_text(&file));
		struct cache_entry entry;
		struct error *err;

		err = cache_entry_read(bytes_part(all, 0, at), &entry);
		assert_non_null(err);
		error_free(err);
		file.data[at] ^= 0x10;
		err = cache_entry_read(all, &entry);
		if (!err) {
			assert_false(cache_entry_is_sound(&entry));
			cache_entry_release(&entry);
		}
		error_free(err);
		file.data[at] ^= 0x10;
	}
}

#define FUNCTIONS 1000

/** An image of many blocks: each of its functions has a file of its own. */
static void add_large_entry(struct str *out)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	struct cache_entry entry = { .source = { .uuid = uuid, .reader = 99 } };
	static struct debug_file files[FUNCTIONS + 1] = { { "", "" } };
	static struct debug_function functions[FUNCTIONS];
	static struct debug_line lines[FUNCTIONS];
	const struct debug_info info = { .files = files,
		                         .file_count = FUNCTIONS + 1,
		                         .functions = functions,
		                         .function_count = FUNCTIONS };

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint64_t start = 0x1000 + 0x10 * (uint64_t)i;

		files[i + 1].directory = "/src";
		files[i + 1].name = arena_printf(&arena, "file%u.c", i);
		lines[i] = (struct debug_line){ start, i + 1, i + 1 };
		functions[i] = (struct debug_function){
			.range = { start, start + 0x10 },
			.name = arena_printf(&arena, "function%u", i),
			.lines = &lines[i],
			.line_count = 1,
		};
	}
	assert_null(gsym_write(&info, &uuid, &image));
	entry.image = bytes_from_text(str_text(&image));
	cache_entry_write(&entry, out);
}

/** Each answer is right, or none: no block is believed that was damaged. */
static size_t check_answers(const struct gsym *gsym)
{
	size_t known = 0;

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct gsym_answer answer;

		if (!gsym_lookup(gsym, 0x1008 + 0x10 * (uint64_t)i, &arena,
		                 &answer))
			continue;
		assert_string_equal(answer.calls[0].name,
		                    arena_printf(&arena, "function%u", i));
		assert_true(!answer.calls[0].line ||
		            answer.calls[0].line == i + 1);
		known++;
	}
	return known;
}

/** How many functions an entry knows; 0 where it is not one. */
static size_t answers_of(const struct str *file)
{
	struct cache_entry entry;
	struct error *err =
	        cache_entry_read(bytes_from_text(str_text(file)), &entry);
	size_t known = 0;

	if (!err) {
		known = check_answers(&entry.gsym);
		cache_entry_release(&entry);
	}
	error_free(err);
	return known;
}

static void damaged_blocks_give_no_answer(void **state)
{
	SCOPED(str_release) struct str file = { 0 };
	size_t all = 0, some = 0, none = 0;

	(void)state;
	add_large_entry(&file);
	assert_int_equal(answers_of(&file), FUNCTIONS);
	for (size_t at = 0; at < file.size; at += 1021) {
		size_t known;

		file.data[at] ^= 0x10;
		known = answers_of(&file);
		file.data[at] ^= 0x10;
		all += known == FUNCTIONS;
		some += known && known < FUNCTIONS;
		none += !known;
	}
	assert_int_equal(all, 0);
	assert_true(some > 0);
	assert_true(none > 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_comes_back_as_it_was),
		cmocka_unit_test(seals_that_make_no_sense),
		cmocka_unit_test(checksums_have_one_of_their_own),
		cmocka_unit_test(images_are_of_the_entrys_uuid),
		cmocka_unit_test(each_cut_and_each_damaged_byte_is_seen),
		cmocka_unit_test(damaged_blocks_give_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

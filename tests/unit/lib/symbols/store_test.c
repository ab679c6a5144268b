// SPDX-License-Identifier: MIT
#include "lib/symbols/store.h"

#include "lib/base/arena.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/out.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/demangle/known_names.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"
#include "tests/unit/lib/object/macho/macho_builder.h"
#include "tests/unit/lib/symbols/macho_debug.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES APMTOOL_SOURCE_DIR "/samples"

// The arm64 slice of samples/Demo.dSYM, and samples/Plain.dylib.
static const char demo_uuid[] = "4C4C44BD-5555-3144-A18B-1D7A14ACC538";

struct fixture {
	struct symbol_store *store;
	struct arena arena;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->store =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	assert_null(symbol_store_add_path(f->store, SAMPLES));
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	symbol_store_free(f->store);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static struct uuid uuid_of(const char *text)
{
	struct uuid uuid;

	assert_true(uuid_parse(text_from(text), &uuid));
	return uuid;
}

/** The UUID of the one entry whose path ends with @p suffix. */
static struct uuid uuid_of_file(struct fixture *f, const char *suffix)
{
	size_t count;
	const struct uuid_entry *entries =
	        uuid_index_all(symbol_store_index(f->store), &count);

	for (size_t i = 0; i < count; i++)
		if (text_ends(text_from(entries[i].path), suffix))
			return entries[i].uuid;
	fail_msg("no %s", suffix);
	return (struct uuid){ 0 };
}

static void ask(struct fixture *f, const struct uuid *uuid,
                const struct symbol_query *queries, size_t count,
                struct symbol_answer *answers, struct symbol_image *ret)
{
	struct symbol_request request = {
		.uuid = *uuid,
		.queries = queries,
		.count = count,
		.answers = answers,
	};

	symbol_store_resolve(f->store, &request, 1);
	*ret = request.image;
}

static void inlined_calls_come_innermost_first(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of(demo_uuid);
	struct symbol_query query = { .offset = 0xa10 };
	struct symbol_answer answer;
	struct symbol_image image;

	ask(f, &uuid, &query, 1, &answer, &image);
	assert_int_equal(image.status, SYMBOL_FILE_FOUND);
	assert_true(image.has_debug_info);
	assert_string_equal(image.arch, "arm64");
	assert_int_equal(answer.source, SYMBOL_DWARF);
	assert_int_equal(answer.count, 3);
	assert_string_equal(answer.calls[0].file, "reader.hpp");
	assert_int_equal(answer.calls[0].line, 33);
	assert_string_equal(answer.calls[1].name,
	                    "unsigned short demo::Reader::take<unsigned "
	                    "short>()");
	assert_int_equal(answer.calls[1].line, 15);
	assert_string_equal(answer.calls[2].name,
	                    "demo::Feed::decode(demo::Entry const&)");
	assert_string_equal(answer.calls[2].mangled,
	                    "_ZN4demo4Feed6decodeERKNS_5EntryE");
	assert_string_equal(answer.calls[2].directory, "/src/Demo");
	assert_string_equal(answer.calls[2].file, "feed.cpp");
	assert_int_equal(answer.calls[2].line, 11);
	assert_int_equal(answer.calls[2].start, 0x9fc);
}

static void a_return_address_is_looked_up_in_its_call(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of(demo_uuid);
	// 0xa80 is the first byte of Feed::process; the byte before it is
	// the last one of Feed::decode.
	struct symbol_query queries[] = {
		{ .offset = 0xa80, .is_return_address = true },
		{ .offset = 0xa80 },
	};
	struct symbol_answer answers[2];
	struct symbol_image image;

	ask(f, &uuid, queries, 2, answers, &image);
	assert_int_equal(answers[0].calls[answers[0].count - 1].start, 0x9fc);
	assert_int_equal(answers[1].calls[answers[1].count - 1].start, 0xa80);
}

static void offsets_beyond_all_addresses_cost_no_other_its_name(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of(demo_uuid);
	struct symbol_query queries[9] = { { .offset = 0xa10 } };
	struct symbol_answer answers[9];
	struct symbol_image image;

	for (size_t i = 1; i < 9; i++)
		queries[i].offset = UINT64_MAX - i;
	ask(f, &uuid, queries, 9, answers, &image);
	assert_int_equal(answers[0].source, SYMBOL_DWARF);
	assert_int_equal(answers[0].count, 3);
	for (size_t i = 1; i < 9; i++)
		assert_int_equal(answers[i].source, SYMBOL_NONE);
}

static void a_wrong_uuid_names_nothing(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of("4C4C44BD-5555-3144-A18B-1D7A14ACC539");
	struct symbol_query query = { .offset = 0xa10 };
	struct symbol_answer answer;
	struct symbol_image image;

	ask(f, &uuid, &query, 1, &answer, &image);
	assert_int_equal(image.status, SYMBOL_FILE_MISSING);
	assert_int_equal(answer.source, SYMBOL_NONE);
	assert_int_equal(answer.count, 0);
}

static void a_zero_uuid_names_nothing(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = { 0 };
	struct symbol_query query = { .offset = 0xa10 };
	struct symbol_answer answer;
	struct symbol_image image;

	ask(f, &uuid, &query, 1, &answer, &image);
	assert_int_equal(image.status, SYMBOL_FILE_MISSING);
	assert_int_equal(answer.source, SYMBOL_NONE);
}

static void a_symbol_table_answers_but_not_for_a_stripped_neighbour(
        void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of_file(f, "Plain.dylib");
	// 0x278 is the stripped `clamp`, right after `plain_load`; only the
	// function starts distinguish them.
	struct symbol_query queries[] = {
		{ .offset = 0x264 },
		{ .offset = 0x27c },
		{ .offset = 0x2a0 },
	};
	struct symbol_answer answers[3];
	struct symbol_image image;

	ask(f, &uuid, queries, 3, answers, &image);
	assert_int_equal(image.status, SYMBOL_FILE_FOUND);
	assert_false(image.has_debug_info);
	assert_int_equal(answers[0].source, SYMBOL_SYMTAB);
	assert_string_equal(answers[0].calls[0].name, "plain_load");
	assert_int_equal(answers[0].calls[0].start, 0x250);
	assert_int_equal(answers[1].source, SYMBOL_NONE);
	assert_string_equal(answers[2].calls[0].name, "plain_store");
}

static void all_queries_of_an_image_open_its_file_once(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of(demo_uuid);
	struct symbol_query queries[64];
	struct symbol_answer answers[64];
	struct symbol_image image;

	for (size_t i = 0; i < 64; i++)
		queries[i] = (struct symbol_query){ .offset = 0x880 + 4 * i };
	ask(f, &uuid, queries, 64, answers, &image);
	assert_int_equal(symbol_store_opened(f->store), 1);
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(answers[i].source, SYMBOL_DWARF);
}

static void a_file_stays_open_for_later_queries(void **state)
{
	struct fixture *f = *state;
	struct uuid uuid = uuid_of(demo_uuid);

	for (uint64_t offset = 0x880; offset < 0xb00; offset += 4) {
		struct symbol_query query = { .offset = offset };
		struct symbol_answer answer;
		struct symbol_image image;

		ask(f, &uuid, &query, 1, &answer, &image);
		assert_int_equal(answer.source, SYMBOL_DWARF);
		assert_true(image.has_debug_info);
		symbol_store_trim(f->store);
	}
	assert_int_equal(symbol_store_opened(f->store), 1);
}

static void jobs_change_no_answer(void **state)
{
	enum { COUNT = 0x500 };
	struct fixture *f = *state;
	struct symbol_store *many =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 8 });
	struct uuid uuid = uuid_of(demo_uuid);
	struct symbol_query queries[COUNT];
	struct symbol_answer one[COUNT];
	struct symbol_answer eight[COUNT];
	struct symbol_image image;
	struct symbol_request request = {
		.uuid = uuid,
		.queries = queries,
		.count = COUNT,
		.answers = eight,
	};

	for (size_t i = 0; i < COUNT; i++)
		queries[i] = (struct symbol_query){ .offset = 0x880 + i };
	assert_null(symbol_store_add_path(many, SAMPLES));
	ask(f, &uuid, queries, COUNT, one, &image);
	symbol_store_resolve(many, &request, 1);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(one[i].source, eight[i].source);
		assert_int_equal(one[i].count, eight[i].count);
		for (size_t k = 0; k < one[i].count; k++) {
			assert_string_equal(one[i].calls[k].name,
			                    eight[i].calls[k].name);
			assert_int_equal(one[i].calls[k].line,
			                 eight[i].calls[k].line);
		}
	}
	symbol_store_free(many);
}

#define SYMBOLS_OFFSET 0x400u

/** Images of a test, in a directory of its own: `first` is at 0x1100. */
struct images {
	char directory[32];
	struct str path;
};

static const char *image_path(struct images *images, size_t number)
{
	str_clear(&images->path);
	str_addf(&images->path, "%s/%zu", images->directory, number);
	return str_cstr(&images->path);
}

/** The UUID of image @p number, in bytes and padded with blanks. */
static struct uuid image_uuid(size_t number)
{
	char text[17];
	struct uuid uuid;

	snprintf(text, sizeof(text), "image %-10zu", number);
	memcpy(uuid.bytes, text, sizeof(uuid.bytes));
	return uuid;
}

static void begin_image(struct images *images, struct macho_builder *b,
                        const struct uuid *uuid, uint32_t cpu_type)
{
	if (!images->directory[0]) {
		snprintf(images->directory, sizeof(images->directory),
		         "/tmp/apmtool-store.XXXXXX");
		assert_non_null(mkdtemp(images->directory));
	}
	macho_begin(b, CURSOR_LITTLE, cpu_type != CPU_ARM, cpu_type, 0,
	            MACHO_EXECUTE);
	macho_add_uuid(b, (const char *)uuid->bytes);
	macho_add_segment(b, "__TEXT", 0, 0x4000, 0, 0, 1);
	macho_add_section(b, "__TEXT", "__text", 0x1000, 0x1000, 0, 0);
}

static void finish_image(struct images *images, struct macho_builder *b,
                         size_t number)
{
	struct bytes image = macho_finish(b);
	struct out *out;

	assert_null(out_open(image_path(images, number), &out));
	out_add_bytes(out, image.data, image.size);
	assert_null(out_close(out));
	macho_builder_release(b);
}

/** An image without debug info: `_first` at 0x1100, `_second` at 0x1800. */
static void write_image(struct images *images, size_t number,
                        const struct uuid *uuid, uint32_t cpu_type,
                        const char *first)
{
	struct macho_builder b;
	uint32_t strings = SYMBOLS_OFFSET +
	                   2 * (cpu_type != CPU_ARM ? 16u : 12u);
	uint32_t second = (uint32_t)strlen(first) + 2;

	begin_image(images, &b, uuid, cpu_type);
	macho_add_symtab(&b, SYMBOLS_OFFSET, 2, strings, second + 8);
	macho_pad(&b, SYMBOLS_OFFSET);
	macho_put_symbol(&b, 1, 0xf, 1, 0, 0x1100);
	macho_put_symbol(&b, second, 0xf, 1, 0, 0x1800);
	macho_put(&b, strings, "", 1);
	str_add_bytes(&b.image, first, strlen(first) + 1);
	str_add_bytes(&b.image, "_second", sizeof("_second"));
	finish_image(images, &b, number);
}

static void write_images(struct images *images, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct uuid uuid = image_uuid(i);

		write_image(images, i, &uuid, CPU_ARM64, "_first");
	}
}

static void remove_images(struct images *images, size_t count)
{
	for (size_t i = 0; i < count; i++)
		unlink(image_path(images, i));
	rmdir(images->directory);
	str_release(&images->path);
}

/** What one place of image @p number is called; "" where nothing is known. */
static const char *name_of(struct fixture *f, size_t number, uint64_t offset,
                           bool is_return_address)
{
	struct uuid uuid = image_uuid(number);
	struct symbol_query query = { offset, is_return_address };
	struct symbol_answer answer;
	struct symbol_image image;

	ask(f, &uuid, &query, 1, &answer, &image);
	return answer.count ? answer.calls[0].name : "";
}

static void the_thumb_bit_is_no_part_of_an_address(void **state)
{
	struct fixture *f = *state;
	struct images images = { 0 };
	struct uuid arm = image_uuid(0);
	struct uuid arm64 = image_uuid(1);

	write_image(&images, 0, &arm, CPU_ARM, "_first");
	write_image(&images, 1, &arm64, CPU_ARM64, "_first");
	assert_null(symbol_store_add_path(f->store, images.directory));
	// Odd addresses of Thumb code: a return to 0x1800 was called before it.
	assert_string_equal(name_of(f, 0, 0x1801, true), "first");
	assert_string_equal(name_of(f, 0, 0x1801, false), "second");
	assert_string_equal(name_of(f, 0, 0x1803, true), "second");
	// Elsewhere every bit counts.
	assert_string_equal(name_of(f, 1, 0x1801, true), "second");
	assert_string_equal(name_of(f, 1, 0x1800, true), "first");
	remove_images(&images, 2);
}

static void a_file_that_changed_since_it_was_indexed_names_nothing(void **state)
{
	struct fixture *f = *state;
	struct images images = { 0 };
	struct uuid uuid = image_uuid(0);
	struct uuid other = image_uuid(1);
	struct symbol_query query = { .offset = 0x1100 };
	struct symbol_answer answer;
	struct symbol_image image;

	write_image(&images, 0, &uuid, CPU_ARM64, "_first");
	assert_null(symbol_store_add_path(f->store, images.directory));
	write_image(&images, 0, &other, CPU_ARM64, "_other");
	ask(f, &uuid, &query, 1, &answer, &image);
	assert_int_equal(answer.source, SYMBOL_NONE);
	assert_int_equal(image.status, SYMBOL_FILE_MALFORMED);
	assert_true(image.cannot_open);
	assert_string_equal(image.reason,
	                    "the file's UUID changed while it was in use");
	remove_images(&images, 1);
}

/** The store keeps 64 files open; one more, and all are closed. */
static void a_trim_closes_more_files_than_the_store_may_hold(void **state)
{
	enum { KEPT = 64 };
	struct fixture *f = *state;
	struct images images = { 0 };

	write_images(&images, KEPT + 1);
	assert_null(symbol_store_add_path(f->store, images.directory));
	for (size_t i = 0; i < KEPT; i++)
		assert_string_equal(name_of(f, i, 0x1100, false), "first");
	symbol_store_trim(f->store);
	assert_string_equal(name_of(f, 0, 0x1800, false), "second");
	assert_int_equal(symbol_store_opened(f->store), KEPT);
	assert_string_equal(name_of(f, KEPT, 0x1100, false), "first");
	assert_int_equal(symbol_store_opened(f->store), KEPT + 1);
	symbol_store_trim(f->store);
	assert_string_equal(name_of(f, 0, 0x1804, false), "second");
	assert_int_equal(symbol_store_opened(f->store), KEPT + 2);
	remove_images(&images, KEPT + 1);
}

/**
 * An image of @p count functions of one byte, from 0x1100 on: their names are
 * ends of one of @p size bytes. The last of them is at 0x1800.
 */
static void write_many_names(struct images *images, size_t count, size_t size)
{
	SCOPED(str_release) struct str name = { 0 };
	const struct uuid uuid = image_uuid(0);
	uint32_t strings = SYMBOLS_OFFSET + (uint32_t)count * 16;
	struct macho_builder b;

	begin_image(images, &b, &uuid, CPU_ARM64);
	str_add_repeat(&name, 'x', size);
	macho_add_symtab(&b, SYMBOLS_OFFSET, (uint32_t)count, strings,
	                 (uint32_t)size + 2);
	macho_pad(&b, SYMBOLS_OFFSET);
	for (uint32_t i = 0; i < count; i++)
		macho_put_symbol(&b, i + 1, 0xf, 1, 0,
		                 i + 1 < count ? 0x1100 + i : 0x1800);
	macho_put(&b, strings, "", 1);
	str_add_bytes(&b.image, str_cstr(&name), size + 1);
	finish_image(images, &b, 0);
}

static void what_the_system_refuses_is_not_called_malformed(void **state)
{
	struct fixture *f = *state;
	struct symbol_query query = { .offset = 0x100 };
	struct symbol_answer answer = { 0 };
	struct symbol_request request = {
		.queries = &query,
		.answers = &answer,
		.count = 1,
	};
	struct images images = { 0 };
	struct rlimit before, few;

	write_many_names(&images, 2, 9);
	assert_null(symbol_store_add_path(f->store, images.directory));
	request.uuid = image_uuid(0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 3;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	symbol_store_resolve(f->store, &request, 1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(request.image.status, SYMBOL_FILE_UNREADABLE);
	assert_non_null(strstr(request.image.reason, "too many open files"));
	assert_true(symbol_store_has_shortage(f->store));
	remove_images(&images, 1);
}

/**
 * The store keeps 64 MiB of answers; beyond, it forgets them. It holds each
 * name as it is in the file, 64 KiB at most, and twice as it is shown.
 */
static void a_trim_forgets_more_answers_than_the_store_may_hold(void **state)
{
	enum { NAME_BYTES = 64 << 10, KEPT = 880, FORGOTTEN = 925 };
	struct fixture *f = *state;
	struct images images = { 0 };

	write_many_names(&images, FORGOTTEN + 1, NAME_BYTES);
	assert_null(symbol_store_add_path(f->store, images.directory));
	for (uint64_t i = 0; i < KEPT; i++)
		assert_int_equal(strlen(name_of(f, 0, 0x1100 + i, false)),
		                 LIMIT_DEFAULT_NAME);
	symbol_store_trim(f->store);
	assert_true(symbol_store_answer_bytes(f->store));
	for (uint64_t i = KEPT; i < FORGOTTEN; i++)
		name_of(f, 0, 0x1100 + i, false);
	symbol_store_trim(f->store);
	assert_false(symbol_store_answer_bytes(f->store));
	// The file stays open.
	name_of(f, 0, 0x1100, false);
	assert_int_equal(symbol_store_opened(f->store), 1);
	remove_images(&images, 1);
}

/**
 * A dSYM of the sample's UUID: its arm64 slice, without the section's contents
 * where one is given.
 */
static void write_copy(struct images *images, size_t number,
                       const char *section)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(macho_release) struct macho macho = { 0 };
	SCOPED(str_release) struct str copy = { 0 };
	struct macho_slices slices;
	const struct macho_section *damaged;
	struct bytes slice;
	struct out *out;

	if (!images->directory[0]) {
		snprintf(images->directory, sizeof(images->directory),
		         "/tmp/apmtool-store.XXXXXX");
		assert_non_null(mkdtemp(images->directory));
	}
	assert_null(file_map(SAMPLES "/Demo.dSYM/Contents/Resources/DWARF/Demo",
	                     &file));
	assert_null(macho_slices(file.bytes, &slices));
	slice = bytes_part(file.bytes, slices.slices[1].offset,
	                   slices.slices[1].size);
	assert_null(macho_parse(slice, &macho));
	assert_int_equal(macho.cpu_type, CPU_ARM64);
	str_add_text(&copy, bytes_text(slice));
	if (section) {
		damaged = macho_section(&macho, "__DWARF", section);
		assert_non_null(damaged);
		memset(copy.data + (damaged->contents.data - slice.data), 0,
		       damaged->contents.size);
	}
	assert_null(out_open(image_path(images, number), &out));
	out_add_bytes(out, copy.data, copy.size);
	assert_null(out_close(out));
}

/** Of copies in a store of their own, damaged ones before an intact one. */
static void ask_copies(size_t damaged, const char *section, size_t intact,
                       uint64_t offset, struct symbol_answer *ret,
                       struct symbol_image *ret_image, size_t *ret_opened)
{
	struct fixture f = { .store = symbol_store_new(
		                     &(struct symbol_store_options){
		                             .jobs = 1 }) };
	struct images images = { 0 };
	struct uuid uuid = uuid_of(demo_uuid);
	struct symbol_query query = { .offset = offset };

	for (size_t i = 0; i < damaged + intact; i++)
		write_copy(&images, 10 + i, i < damaged ? section : NULL);
	assert_null(symbol_store_add_path(f.store, images.directory));
	ask(&f, &uuid, &query, 1, ret, ret_image);
	*ret_opened = symbol_store_opened(f.store);
	// Their strings are the store's.
	ret->calls = NULL;
	ret_image->path = ret_image->reason = ret_image->damage = NULL;
	symbol_store_free(f.store);
	for (size_t i = 0; i < damaged + intact; i++)
		unlink(image_path(&images, 10 + i));
	rmdir(images.directory);
	str_release(&images.path);
}

static void of_sound_copies_only_the_first_is_opened(void **state)
{
	struct symbol_answer answer;
	struct symbol_image image;
	size_t opened;

	(void)state;
	ask_copies(0, NULL, 3, 0xa10, &answer, &image, &opened);
	assert_int_equal(answer.source, SYMBOL_DWARF);
	assert_int_equal(opened, 1);
	// Of what two do not know, the third is not asked.
	ask_copies(0, NULL, 3, 0x10000000, &answer, &image, &opened);
	assert_int_equal(answer.source, SYMBOL_NONE);
	assert_int_equal(image.status, SYMBOL_FILE_FOUND);
	assert_true(image.has_debug_info);
}

static void what_a_damaged_file_does_not_know_a_later_one_does(void **state)
{
	static const char *const sections[] = { "__debug_abbrev",
		                                "__debug_info", "__debug_line",
		                                "__debug_str" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		struct symbol_answer answer;
		struct symbol_image image;
		size_t opened;

		ask_copies(1, sections[i], 0, 0xa10, &answer, &image, &opened);
		assert_int_equal(image.status, SYMBOL_FILE_MALFORMED);
		ask_copies(1, sections[i], 2, 0xa10, &answer, &image, &opened);
		assert_int_equal(answer.source, SYMBOL_DWARF);
		assert_int_equal(answer.count, 3);
		assert_int_equal(image.status, SYMBOL_FILE_FOUND);
		assert_null(image.damage);
		assert_int_equal(opened, 2);
	}
}

/** They have no answer to any lookup. */
static size_t opened_of(const char *path, const char *later)
{
	struct fixture f = { .store = symbol_store_new(
		                     &(struct symbol_store_options){
		                             .jobs = 1 }) };
	struct uuid uuid = uuid_of(demo_uuid);
	struct symbol_query query = { .offset = 0x10000000 };
	struct symbol_answer answer;
	struct symbol_image image;
	size_t opened;

	assert_null(symbol_store_add_path(f.store, path));
	if (later)
		assert_null(symbol_store_add_path(f.store, later));
	ask(&f, &uuid, &query, 1, &answer, &image);
	assert_int_equal(image.status, SYMBOL_FILE_FOUND);
	opened = symbol_store_opened(f.store);
	symbol_store_free(f.store);
	return opened;
}

static void a_file_of_several_paths_is_asked_once(void **state UNUSED)
{
	SCOPED(str_release) struct str later = { 0 };
	struct images images = { 0 };
	SCOPED(str_release) struct str first = { 0 };

	write_copy(&images, 10, NULL);
	str_add(&first, image_path(&images, 10));
	assert_int_equal(opened_of(images.directory, NULL), 1);
	assert_int_equal(link(str_cstr(&first), image_path(&images, 11)), 0);
	assert_int_equal(symlink(str_cstr(&first), image_path(&images, 12)), 0);
	assert_int_equal(opened_of(images.directory, NULL), 1);
	str_addf(&later, "%s/./", images.directory);
	assert_int_equal(opened_of(images.directory, str_cstr(&later)), 1);
	// A copy is another file: that it is one has to be read.
	write_copy(&images, 13, NULL);
	assert_int_equal(opened_of(images.directory, NULL), 2);
	for (size_t i = 10; i < 14; i++)
		unlink(image_path(&images, i));
	rmdir(images.directory);
	str_release(&images.path);
}

static void write_bytes(struct images *images, size_t number,
                        struct bytes bytes)
{
	struct out *out;

	assert_null(out_open(image_path(images, number), &out));
	out_add_bytes(out, bytes.data, bytes.size);
	assert_null(out_close(out));
}

/** Code without a line has none in a copy, or in a GSYM made of it, either. */
static void what_a_sound_dsym_says_is_all(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str gsym = { 0 };
	SCOPED(macho_release) struct macho macho = { 0 };
	struct images images = { 0 };
	struct uuid uuid = image_uuid(0);
	struct dwarf_builder d = { .uuid = (const char *)uuid.bytes };
	struct symbol_query query = { .offset = 0x10 };
	struct symbol_answer answer;
	struct symbol_image image;

	snprintf(images.directory, sizeof(images.directory),
	         "/tmp/apmtool-store.XXXXXX");
	assert_non_null(mkdtemp(images.directory));
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x100);
	dwarf_empty_function(&d, "load", 0x1000, 0x40);
	dwarf_unit_end(&d);
	assert_null(macho_parse(dwarf_finish(&d), &macho));
	query.offset = 0x1010 - macho.text_address;
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL, 0,
	                             &gsym, NULL));
	write_bytes(&images, 0, macho.slice);
	write_bytes(&images, 1, bytes_from_text(str_text(&gsym)));
	write_bytes(&images, 2, macho.slice);
	assert_null(symbol_store_add_path(f->store, images.directory));
	ask(f, &uuid, &query, 1, &answer, &image);
	assert_string_equal(answer.calls[0].name, "load");
	assert_int_equal(answer.calls[0].line, 0);
	assert_int_equal(symbol_store_opened(f->store), 1);
	// What it does not know at all, any file may.
	query.offset += 0x80;
	ask(f, &uuid, &query, 1, &answer, &image);
	assert_int_equal(answer.source, SYMBOL_NONE);
	assert_int_equal(symbol_store_opened(f->store), 3);
	dwarf_builder_release(&d);
	remove_images(&images, 3);
}

/** Make the name of the function at @p address lie nowhere. */
static void damage_record(struct str *gsym, uint64_t address)
{
	struct bytes bytes = bytes_from_text(str_text(gsym));
	struct cursor c = cursor_at(bytes, 6, CURSOR_LITTLE);
	uint8_t size = cursor_u8(&c);
	uint32_t count, number = 0, record;

	c = cursor_at(bytes, 16, CURSOR_LITTLE);
	count = cursor_u32(&c);
	c = cursor_at(bytes, 48, CURSOR_LITTLE);
	while (number < count && cursor_uint(&c, size) <= address)
		number++;
	c = cursor_at(bytes, (48 + (uint64_t)count * size + 3) / 4 * 4,
	              CURSOR_LITTLE);
	cursor_skip(&c, 4 * (uint64_t)(number - 1));
	record = cursor_u32(&c);
	assert_true(cursor_ok(&c));
	memset(gsym->data + record + 4, 0xff, 4);
}

static void write_gsym(struct images *images, size_t number, bool is_damaged)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(str_release) struct str copy = { 0 };

	assert_null(file_map(APMTOOL_SOURCE_DIR
	                     "/tests/cli/symbolicate/gsym/Demo.gsym",
	                     &file));
	str_add_text(&copy, bytes_text(file.bytes));
	if (is_damaged)
		damage_record(&copy, 0xa0c);
	write_bytes(images, number, bytes_from_text(str_text(&copy)));
}

/** What is asked before and what after makes no difference. */
static void what_is_damaged_in_places_is_said_of_these(void **state UNUSED)
{
	static const uint64_t orders[][4] = { { 0xa0c, 0xa9c, 0xa0c, 0xa9c },
		                              { 0xa9c, 0xa0c, 0xa9c, 0xa0c } };
	struct images images = { 0 };
	struct uuid uuid = uuid_of(demo_uuid);

	snprintf(images.directory, sizeof(images.directory),
	         "/tmp/apmtool-store.XXXXXX");
	assert_non_null(mkdtemp(images.directory));
	write_gsym(&images, 0, true);
	for (size_t i = 0; i < 4; i++) {
		struct fixture own = { .store = symbol_store_new(
			                       &(struct symbol_store_options){
			                               .jobs = 1 }) };
		bool has_copy = i >= 2;

		if (has_copy)
			write_gsym(&images, 1, false);
		assert_null(symbol_store_add_path(own.store, images.directory));
		for (size_t k = 0; k < 4; k++) {
			struct symbol_query query = { orders[i % 2][k], false };
			bool is_sound = has_copy || query.offset == 0xa9c;
			struct symbol_answer answer;
			struct symbol_image image;

			ask(&own, &uuid, &query, 1, &answer, &image);
			assert_int_equal(answer.is_doubted, !is_sound);
			assert_int_equal(answer.source,
			                 is_sound ? SYMBOL_DWARF : SYMBOL_NONE);
			assert_int_equal(image.status,
			                 is_sound ? SYMBOL_FILE_FOUND
			                          : SYMBOL_FILE_MALFORMED);
		}
		symbol_store_free(own.store);
	}
	remove_images(&images, 2);
}

static void damaged_files_of_one_uuid_are_not_read_without_end(void **state)
{
	struct symbol_answer answer;
	struct symbol_image image;
	size_t opened;

	(void)state;
	ask_copies(7, "__debug_abbrev", 1, 0xa10, &answer, &image, &opened);
	assert_int_equal(answer.source, SYMBOL_DWARF);
	ask_copies(8, "__debug_abbrev", 1, 0xa10, &answer, &image, &opened);
	assert_int_equal(answer.source, SYMBOL_SYMTAB);
	// Nor does the one that was not read say that all is well.
	assert_int_equal(image.status, SYMBOL_FILE_MALFORMED);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(inlined_calls_come_innermost_first),
		TEST(a_return_address_is_looked_up_in_its_call),
		TEST(offsets_beyond_all_addresses_cost_no_other_its_name),
		TEST(a_wrong_uuid_names_nothing),
		TEST(what_the_system_refuses_is_not_called_malformed),
		TEST(a_zero_uuid_names_nothing),
		TEST(a_symbol_table_answers_but_not_for_a_stripped_neighbour),
		TEST(all_queries_of_an_image_open_its_file_once),
		TEST(a_file_stays_open_for_later_queries),
		TEST(jobs_change_no_answer),
		TEST(the_thumb_bit_is_no_part_of_an_address),
		TEST(a_file_that_changed_since_it_was_indexed_names_nothing),
		TEST(a_trim_closes_more_files_than_the_store_may_hold),
		TEST(a_trim_forgets_more_answers_than_the_store_may_hold),
		TEST(of_sound_copies_only_the_first_is_opened),
		TEST(a_file_of_several_paths_is_asked_once),
		TEST(what_a_damaged_file_does_not_know_a_later_one_does),
		TEST(what_a_sound_dsym_says_is_all),
		TEST(what_is_damaged_in_places_is_said_of_these),
		TEST(damaged_files_of_one_uuid_are_not_read_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

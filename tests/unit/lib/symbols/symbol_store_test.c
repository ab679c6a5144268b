#include "lib/symbols/symbol_store.h"

#include "lib/base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

	f->store = symbol_store_new(1);
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
	// 0x278 is the stripped `clamp`, right behind `plain_load`; only the
	// function starts tell them apart.
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
	struct symbol_store *many = symbol_store_new(8);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(inlined_calls_come_innermost_first),
		TEST(a_return_address_is_looked_up_in_its_call),
		TEST(offsets_beyond_all_addresses_cost_no_other_its_name),
		TEST(a_wrong_uuid_names_nothing),
		TEST(a_zero_uuid_names_nothing),
		TEST(a_symbol_table_answers_but_not_for_a_stripped_neighbour),
		TEST(all_queries_of_an_image_open_its_file_once),
		TEST(a_file_stays_open_for_later_queries),
		TEST(jobs_change_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

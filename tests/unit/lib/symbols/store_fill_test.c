// SPDX-License-Identifier: MIT
#include "lib/symbols/store_fill.h"

#include "lib/base/file.h"
#include "lib/symbols/cache/debug_cache.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define SAMPLES    APMTOOL_SOURCE_DIR "/samples"
#define DIRECTORY  "store/4c/4c44bd55553144a18b1d7a14acc538"
#define DEBUG_INFO DIRECTORY "/debuginfo"

static const char demo[] = "4C4C44BD-5555-3144-A18B-1D7A14ACC538";
/** In demo::Feed::decode(). */
#define OFFSET 0xa10

static void refuse(const char *path, const char *text, void *context UNUSED)
{
	fail_msg("%s: %s", path ? path : "-", text);
}

static struct store_fill fill(const char *source)
{
	struct store_fill run = { .store = "store",
		                  .index = uuid_index_new(),
		                  .jobs = 1,
		                  .fault = refuse,
		                  .warning = refuse };

	assert_null(uuid_index_add(run.index, source));
	store_fill_run(&run);
	uuid_index_free(run.index);
	return run;
}

static struct uuid demo_uuid(void)
{
	struct uuid uuid;

	assert_true(uuid_parse(text_from(demo), &uuid));
	return uuid;
}

static const char *name_of(struct symbol_store *store)
{
	static char name[128];
	struct symbol_query query = { .offset = OFFSET };
	struct symbol_answer answer;
	struct symbol_request request = { .uuid = demo_uuid(),
		                          .queries = &query,
		                          .count = 1,
		                          .answers = &answer };

	symbol_store_trim(store);
	symbol_store_resolve(store, &request, 1);
	snprintf(name, sizeof(name), "%s%s",
	         answer.source == SYMBOL_SYMTAB ? "symbol " : "",
	         answer.count ? answer.calls[answer.count - 1].name : "-");
	return name;
}

static struct symbol_store *open_store(bool uses_kept)
{
	struct symbol_store *store =
	        symbol_store_new(&(struct symbol_store_options){
	                .jobs = 1, .uses_catalog = uses_kept });

	symbol_store_add_layout(store, "store");
	return store;
}

static void assert_name(bool uses_kept, const char *expected)
{
	struct symbol_store *store = open_store(uses_kept);

	assert_string_equal(name_of(store), expected);
	symbol_store_free(store);
}

/** Put an entry beside the file that says something else than the file. */
static void forge_entry(void)
{
	const struct uuid uuid = demo_uuid();
	struct cache_directory *directory =
	        cache_directory_new(DIRECTORY, UINT64_MAX);
	struct debug_file file = { "", "" };
	struct debug_function function = {
		.range = { 0x1000009fc, 0x100000a80 }, .name = "forged"
	};
	const struct debug_info info = { .files = &file,
		                         .file_count = 1,
		                         .functions = &function,
		                         .function_count = 1 };
	struct file_data data = { 0 };
	struct str image = { 0 };
	struct debug_cache *cache;

	assert_null(file_map(DEBUG_INFO, &data));
	assert_null(gsym_write(&info, &uuid, &image));
	unlink(DIRECTORY "/4C4C44BD-5555-3144-A18B-1D7A14ACC538.gsym");
	cache = debug_cache_open(directory, &uuid, data.bytes, 0, &data.stamp,
	                         DEBUG_READER_NATIVE, data.bytes.size);
	debug_cache_add(cache, &image);
	assert_null(debug_cache_close_kept(cache));
	cache_directory_free(directory);
	file_release(&data);
}

static void change_byte(const char *path, long at)
{
	FILE *file = fopen(path, "r+");
	int byte;

	assert_non_null(file);
	fseek(file, at, SEEK_SET);
	byte = fgetc(file);
	fseek(file, at, SEEK_SET);
	fputc(byte ^ 0x40, file);
	fclose(file);
}

static const char real[] = "demo::Feed::decode(demo::Entry const&)";

static void an_entry_beside_a_file_is_used_if_it_is_of_the_file(
        void **state UNUSED)
{
	struct utimbuf other = { 1000000000, 1000000000 };
	// A group may share the store.
	mode_t mask = umask(002);
	struct store_fill filled = fill(SAMPLES "/Demo.dSYM");

	umask(mask);
	assert_int_equal(filled.made, 2);
	assert_int_equal(fill(SAMPLES "/Demo.dSYM").present, 2);
	assert_name(true, real);
	forge_entry();
	assert_name(true, "forged");
	// It is as good as a cache, and turned off with it.
	assert_name(false, real);
	// What it is of is not what is there.
	assert_int_equal(truncate(DEBUG_INFO, 22987), 0);
	assert_name(true, "symbol demo::Feed::decode(demo::Entry const&)");
	unlink(DEBUG_INFO);
	fill(SAMPLES "/Demo.dSYM");
	forge_entry();
	// A copy has the same contents, which are compared.
	assert_int_equal(utime(DEBUG_INFO, &other), 0);
	assert_name(true, "forged");
	change_byte(DEBUG_INFO, 28);
	assert_name(true, real);
	unlink(DEBUG_INFO);
	fill(SAMPLES "/Demo.dSYM");
	// Others could have written it.
	forge_entry();
	assert_name(true, "forged");
	assert_int_equal(chmod(DIRECTORY, 0777), 0);
	assert_name(true, real);
}

static void a_damaged_entry_is_not_used(void **state UNUSED)
{
	const char *path = DIRECTORY
	        "/4C4C44BD-5555-3144-A18B-1D7A14ACC538.gsym";
	struct file_stamp stamp;

	fill(SAMPLES "/Demo.dSYM");
	assert_true(file_stamp_read(path, &stamp));
	for (uint64_t at = 0; at < stamp.size; at += 97) {
		change_byte(path, (long)at);
		assert_name(true, real);
	}
}

static void what_comes_later_is_found_by_the_same_run(void **state UNUSED)
{
	struct symbol_store *store;

	assert_int_equal(mkdir("store", 0777), 0);
	store = open_store(true);
	assert_string_equal(name_of(store), "-");
	fill(SAMPLES "/Demo.dSYM");
	assert_string_equal(name_of(store), real);
	symbol_store_free(store);
}

/** A binary has fewer names than the dSYM that comes after it. */
static void a_dsym_that_comes_after_its_binary_is_asked(void **state UNUSED)
{
	struct symbol_store *store;
	struct file_data data = { 0 };
	SCOPED(str_release) struct str content = { 0 };

	fill(SAMPLES "/Demo.dSYM");
	assert_null(file_map(DEBUG_INFO, &data));
	str_add_bytes(&content, data.bytes.data, data.bytes.size);
	file_release(&data);
	// MH_EXECUTE, without debug information: its sections are renamed.
	content.data[12] = 2;
	for (size_t i = 0; i + 7 < content.size; i++)
		if (!memcmp(content.data + i, "__DWARF", 7))
			content.data[i + 2] = 'X';
	assert_int_equal(system("rm -rf store/4c"), 0);
	test_file_write(DIRECTORY "/executable", content.data, content.size);
	store = open_store(true);
	assert_string_equal(name_of(store), "symbol demo::Feed::decode("
	                                    "demo::Entry const&)");
	fill(SAMPLES "/Demo.dSYM");
	assert_string_equal(name_of(store), real);
	symbol_store_free(store);
}

/** Each of several writers finds all of its files in the store. */
static void several_may_fill_it_at_once(void **state UNUSED)
{
	pid_t children[4];
	int status;

	for (int round = 0; round < 8; round++) {
		assert_int_equal(system("rm -rf store"), 0);
		for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
			children[i] = fork();
			if (children[i])
				continue;
			struct store_fill run = { .store = "store",
				                  .index = uuid_index_new(),
				                  .app = "Demo",
				                  .version = "1",
				                  .build = "2",
				                  .jobs = 1,
				                  .fault = refuse,
				                  .warning = refuse };
			// Half of them list another file, too.
			error_free(uuid_index_add(run.index,
			                          SAMPLES "/Demo.dSYM"));
			if (i % 2)
				error_free(uuid_index_add(run.index, SAMPLES
				                          "/Plain.dylib"));
			store_fill_run(&run);
			_exit(run.failed || run.counts[STORE_CLASH] ||
			      run.counts[STORE_DAMAGED] ||
			      run.counts[STORE_NEW] + run.counts[STORE_THERE] !=
			              2 + i % 2);
		}
		for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
			assert_int_equal(waitpid(children[i], &status, 0),
			                 children[i]);
			assert_int_equal(status, 0);
		}
		// All are recorded, and nothing is left behind.
		assert_int_equal(system("test $(grep -c '\"uuid\"' "
		                        "store/apps/Demo/1+2/macos.json) = 3"),
		                 0);
		assert_int_equal(system("test $(find store -type f | wc -l) "
		                        "-eq 7"),
		                 0);
	}
}

#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_entry_beside_a_file_is_used_if_it_is_of_the_file),
		TEST(a_damaged_entry_is_not_used),
		TEST(what_comes_later_is_found_by_the_same_run),
		TEST(a_dsym_that_comes_after_its_binary_is_asked),
		TEST(several_may_fill_it_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/file.h"

#include "lib/base/file.h"
#include "lib/base/out.h"
#include "lib/symbols/call_names.h"
#include "lib/symbols/source/macho.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLE_UUID   "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
#define SAMPLE_SLICE  1
#define SAMPLE_OFFSET 0xa0c
#define TRAP          "Swift runtime failure: arithmetic overflow"

/** A trap inlined by line 12, its own line being @p line. */
static void add_trap(struct dwarf_builder *d, uint64_t low, const char *name,
                     int8_t line)
{
	size_t origin;

	dwarf_unit_begin(d, 4);
	dwarf_root(d, low, 0x40);
	origin = dwarf_abstract(d, name, name);
	dwarf_function(d, "total", low, 0x40);
	dwarf_call(d, CALL, origin, low + 0x10, 0x10, 12);
	dwarf_end(d);
	dwarf_unit_end(d);
	dwarf_lines_begin(d);
	dwarf_lines_at(d, low);
	dwarf_row(d, 0, 1, 9);
	dwarf_row(d, 0x10, 1, (int8_t)(line - 10));
	dwarf_row(d, 0x10, 1, (int8_t)(13 - line));
	dwarf_sequence_end(d, 0x20);
	dwarf_lines_end(d);
}

/** What is at @p address of the file with the trap. */
static struct symbol_answer look_up(const char *name, int8_t line,
                                    struct arena *arena)
{
	struct printed_names printed = { 0 };
	char path[] = "/tmp/apmtool-file.XXXXXX";
	uint64_t address = 0x1014;
	struct dwarf_builder d = { 0 };
	struct symbol_answer answer = { 0 };
	size_t bad_units = 0;
	struct symbol_file *file;
	struct uuid_entry entry;
	struct bytes bytes;
	int fd = mkstemp(path);

	add_trap(&d, 0x1000, name, line);
	bytes = dwarf_finish(&d);
	assert_int_equal(write(fd, bytes.data, bytes.size),
	                 (ssize_t)bytes.size);
	close(fd);
	entry = (struct uuid_entry){
		.path = path,
		.at = macho_locator(&(struct macho_slice){ .size = bytes.size },
		                    0),
	};
	assert_null(symbol_file_open(&entry, &file));
	symbol_file_use_names(file, &printed, DEMANGLE_SHORT);
	assert_null(symbol_task_finish(symbol_task_start(file, &address, 1, 1),
	                               arena, &answer, &bad_units));
	assert_int_equal(bad_units, 0);
	assert_int_equal(answer.source, SYMBOL_DWARF);
	assert_int_equal(answer.count, 2);
	symbol_file_close(file);
	printed_names_release(&printed);
	dwarf_builder_release(&d);
	unlink(path);
	return answer;
}

/** A copy of the sample's dSYM at @p path, which is made. */
static void copy_sample(char *path, struct uuid_entry *entry)
{
	SCOPED(file_release) struct file_data sample = { 0 };
	struct macho_slices slices;
	const struct macho_slice *slice = &slices.slices[SAMPLE_SLICE];
	int fd = mkstemp(path);

	assert_null(
	        file_read(APMTOOL_SOURCE_DIR
	                  "/samples/Demo.dSYM/Contents/Resources/DWARF/Demo",
	                  (size_t)1 << 24, &sample));
	assert_int_equal(write(fd, sample.bytes.data, sample.bytes.size),
	                 (ssize_t)sample.bytes.size);
	close(fd);
	assert_null(macho_slices(sample.bytes, &slices));
	*entry = (struct uuid_entry){ .path = path,
		                      .at = macho_locator(slice, 0) };
	assert_true(uuid_parse(text_from(SAMPLE_UUID), &entry->uuid));
}

static void a_file_that_becomes_shorter_names_nothing(void **state UNUSED)
{
	static const char changed[] = "the file changed while it was read";
	SCOPED(arena_release) struct arena arena = { 0 };
	char path[] = "/tmp/apmtool-file.XXXXXX";
	uint64_t address;
	struct symbol_answer answer = { 0 };
	size_t bad_units = 0;
	struct symbol_file *file;
	struct uuid_entry entry;
	struct error *err;

	copy_sample(path, &entry);
	assert_null(symbol_file_open(&entry, &file));
	address = symbol_file_address(file, SAMPLE_OFFSET);
	assert_int_equal(truncate(path, 1), 0);
	err = symbol_task_finish(symbol_task_start(file, &address, 1, 1),
	                         &arena, &answer, &bad_units);
	assert_non_null(err);
	assert_non_null(strstr(error_message(err), changed));
	error_free(err);
	assert_int_equal(answer.source, SYMBOL_NONE);
	err = symbol_file_read_in_place(file, &address, 1, &arena, &answer);
	assert_non_null(err);
	assert_string_equal(error_message(err), changed);
	error_free(err);
	assert_int_equal(answer.source, SYMBOL_NONE);
	symbol_file_close(file);
	unlink(path);
}

static void a_file_that_is_written_to_names_nothing(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 2 } };
	char path[] = "/tmp/apmtool-file.XXXXXX";
	struct symbol_answer answer = { 0 };
	size_t bad_units = 0;
	struct symbol_file *file;
	struct uuid_entry entry;
	uint64_t address;

	copy_sample(path, &entry);
	assert_null(symbol_file_open(&entry, &file));
	address = symbol_file_address(file, SAMPLE_OFFSET);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	err = symbol_task_finish(symbol_task_start(file, &address, 1, 1),
	                         &arena, &answer, &bad_units);
	assert_non_null(err);
	assert_non_null(strstr(error_message(err), "the file changed"));
	assert_int_equal(answer.source, SYMBOL_NONE);
	symbol_file_close(file);
	unlink(path);
}

/** Where its last page was, zeros can be read: no access fails. */
static void a_file_that_ends_earlier_in_its_last_page_names_nothing(
        void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(printed_names_release) struct printed_names printed = { 0 };
	char path[] = "/tmp/apmtool-file.XXXXXX";
	struct symbol_answer answer = { 0 };
	struct symbol_file *file;
	struct uuid_entry entry;
	uint64_t address;
	struct error *err;
	struct stat info;

	copy_sample(path, &entry);
	assert_null(symbol_file_open(&entry, &file));
	address = symbol_file_address(file, SAMPLE_OFFSET);
	symbol_file_use_names(file, &printed, DEMANGLE_SHORT);
	symbol_file_expect(file, 1);
	assert_null(
	        symbol_file_read_in_place(file, &address, 1, &arena, &answer));
	assert_int_equal(answer.source, SYMBOL_SYMTAB);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(truncate(path, info.st_size - 1), 0);
	answer = (struct symbol_answer){ 0 };
	err = symbol_file_read_in_place(file, &address, 1, &arena, &answer);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "the file changed while it was read");
	error_free(err);
	assert_int_equal(answer.source, SYMBOL_NONE);
	symbol_file_close(file);
	unlink(path);
}

static void a_trap_of_swift_has_the_line_of_the_code(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct symbol_answer answer = look_up(TRAP, 0, &arena);

	assert_string_equal(answer.calls[0].name, TRAP);
	assert_int_equal(answer.calls[0].line, 12);
	assert_false(answer.calls[0].line_borrowed);
	assert_string_equal(answer.calls[0].file, "main.c");
	assert_string_equal(answer.calls[1].name, "total");
	assert_int_equal(answer.calls[1].line, 12);
}

static void a_trap_with_a_line_of_its_own_keeps_it(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	assert_int_equal(look_up(TRAP, 7, &arena).calls[0].line, 7);
}

static void other_inlined_code_has_its_own_line(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	assert_int_not_equal(look_up("add", 0, &arena).calls[0].line, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_becomes_shorter_names_nothing),
		cmocka_unit_test(a_file_that_is_written_to_names_nothing),
		cmocka_unit_test(
		        a_file_that_ends_earlier_in_its_last_page_names_nothing),
		cmocka_unit_test(a_trap_of_swift_has_the_line_of_the_code),
		cmocka_unit_test(a_trap_with_a_line_of_its_own_keeps_it),
		cmocka_unit_test(other_inlined_code_has_its_own_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

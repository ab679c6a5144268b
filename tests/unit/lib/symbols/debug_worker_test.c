// SPDX-License-Identifier: MIT
#include "lib/symbols/debug_worker.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/worker/worker.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"
#include "tests/unit/lib/symbols/macho_debug.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// Which of these is the pipe a job cannot know, and need not.
#define FIRST_FD 3
#define LAST_FD  32

static const struct child_limits limits = {
	.memory_bytes = (uint64_t)4 << 30,
	.cpu_seconds = 20,
	.wall_ms = 20000,
	.result_bytes = (uint64_t)1 << 30,
};

static struct error *greet(const struct child_input *input, struct str *result)
{
	str_add(result, "hello ");
	str_add_text(result, bytes_text(input->request));
	return NULL;
}

static struct error *repeat_file(const struct child_input *input,
                                 struct str *result)
{
	str_add_text(result, bytes_text(input->file));
	return NULL;
}

static struct error *give_nothing(const struct child_input *input UNUSED,
                                  struct str *result UNUSED)
{
	return NULL;
}

static uint64_t number_of(const struct child_input *input)
{
	uint64_t number;

	assert_int_equal(input->request.size, sizeof(number));
	memcpy(&number, input->request.data, sizeof(number));
	return number;
}

static struct error *count_up(const struct child_input *input,
                              struct str *result)
{
	for (uint64_t i = 0, count = number_of(input); i < count; i++)
		str_add_bytes(result, &i, sizeof(i));
	return NULL;
}

static struct error *refuse(const struct child_input *input UNUSED,
                            struct str *result)
{
	str_add(result, "half of a result");
	return error_new(ERROR_UNSUPPORTED, "DWARF version 9 is not supported");
}

static struct error *refuse_at_length(const struct child_input *input UNUSED,
                                      struct str *result)
{
	str_add_repeat(result, 'x', 100000);
	return error_new(ERROR_FORMAT, "%s", str_cstr(result));
}

static struct error *end_with_signal(const struct child_input *input,
                                     struct str *result UNUSED)
{
	int number = (int)number_of(input);

	// A sanitizer may have a handler of its own.
	signal(number, SIG_DFL);
	raise(number);
	return NULL;
}

static struct error *sleep_on(const struct child_input *input UNUSED,
                              struct str *result UNUSED)
{
	while (pause())
		;
	return NULL;
}

static struct error *spin(const struct child_input *input UNUSED,
                          struct str *result UNUSED)
{
	for (volatile unsigned i = 1; i; i |= 1)
		;
	return NULL;
}

static struct error *hang_up_and_sleep(const struct child_input *input,
                                       struct str *result)
{
	for (int fd = FIRST_FD; fd <= LAST_FD; fd++)
		close(fd);
	return sleep_on(input, result);
}

static struct error *run_out_of_memory(const struct child_input *input UNUSED,
                                       struct str *result UNUSED)
{
	mem_fail();
}

static struct error *leave_early(const struct child_input *input,
                                 struct str *result UNUSED)
{
	_exit((int)number_of(input));
}

/** Send raw bytes in place of a reply. */
static struct error *send_raw(const struct child_input *input,
                              struct str *result UNUSED)
{
	for (int fd = FIRST_FD; fd <= LAST_FD; fd++)
		(void)!write(fd, input->request.data, input->request.size);
	_exit(0);
}

/** Who forks the children of a test. */
static struct spawner *spawner;

static const struct text nothing = { .data = "" };

static void assert_no_child_is_left(void)
{
	errno = 0;
	// The spawner is one, and reaps its own.
	if (spawner) {
		assert_int_equal(waitpid(-1, NULL, WNOHANG), 0);
		return;
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/** A request that is a number. */
static struct text number(const uint64_t *value)
{
	return (struct text){ (const char *)value, sizeof(*value) };
}

static struct error *run(child_job job, struct text request,
                         const struct child_limits *with, struct str *result)
{
	const struct work work = {
		.job = job,
		.request = bytes_from_text(request),
		.file = -1,
		.limits = *with,
	};

	return worker_run(spawner, &work, result);
}

static void assert_fails(child_job job, struct text request,
                         const struct child_limits *with, enum error_code code,
                         const char *message)
{
	SCOPED(str_release) struct str result = { 0 };
	SCOPED(error_drop)
	struct error *err = run(job, request, with, &result);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
	assert_int_equal(result.size, 0);
	assert_no_child_is_left();
}

static void a_result_comes_back(void **state)
{
	SCOPED(str_release) struct str result = { 0 };

	(void)state;
	assert_null(run(greet, text_from("pump"), &limits, &result));
	assert_string_equal(str_cstr(&result), "hello pump");
	assert_no_child_is_left();
}

static void an_empty_result_is_a_result(void **state)
{
	SCOPED(str_release) struct str result = { 0 };

	(void)state;
	assert_null(run(give_nothing, nothing, &limits, &result));
	assert_int_equal(result.size, 0);
}

static void a_large_request_arrives_whole(void **state UNUSED)
{
	SCOPED(str_release) struct str request = { 0 };
	SCOPED(str_release) struct str result = { 0 };

	str_add_repeat(&request, 'x', 5000000);
	assert_null(run(greet, str_text(&request), &limits, &result));
	assert_int_equal(result.size, request.size + strlen("hello "));
	assert_memory_equal(result.data + strlen("hello "), request.data,
	                    request.size);
}

static void a_file_is_mapped(void **state UNUSED)
{
	SCOPED(str_release) struct str result = { 0 };
	struct work work = { .job = repeat_file, .limits = limits };

	assert_null(file_of_bytes(bytes_from_text(text_from("in a file")),
	                          &work.file));
	assert_null(worker_run(spawner, &work, &result));
	assert_string_equal(str_cstr(&result), "in a file");
	close(work.file);
}

static void a_large_result_comes_back_whole(void **state)
{
	SCOPED(str_release) struct str result = { 0 };
	uint64_t count = 4000000;
	uint64_t value;

	(void)state;
	assert_null(run(count_up, number(&count), &limits, &result));
	assert_int_equal(result.size, count * sizeof(value));
	for (uint64_t i = 0; i < count; i += 4097) {
		memcpy(&value, result.data + i * sizeof(value), sizeof(value));
		assert_int_equal(value, i);
	}
}

static void an_error_of_the_job_comes_back(void **state)
{
	(void)state;
	assert_fails(refuse, nothing, &limits, ERROR_UNSUPPORTED,
	             "DWARF version 9 is not supported");
}

static void a_long_message_is_truncated(void **state)
{
	SCOPED(str_release) struct str result = { 0 };
	SCOPED(error_drop)
	struct error *err = run(refuse_at_length, nothing, &limits, &result);

	(void)state;
	assert_non_null(err);
	assert_int_equal(strlen(error_message(err)), 4096);
}

static void signals_are_named(void **state)
{
	static const struct {
		int number;
		const char *message;
	} cases[] = {
		{ SIGSEGV, "the reader crashed (SIGSEGV)" },
		{ SIGABRT, "the reader crashed (SIGABRT)" },
		{ SIGFPE, "the reader crashed (SIGFPE)" },
		{ SIGKILL, "the reader crashed (SIGKILL)" },
		{ SIGPIPE, "the reader crashed (signal 13)" },
		{ SIGXCPU, "reading took longer than 20 s of CPU time" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t value = (uint64_t)cases[i].number;

		assert_fails(end_with_signal, number(&value), &limits,
		             ERROR_FORMAT, cases[i].message);
	}
}

static void a_job_that_hangs_is_ended(void **state)
{
	struct child_limits short_wall = limits;

	(void)state;
	short_wall.wall_ms = 200;
	assert_fails(sleep_on, nothing, &short_wall, ERROR_FORMAT,
	             "reading took longer than 0.2 s");
	assert_fails(hang_up_and_sleep, nothing, &short_wall, ERROR_FORMAT,
	             "reading took longer than 0.2 s");
}

static void a_job_that_computes_too_long_is_ended(void **state)
{
	struct child_limits short_cpu = limits;

	(void)state;
	short_cpu.cpu_seconds = 1;
	assert_fails(spin, nothing, &short_cpu, ERROR_FORMAT,
	             "reading took longer than 1 s of CPU time");
}

static void a_system_without_memory_is_not_the_files_fault(void **state)
{
	(void)state;
	assert_fails(run_out_of_memory, nothing, &limits, ERROR_SHORTAGE,
	             "out of memory");
}

static void the_memory_limit_is_enforced(void **state)
{
#ifdef APMTOOL_SANITIZE
	(void)state;
	print_message("skipped: sanitizers need the address space\n");
	skip();
#else
	struct child_limits small = limits;
	uint64_t count = 100000000;

	(void)state;
	small.memory_bytes = (uint64_t)256 << 20;
	assert_fails(count_up, number(&count), &small, ERROR_FORMAT,
	             "reading needs more than 0.25 GB of memory");
#endif
}

static void a_job_that_leaves_without_a_result_is_an_error(void **state)
{
	uint64_t status = 0;

	(void)state;
	assert_fails(leave_early, number(&status), &limits, ERROR_FORMAT,
	             "the reader exited with status 0 and no result");
	status = 3;
	assert_fails(leave_early, number(&status), &limits, ERROR_FORMAT,
	             "the reader exited with status 3 and no result");
}

static void nonsense_is_not_a_result(void **state)
{
	// magic, failed, size: as in struct reply.
	uint32_t reply[4] = { 0x776b7231, 0, 1000, 0 };
	uint32_t strange[4] = { 0x776b7231, 99, 1, 0 };
	struct text half = { (const char *)reply, 9 };
	struct text no_body = { (const char *)reply, sizeof(reply) };
	struct text no_code = { (const char *)strange, sizeof(strange) };
	struct text junk = text_from("this is no reply at all");

	(void)state;
	assert_fails(send_raw, half, &limits, ERROR_FORMAT,
	             "the reader exited with status 0 and no result");
	assert_fails(send_raw, no_body, &limits, ERROR_FORMAT,
	             "the reader exited with status 0 and no result");
	assert_fails(send_raw, no_code, &limits, ERROR_FORMAT,
	             "the reader returned an invalid result");
	assert_fails(send_raw, junk, &limits, ERROR_FORMAT,
	             "the reader returned an invalid result");
}

static void a_result_beyond_the_limit_is_refused(void **state)
{
	struct child_limits small = limits;
	SCOPED(str_release) struct str result = { 0 };
	uint64_t count = 2;

	(void)state;
	small.result_bytes = 16;
	assert_null(run(count_up, number(&count), &small, &result));
	count = 3;
	assert_fails(count_up, number(&count), &small, ERROR_FORMAT,
	             "the reader returned 24 bytes, more than the limit of 16");
}

static void what_the_parent_has_not_yet_written_is_written_once(void **state)
{
	char path[] = "/tmp/apmtool-worker-XXXXXX";
	char written[64];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w+");
	size_t size;

	(void)state;
	assert_non_null(file);
	unlink(path);
	fputs("once\n", file);
	assert_fails(run_out_of_memory, nothing, &limits, ERROR_SHORTAGE,
	             "out of memory");
	fflush(file);
	rewind(file);
	size = fread(written, 1, sizeof(written), file);
	fclose(file);
	assert_int_equal(size, 5);
	assert_memory_equal(written, "once\n", 5);
}

/** A mapped sample; ends the test if it cannot be read. */
static void open_sample(const char *path, struct file_data *file,
                        struct macho *macho)
{
	struct macho_slices slices;

	assert_null(file_map(path, file));
	assert_null(macho_slices(file->bytes, &slices));
	assert_null(macho_parse(bytes_part(file->bytes, slices.slices[0].offset,
	                                   slices.slices[0].size),
	                        macho));
}

static void debug_info_becomes_an_image(void **state)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(str_release) struct str all = { 0 };
	SCOPED(str_release) struct str some = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer expected;
	struct gsym_answer found;
	struct debug_faults faults = { .count = 99 };
	struct macho macho;
	struct gsym gsym;
	uint64_t address;

	(void)state;
	open_sample(APMTOOL_SOURCE_DIR "/samples/Demo.dSYM/Contents/Resources/"
	                               "DWARF/Demo",
	            &file, &macho);
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL, 0, &all,
	                             &faults));
	assert_int_equal(faults.count, 0);
	assert_null(gsym_open(bytes_from_text(str_text(&all)), &gsym));
	assert_true(uuid_equal(&gsym.uuid, &macho.uuid));
	assert_int_equal(gsym.base_address, macho.text_address);
	address = gsym.base_address + 0xa0c;
	assert_true(gsym_lookup(&gsym, address, &arena, &expected));
	assert_int_not_equal(expected.calls[0].line, 0);

	// For one address the image is smaller, and says the same of it.
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, &address, 1,
	                             &some, NULL));
	assert_true(some.size < all.size);
	assert_null(gsym_open(bytes_from_text(str_text(&some)), &gsym));
	assert_true(gsym_lookup(&gsym, address, &arena, &found));
	assert_int_equal(found.count, expected.count);
	assert_string_equal(found.calls[0].name, expected.calls[0].name);
	assert_int_equal(found.calls[0].line, expected.calls[0].line);
	macho_release(&macho);
	assert_no_child_is_left();
}

static void a_file_without_debug_info_is_an_error(void **state)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct macho macho;

	(void)state;
	open_sample(APMTOOL_SOURCE_DIR "/samples/Plain.dylib", &file, &macho);
	err = debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL, 0, &image,
	                       NULL);
	macho_release(&macho);
	assert_non_null(err);
	assert_int_equal(error_code(err), ERROR_NOT_FOUND);
	assert_string_equal(
	        error_message(err),
	        "cannot read debug information: no debug information");
	assert_int_equal(image.size, 0);
}

/** The name of the function at @p address; one without is left out. */
static void assert_name_at(const struct gsym *gsym, uint64_t address,
                           const char *name)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer found;
	bool known = gsym_lookup(gsym, address, &arena, &found);

	assert_string_equal(known ? found.calls[0].name : "", name);
}

static void a_symbol_names_only_the_function_that_starts_with_it(
        void **state UNUSED)
{
	SCOPED(str_release) struct str image = { 0 };
	struct dwarf_builder d = { 0 };
	struct macho macho;
	struct gsym gsym;

	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x100);
	dwarf_empty_function(&d, "", 0x1000, 0x40);
	dwarf_empty_function(&d, "load", 0x1040, 0x40);
	dwarf_empty_function(&d, "", 0x1080, 0x40);
	dwarf_empty_function(&d, "load", 0x10c0, 0x40);
	dwarf_unit_end(&d);
	dwarf_symbol(&d, "_start", 0x1000);
	dwarf_symbol(&d, "__Z4loadi", 0x1040);
	// These begin before the functions at 0x1080 and 0x10c0.
	dwarf_symbol(&d, "_early", 0x107f);
	dwarf_symbol(&d, "__Z4loadf", 0x10bf);
	assert_null(macho_parse(dwarf_finish(&d), &macho));
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL, 0,
	                             &image, NULL));
	assert_null(gsym_open(bytes_from_text(str_text(&image)), &gsym));
	assert_name_at(&gsym, 0x1000, "start");
	assert_name_at(&gsym, 0x1040, "_Z4loadi");
	assert_name_at(&gsym, 0x1080, "");
	assert_name_at(&gsym, 0x10c0, "load");
	macho_release(&macho);
	dwarf_builder_release(&d);
}

/** In C, a symbol at the same address is that of another function. */
static void in_c_a_symbol_names_only_what_has_no_name(void **state UNUSED)
{
	static const struct {
		uint16_t language;
		const char *name;
	} cases[] = {
		{ 0x01, "load" },     { 0x02, "load" },
		{ 0x0c, "load" },     { 0x10, "load" },
		{ 0x1d, "load" },     { 0x2c, "load" },
		{ 0x04, "_Z4loadi" }, { 0x11, "_Z4loadi" },
		{ 0x1e, "_Z4loadi" }, { 0x1a, "_Z4loadi" },
		{ 0x00, "_Z4loadi" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str image = { 0 };
		struct dwarf_builder d = { 0 };
		struct macho macho;
		struct gsym gsym;

		dwarf_unit_begin(&d, 4);
		dwarf_root_in(&d, cases[i].language, 0x1000, 0x80);
		dwarf_empty_function(&d, "load", 0x1000, 0x40);
		dwarf_empty_function(&d, "", 0x1040, 0x40);
		dwarf_unit_end(&d);
		dwarf_symbol(&d, "__Z4loadi", 0x1000);
		dwarf_symbol(&d, "_start", 0x1040);
		assert_null(macho_parse(dwarf_finish(&d), &macho));
		assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL,
		                             0, &image, NULL));
		assert_null(
		        gsym_open(bytes_from_text(str_text(&image)), &gsym));
		assert_name_at(&gsym, 0x1000, cases[i].name);
		assert_name_at(&gsym, 0x1040, "start");
		macho_release(&macho);
		dwarf_builder_release(&d);
	}
}

static void a_bare_name_gives_way_to_its_mangled_form(void **state UNUSED)
{
	static const struct {
		const char *plain;
		const char *symbol;
		const char *name;
	} cases[] = {
		{ "operator()", "__ZN4demo4FeedclEi", "_ZN4demo4FeedclEi" },
		{ "create<6>", "__ZN4demo6createILi6EEEvv",
		  "_ZN4demo6createILi6EEEvv" },
		{ "~Node", "__ZN4NodeD2Ev", "_ZN4NodeD2Ev" },
		{ "operator<", "__ZN4NodeltERKS_", "_ZN4NodeltERKS_" },
		{ "init", "_$s8Checkout4CartCACycfc",
		  "$s8Checkout4CartCACycfc" },
		// Folded onto the same address by the linker: others.
		{ "operator()", "__Z4loadv", "operator()" },
		{ "init", "_$s8Checkout4CartCfD", "init" },
		{ "~Node", "__ZN4LeafD2Ev", "~Node" },
		{ "title.get", "__TFC8Checkout4Cartg5titleSS",
		  "_TFC8Checkout4Cartg5titleSS" },
		{ "title.get", "__TFC8Checkout4Cartg4sizeSi", "title.get" },
		{ "load.cold", "__Z4loadv", "load.cold" },
	};
	SCOPED(str_release) struct str image = { 0 };
	struct dwarf_builder d = { 0 };
	struct macho macho;
	struct gsym gsym;

	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40 * ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		dwarf_empty_function(&d, cases[i].plain, 0x1000 + 0x40 * i,
		                     0x40);
	}
	dwarf_unit_end(&d);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		dwarf_symbol(&d, cases[i].symbol, 0x1000 + 0x40 * i);
	assert_null(macho_parse(dwarf_finish(&d), &macho));
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, NULL, 0,
	                             &image, NULL));
	assert_null(gsym_open(bytes_from_text(str_text(&image)), &gsym));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_name_at(&gsym, 0x1000 + 0x40 * i, cases[i].name);
	macho_release(&macho);
	dwarf_builder_release(&d);
}

/** All that a child of a spawner does here. */
static const child_job jobs[] = {
	greet,    repeat_file,       give_nothing,      count_up,
	refuse,   refuse_at_length,  end_with_signal,   sleep_on,
	spin,     hang_up_and_sleep, run_out_of_memory, leave_early,
	send_raw,
};
static const struct spawner_jobs spawner_jobs = { jobs, ARRAY_SIZE(jobs) };

/** What the runner does when it is executed as a spawner. */
void serve_as_spawner(void);
void serve_as_spawner(void)
{
	spawner_serve(&spawner_jobs);
}

static int start_spawner(void **state UNUSED)
{
	spawner = spawner_new(&spawner_jobs);
	return 0;
}

static int stop_spawner(void **state UNUSED)
{
	spawner_stop(spawner);
	spawner = NULL;
	assert_no_child_is_left();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_comes_back),
		cmocka_unit_test(a_large_request_arrives_whole),
		cmocka_unit_test(a_file_is_mapped),
		cmocka_unit_test(an_empty_result_is_a_result),
		cmocka_unit_test(a_large_result_comes_back_whole),
		cmocka_unit_test(an_error_of_the_job_comes_back),
		cmocka_unit_test(a_long_message_is_truncated),
		cmocka_unit_test(signals_are_named),
		cmocka_unit_test(a_bare_name_gives_way_to_its_mangled_form),
		cmocka_unit_test(in_c_a_symbol_names_only_what_has_no_name),
		cmocka_unit_test(a_job_that_hangs_is_ended),
		cmocka_unit_test(a_job_that_computes_too_long_is_ended),
		cmocka_unit_test(
		        a_system_without_memory_is_not_the_files_fault),
		cmocka_unit_test(the_memory_limit_is_enforced),
		cmocka_unit_test(
		        a_job_that_leaves_without_a_result_is_an_error),
		cmocka_unit_test(nonsense_is_not_a_result),
		cmocka_unit_test(a_result_beyond_the_limit_is_refused),
		cmocka_unit_test(
		        what_the_parent_has_not_yet_written_is_written_once),
		cmocka_unit_test(debug_info_becomes_an_image),
		cmocka_unit_test(a_file_without_debug_info_is_an_error),
		cmocka_unit_test(
		        a_symbol_names_only_the_function_that_starts_with_it),
	};

	// Children of this process, then of one that is there for it.
	return cmocka_run_group_tests_name("children", tests, NULL, NULL) ||
	       cmocka_run_group_tests_name("children of a spawner", tests,
	                                   start_spawner, stop_spawner);
}

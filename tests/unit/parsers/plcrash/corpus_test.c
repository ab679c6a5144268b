// SPDX-License-Identifier: MIT
/*
 * Real PLCrashReporter reports, where they are beside the project: each is
 * read without a complaint, and the one whose text format is known agrees with
 * it.
 */
#include "lib/base/file_walk.h"
#include "lib/base/limit.h"
#include "parsers/reader.h"
#include "tests/unit/formatters/rendered.h"
#include "tests/unit/read_reports.h"

#include <inttypes.h>

#define CORPUS APMTOOL_SOURCE_DIR "/../shared/corpus/plcrash"

static struct error *check_report(const struct file_found *found, void *context)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	size_t *count = context;
	struct error *err;

	if (!text_ends(text_from(found->path), ".plcrash") ||
	    !found->size_bytes)
		return NULL;
	err = file_read(found->path, LIMIT_DEFAULT_REPORT, &file);
	if (!err)
		err = read_reports(file.bytes, &arena, &report);
	if (err)
		return error_prefix(err, "%s", found->path);
	assert_string_equal(report->format, "plcrash");
	assert_int_equal(report->note_count, 0);
	assert_false(report->truncated);
	assert_non_null(report->os_version);
	assert_non_null(report->date_time);
	assert_non_null(report->identifier);
	assert_non_null(report->code_type);
	assert_non_null(report->exception.signal);
	assert_non_null(report_crashed_thread(report));
	assert_true(report->threads[0]->stack.count > 0);
	assert_true(report->image_count > 1);
	assert_false(uuid_is_zero(&report->images[0].uuid));
	(*count)++;
	return NULL;
}

static void real_reports_are_read_without_a_note(void **state UNUSED)
{
	size_t count = 0;
	struct error *err;

	err = file_walk(CORPUS, check_report, &count, NULL);
	if (err)
		fail_msg("%s", error_message(err));
	assert_int_equal(count, 29);
}

static struct report *read_file(const char *path, struct arena *arena)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct report *report = NULL;

	assert_null(file_read(path, LIMIT_DEFAULT_REPORT, &file));
	assert_null(read_reports(file.bytes, arena, &report));
	return report;
}

static void assert_same_text(const char *a, const char *b)
{
	assert_int_equal(a != NULL, b != NULL);
	if (a && b)
		assert_string_equal(a, b);
}

static const char *image_name(const struct report *report,
                              const struct report_frame *frame)
{
	return frame->image == REPORT_NO_IMAGE
	               ? "???"
	               : report->images[frame->image].name;
}

static void assert_same_stack(const struct report *a,
                              const struct report_stack *as,
                              const struct report *b,
                              const struct report_stack *bs)
{
	assert_int_equal(as->count, bs->count);
	for (size_t i = 0; i < as->count; i++) {
		assert_int_equal(as->frames[i].address, bs->frames[i].address);
		assert_string_equal(image_name(a, &as->frames[i]),
		                    image_name(b, &bs->frames[i]));
	}
}

static const struct report_image *image_at(const struct report *report,
                                           uint64_t base)
{
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].base == base)
			return &report->images[i];
	fail_msg("no image at 0x%" PRIx64, base);
	return NULL;
}

static void assert_same_images(const struct report *a, const struct report *b)
{
	assert_int_equal(a->image_count, b->image_count);
	for (size_t i = 0; i < a->image_count; i++) {
		const struct report_image *x = &a->images[i];
		const struct report_image *y = image_at(b, x->base);

		assert_int_equal(x->size, y->size);
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->arch, y->arch);
		assert_true(uuid_equal(&x->uuid, &y->uuid));
	}
}

static void assert_same_threads(const struct report *a, const struct report *b)
{
	assert_int_equal(a->thread_count, b->thread_count);
	for (size_t i = 0; i < a->thread_count; i++) {
		assert_int_equal(a->threads[i]->number, b->threads[i]->number);
		assert_int_equal(a->threads[i]->crashed,
		                 b->threads[i]->crashed);
		assert_same_stack(a, &a->threads[i]->stack, b,
		                  &b->threads[i]->stack);
	}
}

/** What both formats say, and say in the same words. */
static void assert_same_report(const struct report *a, const struct report *b)
{
	assert_same_text(a->incident, b->incident);
	assert_same_text(a->hardware_model, b->hardware_model);
	assert_same_text(a->process.name, b->process.name);
	assert_int_equal(a->process.pid, b->process.pid);
	assert_same_text(a->parent.name, b->parent.name);
	assert_same_text(a->identifier, b->identifier);
	assert_same_text(a->version, b->version);
	assert_same_text(a->build, b->build);
	assert_same_text(a->code_type, b->code_type);
	assert_same_text(a->exception.signal, b->exception.signal);
	assert_same_text(a->exception.codes, b->exception.codes);
	assert_same_text(a->thrown.name, b->thrown.name);
	assert_same_stack(a, &a->exception_backtrace, b,
	                  &b->exception_backtrace);
	assert_same_threads(a, b);
	assert_same_images(a, b);
}

static void assert_same_registers(const struct report *a,
                                  const struct report *b)
{
	const struct report_thread_state *x = &report_crashed_thread(a)->state;
	const struct report_thread_state *y = &report_crashed_thread(b)->state;

	assert_true(x->count > 0);
	assert_int_equal(x->count, y->count);
	for (size_t i = 0; i < x->count; i++) {
		assert_string_equal(x->registers[i].name, y->registers[i].name);
		assert_int_equal(x->registers[i].value, y->registers[i].value);
	}
}

/*
 * HockeySDK wrote the text from the binary. It differs in: the time (ISO 8601
 * there), the system's name (`Mac OS X` for the simulator there), the word
 * after the code type, `Crashed Thread` for `Triggered by Thread`, the
 * version 104-Xamarin, the Xamarin stack that it adds from elsewhere, frames
 * in no image (`0x0 + 0` there), the order of the images (by address there),
 * paths (a user's name taken out there), and blanks.
 */
static void the_binary_format_says_what_its_text_says(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(mem_drop) char *printed = NULL;
	struct report *binary;
	struct report *again = NULL;
	struct report *text;

	binary = read_file(CORPUS "/microsoft__live_report_xamarin.plcrash",
	                   &arena);
	text = read_file(CORPUS "/bitstadium__log_report_xamarin", &arena);
	assert_string_equal(text->format, "crash-text");
	assert_same_report(binary, text);
	assert_same_registers(binary, text);
	printed = rendered(&text_formatter, binary);
	assert_null(read_reports(bytes_from_text(text_from(printed)), &arena,
	                         &again));
	assert_same_report(again, text);
	assert_same_registers(again, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_reports_are_read_without_a_note),
		cmocka_unit_test(the_binary_format_says_what_its_text_says),
	};

	if (!file_is_directory(CORPUS)) {
		puts("skipped: no corpus beside the project");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

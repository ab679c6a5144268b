// SPDX-License-Identifier: MIT
#include "formatters/schema.h"
#include "lib/text/json/json.h"
#include "tests/unit/formatters/rendered.h"

static void assert_json(const struct report *report, const char *expected)
{
	assert_rendered(&json_formatter, report, expected);
}

static void assert_holds(const struct report *report, const char *expected)
{
	assert_rendered_holds(&json_formatter, report, expected);
}

static void document_drop(cJSON **document)
{
	cJSON_Delete(*document);
}

/** The text is one JSON document, as another parser reads it. */
static cJSON *assert_document(const char *text)
{
	cJSON *document =
	        cJSON_ParseWithLengthOpts(text, strlen(text) + 1, NULL, true);

	assert_non_null(document);
	return document;
}

static void a_report_of_nothing_has_the_required_keys(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);

	report->format = "ips-crash";
	assert_json(report, "{\n"
	                    "  \"schema\": \"apmtool.report/1\",\n"
	                    "  \"form\": \"ips-crash\",\n"
	                    "  \"truncated\": false,\n"
	                    "  \"process\": {\n"
	                    "    \"translated\": false\n"
	                    "  },\n"
	                    "  \"device\": {},\n"
	                    "  \"os\": {},\n"
	                    "  \"threads\": [],\n"
	                    "  \"images\": [],\n"
	                    "  \"sections\": [],\n"
	                    "  \"header\": [],\n"
	                    "  \"notes\": []\n"
	                    "}\n");
}

/** A report with one image and one crashed thread without frames. */
static struct report *add_report(struct arena *arena)
{
	struct report *report = report_new(arena);
	struct report_image *image = report_add_image(report, arena);

	report->format = "crash-text";
	image->name = "Demo";
	image->path = "/x/Demo.app/Demo";
	image->base = 0x100000000;
	image->size = 0x4000;
	assert_true(uuid_parse(text_from("1a2b3c4d5e6f30718293a4b5c6d7e8f9"),
	                       &image->uuid));
	report_add_thread(report, arena)->crashed = true;
	return report;
}

static void input_and_iso_dates_are_beside_what_is_printed(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);

	report->input = "reports/two.txt";
	report->input_index = 1;
	report->date_time = "2026-01-31 09:08:07.1234 +0800";
	report->launch_time = "2026-01-31 09:07:58";
	assert_holds(report, "  \"schema\": \"apmtool.report/1\",\n"
	                     "  \"input\": \"reports/two.txt\",\n"
	                     "  \"input_index\": 1,\n");
	assert_holds(report,
	             "  \"date_time\": \"2026-01-31 09:08:07.1234 +0800\",\n"
	             "  \"date_time_iso\": "
	             "\"2026-01-31T09:08:07.123+08:00\",\n"
	             "  \"launch_time\": \"2026-01-31 09:07:58\",\n"
	             "  \"process\": {\n");
}

static void frames_of_images_not_listed_are_judged_by_name(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_stack *stack = &report->threads[0]->stack;

	report->process.name = "Other";
	report_add_frame(stack, &arena)->image_name = "Other";
	report_add_frame(stack, &arena)->image_name = "UIKit";
	assert_true(report_frame_is_app(report, &stack->frames[0]));
	assert_false(report_frame_is_app(report, &stack->frames[1]));
}

static void inlined_calls_are_entries_of_their_own(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_frame *frame =
	        report_add_frame(&report->threads[0]->stack, &arena);
	struct report_call calls[] = {
		{ .symbol = "demo::leaf()",
		  .mangled = "_ZN4demo4leafEv",
		  .file = "leaf.cpp",
		  .path = "/src/leaf.cpp",
		  .line = 12,
		  .has_line = true,
		  .line_borrowed = true },
		{ .symbol = "main",
		  .has_symbol_offset = true,
		  .symbol_offset = 28 },
	};

	frame->image = 0;
	frame->image_offset = 4096;
	frame->address = 0x100001000;
	frame->calls = calls;
	frame->call_count = 2;
	frame->source = REPORT_SOURCE_DWARF;
	assert_holds(report, "      \"frames\": [\n"
	                     "        {\n"
	                     "          \"index\": 0,\n"
	                     "          \"image\": \"Demo\",\n"
	                     "          \"image_index\": 0,\n"
	                     "          \"uuid\": "
	                     "\"1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9\",\n"
	                     "          \"address\": \"0x100001000\",\n"
	                     "          \"offset\": 4096,\n"
	                     "          \"app\": true,\n"
	                     "          \"symbol\": \"demo::leaf()\",\n"
	                     "          \"mangled\": \"_ZN4demo4leafEv\",\n"
	                     "          \"symbol_offset\": null,\n"
	                     "          \"file\": \"leaf.cpp\",\n"
	                     "          \"path\": \"/src/leaf.cpp\",\n"
	                     "          \"line\": 12,\n"
	                     "          \"line_borrowed\": true,\n"
	                     "          \"inline\": true,\n"
	                     "          \"source\": \"dwarf\"\n"
	                     "        },\n"
	                     "        {\n"
	                     "          \"index\": 1,\n"
	                     "          \"image\": \"Demo\",\n"
	                     "          \"image_index\": 0,\n"
	                     "          \"uuid\": "
	                     "\"1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9\",\n"
	                     "          \"address\": \"0x100001000\",\n"
	                     "          \"offset\": 4096,\n"
	                     "          \"app\": true,\n"
	                     "          \"symbol\": \"main\",\n"
	                     "          \"symbol_offset\": 28,\n"
	                     "          \"file\": null,\n"
	                     "          \"line\": null,\n"
	                     "          \"inline\": false,\n"
	                     "          \"source\": \"dwarf\"\n"
	                     "        }\n"
	                     "      ]\n");
}

static void a_frame_that_lies_nowhere_has_nulls(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);

	report_add_frame(&report->exception_backtrace, &arena)->address =
	        UINT64_MAX;
	assert_holds(report, "  \"exception_backtrace\": {\n"
	                     "    \"frames\": [\n"
	                     "      {\n"
	                     "        \"index\": 0,\n"
	                     "        \"image\": null,\n"
	                     "        \"image_index\": null,\n"
	                     "        \"uuid\": null,\n"
	                     "        \"address\": \"0xffffffffffffffff\",\n"
	                     "        \"offset\": null,\n"
	                     "        \"app\": false,\n"
	                     "        \"symbol\": null,\n"
	                     "        \"symbol_offset\": null,\n"
	                     "        \"file\": null,\n"
	                     "        \"line\": null,\n"
	                     "        \"inline\": false,\n"
	                     "        \"source\": \"none\"\n"
	                     "      }\n"
	                     "    ]\n"
	                     "  },\n");
}

static void generated_code_has_a_file_and_no_line(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_frame *frame =
	        report_add_frame(&report->threads[0]->stack, &arena);
	struct report_call call = {
		.symbol = "demo::leaf()",
		.file = "<compiler-generated>",
		.has_line = true,
	};

	frame->calls = &call;
	frame->call_count = 1;
	assert_holds(report, "          \"file\": \"<compiler-generated>\",\n"
	                     "          \"line\": null,\n");
}

static void add_register(struct report_thread *thread, struct arena *arena,
                         const char *name, uint64_t value)
{
	struct report_register *reg =
	        report_add_register(&thread->state, arena);

	reg->name = name;
	reg->value = value;
	reg->available = true;
}

static void registers_are_an_object_of_unique_names(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_thread *thread = report->threads[0];

	thread->state.flavor = "ARM Thread State (64-bit)";
	add_register(thread, &arena, "pc", 0x100001000);
	add_register(thread, &arena, "esr", 0xf2000001);
	add_register(thread, &arena, "pc", 7);
	add_register(thread, &arena, "lr", 7);
	thread->state.registers[1].note = "(Breakpoint) brk 1";
	thread->state.registers[3].available = false;
	assert_holds(report, "      \"registers\": {\n"
	                     "        \"flavor\": "
	                     "\"ARM Thread State (64-bit)\",\n"
	                     "        \"values\": {\n"
	                     "          \"pc\": \"0x100001000\",\n"
	                     "          \"esr\": \"0xf2000001\",\n"
	                     "          \"lr\": null\n"
	                     "        },\n"
	                     "        \"notes\": {\n"
	                     "          \"esr\": \"(Breakpoint) brk 1\"\n"
	                     "        }\n"
	                     "      }\n");
}

static void registers_without_end_are_truncated(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	struct report_thread *thread = report->threads[0];
	SCOPED(document_drop) cJSON *doc = NULL;
	SCOPED(mem_drop) char *text = NULL;
	const cJSON *registers;

	thread->state.flavor = "broken";
	for (size_t i = 0; i < 100000; i++)
		add_register(thread, &arena, arena_printf(&arena, "r%zu", i),
		             i);
	text = rendered(&json_formatter, report);
	doc = assert_document(text);
	registers = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetArrayItem(
	                cJSON_GetObjectItemCaseSensitive(doc, "threads"), 0),
	        "registers");
	assert_int_equal(
	        (size_t)cJSON_GetArraySize(
	                cJSON_GetObjectItemCaseSensitive(registers, "values")),
	        128);
}

static void any_bytes_give_a_valid_document(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);
	SCOPED(document_drop) cJSON *doc = NULL;
	SCOPED(mem_drop) char *text = NULL;

	report->process.name = "\xff\xfe\"\\\x1b[2J\n";
	report->threads[0]->name = "\xe2\x80\xae";
	report->images[0].kind = (char)0xc3;
	report_add_section(report, &arena, "\x01", "\xed\xa0\x80");
	text = rendered(&json_formatter, report);
	doc = assert_document(text);
	for (const char *c = text; *c; c++)
		assert_true((unsigned char)*c >= 0x20 || *c == '\n');
	assert_string_equal(
	        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(doc, "process"),
	                "name")),
	        "\xef\xbf\xbd\xef\xbf\xbd\"\\\x1b[2J\n");
}

static void labels_may_repeat(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);

	report_add_field(report, &arena, "Exception Codes", "one");
	report_add_field(report, &arena, "Exception Codes", "two");
	assert_holds(report, "  \"header\": [\n"
	                     "    {\n"
	                     "      \"label\": \"Exception Codes\",\n"
	                     "      \"value\": \"one\"\n"
	                     "    },\n"
	                     "    {\n"
	                     "      \"label\": \"Exception Codes\",\n"
	                     "      \"value\": \"two\"\n"
	                     "    }\n"
	                     "  ],\n");
}

static void a_code_of_64_bits_stays_exact(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = add_report(&arena);

	report->termination.namespace_name = "GUARD";
	report->termination.code = 2305845208236959491;
	report->termination.has_code = true;
	assert_holds(report, "    \"code\": \"0x2000020000002703\"\n");
}

static void render_several(struct out *out, const void *context)
{
	SCOPED(error_drop)
	struct error *err = error_new(ERROR_FORMAT, "x.ips: cut short");

	json_formatter.begin(out);
	json_formatter.report(context, &(struct format_options){ 0 }, out);
	json_formatter.between(out);
	json_formatter.failure("x.ips", err, out);
	json_formatter.end(NULL, out);
}

static void several_inputs_are_one_document(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(document_drop) cJSON *doc = NULL;
	SCOPED(mem_drop)
	char *text = render_with(render_several, report_new(&arena));
	const cJSON *reports;
	const cJSON *failure;

	doc = assert_document(text);
	assert_string_equal(
	        cJSON_GetStringValue(
	                cJSON_GetObjectItemCaseSensitive(doc, "schema")),
	        "apmtool.reports/1");
	reports = cJSON_GetObjectItemCaseSensitive(doc, "reports");
	assert_int_equal((size_t)cJSON_GetArraySize(reports), 2);
	failure = cJSON_GetArrayItem(reports, 0)->next;
	assert_string_equal(
	        cJSON_GetStringValue(
	                cJSON_GetObjectItemCaseSensitive(failure, "schema")),
	        "apmtool.error/1");
	assert_string_equal(
	        cJSON_GetStringValue(
	                cJSON_GetObjectItemCaseSensitive(failure, "input")),
	        "x.ips");
	failure = cJSON_GetObjectItemCaseSensitive(failure, "error");
	assert_string_equal(
	        cJSON_GetStringValue(
	                cJSON_GetObjectItemCaseSensitive(failure, "code")),
	        "format");
	assert_string_equal(
	        cJSON_GetStringValue(
	                cJSON_GetObjectItemCaseSensitive(failure, "message")),
	        "x.ips: cut short");
}

static void render_failure(struct out *out, const void *context)
{
	const enum error_code *code = context;
	SCOPED(error_drop) struct error *err = error_new(*code, "wrong");

	json_formatter.failure("x", err, out);
}

static void every_error_code_has_a_name_that_the_schema_knows(
        void **state UNUSED)
{
	static const struct {
		enum error_code code;
		const char *name;
	} cases[] = {
		{ ERROR_OS, "\"os\"" },
		{ ERROR_FORMAT, "\"format\"" },
		{ ERROR_UNSUPPORTED, "\"unsupported\"" },
		{ ERROR_NOT_FOUND, "\"not_found\"" },
		{ ERROR_LIMIT, "\"limit\"" },
		{ ERROR_CONFIG, "\"config\"" },
		{ ERROR_USAGE, "\"usage\"" },
		{ ERROR_SHORTAGE, "\"shortage\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(mem_drop)
		char *text = render_with(render_failure, &cases[i].code);

		assert_non_null(strstr(text, cases[i].name));
		assert_non_null(
		        strstr(schema_find("error")->text, cases[i].name));
	}
}

static void schemas_are_json_and_say_their_name(void **state UNUSED)
{
	size_t count = 0;

	for (; schemas[count].name; count++) {
		SCOPED(document_drop)
		cJSON *doc = assert_document(schemas[count].text);

		assert_string_equal(
		        cJSON_GetStringValue(
		                cJSON_GetObjectItemCaseSensitive(doc, "title")),
		        schemas[count].name);
	}
	assert_int_equal(count, 13);
}

static void schemas_are_found_by_name_or_word(void **state UNUSED)
{
	static const struct {
		const char *name;
		size_t index;
	} cases[] = {
		{ "apmtool.report/1", 0 },
		{ "apmtool.report", 0 },
		{ "report/1", 0 },
		{ "report", 0 },
		{ "reports", 1 },
		{ "table", 2 },
		{ "row", 3 },
		{ "calltree", 4 },
		{ "page", 5 },
		{ "explain", 6 },
		{ "event", 7 },
		{ "answer", 8 },
		{ "uuids", 9 },
		{ "error", 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_ptr_equal(schema_find(cases[i].name),
		                 &schemas[cases[i].index]);
	assert_null(schema_find("report/2"));
	assert_null(schema_find("apmtool."));
	assert_null(schema_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_of_nothing_has_the_required_keys),
		cmocka_unit_test(
		        input_and_iso_dates_are_beside_what_is_printed),
		cmocka_unit_test(
		        frames_of_images_not_listed_are_judged_by_name),
		cmocka_unit_test(inlined_calls_are_entries_of_their_own),
		cmocka_unit_test(a_frame_that_lies_nowhere_has_nulls),
		cmocka_unit_test(generated_code_has_a_file_and_no_line),
		cmocka_unit_test(registers_are_an_object_of_unique_names),
		cmocka_unit_test(registers_without_end_are_truncated),
		cmocka_unit_test(any_bytes_give_a_valid_document),
		cmocka_unit_test(labels_may_repeat),
		cmocka_unit_test(a_code_of_64_bits_stays_exact),
		cmocka_unit_test(several_inputs_are_one_document),
		cmocka_unit_test(
		        every_error_code_has_a_name_that_the_schema_knows),
		cmocka_unit_test(schemas_are_json_and_say_their_name),
		cmocka_unit_test(schemas_are_found_by_name_or_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "lib/text/json/pull.h"
#include "parsers/kscrash/matrix.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#define HEAD                                            \
	"\"report\":{\"version\":\"0.5\",\"id\":\"I\"," \
	"\"process_name\":\"Demo\",\"type\":\"custom\"}"
#define RECORD(members) "{" HEAD "," members "}"

/** `leaf` was called by `b` (7) and `c` (5), of which 2 by `main` itself. */
#define TREE                                                               \
	"[{\"instruction_address\":16,\"object_name\":\"leaf\","           \
	"\"sample\":12,\"sample_background\":3,\"child\":["                \
	"{\"instruction_address\":32,\"object_name\":\"b\",\"sample\":7,"  \
	"\"sample_background\":3,\"child\":[{\"instruction_address\":64,"  \
	"\"object_name\":\"main\",\"sample\":7}]},"                        \
	"{\"instruction_address\":48,\"object_name\":\"c\",\"sample\":5,"  \
	"\"child\":[{\"instruction_address\":64,\"object_name\":\"main\"," \
	"\"sample\":5}]}]}]"
#define TURNED "0 main 12, 1 b 7, 2 leaf 7*, 1 c 5, 2 leaf 5*"

/** `depth symbol samples, …`; `*`: exact. */
static const char *tree_of(const struct report *report, size_t index,
                           struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	const struct report_tree *tree;

	assert_true(index < report->tree_count);
	tree = report->trees[index];
	for (size_t i = 0; i < tree->frames.count; i++) {
		const struct report_frame *frame = &tree->frames.frames[i];

		str_addf(&text, "%s%u ", i ? ", " : "",
		         tree->calls.nodes[i + 1].depth - 1);
		if (frame->call_count)
			str_add(&text, frame->calls[0].symbol);
		else
			str_addf(&text, "0x%" PRIx64, frame->address);
		str_addf(&text, " %" PRIu64 "%s",
		         tree->calls.nodes[i + 1].samples,
		         frame->is_pc ? "*" : "");
	}
	return arena_text(arena, str_text(&text));
}

/** The only tree of a record, and no note. */
static void assert_tree(const char *json, const char *expected)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(&kscrash_reader, json, &arena);

	for (size_t i = 0; i < report->note_count; i++)
		fail_msg("%s: %s", report->notes[i].place,
		         report->notes[i].text);
	assert_int_equal(report->tree_count, 1);
	assert_string_equal(tree_of(report, 0, &arena), expected);
	assert_true(report->trees[0]->attributed);
}

static void a_tree_on_its_head_is_turned_round(void **state)
{
	(void)state;
	assert_tree(RECORD("\"dump_type\":2011,\"stack_string\":" TREE),
	            TURNED);
	// Members in another order.
	assert_tree("{\"stack_string\":[{\"child\":[{\"sample\":2,"
	            "\"object_name\":\"main\",\"instruction_address\":64}],"
	            "\"sample\":2,\"object_name\":\"leaf\","
	            "\"instruction_address\":16}]," HEAD "}",
	            "0 main 2, 1 leaf 2*");
}

static void a_tree_may_be_json_inside_a_text(void **state)
{
	(void)state;
	assert_tree(
	        RECORD("\"stack_string\":\"[{\\\"instruction_address\\\":16,"
	               "\\\"object_name\\\":\\\"a \\\\\\\"b\\\\\\\"\\\","
	               "\\\"sample\\\":1,\\\"child\\\":[{\\\"sample\\\":1,"
	               "\\\"instruction_address\\\":64,\\\"object_name\\\":"
	               "\\\"start\\\"}]}]\""),
	        "0 start 1, 1 a \"b\" 1*");
}

static void a_tree_may_be_alone(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	const struct bytes bytes = { (const uint8_t *)TREE, sizeof(TREE) - 1 };

	(void)state;
	assert_tree(TREE, TURNED);
	assert_tree("{\"stack_string\":" TREE "}", TURNED);
	assert_null(read_reports(bytes, &arena, &report));
	assert_string_equal(report->kind, "record of Matrix");
	assert_string_equal(report->format, "kscrash");
}

static void arrays_of_other_things_are_not_ours(void **state)
{
	static const char *const cases[] = {
		"[]",
		"[1]",
		"[{}]",
		"[{\"child\":[]}]",
		"[{\"child\":[1]}]",
		"[{\"depth\":0,\"costTime\":5}]",
		"[{\"sample\":1,\"a\":{\"instruction_address\":1}}]",
		"{\"instruction_address\":1}",
		"[{\"instruction_addr",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (matrix_is_tree(text_from(cases[i])) ||
		    reader_sniff(&kscrash_reader, text_from(cases[i])))
			fail_msg("%s", cases[i]);
}

static void a_profile_of_the_main_thread_begins_outermost(void **state)
{
	static const char *const places[] = {
		"\"threads_profile\":[{\"profile\":{\"stack_string\":%s}}]",
		"\"threads_profile\":[{\"index\":0,\"profile\":%s}]",
		"\"profile\":%s",
		"\"profile\":{\"stack_string\":%s}",
	};
	static const char *const tree =
	        "[{\"instruction_address\":64,\"object_name\":\"main\","
	        "\"sample\":3,\"child\":[{\"instruction_address\":16,"
	        "\"object_name\":\"a\",\"sample\":2},{\"sample\":1,"
	        "\"instruction_address\":32,\"object_name\":\"b\"}]}]";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		SCOPED(str_release) struct str json = { 0 };
		const char *hole = strstr(places[i], "%s");

		str_add(&json, "{" HEAD ",\"crash\":{\"error\":{},");
		str_add_bytes(&json, places[i], (size_t)(hole - places[i]));
		str_add(&json, tree);
		str_add(&json, hole + 2);
		str_add(&json, "}}");
		assert_tree(str_cstr(&json), "0 main 3, 1 a 2*, 1 b 1*");
	}
}

static void where_nothing_decides_the_place_decides(void **state)
{
	static const char *const tree =
	        "[{\"instruction_address\":1,\"object_name\":\"x\","
	        "\"sample\":1,\"child\":[{\"instruction_address\":2,"
	        "\"object_name\":\"y\",\"sample\":1}]}]";
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&kscrash_reader,
	               arena_printf(&arena,
	                            RECORD("\"stack_string\":%s,"
	                                   "\"profile\":%s"),
	                            tree, tree),
	               &arena);

	(void)state;
	assert_string_equal(tree_of(report, 0, &arena), "0 y 1, 1 x 1*");
	assert_string_equal(tree_of(report, 1, &arena), "0 x 1, 1 y 1*");
	assert_note(report, "stack_string",
	            "the root of the stacks is not clear: read innermost "
	            "frame first");
	assert_note(report, "profile",
	            "the root of the stacks is not clear: read outermost "
	            "frame first");
}

static void the_heaviest_stack_shows_the_root_of_a_profile(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&kscrash_reader,
	               "{" HEAD ",\"crash\":{\"error\":{},\"threads\":[{"
	               "\"index\":0,\"name\":\"HandledThread\",\"backtrace\":"
	               "{\"contents\":[{\"instruction_addr\":1},"
	               "{\"instruction_addr\":2}]}}],\"profile\":"
	               "[{\"instruction_address\":1,\"sample\":1,\"child\":"
	               "[{\"instruction_address\":2,\"sample\":1}]}]}}",
	               &arena);

	(void)state;
	assert_int_equal(report->note_count, 0);
	assert_string_equal(tree_of(report, 0, &arena), "0 0x2 1, 1 0x1 1*");
	assert_string_equal(report->trees[0]->title, "HandledThread");
}

static void children_have_no_more_samples_than_their_parent(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        RECORD("\"crash\":{},\"profile\":[{\"instruction_address\":9,"
	               "\"sample\":5,"
	               "\"object_name\":\"main\",\"child\":["
	               "{\"instruction_address\":1,\"sample\":9,\"child\":["
	               "{\"instruction_address\":2,\"sample\":7}]},"
	               "{\"instruction_address\":3,\"sample\":1}]}]"),
	        &arena);

	(void)state;
	assert_string_equal(tree_of(report, 0, &arena),
	                    "0 main 5, 1 0x1 5, 2 0x2 5*, 1 0x3 0*");
	assert_note(report, "profile",
	            "3 calls have more samples than the caller has left: "
	            "reduced to those");
}

static void who_has_no_samples_has_those_of_its_children(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        RECORD("\"crash\":{},\"profile\":[{\"instruction_address\":9,"
	               "\"object_name\":\"main\",\"sample\":-4,"
	               "\"child\":[{\"instruction_address\":1,"
	               "\"sample\":2},{\"instruction_address\":3,"
	               "\"sample\":1}]}]"),
	        &arena);

	(void)state;
	assert_string_equal(tree_of(report, 0, &arena),
	                    "0 main 3, 1 0x1 2*, 1 0x3 1*");
	assert_note(report, "profile[0].sample",
	            "expected a whole number, found '-4'");
}

static void addresses_lose_their_signature_unless_they_are_of_intel(
        void **state)
{
	static const struct {
		const char *arch;
		const char *tree;
	} cases[] = {
		{ "arm64", "0 0x1b2e024b4 1*" },
		{ "x86_64", "0 0x7ff9b2e024b4 1*" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };

		assert_tree(arena_printf(&arena,
		                         RECORD("\"system\":{\"cpu_arch\":"
		                                "\"%s\"},\"stack_string\":[{"
		                                "\"instruction_address\":%s,"
		                                "\"sample\":1}]"),
		                         cases[i].arch,
		                         i ? "\"0x7ff9b2e024b4\""
		                           : "\"0x3a0001b2e024b4\""),
		            cases[i].tree);
	}
}

/** A chain of @p depth callers: addresses 1, 2, 3, …; 5 samples. */
static void add_chain(struct str *json, size_t depth)
{
	for (size_t i = 1; i <= depth; i++)
		str_addf(json,
		         "[{\"instruction_address\":%zu,\"sample\":5,"
		         "\"child\":",
		         i);
	str_addf(json,
	         "[{\"instruction_address\":%zu,\"sample\":5,"
	         "\"object_name\":\"start\"}]",
	         depth + 1);
	for (size_t i = 0; i < depth; i++)
		str_add(json, "}]");
}

static void trees_are_deeper_than_documents(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str json = { 0 };
	const struct report *report;
	const struct report_tree *tree;

	(void)state;
	str_add(&json, "{\"stack_string\":");
	add_chain(&json, 2000);
	str_add(&json, "," HEAD "}");
	report = parsed(&kscrash_reader, str_cstr(&json), &arena);
	assert_int_equal(report->note_count, 0);
	assert_string_equal(report->process.name, "Demo");
	tree = report->trees[0];
	assert_int_equal(tree->frames.count, 2001);
	assert_int_equal(tree->frames.frames[0].address, 2001);
	assert_int_equal(tree->calls.nodes[2001].depth - 1, 2000);
	assert_int_equal(tree->frames.frames[2000].address, 1);
	assert_true(tree->frames.frames[2000].is_pc);
}

static void a_tree_that_is_too_deep_costs_nothing_but_its_depth(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str json = { 0 };
	const struct report *report;

	(void)state;
	str_add(&json, "{\"stack_string\":");
	add_chain(&json, 100000);
	str_add(&json, "," HEAD "}");
	report = parsed(&kscrash_reader, str_cstr(&json), &arena);
	assert_string_equal(report->process.name, "Demo");
	assert_int_equal(report->tree_count, 1);
	assert_int_equal(report->trees[0]->frames.count, JSON_PULL_DEPTH / 2);
	assert_note(report, "stack_string",
	            "damaged, read up to line 1, column 97198: nested deeper "
	            "than 4096 levels");
}

static void trees_without_end_are_not_all_read(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str json = { 0 };
	const struct report *report;

	(void)state;
	str_add(&json, "{" HEAD ",\"dump_type\":1,\"threads_profile\":[");
	for (size_t i = 0; i <= MATRIX_TREES_MAX; i++)
		str_addf(&json,
		         "%s{\"profile\":[{\"instruction_address\":"
		         "%zu}]}",
		         i ? "," : "", i);
	str_add(&json, "]}");
	report = parsed(&kscrash_reader, str_cstr(&json), &arena);
	assert_int_equal(report->tree_count, MATRIX_TREES_MAX);
	assert_note(report, "report", "only the first 1000 trees were read");
}

static void names_at_one_address_are_distinguished_in_no_time(void **state)
{
	enum { NODES = 60000 }; // to compare all with all takes minutes
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str json = { 0 };
	const struct report *report;

	(void)state;
	str_add(&json, "{" HEAD ",\"stack_string\":[");
	for (int i = 0; i < NODES; i++)
		str_addf(&json,
		         "%s{\"instruction_address\":16,\"object_name\":"
		         "\"f%d\",\"sample\":1}",
		         i ? "," : "", i);
	str_add(&json, "]}");
	report = parsed(&kscrash_reader, str_cstr(&json), &arena);
	assert_int_equal(report->trees[0]->frames.count, NODES);
}

static void damage_before_a_tree_does_not_hide_it(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        RECORD("\"x\":[1,],\"y\":NaN,\"stack_string\":" TREE), &arena);

	(void)state;
	assert_string_equal(tree_of(report, 0, &arena), TURNED);
	assert_string_equal(report->process.name, "Demo");
}

static void a_text_that_is_no_tree_is_shown(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&kscrash_reader,
	               RECORD("\"scene\":\"Chat\",\"stack_string\":"
	                      "\"main thread is busy\""),
	               &arena);

	(void)state;
	assert_int_equal(report->tree_count, 0);
	assert_string_equal(report->kind, "record of Matrix");
	assert_string_equal(
	        report_section(report, "Extra Information: Stack String"),
	        "main thread is busy");
	assert_string_equal(report_section(report, "Extra Information: Scene"),
	                    "Chat");
}

static void each_dump_type_has_its_words(void **state)
{
	static const struct {
		const char *type;
		const char *kind;
	} cases[] = {
		{ "2000", "lag report of Matrix: no lag" },
		{ "2001", "lag report of Matrix: main thread block" },
		{ "2002",
		  "lag report of Matrix: main thread block in background" },
		{ "2003", "lag report of Matrix: CPU block" },
		{ "2005", "lag report of Matrix: self-defined" },
		{ "2007", "lag report of Matrix: launch block" },
		{ "2009", "lag report of Matrix: block with too many threads" },
		{ "2010", "lag report of Matrix: block, then killed" },
		{ "2011", "lag report of Matrix: power consumption" },
		{ "2013", "lag report of Matrix: disk I/O" },
		{ "2014", "lag report of Matrix: frame rate" },
		{ "10000", "lag report of Matrix: test" },
		{ "7", "lag report of Matrix: dump type 7" },
		{ "null", "record of Matrix" },
		{ "[]", "record of Matrix" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&kscrash_reader,
		               arena_printf(&arena,
		                            RECORD("\"dump_type\":%s,"
		                                   "\"system\":{\"a\":1}"),
		                            cases[i].type),
		               &arena);

		assert_string_equal(report->kind, cases[i].kind);
	}
}

static void a_lag_file_has_a_heaviest_stack_and_counts(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{\"report\":{\"version\":\"3.3.0\"},\"crash\":{\"error\":{"
	        "\"type\":\"user\",\"user_reported\":{\"name\":\"ANR\","
	        "\"dump_type\":2001,\"suspend_all_threads\":true}},"
	        "\"threads\":[{\"index\":0,\"name\":\"HandledThread\","
	        "\"backtrace\":{\"contents\":[{\"symbol_name\":\"a\","
	        "\"instruction_addr\":16,\"repeat_count\":17},"
	        "{\"instruction_addr\":32,\"repeat_count\":\"x\"}]}},"
	        "{\"index\":0,\"cpu_usage\":81.5,\"backtrace\":{\"contents\":"
	        "[{\"instruction_addr\":48}]}}]}}",
	        &arena);

	(void)state;
	assert_string_equal(report->kind,
	                    "lag report of Matrix: main thread block");
	assert_int_equal(report->thread_count, 2);
	assert_int_equal(report->threads[0]->number, 0);
	assert_int_equal(report->threads[1]->number, 0);
	assert_int_equal(report->threads[0]->stack.frames[0].repeat_count, 17);
	assert_int_equal(report->threads[0]->stack.frames[1].repeat_count, 0);
	assert_int_equal(report->threads[1]->stack.frames[0].repeat_count, 0);
	assert_string_equal(
	        report_section(report, "Extra Information: CPU Usage"),
	        "Thread 0: 81.5 %");
	assert_string_equal(
	        report_section(report, "Extra Information: User Report"),
	        "suspend_all_threads: true");
	assert_note(report,
	            "crash.threads[0].backtrace.contents[1].repeat_count",
	            "expected a number, found 'x'");
}

static void mistyped_members_are_noted_where_they_are(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&kscrash_reader,
	               RECORD("\"stack_string\":[{\"instruction_address\":{},"
	                      "\"object_name\":5,\"sample\":1,\"child\":7},"
	                      "3,{\"instruction_address\":4,\"sample\":2.5,"
	                      "\"object_name\":\"main\"}]"),
	               &arena);

	(void)state;
	assert_note(report, "stack_string[0].instruction_address",
	            "expected a number, found an object");
	assert_note(report, "stack_string[0].object_name",
	            "expected text, found '5'");
	assert_note(report, "stack_string[0].child",
	            "expected an array, found '7'");
	assert_note(report, "stack_string[0]", "it has no instruction_address");
	assert_note(report, "stack_string[1]", "expected an object, found '3'");
	assert_note(report, "stack_string[2].sample",
	            "expected a whole number, found '2.5'");
	assert_string_equal(tree_of(report, 0, &arena), "0 0x0 1*, 0 main 0*");
}

/** Parse anything: a report or an error. */
static void parse_any(struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct error *err = reader_read(&kscrash_reader, in, &arena, &report);

	assert_true(!err != !report);
	error_free(err);
}

static void any_value_may_be_of_any_type(void **state)
{
	static const char *const swaps[] = { "null", "true", "\"x\"", "-1",
		                             "1e9",  "{}",   "[]",    "[[" };
	static const char *const json =
	        RECORD("\"dump_type\":2011,\"stack_string\":" TREE);

	(void)state;
	for (const char *colon = strchr(json, ':'); colon;
	     colon = strchr(colon + 1, ':')) {
		size_t end = 1 + strcspn(colon + 1, ",}]");

		for (size_t i = 0; i < ARRAY_SIZE(swaps); i++) {
			SCOPED(str_release) struct str swapped = { 0 };

			str_add_bytes(&swapped, json,
			              (size_t)(colon + 1 - json));
			str_add(&swapped, swaps[i]);
			str_add(&swapped, colon + end);
			parse_any(str_text(&swapped));
		}
	}
}

static void a_record_may_end_anywhere(void **state)
{
	static const char *const cases[] = {
		RECORD("\"dump_type\":2011,\"stack_string\":" TREE),
		RECORD("\"stack_string\":\"[{\\\"instruction_address\\\":1,"
		       "\\\"object_name\\\":\\\"\\u4e2d\\\\\\\\\\\"}]\""),
		TREE,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t size = 1; size < strlen(cases[i]); size++)
			parse_any(text_first(text_from(cases[i]), size));
}

static void what_precedes_the_end_is_kept(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{" HEAD ",\"stack_string\":\"[{\\\"instruction_address\\\":16,"
	        "\\\"sample\\\":1,\\\"child\\\":[{\\\"instruction_address"
	        "\\\":32,\\\"object_name\\\":\\\"main\\\",\\",
	        &arena);

	(void)state;
	assert_string_equal(tree_of(report, 0, &arena),
	                    "0 0x10 1*, 0 main 0, 1 0x10 0*");
	assert_true(report->truncated);
	assert_note(report, "stack_string",
	            "the tree is truncated: the rest is lost");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_on_its_head_is_turned_round),
		cmocka_unit_test(a_tree_may_be_json_inside_a_text),
		cmocka_unit_test(a_tree_may_be_alone),
		cmocka_unit_test(arrays_of_other_things_are_not_ours),
		cmocka_unit_test(a_profile_of_the_main_thread_begins_outermost),
		cmocka_unit_test(where_nothing_decides_the_place_decides),
		cmocka_unit_test(
		        the_heaviest_stack_shows_the_root_of_a_profile),
		cmocka_unit_test(
		        children_have_no_more_samples_than_their_parent),
		cmocka_unit_test(who_has_no_samples_has_those_of_its_children),
		cmocka_unit_test(
		        addresses_lose_their_signature_unless_they_are_of_intel),
		cmocka_unit_test(trees_are_deeper_than_documents),
		cmocka_unit_test(
		        a_tree_that_is_too_deep_costs_nothing_but_its_depth),
		cmocka_unit_test(trees_without_end_are_not_all_read),
		cmocka_unit_test(
		        names_at_one_address_are_distinguished_in_no_time),
		cmocka_unit_test(damage_before_a_tree_does_not_hide_it),
		cmocka_unit_test(a_text_that_is_no_tree_is_shown),
		cmocka_unit_test(each_dump_type_has_its_words),
		cmocka_unit_test(a_lag_file_has_a_heaviest_stack_and_counts),
		cmocka_unit_test(mistyped_members_are_noted_where_they_are),
		cmocka_unit_test(any_value_may_be_of_any_type),
		cmocka_unit_test(a_record_may_end_anywhere),
		cmocka_unit_test(what_precedes_the_end_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

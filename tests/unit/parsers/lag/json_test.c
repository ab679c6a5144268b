// SPDX-License-Identifier: MIT
#include "tests/unit/parsers/lag/lag_reading.h"

#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_format(const char *in, enum lag_format format,
                          const char *gives)
{
	struct lag_reading reading;

	assert_int_equal(lag_format_of(text_from(in)), format);
	lag_reading_begin(&reading);
	lag_reading_take(&reading, text_from(in), format);
	assert_string_equal(str_cstr(&reading.out), gives);
	lag_reading_release(&reading);
}

static void assert_reads(const char *in, const char *gives)
{
	assert_format(in, LAG_FORMAT_DOCUMENTS, gives);
}

// Samples

static void test_a_report_has_facts_and_samples(void **state)
{
	(void)state;
	assert_reads(
	        "{\"id\":\"r1\",\"session\":7,\"interval_ms\":20,"
	        "\"order\":\"root-first\",\"arch\":\"arm64\",\"app\":\"Demo\","
	        "\"os\":\"17.2\",\"device\":\"iPhone14,2\",\"extra\":[{}],"
	        "\"samples\":[{\"time_ms\":0,\"stack\":[\"a\",\"b\"]},"
	        "{\"time_ms\":20,\"cost_ms\":30.5,\"stack\":[\"a\"]}]}",
	        "1: id=r1 session=7 app=Demo os=17.2 device=iPhone14,2 "
	        "arch=arm64 every 20 2/50.5 a 2/50.5(1/30.5 #2) "
	        "{ b 1/20(1/20 #1) } run a*1\n");
}

#define FOUNDING(f1, f2, f3, f4, f5, f6, f7, f8)                   \
	"[{\"time\":1,\"stack\":" f5 "},{\"time\":2,\"stack\":" f6 \
	"},{\"stack\":" f6 "},{\"stack\":" f7 "},{\"stack\":" f4   \
	"},{\"stack\":" f4 "},{\"stack\":" f4 "},{\"stack\":" f8 "}]"
#define FOUNDING_SAMPLES                                 \
	FOUNDING(, , , "[\"f1\",\"f2\",\"f3\",\"f4\"]",  \
	         "[\"f1\",\"f2\",\"f3\",\"f4\",\"f5\"]", \
	         "[\"f1\",\"f2\",\"f3\",\"f4\",\"f6\"]", \
	         "[\"f1\",\"f2\",\"f3\",\"f4\",\"f7\"]", \
	         "[\"f1\",\"f2\",\"f3\",\"f4\",\"f8\"]")
#define FOUNDING_LEAVES                                  \
	FOUNDING(, , , "[\"f4\",\"f3\",\"f2\",\"f1\"]",  \
	         "[\"f5\",\"f4\",\"f3\",\"f2\",\"f1\"]", \
	         "[\"f6\",\"f4\",\"f3\",\"f2\",\"f1\"]", \
	         "[\"f7\",\"f4\",\"f3\",\"f2\",\"f1\"]", \
	         "[\"f8\",\"f4\",\"f3\",\"f2\",\"f1\"]")
#define FOUNDING_TREE                                                   \
	"1: 8/400 f1 8/400 { f2 8/400 { f3 8/400 { f4 8/400(3/150 #7) " \
	"{ f5 1/50(1/50 #1) f6 2/100(2/100 #3) f7 1/50(1/50 #4) "       \
	"f8 1/50(1/50 #8) } } } } run f4*3\n"

static void test_the_founding_example_is_one_tree_in_both_orders(void **state)
{
	(void)state;
	assert_reads(FOUNDING_SAMPLES, FOUNDING_TREE);
	assert_reads("{\"samples\":" FOUNDING_SAMPLES "}", FOUNDING_TREE);
	assert_reads("{\"order\":\"leaf-first\",\"samples\":" FOUNDING_LEAVES
	             "}",
	             FOUNDING_TREE);
	assert_reads("{\"samples\":" FOUNDING_LEAVES
	             ",\"order\":\"leaf-first\"}",
	             FOUNDING_TREE);
}

#define MIXED_STACKS                                                        \
	"[{\"stack\":[\"0x30\"]},{\"stack\":[\"0x30\",\"0x20\",\"0x10\"]}," \
	"{\"stack\":[\"0x20\",\"0x10\"],\"cost_ms\":7},"                    \
	"{\"stack\":[\"0x30\",\"0x20\"]},{\"stack\":[\"0x20\",\"0x10\"]},"  \
	"{\"stack\":[\"0x20\",\"0x10\"]}]"
#define MIXED_TREE                                                   \
	"1: every 10 6/57 0x30! 1/10(1/10 #1) 0x10 4/37 "            \
	"{ 0x20 1/10 { 0x30! 1/10(1/10 #2) } 0x20! 3/27(3/27 #6) } " \
	"0x20 1/10 { 0x30! 1/10(1/10 #4) } run 0x20!*2\n"

static void test_members_may_come_in_any_order(void **state)
{
	(void)state;
	assert_reads("{\"order\":\"leaf-first\",\"interval_ms\":10,"
	             "\"samples\":" MIXED_STACKS "}",
	             MIXED_TREE);
	assert_reads("{\"samples\":" MIXED_STACKS ",\"interval_ms\":10,"
	             "\"order\":\"leaf-first\"}",
	             MIXED_TREE);
	assert_reads("{\"order\":\"leaf-first\",\"samples\":[{\"stack\":[\"b\","
	             "\"a\"]}],\"order\":\"root-first\"}",
	             "1: 1/50 b 1/50 { a 1/50(1/50 #1) } run a*1\n");
}

static void test_frames_are_symbols_addresses_or_objects(void **state)
{
	(void)state;
	assert_reads(
	        "[{\"stack\":[\"0x1F\",\"0xyz\",32,\"main\","
	        "{\"address\":\"0x10\",\"symbol\":\"f\",\"image\":\"/a/Demo\"},"
	        "{\"instruction_addr\":17,\"symbol_name\":\"g\"},"
	        "{\"methodAddress\":\"18\"},{\"symbol\":\"h\"},"
	        "{\"symbol\":\"i\",\"object_name\":\"Kit\"},"
	        "{\"address\":19,\"x\":{}}]}]",
	        "1: 1/50 0x1f 1/50 { 0xyz 1/50 { 0x20 1/50 { main 1/50 { "
	        "0x10=f@Demo 1/50 { 0x11=g 1/50 { 0x12 1/50 { h 1/50 { "
	        "0x0=i@Kit 1/50 { 0x13! 1/50(1/50 #1) } } } } } } } } } "
	        "run 0x13!*1\n");
}

static void test_frames_that_are_none_are_noted_and_left_out(void **state)
{
	(void)state;
	assert_reads(
	        "[{\"stack\":[\"a\",\"0x0\",0,\"\",null,-1,1.5,[\"x\"],true,"
	        "\"0x11111111111111111\",{},{\"address\":\"n/a\"},"
	        "{\"address\":0,\"image\":\"x\"}]}]",
	        "1: 1/50 a 1/50(1/50 #1) run a*1\n"
	        "  note [0].stack[1]: expected an address, found 0: left out\n"
	        "  note [0].stack[2]: expected an address, found 0: left out\n"
	        "  note [0].stack[3]: expected a frame, found empty text: left "
	        "out\n"
	        "  note [0].stack[4]: expected a symbol or an address, found "
	        "null\n"
	        "  note [0].stack[5]: expected a symbol or an address, found "
	        "'-1'\n"
	        "  note [0].stack[6]: expected a symbol or an address, found "
	        "'1.5'\n"
	        "  note [0].stack[7]: expected a symbol or an address, found "
	        "an "
	        "array\n"
	        "  note [0].stack[8]: expected a symbol or an address, found "
	        "true or false\n"
	        "  note [0].stack[9]: expected an address of 64 bits, found "
	        "'0x11111111111111111'\n"
	        "  note [0].stack[10]: expected an address or a symbol, found "
	        "none: left out\n"
	        "  note [0].stack[11].address: expected an address, found "
	        "'n/a'\n"
	        "  note [0].stack[11]: expected an address or a symbol, found "
	        "none: left out\n"
	        "  note [0].stack[12]: expected an address or a symbol, found "
	        "none: left out\n");
}

static void test_a_cost_that_is_none_counts_as_an_interval(void **state)
{
	(void)state;
	assert_reads(
	        "{\"samples\":[{\"cost_ms\":\"n/a\",\"stack\":[\"a\"]},"
	        "{\"cost_ms\":-5,\"stack\":[\"a\"]},"
	        "{\"cost_ms\":null,\"stack\":[\"a\"]},"
	        "{\"cost_ms\":1e300,\"stack\":[\"a\"]},"
	        "{\"cost_ms\":\"NaN\",\"stack\":[\"a\"]},"
	        "{\"stack\":[\"a\"],\"cost_ms\":1.0005}],\"interval_ms\":100}",
	        "1: every 100 6/501.001 a 6/501.001(6/501.001 #6) run a*6\n"
	        "  note samples[0].cost_ms: expected a number of ms, found "
	        "'n/a'\n"
	        "  note samples[1].cost_ms: expected a number of ms, found "
	        "'-5'\n"
	        "  note samples[3].cost_ms: expected a number of ms, found "
	        "'1e300'\n"
	        "  note samples[4].cost_ms: expected a number of ms, found "
	        "'NaN'\n");
}

static void test_what_is_no_number_is_noted_with_its_place(void **state)
{
	(void)state;
	assert_reads("{\"interval_ms\":-Infinity,\"samples\":["
	             "{\"stack\":[\"a\"],\"time_ms\":NaN},"
	             "{\"cost_ms\":NaN,\"stack\":[\"a\",Infinity]}]}",
	             "1: 2/100 a 2/100(2/100 #2) run a*2\n"
	             "  note interval_ms: expected a number of ms, found "
	             "'-Infinity'\n"
	             "  note samples[1].cost_ms: expected a number of ms, "
	             "found 'NaN'\n"
	             "  note samples[1].stack[1]: expected a symbol or an "
	             "address, found 'Infinity'\n");
}

static void test_an_interval_of_nothing_is_noted(void **state)
{
	(void)state;
	assert_reads("{\"interval_ms\":0,\"samples\":[{\"stack\":[\"a\"]}]}",
	             "1: 1/50 a 1/50(1/50 #1) run a*1\n"
	             "  note interval_ms: expected more than 0, found 0: 50 "
	             "ms is used\n");
}

static void test_the_sum_of_a_fleet_is_a_cost_of_a_node(void **state)
{
	(void)state;
	// 2^62 us, the largest.
	assert_reads("[{\"depth\":0,\"symbol\":\"a\",\"count\":1,"
	             "\"costTime\":4611686018427387.904}]",
	             "1: 1/4.61169e+15 a 1/4.61169e+15(1/4.61169e+15 #1)\n");
	assert_reads("[{\"depth\":0,\"symbol\":\"a\",\"count\":1,"
	             "\"costTime\":4611686018427388}]",
	             "1: 1/50 a 1/50(1/50 #1)\n"
	             "  note [0].costTime: expected a number of ms, found "
	             "'4611686018427388'\n"
	             "  note [0]: expected \"costTime\", found none: "
	             "\"count\" times the interval is used\n");
	assert_reads("[{\"stack\":[\"a\"],\"cost_ms\":1099511628}]",
	             "1: 1/50 a 1/50(1/50 #1) run a*1\n"
	             "  note [0].cost_ms: expected a number of ms, found "
	             "'1099511628'\n");
}

static void test_samples_without_a_stack_are_noted(void **state)
{
	(void)state;
	assert_reads(
	        "{\"order\":\"up\",\"interval_ms\":\"x\",\"id\":{},"
	        "\"samples\":[{\"stack\":[]},{},3,null,{\"stack\":5},"
	        "{\"stack\":[\"0x0\"]},{\"stack\":[\"a\"]}]}",
	        "1: 1/50 a 1/50(1/50 #1) run a*1\n"
	        "  note order: expected \"root-first\" or \"leaf-first\", "
	        "found "
	        "'up'\n"
	        "  note interval_ms: expected a number of ms, found 'x'\n"
	        "  note id: expected text, found an object\n"
	        "  note samples[0]: expected a stack of frames, found none: "
	        "left "
	        "out\n"
	        "  note samples[1]: expected a stack of frames, found none: "
	        "left "
	        "out\n"
	        "  note samples[2]: expected a sample, an object, found '3'\n"
	        "  note samples[3]: expected a sample, an object, found null\n"
	        "  note samples[4].stack: expected an array of frames, found "
	        "'5'\n"
	        "  note samples[4]: expected a stack of frames, found none: "
	        "left "
	        "out\n"
	        "  note samples[5].stack[0]: expected an address, found 0: "
	        "left "
	        "out\n"
	        "  note samples[5]: expected a stack of frames, found none: "
	        "left "
	        "out\n");
}

static void test_a_stack_too_deep_loses_its_middle(void **state)
{
	struct lag_reading reading;
	SCOPED(str_release) struct str in = { 0 };
	const char *out;

	(void)state;
	str_add(&in, "[{\"stack\":[");
	for (int i = 0; i < 10000; i++)
		str_addf(&in, "%s\"f%d\"", i ? "," : "", i);
	str_add(&in, "]}]");
	lag_reading_begin(&reading);
	lag_reading_take(&reading, str_text(&in), LAG_FORMAT_DOCUMENTS);
	out = str_cstr(&reading.out);
	assert_non_null(strstr(out, "{ f2047 1/50 { f7952 1/50 {"));
	assert_non_null(strstr(out, "{ f9998 1/50 { f9999 1/50(1/50 #1) }"));
	assert_non_null(strstr(out, "  note [0].stack: expected at most 4096 "
	                            "frames, found 10000: the middle is left "
	                            "out\n"));
	lag_reading_release(&reading);
}

/** A symbol, or an object that has a name, an address, an image. */
static void add_deep_frame(struct str *in, int i)
{
	const char *comma = i ? "," : "";

	if (i % 4 == 0)
		str_addf(in, "%s\"f%d\"", comma, i);
	else if (i % 4 == 1)
		str_addf(in,
		         "%s{\"address\":%d,\"symbol\":\"f%d\",\"image\":"
		         "\"m%d\"}",
		         comma, i, i, i);
	else if (i % 4 == 2)
		str_addf(in, "%s{\"symbol\":\"f%d\"}", comma, i);
	else
		str_addf(in,
		         "%s{\"symbol\":\"lost%d\",\"symbol\":\"\"},"
		         "\"f%d\"",
		         comma, i, i);
}

static void test_the_middle_of_a_stack_leaves_no_names(void **state)
{
	struct lag_reading reading;
	SCOPED(str_release) struct str in = { 0 };
	const char *out;

	(void)state;
	for (int sample = 0; sample < 2; sample++) {
		str_add(&in, sample ? "},{\"stack\":[" : "[{\"stack\":[");
		for (int i = 0; i < 100000; i++)
			add_deep_frame(&in, i);
		str_add(&in, "]");
	}
	str_add(&in, "}]");
	lag_reading_begin(&reading);
	lag_reading_take(&reading, str_text(&in), LAG_FORMAT_DOCUMENTS);
	out = str_cstr(&reading.out);
	// Names of the first 4,096 frames and of the last 2,048.
	assert_true(reading.names.count < 10000);
	assert_non_null(strstr(out, "{ 0x7fd=f2045@m2045 2/100 { f2046 2/100 "
	                            "{ f2047 2/100 { f97952 2/100 "
	                            "{ 0x17ea1=f97953@m97953 2/100 {"));
	assert_non_null(strstr(out, "{ 0x1869d=f99997@m99997 2/100 "
	                            "{ f99998 2/100 "
	                            "{ f99999 2/100(2/100 #2) } } }"));
	assert_int_equal(
	        strncmp(out, "1: 2/100 f0 2/100 { 0x1=f1@m1 2/100", 35), 0);
	lag_reading_release(&reading);
}

static void test_a_long_symbol_is_truncated_at_a_character(void **state)
{
	struct lag_reading reading;
	SCOPED(str_release) struct str in = { 0 };

	(void)state;
	str_add(&in, "[{\"stack\":[\"");
	str_add_repeat(&in, 'x', 16383);
	str_add(&in, "\xc3\xa4zz\"]}]");
	lag_reading_begin(&reading);
	lag_reading_take(&reading, str_text(&in), LAG_FORMAT_DOCUMENTS);
	assert_int_equal(reading.names.count, 1);
	assert_int_equal(reading.names.texts[0].size, 16383);
	assert_non_null(strstr(str_cstr(&reading.out),
	                       "  note [0].stack[0]: expected at most 16384 "
	                       "bytes, found 16387: truncated\n"));
	lag_reading_release(&reading);
}

// Documents

static void test_reports_are_in_arrays_and_in_rows(void **state)
{
	(void)state;
	assert_reads(
	        "[{\"id\":1,\"samples\":[{\"stack\":[\"a\"]}]},\n7,\n"
	        "{\"samples\":\"none\"},\n{\"id\":2},\n{\"stack\":[\"x\"]},"
	        "{\"id\":3,\"samples\":[{\"stack\":[\"b\"]}]}]\n"
	        "{\"id\":4,\"samples\":[]} \"x\" [{\"stack\":[\"c\"]}]",
	        "2 failed: [1]: expected a lag report, found '7'\n"
	        "3 failed: [2].samples: expected an array of samples, found "
	        "'none'\n"
	        "4 failed: [3]: expected \"samples\", found none\n"
	        "5 failed: [4]: expected a lag report, found a sample\n"
	        "1: id=1 1/50 a 1/50(1/50 #1) run a*1\n"
	        "5: id=3 1/50 b 1/50(1/50 #1) run b*1\n"
	        "6 failed: expected a lag report, found 'x'\n"
	        "6: id=4 0/0\n"
	        "6: 1/50 c 1/50(1/50 #1) run c*1\n");
}

static void test_what_breaks_off_keeps_what_was_complete(void **state)
{
	(void)state;
	assert_reads(
	        "[{\"samples\":[{\"stack\":[\"a\"]}]},{\"samples\":["
	        "{\"stack\":[\"b\"]},{\"stack\":[\"c\",nulx]}]}]",
	        "1: 1/50 a 1/50(1/50 #1) run a*1\n"
	        "1: 1/50 b 1/50(1/50 #1) run b*1\n"
	        "  note report: line 1, column 77: expected true, false or "
	        "null, found 'x'\n"
	        "error: line 1, column 77: expected true, false or null, found "
	        "'x'\n");
	assert_reads("{\"samples\":[{\"stack\":[\"b\"]},{\"stack\":[\"c\",\"d",
	             "1: 1/50 b 1/50(1/50 #1) run b*1\n"
	             "  note report: truncated at the end of the input\n");
	assert_reads("{\"samples\":[{\"stack\":[\"b\"",
	             "1 failed: truncated at the end of the input, before its "
	             "first sample\n");
}

static void test_a_bad_line_leaves_the_others_alone(void **state)
{
	(void)state;
	assert_format(
	        "{\"id\":1,\"samples\":[{\"stack\":[\"a\"]}]}\r\n"
	        "{\"id\":2,\"samples\":[{\"stack\":[\"b\"]},oops]}\n\n"
	        "{\"dyld_images\":[]}\n[1]\n"
	        "{\"id\":3,\"samples\":[{\"stack\":[\"c\",0]},{\"st\n",
	        LAG_FORMAT_LINES,
	        "1: id=1 1/50 a 1/50(1/50 #1) run a*1\n"
	        "2 failed: column 36: expected a value, found 'o'\n"
	        "4 failed: expected a lag report, found a list of images\n"
	        "5 failed: [0]: expected a lag report, found '1'\n"
	        "6: id=3 1/50 c 1/50(1/50 #1) run c*1\n"
	        "  note samples[0].stack[1]: expected an address, found "
	        "0: left out\n"
	        "  note report: truncated at the end of the line\n");
	assert_format("{\"id\":1,\"samples\":[{\"stack\":[\"a\"\n"
	              "{\"id\":2,\"dyld_images\":[\n"
	              "{\"samples\":[{\"stack\":[\"c\"]}]}\n",
	              LAG_FORMAT_LINES,
	              "1 failed: truncated at the end of the line, before its "
	              "first sample\n"
	              "2 failed: truncated at the end of the line, before its "
	              "first sample\n"
	              "3: 1/50 c 1/50(1/50 #1) run c*1\n");
}

static void test_a_bad_first_line_leaves_the_others_alone(void **state)
{
	struct str in = { 0 };

	(void)state;
	assert_format("null\n{\"samples\":[{\"stack\":[\"a\"]}]}\n",
	              LAG_FORMAT_LINES,
	              "1 failed: expected a lag report, found null\n"
	              "2: 1/50 a 1/50(1/50 #1) run a*1\n");
	for (size_t i = 0; i <= JSON_PULL_DEPTH; i++)
		str_add_char(&in, '[');
	str_add(&in, "\n{\"samples\":[{\"stack\":[\"a\"]}]}\n");
	assert_format(str_cstr(&in), LAG_FORMAT_LINES,
	              "1 failed: [0]: expected a lag report, found an array\n"
	              "1 failed: column 4097: nested deeper than 4096 levels\n"
	              "2: 1/50 a 1/50(1/50 #1) run a*1\n");
	str_release(&in);
}

static void test_notes_beyond_a_limit_are_counted(void **state)
{
	struct lag_reading reading;
	SCOPED(str_release) struct str in = { 0 };

	(void)state;
	str_add(&in, "[{\"stack\":[\"a\"");
	for (int i = 0; i < 30; i++)
		str_add(&in, ",\"0x0\"");
	str_add(&in, "]}]");
	lag_reading_begin(&reading);
	lag_reading_take(&reading, str_text(&in), LAG_FORMAT_DOCUMENTS);
	assert_non_null(strstr(str_cstr(&reading.out), "\n  30 notes\n"));
	lag_reading_release(&reading);
}

// Nodes

static void test_a_node_list_is_a_tree_of_inclusive_numbers(void **state)
{
	(void)state;
	assert_reads(
	        "[{\"depth\":0,\"count\":30,\"costTime\":1500,"
	        "\"methodAddress\":\"0x104d0824f\"},"
	        "{\"depth\":1,\"count\":24,\"costTime\":1200,"
	        "\"methodAddress\":\"0x104d09111\"},"
	        "{\"depth\":2,\"count\":23,\"costTime\":1150.5,"
	        "\"methodAddress\":\"6979326516\"},"
	        "{\"depth\":1,\"count\":6,\"costTime\":300,\"methodId\":0,"
	        "\"methodAddress\":\"0x104d0a222\"},"
	        "{\"depth\":0,\"count\":1,\"costTime\":50,\"methodId\":7},"
	        "{\"depth\":0,\"count\":2,\"costTime\":100,\"symbol\":\"f\"}]",
	        "1: 33/1650 0x104d0824f 30/1500 { 0x104d09111 24/1200(1/49.5 "
	        "#2) "
	        "{ 0x1a0001234! 23/1150.5(23/1150.5 #1) } "
	        "0x104d0a222! 6/300(6/300 #3) } method 7 1/50(1/50 #4) "
	        "f 2/100(2/100 #5)\n");
}

static void test_nodes_that_cannot_be_are_put_right_and_noted(void **state)
{
	(void)state;
	assert_reads(
	        "[{\"depth\":1,\"count\":10,\"costTime\":500,\"symbol\":\"a\"},"
	        "{\"depth\":4,\"count\":12,\"costTime\":501,\"symbol\":\"b\"},"
	        "{\"depth\":4,\"count\":3,\"costTime\":100,\"symbol\":\"c\"},"
	        "{\"depth\":2,\"count\":1,\"costTime\":-1,\"symbol\":\"d\"},"
	        "{\"depth\":2,\"costTime\":70,\"symbol\":\"e\"},"
	        "{\"depth\":2,\"symbol\":\"g\"},"
	        "{\"depth\":3,\"count\":2,\"costTime\":100,\"symbol\":\"h\"},"
	        "{\"depth\":2,\"count\":1,\"costTime\":50,"
	        "\"methodAddress\":\"0x0\"},"
	        "{\"count\":1,\"costTime\":50,\"symbol\":\"lost\"},5]",
	        "1: 20/870 a 20/870(1/50 #6) { b 12/500(12/500 #1) c "
	        "3/100(3/100 #2) d 1/50(1/50 #3) e 1/70(1/70 #4) g 2/100 { h "
	        "2/100(2/100 #5) } }\n"
	        "  note [0]: expected a depth of at most 0, found 1: treated "
	        "as 0\n"
	        "  note [1]: expected a depth of at most 2, found 4: treated "
	        "as a callee of the preceding node\n"
	        "  note [1]: expected a \"costTime\" of at most its caller's "
	        "500 ms, found 501: reduced to that\n"
	        "  note [3].costTime: expected a number of ms, found '-1'\n"
	        "  note [3]: expected \"costTime\", found none: \"count\" "
	        "times the interval is used\n"
	        "  note [4]: expected \"count\", found none: \"costTime\" "
	        "divided by the interval is used\n"
	        "  note [5]: expected \"costTime\" and \"count\", found "
	        "neither: the sum of its callees is used\n"
	        "  note [7]: expected an address, found none: attributed to "
	        "its caller\n"
	        "  note [8]: expected \"depth\", found none: left out\n"
	        "  note [9]: expected an object, found '5'\n"
	        "  note [0].costTime: expected at least the sum of its "
	        "callees\n");
}

// Images beside reports

#define NODES "[{\"depth\":0,\"count\":1,\"costTime\":50,\"symbol\":\"a\"}]"
#define IMAGES                                                         \
	"{\"arch\":\"arm64 v8\",\"dyld_images\":[{\"base_addr\":4096," \
	"\"name\":\"/a/X\",\"uuid\":\"31239ad326ce32dfb01b3eb5703fac81\"}]}"
#define WITH_IMAGES                               \
	"1: arch=arm64 v8 1/50 a 1/50(1/50 #1)\n" \
	"  image X 0x1000+0x0 31239ad326ce32dfb01b3eb5703fac81 path=/a/X\n"

static void test_a_list_of_images_is_for_the_reports_beside_it(void **state)
{
	(void)state;
	assert_reads(NODES IMAGES, WITH_IMAGES);
	assert_reads(IMAGES NODES, WITH_IMAGES);
	assert_reads(NODES " " IMAGES " " NODES, WITH_IMAGES WITH_IMAGES);
	assert_reads("{\"samples\":[{\"stack\":[\"b\"]}],\"dyld_images\":["
	             "{\"base_addr\":\"0x10\",\"size\":1}]}\n" IMAGES
	             "\n" NODES,
	             "1: 1/50 b 1/50(1/50 #1) run b*1\n"
	             "  image ??? 0x10+0x1\n"
	             "3: arch=arm64 v8 1/50 a 1/50(1/50 #1)\n"
	             "  image X 0x1000+0x0 31239ad326ce32dfb01b3eb5703fac81 "
	             "path=/a/X\n");
}

#define IMAGE_TEXT                                                      \
	"{ arch = \"arm64 v8\"; \"dyld_images\" = ( { \"base_addr\" = " \
	"0x1000; "                                                      \
	"name = \"/a/X\"; uuid = 31239ad326ce32dfb01b3eb5703fac81; } ); }"

static void test_a_list_as_text_may_be_beside_or_between(void **state)
{
	(void)state;
	assert_reads(NODES IMAGE_TEXT, WITH_IMAGES);
	assert_reads(NODES "\n// 1 image\n" IMAGE_TEXT "\n" NODES, WITH_IMAGES
	             "4: arch=arm64 v8 1/50 a 1/50(1/50 #1)\n"
	             "  image X 0x1000+0x0 31239ad326ce32dfb01b3eb5703fac81 "
	             "path=/a/X\n");
	assert_reads("{\"samples\":[{\"stack\":[\"b\"]}]}\n{\n  arch = x;\n"
	             "  \"dyld_images\" = ({ \"base_addr\" = 16; });\n}\n",
	             "1: arch=x 1/50 b 1/50(1/50 #1) run b*1\n"
	             "  image ??? 0x10+0x0\n");
	assert_reads(NODES "\n( { \"base_addr\" = 16; } )",
	             "1: 1/50 a 1/50(1/50 #1)\n  image ??? 0x10+0x0\n");
	assert_reads(NODES "\n{ a = b; }" NODES,
	             "1: 1/50 a 1/50(1/50 #1)\n"
	             "error: image list at line 2: not an image list: expected "
	             "\"dyld_images\" at line 1\n");
}

static void test_faults_of_a_list_are_reported_once(void **state)
{
	(void)state;
	assert_reads("{\"dyld_images\":[7,{\"base_addr\":16}]}" NODES NODES,
	             "1: 1/50 a 1/50(1/50 #1)\n  image ??? 0x10+0x0\n"
	             "  note dyld_images[0]: expected an image, an object, "
	             "found '7'\n"
	             "1: 1/50 a 1/50(1/50 #1)\n  image ??? 0x10+0x0\n");
	assert_reads("{\"dyld_images\":[7]}" NODES,
	             "1: 1/50 a 1/50(1/50 #1)\n"
	             "  note dyld_images[0]: expected an image, an object, "
	             "found '7'\n");
	assert_reads(NODES "{ \"dyld_images\" = ( { \"base_addr\" = 16; }, "
	                   "// ...",
	             "1: 1/50 a 1/50(1/50 #1)\n"
	             "  image ??? 0x10+0x0\n"
	             "  note dyld_images: line 1: expected '{' or ')': the "
	             "list is truncated\n");
}

static void keep_report(struct lag_report *report, void *context)
{
	struct lag_report *kept = context;

	*kept = *report;
	lag_report_init(report, kept->profile.strings);
}

static void test_a_report_that_is_kept_keeps_its_images(void **state)
{
	struct lag_report kept = { 0 };
	struct intern names = { 0 };
	struct lag_reader reader;
	struct json_pull *pull = json_pull_new(text_from(IMAGES NODES), 0);

	(void)state;
	lag_reader_init(&reader, &names, keep_report, NULL, &kept);
	assert_null(lag_read_documents(&reader, pull));
	lag_reader_end(&reader);
	lag_reader_release(&reader);
	json_pull_free(pull);
	assert_int_equal(kept.profile.images.count, 1);
	assert_string_equal(kept.profile.images.items[0].name, "X");
	assert_string_equal(kept.profile.images.items[0].path, "/a/X");
	assert_string_equal(kept.arch, "arm64 v8");
	lag_report_release(&kept);
	intern_release(&names);
}

// Formats

static void test_other_json_is_no_lag_report(void **state)
{
	static const char *const others[] = {
		"",
		"   ",
		"{}",
		"{\"a\":1}",
		"[1,2]",
		"{\"crash\":{},\"report\":{},\"samples\":[]}",
		"{\"recrash_report\":{}}",
		"{\"bug_type\":\"309\"}\n{\"threads\":[]}",
		"{\"callStackTrees\":[]}",
		"{\"diagnosticMetaData\":{}}",
		"{\"head\":{},\"items\":[]}",
		"[{\"crash\":{}}]",
		"[{\"instruction_address\":1,\"object_name\":\"a\",\"sample\":"
		"1,"
		"\"child\":[]}]",
		"{ a = 1; }",
		"Incident Identifier: x\nReport Version: 104\n",
		"name;address\nx;y\n",
		"main 5\nstart 6\nno count\n",
		"version: 1\nmain 5\n",
		"depth = 1\n",
		// A profile of Firefox, as we and others write it.
		"{\"meta\":{\"preprocessedProfileVersion\":48},\"threads\":[\n"
		"{\"samples\":{}}\n,\n{\"samples\":{}}\n]}",
		"{ \"meta\": {\"version\":27,\"stackwalk\":1},\n\"threads\":[\n"
		"{\"samples\":{}}\n]}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_int_equal(lag_format_of(text_from(others[i])),
		                 LAG_FORMAT_NONE);
}

static void test_formats_are_identified_by_their_first_bytes(void **state)
{
	static const struct {
		const char *in;
		enum lag_format format;
	} formats[] = {
		{ "\xef\xbb\xbf \n{\"samples\":[]}", LAG_FORMAT_DOCUMENTS },
		{ "{\"samples\":[]}\n", LAG_FORMAT_DOCUMENTS },
		{ "{\"samples\":[]}\n{\"sam", LAG_FORMAT_LINES },
		{ "{\"samples\":[\n{\"stack\":[]}\n]}", LAG_FORMAT_DOCUMENTS },
		{ "{\"id\":\n{\"samples\":[]}\n", LAG_FORMAT_LINES },
		{ "{}\n{\"samples\":[]}\n", LAG_FORMAT_LINES },
		{ "{\"crash\":{}}\n{\"samples\":[]}\n", LAG_FORMAT_LINES },
		{ "garbage\n\nmore\n{\"samples\":[]}", LAG_FORMAT_LINES },
		{ "null\n{\"samples\":[]}", LAG_FORMAT_LINES },
		{ "[[1]]\n{\"samples\":[]}", LAG_FORMAT_LINES },
		{ "[[\"main\",\"read\"],[\"main\"]]", LAG_FORMAT_DOCUMENTS },
		{ "[ [ \"a \\\"b\\\" c\", \"ma", LAG_FORMAT_DOCUMENTS },
		{ "[[\"main\",1],[\"main\"]]", LAG_FORMAT_NONE },
		{ "[[[\"main\"]]]", LAG_FORMAT_NONE },
		// Laid out over lines, it is one document.
		{ "[\n{\"samples\":[]}\n]", LAG_FORMAT_DOCUMENTS },
		{ "{\n\"list\":[\n{\"samples\":[]}\n]}", LAG_FORMAT_NONE },
		{ "[\n{\"samples\":[]},\n{\"samples\":[]}\n]",
		  LAG_FORMAT_DOCUMENTS },
		{ "garbage\n{\"bug_type\":\"1\",\"samples\":[]}",
		  LAG_FORMAT_NONE },
		{ "{\"dyld_images\":[]}\n{\"samples\":[]}",
		  LAG_FORMAT_DOCUMENTS },
		{ "{\"samples\":[]}\n{\"dyld_images\":[]}",
		  LAG_FORMAT_DOCUMENTS },
		{ "{\"samples\":[]}\n{ arch = x;", LAG_FORMAT_DOCUMENTS },
		{ "{\"samples\":[]}\n// 9 images\n{\narch = x;",
		  LAG_FORMAT_DOCUMENTS },
		{ "[ {\"time\":1,\"stack\":[", LAG_FORMAT_DOCUMENTS },
		{ "[{\"methodId\":1,\"depth\":0}]", LAG_FORMAT_DOCUMENTS },
		{ "{ arch = x; \"dyld_images\" = (", LAG_FORMAT_IMAGES },
		{ "// images\n{ \"dyld_images\" = (", LAG_FORMAT_IMAGES },
		{ "[ ]", LAG_FORMAT_DOCUMENTS },
		{ "a;b 1\n", LAG_FORMAT_COLLAPSED },
		{ "main 5\nstart [3] 6\n", LAG_FORMAT_COLLAPSED },
		{ "main 5\r\rmain;x 6\rbad\r", LAG_FORMAT_COLLAPSED },
		{ "main 1\nbad\na;b c 2", LAG_FORMAT_COLLAPSED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (lag_format_of(text_from(formats[i].in)) !=
		    formats[i].format)
			fail_msg("%s", formats[i].in);
}

static bool is_difference(const char *lines)
{
	return lag_is_difference(text_from(lines));
}

static void two_counts_on_all_lines_are_a_difference(void **state UNUSED)
{
	assert_true(is_difference("a;b 5 7\nmain 2 0\n"));
	assert_true(is_difference("a;b 5 7\n\na;c\t1.5\t0"));
	assert_true(is_difference("a;b + 24 5 7\na;c + 8 2 0\n"));
	assert_false(is_difference("a;b 5 0\nmain 2\n"));
	assert_false(is_difference("b 5 7\nmain 1 0\n"));
	assert_false(is_difference("a;b 1\na;c 0\n"));
	assert_false(is_difference(""));
}

static void a_number_at_the_end_of_a_name_is_no_count(void **state UNUSED)
{
	assert_false(is_difference("main;foo + 24 10\nmain;bar + 8 3\n"));
	assert_false(is_difference("main;foo + 24 0\nmain;bar + 8 3\n"));
	assert_false(is_difference("a;worker 5 7\n"));
	assert_false(is_difference("a;worker 1 7\na;worker 2 9\n"));
	assert_false(is_difference("a;b 5 7\na;c 1 0.5\n"));
}

// Damage

static const char whole[] =
        "{\"id\":\"r\",\"dyld_images\":[{\"base_addr\":1,\"name\":\"/x\"}],"
        "\"samples\":[{\"time_ms\":0,\"cost_ms\":5,\"stack\":[\"a\",\"0x10\","
        "{\"address\":17,\"symbol\":\"f\"}]}],\"order\":\"leaf-first\","
        "\"interval_ms\":50}\n" NODES "\n" IMAGES "\n" NODES IMAGE_TEXT NODES;

static void read_exactly(struct text in)
{
	// A copy of its own size: a byte read after it is seen.
	SCOPED(mem_drop) char *copy = mem_strndup(in.data, in.size);
	struct text part = { copy, in.size };

	for (enum lag_format format = LAG_FORMAT_DOCUMENTS;
	     format <= LAG_FORMAT_IMAGES; format++) {
		struct lag_reading reading;

		lag_format_of(part);
		lag_reading_begin(&reading);
		lag_reading_take(&reading, part, format);
		lag_reading_release(&reading);
	}
}

static void test_nothing_breaks_where_an_input_is_truncated(void **state)
{
	(void)state;
	for (size_t size = 0; size <= strlen(whole); size++)
		read_exactly((struct text){ whole, size });
}

static void test_nothing_breaks_where_a_byte_is_another(void **state)
{
	static const char bytes[] = "\"{}[],:0n \\\xff";

	(void)state;
	for (size_t at = 0; at < strlen(whole); at++) {
		for (size_t i = 0; i + 1 < sizeof(bytes); i++) {
			char copy[sizeof(whole)];

			memcpy(copy, whole, sizeof(whole));
			copy[at] = bytes[i];
			read_exactly((struct text){ copy, strlen(whole) });
		}
	}
}

/** Gives one byte at a time. */
static size_t read_byte(void *context, char *buffer, size_t size)
{
	struct text *in = context;

	if (!in->size || !size)
		return 0;
	buffer[0] = in->data[0];
	*in = text_after(*in, 1);
	return 1;
}

static void test_pieces_of_any_size_read_the_same(void **state)
{
	struct lag_reading at_once;
	struct lag_reading by_bytes;
	struct text in = text_from(whole);
	struct json_pull *pull = json_pull_new_feed(read_byte, &in, 0);

	(void)state;
	lag_reading_begin(&at_once);
	lag_reading_take(&at_once, in, LAG_FORMAT_DOCUMENTS);
	lag_reading_begin(&by_bytes);
	assert_null(lag_read_documents(&by_bytes.reader, pull));
	lag_reader_end(&by_bytes.reader);
	json_pull_free(pull);
	assert_string_equal(str_cstr(&by_bytes.out), str_cstr(&at_once.out));
	lag_reading_release(&at_once);
	lag_reading_release(&by_bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_report_has_facts_and_samples),
		cmocka_unit_test(
		        test_the_founding_example_is_one_tree_in_both_orders),
		cmocka_unit_test(test_members_may_come_in_any_order),
		cmocka_unit_test(test_frames_are_symbols_addresses_or_objects),
		cmocka_unit_test(
		        test_frames_that_are_none_are_noted_and_left_out),
		cmocka_unit_test(
		        test_a_cost_that_is_none_counts_as_an_interval),
		cmocka_unit_test(
		        test_what_is_no_number_is_noted_with_its_place),
		cmocka_unit_test(test_an_interval_of_nothing_is_noted),
		cmocka_unit_test(test_the_sum_of_a_fleet_is_a_cost_of_a_node),
		cmocka_unit_test(test_samples_without_a_stack_are_noted),
		cmocka_unit_test(test_a_stack_too_deep_loses_its_middle),
		cmocka_unit_test(test_the_middle_of_a_stack_leaves_no_names),
		cmocka_unit_test(
		        test_a_long_symbol_is_truncated_at_a_character),
		cmocka_unit_test(test_reports_are_in_arrays_and_in_rows),
		cmocka_unit_test(test_what_breaks_off_keeps_what_was_complete),
		cmocka_unit_test(test_a_bad_line_leaves_the_others_alone),
		cmocka_unit_test(test_a_bad_first_line_leaves_the_others_alone),
		cmocka_unit_test(test_notes_beyond_a_limit_are_counted),
		cmocka_unit_test(
		        test_a_node_list_is_a_tree_of_inclusive_numbers),
		cmocka_unit_test(
		        test_nodes_that_cannot_be_are_put_right_and_noted),
		cmocka_unit_test(
		        test_a_list_of_images_is_for_the_reports_beside_it),
		cmocka_unit_test(test_a_list_as_text_may_be_beside_or_between),
		cmocka_unit_test(test_faults_of_a_list_are_reported_once),
		cmocka_unit_test(test_a_report_that_is_kept_keeps_its_images),
		cmocka_unit_test(test_other_json_is_no_lag_report),
		cmocka_unit_test(
		        test_formats_are_identified_by_their_first_bytes),
		cmocka_unit_test(
		        test_nothing_breaks_where_an_input_is_truncated),
		cmocka_unit_test(two_counts_on_all_lines_are_a_difference),
		cmocka_unit_test(a_number_at_the_end_of_a_name_is_no_count),
		cmocka_unit_test(test_nothing_breaks_where_a_byte_is_another),
		cmocka_unit_test(test_pieces_of_any_size_read_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "parsers/lag/lag.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void read_list(struct text *in, struct str *out)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_images images = { 0 };
	SCOPED(error_drop)
	struct error *err = lag_images_read(in, &arena, &images);
	char uuid[UUID_TEXT_SIZE];

	if (err) {
		str_addf(out, "error: %s\n", error_message(err));
		return;
	}
	str_addf(out, "%s\n", images.arch ? images.arch : "-");
	for (size_t i = 0; i < images.count; i++) {
		const struct profile_image *image = &images.items[i];

		str_addf(out, "%s 0x%" PRIx64 "+0x%" PRIx64 " %s %s\n",
		         image->name, image->base, image->size,
		         uuid_is_zero(&image->uuid)
		                 ? "-"
		                 : uuid_format_compact(&image->uuid, uuid),
		         image->path ? image->path : "-");
	}
	for (size_t i = 0; i < images.note_count; i++)
		str_addf(out, "note %s: %s\n", images.notes[i].place,
		         images.notes[i].text);
}

static void assert_reads(const char *list, const char *gives, const char *rest)
{
	struct text in = text_from(list);
	SCOPED(str_release) struct str out = { 0 };

	read_list(&in, &out);
	assert_string_equal(str_cstr(&out), gives);
	in = text_trim(in);
	if (!text_is(in, rest))
		fail_msg("left: %.*s", TEXT_ARGS(in));
}

#define UUID "31239ad326ce32dfb01b3eb5703fac81"

static void test_a_json_list_has_images(void **state)
{
	(void)state;
	assert_reads(
	        "\xef\xbb\xbf {\"arch\":\"arm64\",\"x\":[{}],\"dyld_images\":["
	        "{\"addr_slide\":\"0x5c18000\",\"base_addr\":\"0x2000\","
	        "\"name\":\"/usr/lib/libX.dylib\",\"uuid\":\"" UUID "\"},"
	        "{\"base_addr\":4096,\"end_addr\":\"0x1800\",\"name\":\"Demo\","
	        "\"uuid\":\"31239AD3-26CE-32DF-B01B-3EB5703FAC81\"},"
	        "{\"base_addr\":1,\"size\":2}]} [1]",
	        "arm64\n??? 0x1+0x2 - -\nDemo 0x1000+0x800 " UUID " -\n"
	        "libX.dylib 0x2000+0x0 " UUID " /usr/lib/libX.dylib\n",
	        "[1]");
	assert_reads("[{\"base_addr\":1,\"name\":\"a\"}]", "-\na 0x1+0x0 - -\n",
	             "");
}

static void test_faults_of_a_json_list_are_noted(void **state)
{
	(void)state;
	assert_reads(
	        "{\"arch\":5,\"dyld_images\":[7,{\"name\":\"a\"},"
	        "{\"base_addr\":-1},{\"base_addr\":16,\"uuid\":\"x\","
	        "\"name\":{},\"size\":\"big\"},{\"base_addr\":32,\"na",
	        "-\n"
	        "??? 0x10+0x0 - -\n"
	        "note arch: expected text, found '5'\n"
	        "note dyld_images[0]: expected an image, an object, found '7'\n"
	        "note dyld_images[1]: expected \"base_addr\", found none: "
	        "left out\n"
	        "note dyld_images[2].base_addr: expected an address, found "
	        "'-1'\n"
	        "note dyld_images[2]: expected \"base_addr\", found none: "
	        "left out\n"
	        "note dyld_images[3].uuid: expected a UUID, found 'x'\n"
	        "note dyld_images[3].name: expected text, found an object\n"
	        "note dyld_images[3].size: expected a number of bytes, found "
	        "'big'\n"
	        "note dyld_images: the list is truncated\n",
	        "");
	assert_reads("{\"a\":1}",
	             "error: expected \"dyld_images\", found none\n", "");
	assert_reads("[{\"stack\":[1]}]",
	             "error: not an image list: no image has a "
	             "\"base_addr\"\n",
	             "");
	assert_reads("{\"dyld_images\":[}",
	             "error: line 1, column 17: expected a value or ']', found "
	             "'}'\n",
	             "}");
}

static void test_images_that_overlap_are_noted(void **state)
{
	(void)state;
	assert_reads("[{\"base_addr\":64,\"name\":\"c\"},"
	             "{\"base_addr\":16,\"size\":17,\"name\":\"a\"},"
	             "{\"base_addr\":32,\"size\":32,\"name\":\"b\"},"
	             "{\"base_addr\":64,\"name\":\"d\"}]",
	             "-\n"
	             "a 0x10+0x11 - -\n"
	             "b 0x20+0x20 - -\n"
	             "c 0x40+0x0 - -\n"
	             "d 0x40+0x0 - -\n"
	             "note dyld_images: 'b' at 0x20 starts inside 'a' at "
	             "0x10; and 1 more overlap\n",
	             "");
	// Not beside the one that it lies in.
	assert_reads("[{\"base_addr\":16,\"size\":64,\"name\":\"a\"},"
	             "{\"base_addr\":8,\"size\":8,\"name\":\"b\"},"
	             "{\"base_addr\":80,\"size\":4,\"name\":\"c\"},"
	             "{\"base_addr\":18446744073709551615,\"size\":4,"
	             "\"name\":\"d\"}]",
	             "-\nb 0x8+0x8 - -\na 0x10+0x40 - -\nc 0x50+0x4 - -\n"
	             "d 0xffffffffffffffff+0x4 - -\n",
	             "");
	assert_reads("[{\"base_addr\":16,\"size\":64,\"name\":\"a\"},"
	             "{\"base_addr\":32,\"size\":2,\"name\":\"b\"},"
	             "{\"base_addr\":79,\"size\":4,\"name\":\"c\"},"
	             "{\"base_addr\":82,\"name\":\"d\"}]",
	             "-\n"
	             "a 0x10+0x40 - -\n"
	             "b 0x20+0x2 - -\n"
	             "c 0x4f+0x4 - -\n"
	             "d 0x52+0x0 - -\n"
	             "note dyld_images: 'b' at 0x20 starts inside 'a' at "
	             "0x10; and 2 more overlap\n",
	             "");
}

static void test_a_dictionary_as_text_has_images(void **state)
{
	(void)state;
	assert_reads(
	        "// of the device\n"
	        "{ arch = \"arm64 v8\"; more = { a = ( b, \"c;\" ); d = "
	        "<0fbd 77>; };\n \"dyld_images\" = ( { \"addr_slide\" = "
	        "0x5c18000; \"base_addr\" = 0x1e9ead000; name = "
	        "/usr/lib/libX.dylib; uuid = " UUID "; }, /* more */\n"
	        "{ name = \"\\U4e2d\\\"\\n\\101\\Ud83d\\Ude00\"; "
	        "\"base_addr\" = 4096; size = 16; }, ); }\n[1]",
	        "arm64 v8\n\xe4\xb8\xad\"\nA\xf0\x9f\x98\x80 0x1000+0x10 - "
	        "-\nlibX.dylib 0x1e9ead000+0x0 " UUID " /usr/lib/libX.dylib\n",
	        "[1]");
	assert_reads("( { \"base_addr\" = 1; } )", "-\n??? 0x1+0x0 - -\n", "");
	assert_reads("{ \"dyld_images\" = (\n// 300 images\n); }{\"a\":1}",
	             "-\n", "{\"a\":1}");
}

static void test_text_that_breaks_off_keeps_its_images(void **state)
{
	(void)state;
	assert_reads("{ \"dyld_images\" = ( { \"base_addr\" = 1; name = a; }, "
	             "// ...\n[{\"depth\":0}]",
	             "-\n"
	             "a 0x1+0x0 - -\n"
	             "note dyld_images: line 2: expected '{' or ')': the list "
	             "is truncated\n",
	             "[{\"depth\":0}]");
	assert_reads("{ \"dyld_images\" = ( { \"base_addr\" = 1; name = a; }, "
	             "{ \"samples\" : [] }",
	             "-\n"
	             "a 0x1+0x0 - -\n"
	             "note dyld_images: line 1: expected '=': the list is "
	             "truncated\n",
	             "{ \"samples\" : [] }");
	assert_reads("{ \"dyld_images\" = ( { \"base_addr\" = 1; }, "
	             "{ \"base_addr\" = 2; na",
	             "-\n"
	             "??? 0x1+0x0 - -\n"
	             "note dyld_images: line 1: expected '=': the list is "
	             "truncated\n",
	             "");
	assert_reads("{ \"dyld_images\" = ( { uuid = zz; size = many; "
	             "\"base_addr\" = x; } ); }",
	             "-\nnote dyld_images[0]: expected a UUID, found 'zz'\n"
	             "note dyld_images[0]: expected a number, found 'many'\n"
	             "note dyld_images[0]: expected a number, found 'x'\n"
	             "note dyld_images[0]: expected \"base_addr\", found none: "
	             "left out\n",
	             "");
	assert_reads("nothing",
	             "error: not an image list: expected '{' at line 1\n",
	             "nothing");
	assert_reads(
	        "{ a = b; }",
	        "error: not an image list: expected \"dyld_images\" at line "
	        "1\n",
	        "");
}

static const char list[] =
        "{ arch = \"a\\U4e2d\"; x = (1, {b = c;}); /* c */ \"dyld_images\" = ( "
        "{ \"base_addr\" = 0x1; name = \"\\101\"; uuid = " UUID
        "; }, // x\n { \"base_addr\" = 2; }, ); } [1]";

static void read_exactly(const char *data, size_t size)
{
	// A copy of its own size: a byte read after it is seen.
	SCOPED(mem_drop) char *copy = mem_strndup(data, size);
	SCOPED(mem_drop) char *own = mem_alloc(size);
	SCOPED(str_release) struct str out = { 0 };
	struct text in = { own, size };

	memcpy(own, copy, size);
	read_list(&in, &out);
	assert_true(in.size <= size);
	assert_true(out.size > 0);
}

static void test_nothing_breaks_where_a_list_is_damaged(void **state)
{
	static const char bytes[] = "\"{}();=\\/<0 \xff";

	(void)state;
	for (size_t size = 0; size < sizeof(list); size++)
		read_exactly(list, size);
	for (size_t at = 0; at + 1 < sizeof(list); at++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			char copy[sizeof(list)];

			memcpy(copy, list, sizeof(list));
			copy[at] = bytes[i];
			read_exactly(copy, sizeof(list) - 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_json_list_has_images),
		cmocka_unit_test(test_faults_of_a_json_list_are_noted),
		cmocka_unit_test(test_images_that_overlap_are_noted),
		cmocka_unit_test(test_a_dictionary_as_text_has_images),
		cmocka_unit_test(test_text_that_breaks_off_keeps_its_images),
		cmocka_unit_test(test_nothing_breaks_where_a_list_is_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/text/plist/plist.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define XML(body)                                                             \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                        \
	"<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x.dtd\">\n" \
	"<plist version=\"1.0\">\n" body "\n</plist>\n"

/** A test's arena, gone with it. */
static int setup(void **state)
{
	static struct arena arena;

	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static const struct plist *read_text(struct arena *arena, const char *text)
{
	const struct plist *root = NULL;
	struct error *err =
	        plist_parse(bytes_from_text(text_from(text)), arena, &root);

	if (err)
		fail_msg("%s", error_message(err));
	return root;
}

static void assert_refused(struct arena *arena, struct bytes in,
                           const char *message)
{
	const struct plist *root = NULL;
	struct error *err = plist_parse(in, arena, &root);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_null(root);
	error_free(err);
}

static void an_info_plist_is_read_by_key(void **state)
{
	const struct plist *root = read_text(
	        *state, XML("<!-- made by hand -->\n"
	                    "<dict>\n"
	                    "\t<key>CFBundleVersion</key>\n"
	                    "\t<string>413</string>\n"
	                    "\t<key>Properties</key>\n"
	                    "\t<dict><key>Path</key><string>a &amp; "
	                    "b</string></dict>\n"
	                    "\t<key>Count</key><integer>7</integer>\n"
	                    "\t<key>List</key><array><true/><false/></array>\n"
	                    "\t<key>Empty</key><dict/>\n"
	                    "</dict>"));
	const struct plist *list = plist_get(root, "List");

	assert_string_equal(plist_text(root, "CFBundleVersion"), "413");
	assert_string_equal(plist_text(plist_get(root, "Properties"), "Path"),
	                    "a & b");
	assert_int_equal(plist_get(root, "Count")->number, 7);
	assert_int_equal(list->kind, PLIST_ARRAY);
	assert_int_equal(list->count, 2);
	assert_int_equal(list->items[0].value->number, 1);
	assert_int_equal(list->items[1].value->number, 0);
	assert_int_equal(plist_get(root, "Empty")->count, 0);
	assert_null(plist_get(root, "Absent"));
	assert_null(plist_text(root, "Count"));
	assert_null(plist_text(plist_get(root, "Absent"), "x"));
}

static void text_of_xml_is_decoded(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "plain", "plain" },
		{ " blanks stay ", " blanks stay " },
		{ "&lt;a&gt; &quot;&apos;", "<a> \"'" },
		{ "&#65;&#x42;&#xe4;&#x1F600;", "AB\xc3\xa4\xf0\x9f\x98\x80" },
		{ "a<![CDATA[<b> & ]]>c", "a<b> & c" },
		{ "a<!-- no -->b", "ab" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[256];

		snprintf(text, sizeof(text),
		         "<plist><string>%s</string></plist>", cases[i].in);
		assert_string_equal(read_text(*state, text)->text.data,
		                    cases[i].out);
	}
}

static void integers_of_xml_keep_64_bits(void **state)
{
	static const struct {
		const char *in;
		uint64_t number;
		bool negative;
	} cases[] = {
		{ "0", 0, false },
		{ " 42 ", 42, false },
		{ "+1", 1, false },
		{ "0x10", 16, false },
		{ "18446744073709551615", UINT64_MAX, false },
		{ "-1", UINT64_MAX, true },
		{ "-9223372036854775808", (uint64_t)1 << 63, true },
		{ "-0", 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct plist *value;
		char text[128];

		snprintf(text, sizeof(text),
		         "<plist><integer>%s</integer></plist>", cases[i].in);
		value = read_text(*state, text);
		assert_int_equal(value->kind, PLIST_INTEGER);
		assert_true(value->number == cases[i].number);
		assert_int_equal(value->negative, cases[i].negative);
	}
}

static void dates_reals_and_data_of_xml_are_read(void **state)
{
	const struct plist *root = read_text(
	        *state, "<plist><array><date>2001-01-02T00:00:01Z</date>"
	                "<date>2026-11-20T12:00:00Z</date>"
	                "<date>1970-01-01T00:00:00Z</date>"
	                "<real>-2.5</real><data>AAEC\n/w==</data></array>"
	                "</plist>");
	const struct plist_item *items = root->items;

	assert_true(items[0].value->real == 86401.0);
	assert_true(items[1].value->real == 816868800.0);
	assert_true(items[2].value->real == -978307200.0);
	assert_true(items[3].value->real == -2.5);
	assert_int_equal(items[4].value->text.size, 4);
	assert_memory_equal(items[4].value->text.data, "\0\1\2\xff", 4);
}

static void damaged_xml_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *in;
		const char *message;
	} cases[] = {
		{ "", "the property list is empty" },
		{ "{ a = b; }", "neither an XML nor a binary property list" },
		{ "<html></html>", "XML, but not a property list: its root is "
		                   "<html>" },
		{ "<plist>", "line 1: expected more: the list ends here" },
		{ "<plist></plist>", "line 1: expected a value in <plist>" },
		{ "<plist>\n<dict>\n<string>x</string>",
		  "line 3: expected <key> in <dict>" },
		{ "<plist><dict><key>a</key></dict>",
		  "line 1: expected a value after <key>" },
		{ "<plist><dict></array>", "line 1: expected </dict>" },
		{ "<plist><array></dict>", "line 1: expected </array>" },
		{ "<plist><integer>1.5</integer>",
		  "line 1: expected a number in <integer>" },
		{ "<plist><integer>-9223372036854775809</integer>",
		  "line 1: expected a number in <integer>" },
		{ "<plist><real></real>",
		  "line 1: expected a number in <real>" },
		{ "<plist><date>today</date>",
		  "line 1: expected a date such as 2001-02-03T04:05:06Z" },
		{ "<plist><data>A</data>",
		  "line 1: expected Base64 in <data>" },
		{ "<plist><data>%%</data>",
		  "line 1: expected Base64 in <data>" },
		{ "<plist><string>a</key>", "line 1: expected </string>" },
		{ "<plist><string>&nbsp;</string>",
		  "line 1: expected an XML entity after '&'" },
		{ "<plist><string>&#xd800;</string>",
		  "line 1: expected an XML entity after '&'" },
		{ "<plist><colour/></plist>",
		  "line 1: unknown element <colour>" },
		{ "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>",
		  "line 1: expected a DOCTYPE without declarations" },
		{ "<!-- <plist>", "line 1: expected more: the list ends here" },
		// What a document type elsewhere may declare.
		{ "<!DOCTYPE plist SYSTEM \"a.dtd\">\n<plist><string>&a;",
		  "line 2: expected an XML entity after '&'" },
		{ "<!DOCTYPE plist [<!ENTITY % a SYSTEM \"a\">%a;]><plist/>",
		  "line 1: expected a DOCTYPE without declarations" },
		{ "<plist>\n<string a='1' a='2'/></plist>",
		  "line 2: duplicate attribute" },
		{ "<plist><string>\xff</string></plist>",
		  "line 1: not well-formed (invalid token)" },
		{ "<plist>text</plist>", "line 1: expected a tag" },
		{ "<plist><string><true/></string></plist>",
		  "line 1: expected text without elements" },
		{ "<plist><dict><key>a</key><key>b</key></dict>",
		  "line 1: expected a value after <key>" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_refused(*state, bytes_from_text(text_from(cases[i].in)),
		               cases[i].message);
}

/** Ten entities, each of ten of the one before: a gigabyte, if they grew. */
static void entities_that_grow_are_refused_at_once(void **state)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add(&text, "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n"
	               "<!ENTITY e0 \"lol\">\n");
	for (unsigned i = 1; i < 10; i++) {
		str_addf(&text, "<!ENTITY e%u \"", i);
		for (unsigned k = 0; k < 10; k++)
			str_addf(&text, "&e%u;", i - 1);
		str_add(&text, "\">\n");
	}
	str_add(&text, "]>\n<plist><string>&e9;</string></plist>");
	assert_refused(*state, bytes_from_text(str_text(&text)),
	               "line 2: expected a DOCTYPE without declarations");
}

static void attributes_of_xml_are_passed_over(void **state)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add(&text, "<plist version='1.0'><string");
	for (unsigned i = 0; i < 20000; i++)
		str_addf(&text, " a%u='%u'", i, i);
	str_add(&text, ">x</string></plist>");
	assert_string_equal(read_text(*state, str_cstr(&text))->text.data, "x");
}

/** A device that loses power leaves half of a list. */
static void what_is_before_damage_in_xml_is_kept(void **state)
{
	static const struct {
		const char *in;
		size_t count;
		const char *last; ///< key
		const char *fault;
	} cases[] = {
		{ "<plist><dict><key>a</key><true/><key>b</key><string>x", 1,
		  "a", "line 1: expected more: the list ends here" },
		{ "<plist><dict><key>a</key><true/>\n<key>b</key><array>"
		  "<true/>",
		  2, "b", "line 2: expected more: the list ends here" },
		{ "<plist><dict><key>a</key><true/></array>", 1, "a",
		  "line 1: expected </dict>" },
		{ "<plist><dict><key>a</key><true/></dict>", 1, "a", NULL },
		{ "<plist><dict/></plist> more", 0, NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct plist *root = NULL;
		const char *fault = "";

		assert_null(
		        plist_salvage(bytes_from_text(text_from(cases[i].in)),
		                      *state, &root, &fault));
		assert_int_equal(root->kind, PLIST_DICT);
		assert_int_equal(root->count, cases[i].count);
		if (cases[i].last)
			assert_true(text_is(root->items[root->count - 1].key,
			                    cases[i].last));
		if (cases[i].fault)
			assert_string_equal(fault, cases[i].fault);
		else
			assert_null(fault);
	}
}

static void objects_of_xml_have_a_limit(void **state)
{
	struct arena *arena = *state;
	SCOPED(str_release) struct str text = { 0 };
	const struct plist *root = NULL;

	str_add(&text, "<plist version=\"1.0\">\n<array>");
	for (int i = 0; i < 999999; i++)
		str_add(&text, "<true/>");
	str_add(&text, "</array></plist>");
	assert_null(
	        plist_parse(bytes_from_text(str_text(&text)), arena, &root));
	text.size -= strlen("</array></plist>");
	str_add(&text, "<true/></array></plist>");
	assert_refused(arena, bytes_from_text(str_text(&text)),
	               "more than 1000000 objects");
}

static void nesting_of_xml_ends_at_64_levels(void **state)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add(&text, "<plist>");
	for (int i = 0; i < 64; i++)
		str_add(&text, "<array>");
	str_add(&text, "<array/>");
	assert_refused(*state, bytes_from_text(str_text(&text)),
	               "nested deeper than 64 levels");
}

/** A binary list in the making: objects in the order of their numbers. */
struct builder {
	struct str bytes;
	size_t offsets[16];
	size_t count;
};

static void add_object(struct builder *b, const void *data, size_t size)
{
	if (!b->bytes.size)
		str_add(&b->bytes, "bplist00");
	b->offsets[b->count++] = b->bytes.size;
	str_add_bytes(&b->bytes, data, size);
}

#define ADD(b, bytes) add_object((b), (bytes), sizeof(bytes) - 1)

/** Offset table (of single bytes) and trailer; object 0 is the root. */
static struct bytes finish(struct builder *b)
{
	size_t table = b->bytes.size;

	for (size_t i = 0; i < b->count; i++)
		str_add_char(&b->bytes, (char)b->offsets[i]);
	str_add_repeat(&b->bytes, '\0', 6);
	str_add_bytes(&b->bytes, "\1\1", 2);
	str_add_repeat(&b->bytes, '\0', 7);
	str_add_char(&b->bytes, (char)b->count);
	str_add_repeat(&b->bytes, '\0', 8 + 7);
	str_add_char(&b->bytes, (char)table);
	return bytes_from_text(str_text(&b->bytes));
}

static void builder_release(struct builder *b)
{
	str_release(&b->bytes);
}

static void a_binary_list_is_read_by_key(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };
	const struct plist *root = NULL;

	// {"v": "413", "n": 258, "l": [true, "413"], "w": UTF-16}
	ADD(&b, "\xd4\1\3\5\7\2\4\6\10");
	ADD(&b, "\x51v");
	ADD(&b, "\x53"
	        "413");
	ADD(&b, "\x51n");
	ADD(&b, "\x11\1\2");
	ADD(&b, "\x51l");
	ADD(&b, "\xa2\11\2");
	ADD(&b, "\x51w");
	ADD(&b, "\x64\0a\0\xe4\xd8\x3d\xde\0");
	ADD(&b, "\x09");
	assert_null(plist_parse(finish(&b), *state, &root));
	assert_string_equal(plist_text(root, "v"), "413");
	assert_int_equal(plist_get(root, "n")->number, 258);
	assert_int_equal(plist_get(root, "l")->count, 2);
	assert_int_equal(plist_get(root, "l")->items[0].value->kind,
	                 PLIST_BOOL);
	assert_ptr_equal(plist_get(root, "l")->items[1].value,
	                 plist_get(root, "v"));
	assert_string_equal(plist_text(root, "w"), "a\xc3\xa4\xf0\x9f\x98\x80");
}

static void scalars_of_a_binary_list_are_read(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };
	const struct plist *root = NULL;
	const struct plist_item *items;

	ADD(&b, "\xa7\1\2\3\4\5\6\7");
	ADD(&b, "\x13\xff\xff\xff\xff\xff\xff\xff\xfe");
	ADD(&b, "\x14\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
	ADD(&b, "\x22\x40\x20\0\0");
	ADD(&b, "\x33\x40\xf5\x18\x10\0\0\0\0");
	ADD(&b, "\x42\0\xff");
	ADD(&b, "\x81\1\0");
	ADD(&b, "\0");
	assert_null(plist_parse(finish(&b), *state, &root));
	items = root->items;
	assert_true(items[0].value->negative);
	assert_true((int64_t)items[0].value->number == -2);
	assert_false(items[1].value->negative);
	assert_true(items[1].value->number == UINT64_MAX);
	assert_true(items[2].value->real == 2.5);
	assert_int_equal(items[3].value->kind, PLIST_DATE);
	assert_true(items[3].value->real == 86401.0);
	assert_int_equal(items[4].value->kind, PLIST_DATA);
	assert_int_equal(items[4].value->text.size, 2);
	assert_int_equal(items[5].value->kind, PLIST_UID);
	assert_int_equal(items[5].value->number, 256);
	assert_int_equal(items[6].value->kind, PLIST_NULL);
}

static void a_binary_list_that_contains_itself_is_refused(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };

	ADD(&b, "\xa1\1");
	ADD(&b, "\xa1\0");
	assert_refused(*state, finish(&b), "object 0 contains itself");
}

static void a_reference_outside_a_binary_list_is_refused(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };

	ADD(&b, "\xa1\7");
	assert_refused(*state, finish(&b), "reference to object 7 of 1");
}

static void a_key_of_a_binary_list_is_a_string(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };

	ADD(&b, "\xd1\1\1");
	ADD(&b, "\x09");
	assert_refused(*state, finish(&b),
	               "object 1: a key that is not a "
	               "string");
}

static void counts_of_a_binary_list_are_checked(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };

	ADD(&b, "\xaf\x13\xff\xff\xff\xff\xff\xff\xff\xff");
	assert_refused(*state, finish(&b),
	               "object 0: offset 0x12: marker 0xaf is unknown, or its "
	               "contents do not fit the file");
}

/** Ten objects that all claim the same bytes would multiply a file. */
static void objects_of_a_binary_list_do_not_overlap(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };

	ADD(&b, "\xa9\1\2\3\4\5\6\7\10\11");
	ADD(&b, "\x5f\x10\x40"
	        "0123456789012345678901234567890123456789012345678901234567"
	        "890123");
	for (size_t i = 2; i < 10; i++)
		b.offsets[b.count++] = b.offsets[1];
	assert_refused(*state, finish(&b),
	               "object 2: offset 0x15: marker 0x5f is unknown, or its "
	               "contents do not fit the file");
}

static void a_binary_list_truncated_anywhere_is_refused_or_read(void **state)
{
	SCOPED(builder_release) struct builder b = { 0 };
	struct bytes all;

	ADD(&b, "\xd1\1\2");
	ADD(&b, "\x51k");
	ADD(&b, "\x51v");
	all = finish(&b);
	for (size_t size = 0; size < all.size; size++) {
		const struct plist *root = NULL;

		error_free(
		        plist_parse(bytes_part(all, 0, size), *state, &root));
	}
	assert_refused(*state, bytes_part(all, 0, 20),
	               "the binary property list is truncated");
}

static void an_xml_list_truncated_anywhere_is_refused(void **state)
{
	struct bytes all = bytes_from_text(
	        text_from("<plist><dict><key>a</key><array><integer>1"
	                  "</integer></array></dict>"));

	for (size_t size = 0; size < all.size; size++) {
		const struct plist *root = NULL;
		struct error *err =
		        plist_parse(bytes_part(all, 0, size), *state, &root);

		assert_non_null(err);
		error_free(err);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_info_plist_is_read_by_key),
		TEST(text_of_xml_is_decoded),
		TEST(integers_of_xml_keep_64_bits),
		TEST(dates_reals_and_data_of_xml_are_read),
		TEST(damaged_xml_is_refused_with_its_line),
		TEST(entities_that_grow_are_refused_at_once),
		TEST(attributes_of_xml_are_passed_over),
		TEST(what_is_before_damage_in_xml_is_kept),
		TEST(objects_of_xml_have_a_limit),
		TEST(nesting_of_xml_ends_at_64_levels),
		TEST(a_binary_list_is_read_by_key),
		TEST(scalars_of_a_binary_list_are_read),
		TEST(a_binary_list_that_contains_itself_is_refused),
		TEST(a_reference_outside_a_binary_list_is_refused),
		TEST(a_key_of_a_binary_list_is_a_string),
		TEST(counts_of_a_binary_list_are_checked),
		TEST(objects_of_a_binary_list_do_not_overlap),
		TEST(a_binary_list_truncated_anywhere_is_refused_or_read),
		TEST(an_xml_list_truncated_anywhere_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

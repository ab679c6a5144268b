// SPDX-License-Identifier: MIT
#include "lib/base/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void text_is_written(const char *in, size_t size, const char *expected)
{
	SCOPED(str_release) struct str out = { 0 };

	xml_add_text(&out, (struct text){ .data = in, .size = size });
	assert_string_equal(str_cstr(&out), expected);
}

#define WRITES(in, expected) text_is_written((in), sizeof(in) - 1, (expected))

static void whatever_a_name_holds_stays_text(void **state)
{
	(void)state;
	WRITES("</script><b>", "&lt;/script&gt;&lt;b&gt;");
	WRITES("]]>", "]]&gt;");
	WRITES("\"a\" 'b' & &amp;",
	       "&quot;a&quot; &#39;b&#39; &amp; &amp;amp;");
	WRITES("\x1b[31m\x07\n\x7f", "\\x1b[31m\\x07\\x0a\\x7f");
	WRITES("a\0b", "a\\x00b");
	WRITES("bad \xff\xc3 utf", "bad \\xff\\xc3 utf");
	WRITES("\xe2\x80\xaegnp.exe", "\\u{202e}gnp.exe");
	WRITES("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd",
	       "\\u{fffe}\\u{ffff}\xef\xbf\xbd");
	WRITES("שלום", "שלום");
	WRITES("", "");
}

static void a_document_keeps_its_lines(void **state)
{
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	xml_add_document(&out, text_from("<p title=\"a\">\n\t'b' &amp;\n"));
	assert_string_equal(str_cstr(&out),
	                    "&lt;p title=&quot;a&quot;&gt;\n\t&#39;b&#39; "
	                    "&amp;amp;\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_a_name_holds_stays_text),
		cmocka_unit_test(a_document_keeps_its_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/entry.h"

#include "lib/object/dwarf/form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib/object/dwarf/dwarf_expect.h"

/** Abbreviations of a test's own, before those of the builder. */
enum { OWN_ROOT = 100, OWN_FUNCTION, OWN_NAMED };

/** A value: its form, as LEB128, and its bytes. */
struct value {
	const char *form;
	const char *bytes;
	size_t size;
};

#define VALUE(form, bytes)                     \
	{                                      \
		form, bytes, sizeof(bytes) - 1 \
	}

#define NAME_STRING VALUE("\x08", "f\0")
#define LOW_ADDRESS VALUE("\x01", "\0\x10\0\0\0\0\0\0")
#define HIGH_DATA1  VALUE("\x0b", "\x10")

static void put_value(struct str *out, const struct value *value)
{
	str_add_bytes(out, value->bytes, value->size);
}

/** Sections that strings and addresses are indexes or offsets into. */
static void put_sections(struct dwarf_builder *d)
{
	str_add_bytes(&d->str, "zero\0one\0", 9);
	str_add_bytes(&d->line_str, "line\0", 5);
	dwarf_put(&d->str_offsets, 0, 8);
	dwarf_put(&d->str_offsets, 0, 4);
	dwarf_put(&d->str_offsets, 5, 4);
	dwarf_put(&d->str_offsets, 99, 4); // behind all strings
	dwarf_put(&d->str_offsets, 0, 2);  // cut
	dwarf_put(&d->addr, 0, 8);
	dwarf_put(&d->addr, 0x1000, 8);
	dwarf_put(&d->addr, 0x1040, 8);
	dwarf_put(&d->addr, 0, 2); // cut
}

/**
 * Old releases of libdwarf do not know numbers of three bytes, read one with a
 * sign as one without, and have words of their own for a string in another
 * file.
 */
static bool knows(const struct value *value)
{
	return *value->form != 0x27 && *value->form != 0x2b &&
	       *value->form != 0x1d &&
	       !(*value->form == 0x0d && *value->bytes == 0x7f);
}

/** A unit with a function whose values have these forms. */
static void expect_function(const struct value *name, const struct value *low,
                            const struct value *high, const char *expected)
{
	struct dwarf_builder d = { 0 };

	put_sections(&d);
	dwarf_put(&d.abbrev, OWN_ROOT, 1);
	str_add_bytes(&d.abbrev, "\x11\1\x72\x17\x73\x17\0\0", 8);
	dwarf_put(&d.abbrev, OWN_FUNCTION, 1);
	str_add_bytes(&d.abbrev, "\x2e\0", 2);
	str_addf(&d.abbrev, "\x03%s\x11%s\x12%s", name->form, low->form,
	         high->form);
	str_add_bytes(&d.abbrev, "\0\0", 2);
	dwarf_unit_begin(&d, 5);
	dwarf_entry(&d, OWN_ROOT);
	dwarf_put(&d.info, 8, 4);
	dwarf_put(&d.info, 8, 4);
	dwarf_entry(&d, OWN_FUNCTION);
	put_value(&d.info, name);
	put_value(&d.info, low);
	put_value(&d.info, high);
	dwarf_unit_end(&d);
	expect_by(&d, knows(name) && knows(low) && knows(high), NULL, 0,
	          expected);
}

static void names_have_many_forms(void **state)
{
	static const struct {
		struct value name;
		const char *printed;
	} cases[] = {
		{ NAME_STRING, "f" },
		{ VALUE("\x0e", "\5\0\0\0"), "one" },
		{ VALUE("\x0e", "\x09\0\0\0"), "" },
		{ VALUE("\x1f", "\0\0\0\0"), "line" },
		{ VALUE("\x1f", "\5\0\0\0"), "" },
		{ VALUE("\x1a", "\1"), "one" },
		{ VALUE("\x25", "\1"), "one" },
		{ VALUE("\x26", "\1\0"), "one" },
		{ VALUE("\x27", "\1\0\0"), "one" },
		{ VALUE("\x28", "\1\0\0\0"), "one" },
		{ VALUE("\x82\x3e", "\1"), "one" },
		{ VALUE("\x25", "\2"), "" },
		{ VALUE("\x25", "\3"), "" },
		{ VALUE("\x25", "\x7f"), "" },
		{ VALUE("\x16", "\x08g\0"), "g" }, // indirect
		{ VALUE("\x16", "\x0e\5\0\0\0"), "one" },
		{ VALUE("\x0b", "\1"), "" }, // a number
		{ VALUE("\x1d", "\0\0\0\0"), "" },
	};
	static const struct value low = LOW_ADDRESS, high = HIGH_DATA1;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str expected = { 0 };

		// Of a function without a name, the symbol table may know it:
		// one that is there and says nothing is damage.
		str_addf(&expected, "%s [1000 1010)\n%s", cases[i].printed,
		         *cases[i].printed
		                 ? ""
		                 : "1 bad: unit at 0x0: names are damaged\n");
		expect_function(&cases[i].name, &low, &high,
		                str_cstr(&expected));
	}
}

static void addresses_have_many_forms(void **state)
{
	static const struct {
		struct value low, high;
		const char *range; ///< NULL: no code
	} cases[] = {
		{ LOW_ADDRESS, HIGH_DATA1, "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x05", "\x10\0"), "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x06", "\x10\0\0\0"), "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x07", "\x10\0\0\0\0\0\0\0"),
		  "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x0f", "\x90\1"), "[1000 1090)" },
		{ LOW_ADDRESS, VALUE("\x0d", "\x10"), "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x0d", "\x7f"), NULL }, // -1
		{ LOW_ADDRESS, VALUE("\x01", "\x20\x10\0\0\0\0\0\0"),
		  "[1000 1020)" },
		{ LOW_ADDRESS, VALUE("\x1b", "\1"), "[1000 1040)" },
		{ LOW_ADDRESS, VALUE("\x21\x10", ""), "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x16", "\x0b\x10"), "[1000 1010)" },
		{ LOW_ADDRESS, VALUE("\x0c", "\x10"), NULL }, // a flag
		{ LOW_ADDRESS, VALUE("\x0b", "\0"), NULL },   // empty
		{ LOW_ADDRESS, VALUE("\x1b", "\2"), NULL },
		{ VALUE("\x1b", "\0"), HIGH_DATA1, "[1000 1010)" },
		{ VALUE("\x29", "\0"), HIGH_DATA1, "[1000 1010)" },
		{ VALUE("\x2a", "\0\0"), HIGH_DATA1, "[1000 1010)" },
		{ VALUE("\x2b", "\0\0\0"), HIGH_DATA1, "[1000 1010)" },
		{ VALUE("\x2c", "\1\0\0\0"), HIGH_DATA1, "[1040 1050)" },
		{ VALUE("\x81\x3e", "\1"), HIGH_DATA1, "[1040 1050)" },
		{ VALUE("\x29", "\2"), HIGH_DATA1, NULL },
		{ VALUE("\x29", "\x7f"), HIGH_DATA1, NULL },
		{ VALUE("\x08", "x\0"), HIGH_DATA1, NULL },
		{ VALUE("\x01", "\xff\xff\xff\xff\xff\xff\xff\xff"), HIGH_DATA1,
		  NULL }, // dropped
	};
	static const struct value name = NAME_STRING;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str expected = { 0 };

		str_add(&expected, "");
		if (cases[i].range)
			str_addf(&expected, "f %s\n", cases[i].range);
		expect_function(&name, &cases[i].low, &cases[i].high,
		                str_cstr(&expected));
	}
}

/** A function that is named by another, which lies 0x14 into its unit. */
static void expect_named(const struct value *origin, const char *expected)
{
	struct dwarf_builder d = { 0 };

	dwarf_put(&d.abbrev, OWN_ROOT, 1);
	str_add_bytes(&d.abbrev, "\x11\1\0\0", 4);
	dwarf_put(&d.abbrev, OWN_NAMED, 1);
	str_add_bytes(&d.abbrev, "\x2e\0", 2);
	str_addf(&d.abbrev, "\x31%s\x11\x01\x12\x06", origin->form);
	str_add_bytes(&d.abbrev, "\0\0", 2);
	// Not the first unit: offsets are of the section, or of the unit.
	dwarf_unit_begin(&d, 4);
	dwarf_entry(&d, OWN_ROOT);
	dwarf_abstract(&d, "other", "other");
	dwarf_unit_end(&d);
	assert_int_equal(d.info.size, 0x1a);
	dwarf_unit_begin(&d, 4);
	dwarf_entry(&d, OWN_ROOT);
	assert_int_equal(dwarf_abstract(&d, "name", "linkage") - d.unit, 0x0c);
	dwarf_entry(&d, OWN_NAMED);
	put_value(&d.info, origin);
	dwarf_low_high(&d, 0x1000, 0x10);
	dwarf_unit_end(&d);
	expect(&d, NULL, 0, expected);
}

static void references_have_many_forms(void **state)
{
	static const struct {
		struct value origin;
		const char *name;
	} cases[] = {
		{ VALUE("\x11", "\x0c"), "linkage" },
		{ VALUE("\x12", "\x0c\0"), "linkage" },
		{ VALUE("\x13", "\x0c\0\0\0"), "linkage" },
		{ VALUE("\x14", "\x0c\0\0\0\0\0\0\0"), "linkage" },
		{ VALUE("\x15", "\x0c"), "linkage" },
		{ VALUE("\x10", "\x26\0\0\0"), "linkage" }, // of the section
		{ VALUE("\x10", "\x0c\0\0\0"), "other" },
		{ VALUE("\x10", "\xff\xff\0\0"), "" },
		{ VALUE("\x11", "\xf0"), "" },               // beyond the unit
		{ VALUE("\x20", "\x0c\0\0\0\0\0\0\0"), "" }, // a signature
		{ VALUE("\x0b", "\x0c"), "" },               // a number
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str expected = { 0 };

		str_addf(&expected, "%s [1000 1010)\n", cases[i].name);
		expect_named(&cases[i].origin, str_cstr(&expected));
	}
}

static void tags_of_units(void **state)
{
	(void)state;
	assert_true(tag_is_unit(TAG_COMPILE_UNIT));
	assert_true(tag_is_unit(TAG_PARTIAL_UNIT));
	assert_true(tag_is_unit(TAG_TYPE_UNIT));
	assert_true(tag_is_unit(TAG_SKELETON_UNIT));
	assert_false(tag_is_unit(TAG_SUBPROGRAM));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_have_many_forms),
		cmocka_unit_test(addresses_have_many_forms),
		cmocka_unit_test(references_have_many_forms),
		cmocka_unit_test(tags_of_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

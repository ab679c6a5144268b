// SPDX-License-Identifier: MIT
#include "lib/symbols/source/symtab.h"

#include "tests/unit/lib/object/macho/macho_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SYMBOLS_OFFSET 0x400u
#define TEXT_START     0x100000000u // __TEXT; its __text is 0x1000 after

enum {
	TEXT = 1,  ///< section 1: 0x1000 to 0x2000
	STUBS = 2, ///< section 2: 0x2000 to 0x2100
	DATA = 3,  ///< section 3: 0x4000 to 0x5000

	LOCAL = 0x0e,
	GLOBAL = 0x0f,
	PRIVATE_EXTERNAL = 0x1f,
	UNDEFINED = 0x01,
	ABSOLUTE = 0x02,
	STAB_FUNCTION = 0x24,
	THUMB = 0x8,
};

struct test_symbol {
	const char *name;
	uint8_t type;
	uint8_t section;
	uint64_t offset; ///< from __TEXT
};

/** What one case is built of; lists end with a NULL name or a 0. */
struct test_image {
	struct test_symbol symbols[8];
	const char *function_starts; ///< ULEB deltas
};

struct fixture {
	struct macho_builder builder;
	struct macho macho;
};

static size_t symbol_count(const struct test_image *image)
{
	size_t count = 0;

	while (image->symbols[count].name)
		count++;
	return count;
}

static void build(struct fixture *f, enum cursor_order order, bool is_64,
                  uint32_t cpu_type, const struct test_image *image)
{
	struct macho_builder *b = &f->builder;
	uint64_t base = is_64 ? TEXT_START : 0;
	size_t count = symbol_count(image);
	uint32_t strings_offset =
	        (uint32_t)(SYMBOLS_OFFSET + count * (is_64 ? 16 : 12));
	SCOPED(str_release) struct str strings = { 0 };
	size_t starts_size =
	        image->function_starts ? strlen(image->function_starts) : 0;
	struct error *err;

	macho_begin(b, order, is_64, cpu_type, 0, MACHO_EXECUTE);
	macho_add_segment(b, "__TEXT", base, 0x4000, 0, 0, 2);
	macho_add_section(b, "__TEXT", "__text", base + 0x1000, 0x1000, 0, 0);
	macho_add_section(b, "__TEXT", "__stubs", base + 0x2000, 0x100, 0, 0);
	macho_add_segment(b, "__DATA", base + 0x4000, 0x1000, 0, 0, 1);
	macho_add_section(b, "__DATA", "__data", base + 0x4000, 0x1000, 0, 0);
	str_add_char(&strings, '\0');
	for (size_t i = 0; i < count; i++)
		str_add_bytes(&strings, image->symbols[i].name,
		              strlen(image->symbols[i].name) + 1);
	// The last name ends with the table, as some writers have it.
	macho_add_symtab(b, SYMBOLS_OFFSET, (uint32_t)count, strings_offset,
	                 (uint32_t)strings.size - 1);
	macho_add_function_starts(b, strings_offset + (uint32_t)strings.size,
	                          (uint32_t)starts_size);
	macho_pad(b, SYMBOLS_OFFSET);
	for (size_t i = 0, name = 1; i < count; i++) {
		const struct test_symbol *symbol = &image->symbols[i];

		macho_put_symbol(b, (uint32_t)name, symbol->type,
		                 symbol->section, THUMB, base + symbol->offset);
		name += strlen(symbol->name) + 1;
	}
	macho_put(b, strings_offset, strings.data, strings.size);
	if (starts_size)
		str_add(&b->image, image->function_starts);
	err = macho_parse(macho_finish(b), &f->macho);
	if (err)
		fail_msg("%s", error_message(err));
	assert_int_equal(f->macho.skipped_parts, 0);
}

static void release(struct fixture *f)
{
	macho_release(&f->macho);
	macho_builder_release(&f->builder);
}

/** One address; "" stands for no answer. */
static void assert_name_of(const struct fixture *f, uint64_t offset,
                           const char *name, uint64_t start)
{
	uint64_t base = f->macho.text_address;
	uint64_t address = base + offset;
	struct symtab_answer answer;

	symtab_resolve(&f->macho, &address, 1, &answer);
	if (!text_is(answer.name, name))
		fail_msg("0x%llx: expected '%s', found '%.*s'",
		         (unsigned long long)offset, name,
		         TEXT_ARGS(answer.name));
	if (name[0])
		assert_int_equal(answer.start, base + start);
}

static void the_greatest_symbol_at_or_below_answers(void **state)
{
	static const struct test_image image = {
		.symbols = {
			{ "_third", GLOBAL, TEXT, 0x1400 },
			{ "_first", LOCAL, TEXT, 0x1100 },
			{ "_second", PRIVATE_EXTERNAL, TEXT, 0x1200 },
		},
	};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct fixture f;

		build(&f, i & 1 ? CURSOR_BIG : CURSOR_LITTLE, i & 2,
		      i & 2 ? CPU_ARM64 : CPU_ARM, &image);
		assert_name_of(&f, 0x10ff, "", 0);
		assert_name_of(&f, 0x1100, "_first", 0x1100);
		assert_name_of(&f, 0x11ff, "_first", 0x1100);
		assert_name_of(&f, 0x1200, "_second", 0x1200);
		assert_name_of(&f, 0x1fff, "_third", 0x1400);
		release(&f);
	}
}

static void a_symbol_ends_with_its_section(void **state)
{
	static const struct test_image image = {
		.symbols = {
			{ "__mh_execute_header", GLOBAL, TEXT, 0 },
			{ "_last", GLOBAL, TEXT, 0x1ff0 },
			{ "_in_data", GLOBAL, DATA, 0x4000 },
		},
	};
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	// The header's symbol claims section 1 and lies before it.
	assert_name_of(&f, 0x1000, "", 0);
	assert_name_of(&f, 0x1fff, "_last", 0x1ff0);
	assert_name_of(&f, 0x2000, "", 0); // __stubs has no symbol
	assert_name_of(&f, 0x4000, "", 0); // data is not code
	assert_name_of(&f, 0x0, "", 0);
	assert_name_of(&f, 0x9000, "", 0);
	release(&f);
}

static void function_starts_bound_a_symbol(void **state)
{
	// 0x1100, 0x1200, 0x1300; a zero would end them.
	static const struct test_image image = {
		.symbols = {
			{ "_first", GLOBAL, TEXT, 0x1100 },
			{ "_third", GLOBAL, TEXT, 0x1300 },
		},
		.function_starts = "\x80\x22\x80\x02\x80\x02",
	};
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	assert_name_of(&f, 0x11ff, "_first", 0x1100);
	// A stripped function lies here: no name is better than a wrong one.
	assert_name_of(&f, 0x1200, "", 0);
	assert_name_of(&f, 0x12ff, "", 0);
	assert_name_of(&f, 0x1300, "_third", 0x1300);
	release(&f);
}

static void the_thumb_bit_is_in_function_starts_only(void **state)
{
	// 0x1101, 0x1201
	static const struct test_image image = {
		.symbols = {
			{ "_thumb", GLOBAL, TEXT, 0x1100 },
			{ "_next", GLOBAL, TEXT, 0x1200 },
		},
		.function_starts = "\x81\x22\x80\x02",
	};
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, false, CPU_ARM, &image);
	assert_name_of(&f, 0x1100, "_thumb", 0x1100);
	assert_name_of(&f, 0x1102, "_thumb", 0x1100);
	assert_name_of(&f, 0x1200, "_next", 0x1200);
	release(&f);
}

static void symbols_that_name_no_code_are_passed_over(void **state)
{
	static const struct test_image image = {
		.symbols = {
			{ "_function", GLOBAL, TEXT, 0x1100 },
			{ "_stab", STAB_FUNCTION, TEXT, 0x1110 },
			{ "_undefined", UNDEFINED, 0, 0x1120 },
			{ "_absolute", ABSOLUTE, TEXT, 0x1130 },
			{ "_no_section", GLOBAL, 0, 0x1140 },
			{ "_bad_section", GLOBAL, 200, 0x1150 },
			{ "", GLOBAL, TEXT, 0x1160 },
		},
	};
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	assert_name_of(&f, 0x1800, "_function", 0x1100);
	release(&f);
}

static void aliases_of_an_address_have_an_order(void **state)
{
	static const struct {
		struct test_symbol symbols[8];
		const char *best;
	} cases[] = {
		{ { { "_a", LOCAL, TEXT, 0x1100 },
		    { "_b", PRIVATE_EXTERNAL, TEXT, 0x1100 },
		    { "_c", GLOBAL, TEXT, 0x1100 } },
		  "_c" },
		{ { { "_a", LOCAL, TEXT, 0x1100 },
		    { "_b", PRIVATE_EXTERNAL, TEXT, 0x1100 } },
		  "_b" },
		{ { { "Lloh0", LOCAL, TEXT, 0x1100 },
		    { "ltmp0", LOCAL, TEXT, 0x1100 },
		    { "_z", LOCAL, TEXT, 0x1100 } },
		  "_z" },
		{ { { "_b", GLOBAL, TEXT, 0x1100 },
		    { "_a", GLOBAL, TEXT, 0x1100 },
		    { "_ab", GLOBAL, TEXT, 0x1100 } },
		  "_a" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct test_image forth = { 0 }, back = { 0 };
		size_t count;
		struct fixture f;

		memcpy(forth.symbols, cases[i].symbols, sizeof(forth.symbols));
		count = symbol_count(&forth);
		for (size_t s = 0; s < count; s++)
			back.symbols[s] = forth.symbols[count - 1 - s];
		build(&f, CURSOR_LITTLE, true, CPU_ARM64, &forth);
		assert_name_of(&f, 0x1104, cases[i].best, 0x1100);
		release(&f);
		build(&f, CURSOR_LITTLE, true, CPU_ARM64, &back);
		assert_name_of(&f, 0x1104, cases[i].best, 0x1100);
		release(&f);
	}
}

static void many_addresses_answer_as_each_alone(void **state)
{
	static const struct test_image image = {
		.symbols = {
			{ "_d", GLOBAL, STUBS, 0x2010 },
			{ "_b", GLOBAL, TEXT, 0x1200 },
			{ "_c", LOCAL, TEXT, 0x1210 },
			{ "_a", GLOBAL, TEXT, 0x1100 },
			{ "_e", GLOBAL, DATA, 0x4000 },
		},
		.function_starts = "\x80\x22\x80\x02\x20\x10",
	};
	uint64_t addresses[0x1200];
	struct symtab_answer answers[ARRAY_SIZE(addresses)];
	struct fixture f;
	size_t named = 0;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	// Each address twice: the same question may come from two frames.
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		addresses[i] = TEXT_START + 0xff0 + i / 2 * 2;
	symtab_resolve(&f.macho, addresses, ARRAY_SIZE(addresses), answers);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		struct symtab_answer alone;

		symtab_resolve(&f.macho, &addresses[i], 1, &alone);
		assert_true(text_equal(alone.name, answers[i].name));
		assert_int_equal(alone.start, answers[i].start);
		named += answers[i].name.size > 0;
	}
	// _a 0x100, _b and _c 0x20 until the stripped function, _d 0xf0.
	assert_int_equal(named, 0x100 + 0x20 + 0xf0);
	symtab_find_starts(&f.macho, addresses, ARRAY_SIZE(addresses), answers);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		struct symtab_answer any;

		symtab_resolve(&f.macho, &addresses[i], 1, &any);
		if (any.start != addresses[i])
			any.name = TEXT_NONE;
		assert_true(text_equal(any.name, answers[i].name));
		named -= answers[i].name.size > 0;
	}
	// The starts of _a to _d, each asked for twice.
	assert_int_equal(named, 0x100 + 0x20 + 0xf0 - 2 * 4);
	release(&f);
}

static void tables_in_any_order_give_the_same_names(void **state)
{
	static const struct test_image image = {
		.symbols = {
			{ "_d", GLOBAL, TEXT, 0x1400 },
			{ "_a", GLOBAL, TEXT, 0x1100 },
			{ "_e", GLOBAL, TEXT, 0x1500 },
			{ "_c", GLOBAL, TEXT, 0x1300 },
			{ "_b", GLOBAL, TEXT, 0x1200 },
		},
	};
	static const char *const names[] = { "_a", "_b", "_c", "_d", "_e" };
	uint64_t addresses[ARRAY_SIZE(names)];
	struct symtab_answer answers[ARRAY_SIZE(names)];
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		addresses[i] = TEXT_START + 0x1100 + i * 0x100;
	symtab_find_starts(&f.macho, addresses, ARRAY_SIZE(names), answers);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_true(text_is(answers[i].name, names[i]));
	symtab_resolve(&f.macho, addresses, ARRAY_SIZE(names), answers);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_true(text_is(answers[i].name, names[i]));
	release(&f);
}

static void a_bad_string_offset_loses_one_symbol(void **state)
{
	static const struct test_image image = {
		.symbols = {
			{ "_kept", GLOBAL, TEXT, 0x1100 },
			{ "_lost", GLOBAL, TEXT, 0x1200 },
		},
	};
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	patch_u32(&f.builder.image, SYMBOLS_OFFSET + 16,
	          (uint32_t)f.macho.strings.size, CURSOR_LITTLE);
	assert_name_of(&f, 0x1300, "_kept", 0x1100);
	release(&f);
}

static void no_symbols_and_no_addresses_are_fine(void **state)
{
	static const struct test_image image = { 0 };
	struct fixture f;

	(void)state;
	build(&f, CURSOR_LITTLE, true, CPU_ARM64, &image);
	assert_name_of(&f, 0x1100, "", 0);
	symtab_resolve(&f.macho, NULL, 0, NULL);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_greatest_symbol_at_or_below_answers),
		cmocka_unit_test(a_symbol_ends_with_its_section),
		cmocka_unit_test(function_starts_bound_a_symbol),
		cmocka_unit_test(the_thumb_bit_is_in_function_starts_only),
		cmocka_unit_test(symbols_that_name_no_code_are_passed_over),
		cmocka_unit_test(aliases_of_an_address_have_an_order),
		cmocka_unit_test(many_addresses_answer_as_each_alone),
		cmocka_unit_test(tables_in_any_order_give_the_same_names),
		cmocka_unit_test(a_bad_string_offset_loses_one_symbol),
		cmocka_unit_test(no_symbols_and_no_addresses_are_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/line.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/lib/object/macho/macho_builder.h"

/** A line program in the making; the header's lengths are put in at the end. */
struct program {
	struct str bytes;
	size_t header_length; ///< where it is
	size_t begin;         ///< of the opcodes
	uint16_t version;
};

/** How many operands the standard opcodes have, from 1 on. */
struct operands {
	uint8_t counts[16];
	uint8_t count;
};

/** One more operand than usual for the last one. */
static const struct operands one_more = {
	{ 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 2 }, 12
};

#define OPCODE_BASE 13

static void put(struct program *p, uint64_t value, unsigned size)
{
	put_uint(&p->bytes, value, size, CURSOR_LITTLE);
}

static void put_string(struct program *p, const char *string)
{
	str_add_bytes(&p->bytes, string, strlen(string) + 1);
}

static void begin_with(struct program *p, uint16_t version, uint8_t line_range,
                       const struct operands *operands)
{
	*p = (struct program){ .version = version };
	put(p, 0, 4);
	put(p, version, 2);
	if (version >= 5) {
		put(p, 8, 1);
		put(p, 0, 1);
	}
	p->header_length = p->bytes.size;
	put(p, 0, 4);
	put(p, 1, 1);
	if (version >= 4)
		put(p, 1, 1);
	put(p, 1, 1);
	put(p, (uint8_t)-5, 1);
	put(p, line_range, 1);
	put(p, operands->count + 1, 1);
	str_add_bytes(&p->bytes, operands->counts, operands->count);
}

static void begin(struct program *p, uint16_t version, uint8_t line_range)
{
	begin_with(p, version, line_range, &one_more);
}

static void begin_opcodes(struct program *p)
{
	p->begin = p->bytes.size;
	patch_u32(&p->bytes, p->header_length,
	          (uint32_t)(p->begin - p->header_length - 4), CURSOR_LITTLE);
}

/** Up to version 4: `a`, `/b` and the files x in each, and one in none. */
static void put_tables(struct program *p)
{
	put_string(p, "a");
	put_string(p, "/b");
	put_string(p, "");
	for (uint8_t i = 0; i < 4; i++) {
		put_string(p, "x");
		put(p, i, 1); // directory; the last does not exist
		put(p, 0, 2);
	}
	put_string(p, "");
	begin_opcodes(p);
}

static void set_address(struct program *p, uint64_t address, uint8_t size)
{
	put(p, 0, 1);
	put(p, 1U + size, 1);
	put(p, 2, 1);
	put(p, address, size);
}

static void end_sequence(struct program *p)
{
	put(p, 0, 1);
	put(p, 1, 1);
	put(p, 1, 1);
}

/** Open and run it for @p wanted. Released by finish(). */
static bool run_for(struct program *p, const struct range_list *wanted,
                    uint64_t work_left, struct line_table *table)
{
	struct dwarf_work work = { work_left };
	struct line_unit unit = { .address_size = 8, .directory = "/u" };
	struct dwarf_sections sections = { 0 };

	patch_u32(&p->bytes, 0, (uint32_t)(p->bytes.size - 4), CURSOR_LITTLE);
	sections.line =
	        (struct bytes){ (const uint8_t *)p->bytes.data, p->bytes.size };
	sections.str = (struct bytes){ (const uint8_t *)"s", 2 };
	sections.line_str = (struct bytes){ (const uint8_t *)"/l", 3 };
	return line_table_open(table, &sections, &unit, &work) &&
	       line_table_run(table, wanted, &work);
}

/** Open and run it; its rows as text. Released by finish(). */
static bool run(struct program *p, uint64_t work_left, struct line_table *table,
                struct str *text)
{
	struct debug_range all = { 0, UINT64_MAX };
	struct range_list wanted = { .ranges = &all, .count = 1 };
	bool good = run_for(p, &wanted, work_left, table);

	str_clear(text);
	str_add(text, "");
	for (size_t i = 0; i < table->row_count; i++)
		str_addf(text, "%" PRIx64 ":%" PRIu32 ":%" PRIu32 " ",
		         table->rows[i].address, table->rows[i].file,
		         table->rows[i].line);
	return good;
}

static void finish(struct program *p, struct line_table *table)
{
	line_table_release(table);
	str_release(&p->bytes);
}

static void each_opcode_moves_the_registers(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	struct line_table table = { 0 };
	struct program p;

	(void)state;
	begin(&p, 4, 14);
	put_tables(&p);
	set_address(&p, 0x1000, 8);
	put(&p, 1, 1);                      // copy
	put(&p, 0x0a03, 2);                 // line + 10
	put(&p, 0x0304, 2);                 // file 3
	put(&p, 0x8102, 2);                 // address + 1 + 0x80
	put(&p, 0x01, 1);                   // … in two bytes
	put(&p, OPCODE_BASE + 5, 1);        // special: a row at once
	put(&p, 8, 1);                      // what opcode 255 adds
	put(&p, 0x0509, 2);                 // fixed: + 0x1005
	put(&p, 0x10, 1);                   // … in two bytes
	put(&p, 0x0c, 1);                   // of two operands here
	put(&p, 0x8101, 2);                 //
	put(&p, 0x00, 1);                   //
	put(&p, 0x0005, 2);                 // column
	put(&p, 0x060a07, 3);               // flags
	set_address(&p, 0x4000, 4);         // of 32 bits
	set_address(&p, 0x77, 2);           // of no known size
	put(&p, 0x7f0500, 3);               // an operation of a vendor,
	str_add_bytes(&p.bytes, "abcd", 4); // with four bytes
	put(&p, 0x0000, 2);                 // one without any
	put(&p, 0x8004, 2);                 // file beyond 32 bits
	str_add_bytes(&p.bytes, "\x80\x80\x80\x80\x01", 5);
	put(&p, 1, 1);
	put(&p, 0x0102, 2);
	end_sequence(&p);
	assert_true(run(&p, 1000, &table, &text));
	assert_string_equal(str_cstr(&text), "1000:1:1 1081:3:11 "
	                                     "4000:4294967295:11 ");
	finish(&p, &table);
}

/** Numbers that are the same in each run. */
static unsigned random_below(uint64_t *state, unsigned limit)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*state >> 33) % limit;
}

/** The operands that the header says, small ones and some larger ones. */
static void put_operands(struct program *p, const struct operands *operands,
                         uint8_t opcode, uint64_t *state)
{
	for (uint8_t i = 0; i < operands->counts[opcode - 1]; i++) {
		if (!random_below(state, 8))
			put(p, 0x80 + random_below(state, 128), 1);
		put(p, random_below(state, random_below(state, 8) ? 16 : 128),
		    1);
	}
}

/** The program adds a file of its own. */
static void put_file(struct program *p)
{
	str_add_bytes(&p->bytes, "\0\6\3y\0\2\0\0", 8);
}

static void put_random_opcode(struct program *p,
                              const struct operands *operands, uint64_t *state)
{
	uint8_t opcode = (uint8_t)random_below(state, 24);

	if (opcode > operands->count) {
		put(p, operands->count + 1 + random_below(state, 200), 1);
	} else if (opcode == 9) {
		put(p, 9 | random_below(state, 32) << 8, 3);
	} else if (opcode) {
		put(p, opcode, 1);
		put_operands(p, operands, opcode, state);
	} else if (random_below(state, 16)) {
		put(p, 0x040200 | random_below(state, 128) << 24, 4);
	} else if (!random_below(state, 3)) {
		put_file(p);
	} else {
		if (random_below(state, 2))
			end_sequence(p);
		set_address(p, random_below(state, 4096), 8);
	}
}

/** File and line at a place; 0: none. No file that is not there. */
static uint64_t place_at(const struct line_table *table, uint64_t address)
{
	uint64_t place = 0;
	size_t place_count = 0;

	for (size_t i = 0; i < table->sequence_count; i++) {
		const struct line_sequence *found = &table->sequences[i];

		if (found->low > address || found->high <= address)
			continue;
		for (size_t j = found->first; j < found->first + found->count &&
		                              table->rows[j].address <= address;
		     j++)
			place = (uint64_t)table->rows[j].file << 32 |
			        table->rows[j].line;
		assert_int_equal(place_count++, 0);
	}
	return place >> 32 < table->file_count ? place : (uint32_t)place;
}

/**
 * Unwanted rows are run over quickly, and what comes too late not at
 * all. Every other program is cut somewhere.
 */
static void what_is_wanted_says_the_same_as_all(void **state)
{
	static const struct operands headers[] = {
		{ { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 }, 12 },
		{ { 0, 1, 1, 1, 1, 0, 0, 0, 1 }, 9 }, // of DWARF 2
		{ { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0 }, 10 },
		{ { 0, 1, 1, 1, 2, 0, 0, 0, 1, 0, 0, 1 }, 12 },
		{ { 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1 }, 12 },
		{ { 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1 }, 12 },
	};
	struct debug_range everything = { 0, UINT64_MAX };
	struct range_list all = { .ranges = &everything, .count = 1 };
	uint64_t numbers = 1;
	size_t found = 0;
	size_t early = 0;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		struct line_table whole = { 0 };
		struct line_table part = { 0 };
		struct debug_range range = { 0 };
		struct range_list wanted = { .ranges = &range, .count = 1 };
		const struct operands *header =
		        &headers[i % ARRAY_SIZE(headers)];
		struct program p;
		bool good;
		bool part_good;

		begin_with(&p, 4, 14, header);
		put_tables(&p);
		for (unsigned j = random_below(&numbers, 200); j; j--)
			put_random_opcode(&p, header, &numbers);
		end_sequence(&p);
		range.low = random_below(&numbers, 2048);
		range.high = range.low + 1 + random_below(&numbers, 64);
		if (i % 2)
			p.bytes.size -= random_below(
			        &numbers, (unsigned)(p.bytes.size - p.begin));
		good = run_for(&p, &all, 100000, &whole);
		assert_true(good || i % 2);
		part_good = run_for(&p, &wanted, 100000, &part);
		assert_true(part_good || !good);
		early += !good && part_good && place_at(&part, range.low);
		for (uint64_t at = range.low; at < range.high; at++) {
			assert_int_equal(place_at(&part, at),
			                 place_at(&whole, at));
			found += place_at(&part, at) != 0;
		}
		line_table_release(&whole);
		finish(&p, &part);
	}
	assert_true(found > 10000);
	assert_true(early > 20);
}

/** What lies behind all that is wanted is not run, and may be damaged. */
static void a_program_is_run_as_far_as_it_is_wanted(void **state)
{
	static const struct {
		struct debug_range wanted;
		bool good;
	} cases[] = {
		{ { 0x1000, 0x1010 }, true },  { { 0x1008, 0x1009 }, true },
		{ { 0x1000, 0x1011 }, false }, { { 0x0fff, 0x1008 }, false },
		{ { 0x1020, 0x1021 }, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct debug_range range = cases[i].wanted;
		struct range_list wanted = { .ranges = &range, .count = 1 };
		struct line_table table = { 0 };
		struct program p;

		begin(&p, 4, 14);
		put_tables(&p);
		set_address(&p, 0x1000, 8);
		put(&p, 1, 1);
		put(&p, 0x1002, 2); // address + 16
		put(&p, 1, 1);
		put(&p, 0x02, 1); // without its operand
		assert_int_equal(run_for(&p, &wanted, 1000, &table),
		                 cases[i].good);
		assert_int_equal(table.sequence_count, range.low < 0x1010);
		if (table.sequence_count)
			assert_int_equal(table.sequences[0].high, 0x1010);
		finish(&p, &table);
	}
}

/** A file that a row names may be added behind all that is wanted. */
static void a_file_may_be_added_late(void **state)
{
	struct debug_range range = { 0x1008, 0x100c };
	struct range_list wanted = { .ranges = &range, .count = 1 };
	struct line_table table = { 0 };
	struct program p;

	(void)state;
	for (unsigned named = 4; named < 6; named++) {
		begin(&p, 4, 14);
		put_tables(&p);
		set_address(&p, 0x1000, 8);
		put(&p, 1, 1);
		put(&p, 4 | named << 8, 2);
		put(&p, OPCODE_BASE + 4 * 14 + 5, 1); // a row at 0x1004
		put(&p, 0x0104, 2);
		put(&p, 0x1002, 2);
		put(&p, 1, 1);
		put_file(&p);
		assert_true(run_for(&p, &wanted, 1000, &table));
		assert_int_equal(table.file_count, named < 5 ? 5 : 6);
		assert_int_equal(place_at(&table, 0x1008) >> 32, named);
		finish(&p, &table);
	}
}

static void a_program_defines_files_of_its_own(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	struct line_table table = { 0 };
	struct program p;

	(void)state;
	begin(&p, 3, 14);
	put_tables(&p);
	put_file(&p);
	str_add_bytes(&p.bytes, "\0\3\3zz", 5); // its name does not end
	assert_true(run(&p, 1000, &table, &text));
	assert_int_equal(table.file_count, 6);
	assert_true(line_table_path(&table, 5, &path));
	assert_string_equal(str_cstr(&path), "/b/y");
	finish(&p, &table);
}

static void paths_begin_at_the_unit_s_directory(void **state)
{
	static const char *const paths[] = { NULL,   "/u/x", "/u/a/x",
		                             "/b/x", "/u/x", NULL };
	SCOPED(str_release) struct str text = { 0 };
	struct line_table table = { 0 };
	struct program p;

	(void)state;
	begin(&p, 4, 14);
	put_tables(&p);
	assert_true(run(&p, 1000, &table, &text));
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		SCOPED(str_release) struct str path = { 0 };

		assert_int_equal(line_table_path(&table, i, &path),
		                 paths[i] != NULL);
		if (paths[i])
			assert_string_equal(str_cstr(&path), paths[i]);
	}
	finish(&p, &table);
}

static void paths_of_windows_are_absolute(void **state)
{
	static const char *const names[][2] = {
		{ "C:\\x", "C:\\x" },  { "z:/x", "z:/x" },
		{ "\\x", "\\x" },      { "C:x", "/u/C:x" },
		{ "1:/x", "/u/1:/x" }, { "{:/x", "/u/{:/x" },
		{ "C/x", "/u/C/x" },   { "[:/x", "/u/[:/x" },
	};
	struct line_file file = { 0 };
	const char *directories[] = { "/u" };
	struct line_table table = { .files = &file,
		                    .file_count = 1,
		                    .directories = directories,
		                    .directory_count = 1,
		                    .unit = { .directory = "/u" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		SCOPED(str_release) struct str path = { 0 };

		file.name = names[i][0];
		assert_true(line_table_path(&table, 0, &path));
		assert_string_equal(str_cstr(&path), names[i][1]);
	}
}

static void a_long_path_is_none(void **state)
{
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	struct line_file file = { 0 };
	struct line_table table = { .files = &file,
		                    .file_count = 1,
		                    .unit = { .directory = "" } };

	(void)state;
	str_add_repeat(&name, 'x', LINE_PATH_BYTES_MAX - 1);
	file.name = str_cstr(&name);
	assert_true(line_table_path(&table, 0, &path));
	str_add(&name, "x");
	file.name = str_cstr(&name);
	assert_false(line_table_path(&table, 0, &path));
	file.name = "";
	assert_true(line_table_path(&table, 0, &path));
	assert_int_equal(path.size, 0);
}

/** A table of version 5: its format, the count and the bytes of entries. */
static bool opens_5(const char *format, size_t format_size, const char *entries,
                    size_t entries_size, const char *first_name)
{
	SCOPED(str_release) struct str text = { 0 };
	struct line_table table = { 0 };
	struct program p;
	bool good;

	begin(&p, 5, 14);
	put(&p, 0, 2); // no directories, and nothing to say of them
	str_add_bytes(&p.bytes, format, format_size);
	str_add_bytes(&p.bytes, entries, entries_size);
	begin_opcodes(&p);
	good = run(&p, 1000, &table, &text);
	if (good && first_name)
		assert_string_equal(table.files[0].name, first_name);
	finish(&p, &table);
	return good;
}

#define OPENS_5(format, entries, name) \
	opens_5(format, sizeof(format) - 1, entries, sizeof(entries) - 1, name)

static void tables_of_version_5_describe_themselves(void **state)
{
	(void)state;
	assert_true(OPENS_5("\1\1\x08", "\1n\0", "n"));
	assert_true(OPENS_5("\1\1\x1f", "\1\0\0\0\0", "/l"));
	assert_true(OPENS_5("\1\1\x1f", "\1\1\0\0\0", "l"));
	assert_true(OPENS_5("\1\1\x1f", "\1\3\0\0\0", ""));
	assert_true(OPENS_5("\1\1\x0e", "\1\0\0\0\0", "s"));
	assert_true(OPENS_5("\1\1\x0e", "\1\2\0\0\0", ""));
	assert_true(OPENS_5("\3\1\x08\2\x0b\5\x1e", // with an MD5
	                    "\1n\0\0"
	                    "0123456789abcdef",
	                    "n"));
	assert_true(OPENS_5("\0", "\0", NULL));
}

static void what_breaks_a_table_of_version_5(void **state)
{
	(void)state;
	assert_false(OPENS_5("\1\1\x08", "\1n", NULL));   // no end
	assert_false(OPENS_5("\1\1\x08", "\2n\0", NULL)); // one too few
	assert_false(OPENS_5("\1\1\x16", "\1n\0", NULL)); // indirect
	assert_false(OPENS_5("\1\1\x7f", "\1n\0", NULL)); // unknown
	assert_false(OPENS_5("\1\1\x19", "\1", NULL));    // of no bytes
	assert_false(OPENS_5("\1\5\x1e", "\1abc", NULL)); // a cut MD5
	assert_false(OPENS_5("\x11", "\0", NULL));        // too many fields
	assert_false(OPENS_5("\0", "\1", NULL));
	assert_false(OPENS_5("", "", NULL));
}

/** How the header of a good program may be damaged. */
static void damaged_headers_are_refused(void **state)
{
	static const struct {
		size_t at; ///< in the header
		uint8_t value;
	} cases[] = {
		{ 4, 1 },     // version
		{ 4, 6 },     //
		{ 4, 0 },     //
		{ 8, 0xff },  // length of the header: beyond the program
		{ 15, 0 },    // opcode base
		{ 15, 0xff }, // more operand counts than there are bytes
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str text = { 0 };
		struct line_table table = { 0 };
		struct program p;

		begin(&p, 4, 14);
		put_tables(&p);
		p.bytes.data[cases[i].at] = (char)cases[i].value;
		assert_false(run(&p, 1000, &table, &text));
		assert_int_equal(table.file_count, 0);
		finish(&p, &table);
	}
}

static void a_header_costs_its_length(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	struct line_table table = { 0 };
	struct program p;
	uint64_t header;

	(void)state;
	begin(&p, 4, 14);
	put_tables(&p);
	header = p.begin - p.header_length - 4;
	end_sequence(&p);
	assert_false(run(&p, header - 1, &table, &text));
	assert_int_equal(table.file_count, 0);
	assert_false(run(&p, header + 2, &table, &text));
	assert_int_equal(table.file_count, 5);
	line_table_release(&table);
	assert_true(run(&p, header + 3, &table, &text));
	finish(&p, &table);
}

static void each_cut_of_a_program_is_read_without_harm(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	struct line_table table = { 0 };
	struct program p;
	size_t size;

	(void)state;
	for (uint16_t version = 2; version <= 5; version++) {
		begin(&p, version, 0); // no special opcode moves anything
		if (version >= 5) {
			str_add_bytes(&p.bytes, "\1\1\x08\1/d\0", 7);
			str_add_bytes(&p.bytes, "\2\1\x08\2\x0b\1n\0\0", 9);
			begin_opcodes(&p);
		} else {
			put_tables(&p);
		}
		set_address(&p, 0x1000, 8);
		put(&p, 200, 1);
		put(&p, 0x0102, 2);
		end_sequence(&p);
		assert_true(run(&p, 1000, &table, &text));
		assert_string_equal(str_cstr(&text), "1000:1:1 ");
		line_table_release(&table);
		size = p.bytes.size;
		while (size-- > 4) {
			p.bytes.size = size;
			(void)run(&p, 1000, &table, &text);
			// It has all places up to its only row: none.
			assert_string_equal(str_cstr(&text), "");
			line_table_release(&table);
		}
		finish(&p, &table);
	}
}

static void programs_of_64_bits(void **state)
{
	struct dwarf_sections sections = { 0 };
	struct dwarf_work work = { 1000 };
	struct line_unit unit = { .address_size = 8, .directory = "" };
	SCOPED(str_release) struct str line = { 0 };
	struct line_table table = { 0 };

	(void)state;
	put_uint(&line, UINT32_MAX, 4, CURSOR_LITTLE);
	put_uint(&line, 2 + 8 + 8, 8, CURSOR_LITTLE);
	put_uint(&line, 3, 2, CURSOR_LITTLE);
	put_uint(&line, 7, 8, CURSOR_LITTLE);
	str_add_bytes(&line, "\1\1\0\1\1\0\0\0", 8);
	sections.line = (struct bytes){ (const uint8_t *)line.data, line.size };
	assert_true(line_table_open(&table, &sections, &unit, &work));
	assert_int_equal(table.offset_size, 8);
	line_table_release(&table);
	for (size_t cut = 0; cut < line.size; cut++) {
		sections.line.size = cut;
		assert_false(line_table_open(&table, &sections, &unit, &work));
	}
	unit.offset = line.size + 1;
	assert_false(line_table_open(&table, &sections, &unit, &work));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_opcode_moves_the_registers),
		cmocka_unit_test(what_is_wanted_says_the_same_as_all),
		cmocka_unit_test(a_program_is_run_as_far_as_it_is_wanted),
		cmocka_unit_test(a_file_may_be_added_late),
		cmocka_unit_test(a_program_defines_files_of_its_own),
		cmocka_unit_test(paths_begin_at_the_unit_s_directory),
		cmocka_unit_test(paths_of_windows_are_absolute),
		cmocka_unit_test(a_long_path_is_none),
		cmocka_unit_test(tables_of_version_5_describe_themselves),
		cmocka_unit_test(what_breaks_a_table_of_version_5),
		cmocka_unit_test(damaged_headers_are_refused),
		cmocka_unit_test(a_header_costs_its_length),
		cmocka_unit_test(each_cut_of_a_program_is_read_without_harm),
		cmocka_unit_test(programs_of_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

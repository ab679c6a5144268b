// SPDX-License-Identifier: MIT
/**
 * Debug information built in memory, a unit at a time, in a small dSYM:
 * `__TEXT` at 0x1000, 0x10000 bytes long, one table of abbreviations.
 *
 *     struct dwarf_builder d = { 0 };
 *     dwarf_unit_begin(&d, 4);
 *     dwarf_root(&d, 0x1000, 0x40);
 *     dwarf_function(&d, "main", 0x1000, 0x40);
 *     dwarf_end(&d);
 *     dwarf_unit_end(&d);
 *     macho_parse(dwarf_finish(&d), &macho);
 *     dwarf_builder_release(&d);
 */
#ifndef APMTOOL_TESTS_UNIT_DWARF_BUILDER_H
#define APMTOOL_TESTS_UNIT_DWARF_BUILDER_H

#include "lib/object/macho/macho.h"

#include "tests/unit/lib/object/macho/macho_builder.h"

#define TEXT_ADDRESS 0x1000
#define TEXT_SIZE    0x10000

/** Where the sections begin in the file. */
#define DWARF_START 0x800u

struct dwarf_builder {
	struct str info, abbrev, aranges, ranges, rnglists, addr, line;
	struct str str, line_str, str_offsets;
	struct str strings; ///< of the symbols
	struct {
		uint32_t name;
		uint64_t address;
	} symbols[16];
	size_t symbol_count;
	size_t unit;      ///< where the unit being built starts
	const char *uuid; ///< sixteen bytes; NULL: it has none
	struct macho_builder image;
};

/** The abbreviations, by number. */
enum {
	ROOT = 1,        ///< name, comp_dir, stmt_list, low_pc, high_pc
	FUNCTION,        ///< name, low_pc, high_pc; children
	ABSTRACT,        ///< name, linkage_name
	CALL,            ///< ref4 origin, low_pc, high_pc, call_file, call_line
	CALL_ELSEWHERE,  ///< the same, ref_addr origin
	FUNCTION_RANGES, ///< name, ranges; children
	CALL_RANGES,  ///< ref4 origin, ranges, call_file, call_line; children
	NAMED_BY,     ///< ref4 origin, low_pc, high_pc
	SELF_SIBLING, ///< sibling; children
	STRUCTURE,    ///< no attributes; children
	ROOT_5,       ///< addrx low_pc, rnglistx ranges, both bases
	FUNCTION_5,   ///< name, addrx low_pc, data4 high_pc; no children
	ROOT_IN,      ///< as ROOT, before it the language
};

/** What dwarf_root_rest() writes, and the end of the abbreviation. */
#define ROOT_REST \
	0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0x11, 0x01, 0x12, 0x06, 0, 0

static const uint8_t dwarf_abbreviations[] = {
	ROOT,
	0x11,
	1,
	ROOT_REST,
	FUNCTION,
	0x2e,
	1,
	0x03,
	0x08,
	0x11,
	0x01,
	0x12,
	0x06,
	0,
	0, //
	ABSTRACT,
	0x2e,
	0,
	0x03,
	0x08,
	0x6e,
	0x08,
	0,
	0, //
	CALL,
	0x1d,
	0,
	0x31,
	0x13,
	0x11,
	0x01,
	0x12,
	0x06,
	0x58,
	0x0b,
	0x59,
	0x0b,
	0,
	0, //
	CALL_ELSEWHERE,
	0x1d,
	0,
	0x31,
	0x10,
	0x11,
	0x01,
	0x12,
	0x06,
	0x58,
	0x0b,
	0x59,
	0x0b,
	0,
	0, //
	FUNCTION_RANGES,
	0x2e,
	1,
	0x03,
	0x08,
	0x55,
	0x17,
	0,
	0, //
	CALL_RANGES,
	0x1d,
	1,
	0x31,
	0x13,
	0x55,
	0x17,
	0x58,
	0x0b,
	0x59,
	0x0b,
	0,
	0, //
	NAMED_BY,
	0x2e,
	0,
	0x31,
	0x13,
	0x11,
	0x01,
	0x12,
	0x06,
	0,
	0, //
	SELF_SIBLING,
	0x2e,
	1,
	0x01,
	0x13,
	0,
	0, //
	STRUCTURE,
	0x13,
	1,
	0,
	0, //
	ROOT_5,
	0x11,
	1,
	0x73,
	0x17,
	0x74,
	0x17,
	0x11,
	0x1b,
	0x55,
	0x23,
	0,
	0, //
	FUNCTION_5,
	0x2e,
	0,
	0x03,
	0x08,
	0x11,
	0x1b,
	0x12,
	0x06,
	0,
	0, //
	ROOT_IN,
	0x11,
	1,
	0x13,
	0x05,
	ROOT_REST,
	0,
};

static inline void dwarf_put(struct str *out, uint64_t value, unsigned size)
{
	put_uint(out, value, size, CURSOR_LITTLE);
}

static inline void dwarf_put_string(struct str *out, const char *string)
{
	str_add_bytes(out, string, strlen(string) + 1);
}

static inline void dwarf_unit_begin(struct dwarf_builder *d, uint16_t version)
{
	d->unit = d->info.size;
	dwarf_put(&d->info, 0, 4); // length, by dwarf_unit_end()
	dwarf_put(&d->info, version, 2);
	if (version >= 5) {
		dwarf_put(&d->info, 1, 1); // a plain unit
		dwarf_put(&d->info, 8, 1);
		dwarf_put(&d->info, 0, 4);
	} else {
		dwarf_put(&d->info, 0, 4);
		dwarf_put(&d->info, 8, 1);
	}
}

/** No more children. */
static inline void dwarf_end(struct dwarf_builder *d)
{
	dwarf_put(&d->info, 0, 1);
}

/** The end of the unit and of its own entry. */
static inline void dwarf_unit_end(struct dwarf_builder *d)
{
	dwarf_end(d);
	patch_u32(&d->info, d->unit, (uint32_t)(d->info.size - d->unit - 4),
	          CURSOR_LITTLE);
}

/** Begin an entry; returns its offset in .debug_info. */
static inline size_t dwarf_entry(struct dwarf_builder *d, uint8_t abbreviation)
{
	size_t offset = d->info.size;

	dwarf_put(&d->info, abbreviation, 1);
	return offset;
}

static inline void dwarf_low_high(struct dwarf_builder *d, uint64_t low,
                                  uint32_t size)
{
	dwarf_put(&d->info, low, 8);
	dwarf_put(&d->info, size, 4);
}

/** A unit's own entry after its code and what is first of it. */
static inline void dwarf_root_rest(struct dwarf_builder *d, uint64_t low,
                                   uint32_t size)
{
	dwarf_put_string(&d->info, "main.c");
	dwarf_put_string(&d->info, "/build");
	dwarf_put(&d->info, 0, 4);
	dwarf_low_high(d, low, size);
}

/** The unit's own entry; all units share one line program. */
static inline void dwarf_root(struct dwarf_builder *d, uint64_t low,
                              uint32_t size)
{
	dwarf_entry(d, ROOT);
	dwarf_root_rest(d, low, size);
}

/** The same, of a unit that is written in DW_LANG_… @p language. */
static inline void dwarf_root_in(struct dwarf_builder *d, uint16_t language,
                                 uint64_t low, uint32_t size)
{
	dwarf_entry(d, ROOT_IN);
	dwarf_put(&d->info, language, 2);
	dwarf_root_rest(d, low, size);
}

static inline size_t dwarf_function(struct dwarf_builder *d, const char *name,
                                    uint64_t low, uint32_t size)
{
	size_t offset = dwarf_entry(d, FUNCTION);

	dwarf_put_string(&d->info, name);
	dwarf_low_high(d, low, size);
	return offset;
}

/** A function without calls, or anything else inside. */
static inline void dwarf_empty_function(struct dwarf_builder *d,
                                        const char *name, uint64_t low,
                                        uint32_t size)
{
	dwarf_function(d, name, low, size);
	dwarf_end(d);
}

static inline size_t dwarf_abstract(struct dwarf_builder *d, const char *name,
                                    const char *linkage_name)
{
	size_t offset = dwarf_entry(d, ABSTRACT);

	dwarf_put_string(&d->info, name);
	dwarf_put_string(&d->info, linkage_name);
	return offset;
}

/** A call of the function at @p origin, by file 1. */
static inline void dwarf_call(struct dwarf_builder *d, uint8_t abbreviation,
                              size_t origin, uint64_t low, uint32_t size,
                              uint8_t line)
{
	dwarf_entry(d, abbreviation);
	if (abbreviation == CALL)
		origin -= d->unit;
	dwarf_put(&d->info, origin, 4);
	dwarf_low_high(d, low, size);
	dwarf_put(&d->info, 1, 1);
	dwarf_put(&d->info, line, 1);
}

/** A list of two ranges in .debug_ranges, absolute; returns its offset. */
static inline size_t dwarf_two_ranges(struct dwarf_builder *d, uint64_t low_a,
                                      uint64_t high_a, uint64_t low_b,
                                      uint64_t high_b)
{
	size_t offset = d->ranges.size;

	dwarf_put(&d->ranges, UINT64_MAX, 8);
	dwarf_put(&d->ranges, 0, 8);
	dwarf_put(&d->ranges, low_a, 8);
	dwarf_put(&d->ranges, high_a, 8);
	dwarf_put(&d->ranges, low_b, 8);
	dwarf_put(&d->ranges, high_b, 8);
	dwarf_put(&d->ranges, 0, 8);
	dwarf_put(&d->ranges, 0, 8);
	return offset;
}

/** A set of .debug_aranges with one range, for the unit at @p unit. */
static inline void dwarf_aranges(struct dwarf_builder *d, size_t unit,
                                 uint64_t low, uint64_t size)
{
	dwarf_put(&d->aranges, 44, 4);
	dwarf_put(&d->aranges, 2, 2);
	dwarf_put(&d->aranges, unit, 4);
	dwarf_put(&d->aranges, 8, 1);
	dwarf_put(&d->aranges, 0, 1);
	dwarf_put(&d->aranges, 0, 4); // to a multiple of 16
	dwarf_put(&d->aranges, low, 8);
	dwarf_put(&d->aranges, size, 8);
	dwarf_put(&d->aranges, 0, 8);
	dwarf_put(&d->aranges, 0, 8);
}

/** The head of a line program of version 4, with two files. */
static inline void dwarf_lines_begin(struct dwarf_builder *d)
{
	static const uint8_t operand_counts[] = { 0, 1, 1, 1, 1, 0,
		                                  0, 0, 1, 0, 0, 1 };
	static const char tables[] = "include\0\0main.c\0\0\0\0point.h\0\1\0\0";

	dwarf_put(&d->line, 0, 4); // length, by dwarf_lines_end()
	dwarf_put(&d->line, 4, 2);
	dwarf_put(&d->line, 6 + sizeof(operand_counts) + sizeof(tables), 4);
	dwarf_put(&d->line, 1, 1); // instructions of one byte
	dwarf_put(&d->line, 1, 1);
	dwarf_put(&d->line, 1, 1);
	dwarf_put(&d->line, (uint8_t)-5, 1);
	dwarf_put(&d->line, 14, 1);
	dwarf_put(&d->line, 13, 1);
	str_add_bytes(&d->line, operand_counts, sizeof(operand_counts));
	str_add_bytes(&d->line, tables, sizeof(tables));
}

static inline void dwarf_lines_at(struct dwarf_builder *d, uint64_t address)
{
	dwarf_put(&d->line, 0, 1);
	dwarf_put(&d->line, 9, 1);
	dwarf_put(&d->line, 2, 1);
	dwarf_put(&d->line, address, 8);
}

/** A row; both advances are below 64. */
static inline void dwarf_row(struct dwarf_builder *d, uint8_t advance,
                             uint8_t file, int8_t line_advance)
{
	dwarf_put(&d->line, 2, 1);
	dwarf_put(&d->line, advance, 1);
	dwarf_put(&d->line, 4, 1);
	dwarf_put(&d->line, file, 1);
	dwarf_put(&d->line, 3, 1);
	dwarf_put(&d->line, (uint8_t)line_advance & 0x7f, 1);
	dwarf_put(&d->line, 1, 1);
}

static inline void dwarf_sequence_end(struct dwarf_builder *d, uint8_t advance)
{
	dwarf_put(&d->line, 2, 1);
	dwarf_put(&d->line, advance, 1);
	dwarf_put(&d->line, 0, 1);
	dwarf_put(&d->line, 1, 1);
	dwarf_put(&d->line, 1, 1);
}

static inline void dwarf_lines_end(struct dwarf_builder *d)
{
	patch_u32(&d->line, 0, (uint32_t)(d->line.size - 4), CURSOR_LITTLE);
}

/** A symbol of the file's own table. */
static inline void dwarf_symbol(struct dwarf_builder *d, const char *name,
                                uint64_t address)
{
	if (!d->strings.size)
		str_add_char(&d->strings, '\0');
	d->symbols[d->symbol_count].name = (uint32_t)d->strings.size;
	d->symbols[d->symbol_count++].address = address;
	dwarf_put_string(&d->strings, name);
}

/** The image, with a line program without rows if none was added; parse it
 * before the builder is released. */
static inline struct bytes dwarf_finish(struct dwarf_builder *d)
{
	const struct {
		const char *name;
		const struct str *contents;
	} sections[] = {
		{ "__debug_info", &d->info },
		{ "__debug_abbrev", &d->abbrev },
		{ "__debug_aranges", &d->aranges },
		{ "__debug_ranges", &d->ranges },
		{ "__debug_rnglists", &d->rnglists },
		{ "__debug_addr", &d->addr },
		{ "__debug_line", &d->line },
		{ "__debug_str", &d->str },
		{ "__debug_line_str", &d->line_str },
		{ "__debug_str_offs", &d->str_offsets },
	};
	struct macho_builder *b = &d->image;
	const uint32_t start = DWARF_START;
	uint32_t offset = start;
	uint32_t size = 0;

	if (!d->line.size) {
		dwarf_lines_begin(d);
		dwarf_lines_end(d);
	}
	str_add_bytes(&d->abbrev, dwarf_abbreviations,
	              sizeof(dwarf_abbreviations));
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		size += (uint32_t)sections[i].contents->size;
	macho_begin(b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
	if (d->uuid)
		macho_add_uuid(b, d->uuid);
	macho_add_segment(b, "__TEXT", TEXT_ADDRESS, TEXT_SIZE, 0, 0, 1);
	macho_add_section(b, "__TEXT", "__text", TEXT_ADDRESS, TEXT_SIZE, 0, 0);
	if (d->symbol_count)
		macho_add_symtab(b, start + size, (uint32_t)d->symbol_count,
		                 start + size + (uint32_t)d->symbol_count * 16,
		                 (uint32_t)d->strings.size);
	macho_add_segment(b, "__DWARF", 0x20000, size, start, size,
	                  ARRAY_SIZE(sections));
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		size_t own = sections[i].contents->size;

		macho_add_section(b, "__DWARF", sections[i].name,
		                  0x20000 + offset - start, own, offset, 0);
		offset += (uint32_t)own;
	}
	macho_pad(b, start);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		str_add_text(&b->image, str_text(sections[i].contents));
	for (size_t i = 0; i < d->symbol_count; i++)
		macho_put_symbol(b, d->symbols[i].name, 0xf, 1, 0,
		                 d->symbols[i].address);
	str_add_text(&b->image, str_text(&d->strings));
	return macho_finish(b);
}

static inline void dwarf_builder_release(struct dwarf_builder *d)
{
	str_release(&d->info);
	str_release(&d->abbrev);
	str_release(&d->aranges);
	str_release(&d->ranges);
	str_release(&d->rnglists);
	str_release(&d->addr);
	str_release(&d->line);
	str_release(&d->str);
	str_release(&d->line_str);
	str_release(&d->str_offsets);
	str_release(&d->strings);
	macho_builder_release(&d->image);
}

#endif

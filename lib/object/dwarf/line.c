// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/line.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/form.h"

#include <stdlib.h>

/** More fields than this in the description of an entry are damage. */
#define FORMAT_FIELDS_MAX 16

enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };

struct format_field {
	uint64_t content;
	uint64_t form;
};

static void add_directory(struct line_table *table, const char *name)
{
	MEM_GROW(table->directories, table->directory_count,
	         table->directory_cap);
	table->directories[table->directory_count++] = name;
}

static void add_file(struct line_table *table, const char *name,
                     uint64_t directory)
{
	MEM_GROW(table->files, table->file_count, table->file_cap);
	table->files[table->file_count++] =
	        (struct line_file){ .name = name, .directory = directory };
}

/** Directories and files of versions 2 to 4: lists that end with an empty
 *  name. File numbers start at 1. */
static void read_old_tables(struct line_table *table, struct cursor *c)
{
	add_directory(table, table->unit.directory);
	for (;;) {
		const char *name = cursor_cstr(c);
		if (!cursor_ok(c) || !*name)
			break;
		add_directory(table, name);
	}
	add_file(table, NULL, 0);
	for (;;) {
		const char *name = cursor_cstr(c);
		if (!cursor_ok(c) || !*name)
			break;
		uint64_t directory = cursor_uleb(c);
		cursor_uleb(c); // time
		cursor_uleb(c); // size
		add_file(table, name, directory);
	}
}

/** The string at an offset; its section ends with a NUL. */
static const char *string_at(struct bytes section, uint64_t offset)
{
	return offset < section.size ? (const char *)section.data + offset : "";
}

/** One field of a version 5 entry, as a name or as a number. */
static void read_field(const struct line_table *table,
                       const struct dwarf_sections *sections, uint64_t form,
                       struct cursor *c, const char **name, uint64_t *number)
{
	const struct form_sizes sizes = {
		.address = table->unit.address_size,
		.offset = table->offset_size,
	};
	uint64_t value = 0;

	if (form == FORM_DATA16) {
		cursor_skip(c, 16); // MD5
		return;
	}
	if (!form_read(form, &sizes, c, &value)) {
		c->failed = true;
		return;
	}
	if (form == FORM_STRING)
		*name = (const char *)c->in.data + value;
	else if (form == FORM_LINE_STRP)
		*name = string_at(sections->line_str, value);
	else if (form == FORM_STRP)
		*name = string_at(sections->str, value);
	else
		*number = value;
}

/** Read the self-describing directories or files of version 5. */
static void read_new_table(struct line_table *table,
                           const struct dwarf_sections *sections,
                           struct cursor *c, bool files)
{
	struct format_field format[FORMAT_FIELDS_MAX];
	uint8_t field_count = cursor_u8(c);

	if (field_count > FORMAT_FIELDS_MAX) {
		c->failed = true;
		return;
	}
	for (uint8_t i = 0; i < field_count; i++) {
		format[i].content = cursor_uleb(c);
		format[i].form = cursor_uleb(c);
	}
	uint64_t count = cursor_uleb(c);
	for (uint64_t i = 0; i < count && cursor_ok(c); i++) {
		const char *name = "";
		uint64_t directory = 0;
		size_t first = c->pos;

		for (uint8_t j = 0; j < field_count; j++) {
			const char *text = "";
			uint64_t number = 0;

			read_field(table, sections, format[j].form, c, &text,
			           &number);
			if (format[j].content == CONTENT_PATH)
				name = text;
			else if (format[j].content == CONTENT_DIRECTORY)
				directory = number;
		}
		// Some forms take no byte: the data must bound the count.
		if (c->pos == first)
			c->failed = true;
		if (!cursor_ok(c))
			break;
		if (files)
			add_file(table, name, directory);
		else
			add_directory(table, name);
	}
}

/** The fields between the version and the tables. */
static void read_parameters(struct line_table *table, struct cursor *c)
{
	table->min_instruction_size = cursor_u8(c);
	if (table->version >= 4)
		cursor_u8(c); // operations per instruction: VLIW only
	cursor_u8(c);         // whether rows are statements at first
	table->line_base = (int8_t)cursor_u8(c);
	table->line_range = cursor_u8(c);
	table->opcode_base = cursor_u8(c);
	if (table->opcode_base)
		table->operand_counts =
		        cursor_bytes(c, table->opcode_base - 1U).data;
}

static bool read_header(struct line_table *table,
                        const struct dwarf_sections *sections,
                        const struct line_unit *unit, struct dwarf_work *work)
{
	struct cursor c =
	        cursor_at(sections->line, unit->offset, CURSOR_LITTLE);
	uint64_t length = cursor_u32(&c);

	*table = (struct line_table){ .unit = *unit, .offset_size = 4 };
	if (length == UINT32_MAX) {
		length = cursor_u64(&c);
		table->offset_size = 8;
	}
	if (!cursor_ok(&c) || length > cursor_left(&c))
		return false;
	cursor_end_at(&c, c.pos + length);

	table->version = cursor_u16(&c);
	if (table->version < 2 || table->version > 5)
		return false;
	if (table->version >= 5) {
		table->unit.address_size = cursor_u8(&c);
		cursor_u8(&c); // segment selectors: never on these machines
	}
	uint64_t header_length = cursor_uint(&c, table->offset_size);
	table->program = c;
	cursor_skip(&table->program, header_length);

	read_parameters(table, &c);
	// Units may share a header: each is charged for all of it.
	if (!table->opcode_base || !cursor_ok(&c) ||
	    !cursor_ok(&table->program) ||
	    !dwarf_work_take(work, header_length))
		return false;
	// The header length is untrusted: parameters may exceed it.
	cursor_end_at(&c, table->program.pos);
	if (table->version >= 5) {
		read_new_table(table, sections, &c, false);
		read_new_table(table, sections, &c, true);
	} else {
		read_old_tables(table, &c);
	}
	return cursor_ok(&c);
}

bool line_table_open(struct line_table *table,
                     const struct dwarf_sections *sections,
                     const struct line_unit *unit, struct dwarf_work *work)
{
	bool good = read_header(table, sections, unit, work);

	if (!good)
		line_table_release(table);
	return good;
}

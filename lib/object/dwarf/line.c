#include "lib/object/dwarf/line.h"

#include "lib/base/mem.h"

#include <stdlib.h>

/** More fields than this in the description of an entry are damage. */
#define FORMAT_FIELDS_MAX 16

enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };

/** The forms that fields of the version 5 tables may have. */
enum {
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
};

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

static const char *string_at(struct bytes section, uint64_t offset)
{
	struct cursor c = cursor_at(section, offset, CURSOR_LITTLE);

	return cursor_cstr(&c);
}

/** One field of a version 5 entry, as a name or as a number. */
static void read_field(const struct line_table *table,
                       const struct dwarf_sections *sections, uint64_t form,
                       struct cursor *c, const char **name, uint64_t *number)
{
	switch (form) {
	case FORM_STRING:
		*name = cursor_cstr(c);
		break;
	case FORM_LINE_STRP:
		*name = string_at(sections->line_str,
		                  cursor_uint(c, table->offset_size));
		break;
	case FORM_STRP:
		*name = string_at(sections->str,
		                  cursor_uint(c, table->offset_size));
		break;
	case FORM_DATA1:
		*number = cursor_u8(c);
		break;
	case FORM_DATA2:
		*number = cursor_u16(c);
		break;
	case FORM_DATA4:
		*number = cursor_u32(c);
		break;
	case FORM_DATA8:
		*number = cursor_u64(c);
		break;
	case FORM_UDATA:
		*number = cursor_uleb(c);
		break;
	case FORM_DATA16:
		cursor_skip(c, 16);
		break;
	case FORM_BLOCK:
		cursor_skip(c, cursor_uleb(c));
		break;
	case FORM_BLOCK1:
		cursor_skip(c, cursor_u8(c));
		break;
	case FORM_BLOCK2:
		cursor_skip(c, cursor_u16(c));
		break;
	case FORM_BLOCK4:
		cursor_skip(c, cursor_u32(c));
		break;
	default:
		c->failed = true;
	}
}

/** The directories or the files of version 5, which describe themselves. */
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
	// Every form takes at least a byte, so the data bounds the count.
	if (count && !field_count)
		c->failed = true;
	for (uint64_t i = 0; i < count && cursor_ok(c); i++) {
		const char *name = "";
		uint64_t directory = 0;

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
                        const struct line_unit *unit)
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
	c.in.size = c.pos + (size_t)length;

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
	if (!table->opcode_base || !cursor_ok(&c) ||
	    !cursor_ok(&table->program))
		return false;
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
                     const struct line_unit *unit)
{
	bool good = read_header(table, sections, unit);

	if (!good)
		line_table_release(table);
	return good;
}

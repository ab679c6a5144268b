// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/entry.h"

#include "lib/object/dwarf/form.h"

/** DW_AT_… of each value. */
static const uint16_t attributes[ENTRY_VALUES] = {
	[ENTRY_NAME] = 0x03,
	[ENTRY_LINKAGE_NAME] = 0x6e,
	[ENTRY_MIPS_LINKAGE_NAME] = 0x2007,
	[ENTRY_ABSTRACT_ORIGIN] = 0x31,
	[ENTRY_SPECIFICATION] = 0x47,
	[ENTRY_LOW] = 0x11,
	[ENTRY_HIGH] = 0x12,
	[ENTRY_RANGES] = 0x55,
	[ENTRY_CALL_FILE] = 0x58,
	[ENTRY_CALL_LINE] = 0x59,
	[ENTRY_LINES] = 0x10,
	[ENTRY_DIRECTORY] = 0x1b,
	[ENTRY_LANGUAGE] = 0x13,
	[ENTRY_ADDR_BASE] = 0x73,
	[ENTRY_RNGLISTS_BASE] = 0x74,
	[ENTRY_STR_OFFSETS_BASE] = 0x72,
};

uint16_t entry_attribute_number(unsigned value)
{
	return attributes[value];
}

unsigned entry_value_of(uint64_t attribute)
{
	unsigned value = 0;

	while (value < ENTRY_VALUES && attributes[value] != attribute)
		value++;
	return value;
}

void unit_reader_set_bases(struct unit_reader *reader)
{
	const struct entry *root = &reader->root;
	struct range_unit *bases = &reader->bases;
	// Default: after the header of the first table, as in LLVM's readers.
	uint64_t header = reader->unit.offset_size == 8 ? 16 : 8;

	*bases = (struct range_unit){
		.version = reader->unit.version,
		.address_size = reader->unit.address_size,
		.offset_size = reader->unit.offset_size,
		.addr_base = header,
		.str_offsets_base = header,
	};
	entry_number(reader, root, ENTRY_ADDR_BASE, &bases->addr_base);
	entry_number(reader, root, ENTRY_STR_OFFSETS_BASE,
	             &bases->str_offsets_base);
	entry_number(reader, root, ENTRY_RNGLISTS_BASE, &bases->rnglists_base);
	entry_number(reader, root, ENTRY_LOW, &bases->base);
}

/** The string at an offset; its section ends with a NUL. */
static const char *string_at(struct bytes section, uint64_t offset)
{
	return offset < section.size ? (const char *)section.data + offset
	                             : NULL;
}

/** The string of an index into .debug_str_offsets. */
static const char *indexed_string(const struct unit_reader *reader,
                                  uint64_t index)
{
	const struct dwarf_sections *sections = reader->source.sections;
	uint8_t size = reader->bases.offset_size;
	uint64_t base = reader->bases.str_offsets_base;

	if (base > sections->str_offsets.size ||
	    index > sections->str_offsets.size / size)
		return NULL;
	struct cursor c = cursor_at(sections->str_offsets, base + index * size,
	                            CURSOR_LITTLE);
	uint64_t offset = cursor_uint(&c, size);
	return cursor_ok(&c) ? string_at(sections->str, offset) : NULL;
}

const char *entry_string(const struct unit_reader *reader,
                         const struct entry *entry, unsigned value)
{
	const struct entry_value *found = &entry->values[value];
	const struct dwarf_sections *sections = reader->source.sections;

	if (!entry_has(entry, value))
		return NULL;
	if (found->string)
		return found->string;
	if (form_is_string_index(found->form))
		return indexed_string(reader, found->number);
	if (found->form == FORM_STRP)
		return string_at(sections->str, found->number);
	if (found->form == FORM_LINE_STRP)
		return string_at(sections->line_str, found->number);
	return NULL;
}

/** Forms of numbers and addresses. */
static bool is_number(uint16_t form)
{
	switch (form) {
	case FORM_DATA1:
	case FORM_DATA2:
	case FORM_DATA4:
	case FORM_DATA8:
	case FORM_SDATA:
	case FORM_UDATA:
	case FORM_SEC_OFFSET:
	case FORM_ADDR:
	case FORM_IMPLICIT_CONST:
	case FORM_RNGLISTX:
		return true;
	default:
		return form_is_address_index(form);
	}
}

bool entry_number(const struct unit_reader *reader, const struct entry *entry,
                  unsigned value, uint64_t *ret)
{
	const struct entry_value *found = &entry->values[value];

	if (!entry_has(entry, value) || !is_number(found->form))
		return false;
	if (form_is_address_index(found->form))
		return range_indexed_address(reader->source.sections,
		                             &reader->bases, found->number,
		                             ret);
	*ret = found->number;
	return true;
}

bool entry_reference(const struct unit_reader *reader,
                     const struct entry *entry, unsigned value, uint64_t *ret)
{
	const struct entry_value *found = &entry->values[value];

	if (!entry_has(entry, value))
		return false;
	switch (found->form) {
	case FORM_REF1:
	case FORM_REF2:
	case FORM_REF4:
	case FORM_REF8:
	case FORM_REF_UDATA:
		*ret = reader->unit.offset + found->number;
		return found->number < reader->unit.size;
	case FORM_REF_ADDR:
		*ret = found->number;
		return true;
	default:
		return false;
	}
}

/** DW_AT_high_pc as an address; a constant is relative to @p low. */
static bool high_address(const struct unit_reader *reader,
                         const struct entry *entry, uint64_t low, uint64_t *ret)
{
	uint16_t form = entry->values[ENTRY_HIGH].form;

	if (!entry_number(reader, entry, ENTRY_HIGH, ret))
		return false;
	if (form != FORM_ADDR && !form_is_address_index(form))
		*ret += low;
	return true;
}

void entry_ranges(const struct unit_reader *reader, const struct entry *entry,
                  struct range_list *list)
{
	const struct dwarf_sections *sections = reader->source.sections;
	const struct range_unit *bases = &reader->bases;
	uint64_t low = 0;
	uint64_t high = 0;
	uint64_t offset;

	if (entry_number(reader, entry, ENTRY_LOW, &low) &&
	    high_address(reader, entry, low, &high)) {
		if (low < high && low != range_address_max(bases))
			range_list_add(list, low, high);
		return;
	}
	if (!entry_number(reader, entry, ENTRY_RANGES, &offset))
		return;
	if (entry->values[ENTRY_RANGES].form == FORM_RNGLISTX &&
	    !range_list_offset(sections, bases, offset, &offset))
		return;
	// Of a damaged list, ranges before the fault are used.
	(void)range_list_read(sections, bases, offset, reader->source.work,
	                      list);
}

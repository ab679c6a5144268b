// SPDX-License-Identifier: MIT
#include "lib/object/macho/macho.h"

#include "lib/base/mem.h"
#include "lib/object/macho/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Load commands, section types and attributes of <mach-o/loader.h>. */
enum {
	LC_SEGMENT = 0x1,
	LC_SYMTAB = 0x2,
	LC_SEGMENT_64 = 0x19,
	LC_UUID = 0x1b,
	LC_ENCRYPTION_INFO = 0x21,
	LC_VERSION_MIN_MACOS = 0x24,
	LC_VERSION_MIN_IOS = 0x25,
	LC_FUNCTION_STARTS = 0x26,
	LC_ENCRYPTION_INFO_64 = 0x2c,
	LC_VERSION_MIN_TVOS = 0x2f,
	LC_VERSION_MIN_WATCHOS = 0x30,
	LC_BUILD_VERSION = 0x32,

	S_ZEROFILL = 0x1,
	S_GB_ZEROFILL = 0xc,
	S_THREAD_LOCAL_ZEROFILL = 0x12,
	SECTION_TYPE_MASK = 0xff,
};
#define S_ATTR_INSTRUCTIONS 0x80000400u // pure, or some

#define NAME_BYTES 16u

struct segment {
	uint64_t address;
	uint64_t size;
	uint64_t offset;
	uint64_t file_size;
	bool in_file; ///< has contents, and they lie inside the file
};

static void read_name(struct cursor *c, char name[NAME_BYTES + 1])
{
	struct bytes raw = cursor_bytes(c, NAME_BYTES);

	// Sixteen characters fill the field and have no NUL.
	memset(name, 0, NAME_BYTES + 1);
	if (raw.size)
		memcpy(name, raw.data, raw.size);
}

/** A part of the slice, empty and counted where it lies outside. */
static struct bytes part_or_skip(struct macho *macho, uint64_t offset,
                                 uint64_t size)
{
	if (size && !bytes_has(macho->slice, offset, size))
		macho->skipped_parts++;
	return bytes_part(macho->slice, offset, size);
}

/**
 * The file offset of a section. The field has 32 bits, and the __DWARF
 * sections of a large dSYM lie above 4 GiB; there the place in the segment
 * gives the true offset, of which the field keeps the low half.
 */
static uint64_t section_offset(const struct segment *segment, uint64_t address,
                               uint32_t field)
{
	uint64_t from_segment;

	if (address < segment->address ||
	    __builtin_add_overflow(segment->offset, address - segment->address,
	                           &from_segment))
		return field;
	if (from_segment > UINT32_MAX && (uint32_t)from_segment == field)
		return from_segment;
	return field;
}

static bool is_zerofill(uint32_t flags)
{
	uint32_t type = flags & SECTION_TYPE_MASK;

	return type == S_ZEROFILL || type == S_GB_ZEROFILL ||
	       type == S_THREAD_LOCAL_ZEROFILL;
}

static struct bytes section_contents(struct macho *macho,
                                     const struct segment *segment,
                                     const struct macho_section *section,
                                     uint32_t offset_field, uint32_t flags)
{
	uint64_t offset =
	        section_offset(segment, section->address, offset_field);

	// A dSYM keeps the header of __TEXT's sections with offset 0.
	if (!segment->in_file || !offset || is_zerofill(flags))
		return (struct bytes){ 0 };
	if (offset < segment->offset ||
	    offset - segment->offset > segment->file_size ||
	    section->size > segment->file_size - (offset - segment->offset)) {
		macho->skipped_parts++;
		return (struct bytes){ 0 };
	}
	return bytes_part(macho->slice, offset, section->size);
}

static struct macho_section read_section(struct macho *macho, struct cursor *c,
                                         const struct segment *segment,
                                         bool is_64)
{
	struct macho_section section = { 0 };
	unsigned word = is_64 ? 8 : 4;
	uint32_t offset, flags;

	read_name(c, section.name);
	read_name(c, section.segment);
	section.address = cursor_uint(c, word);
	section.size = cursor_uint(c, word);
	offset = cursor_u32(c);
	cursor_skip(c, 12); // alignment, relocations
	flags = cursor_u32(c);
	cursor_skip(c, is_64 ? 12 : 8); // reserved
	section.has_code = (flags & S_ATTR_INSTRUCTIONS) ||
	                   !strcmp(section.segment, "__TEXT");
	if (section.size > UINT64_MAX - section.address) {
		macho->skipped_parts++;
		section.size = 0;
	}
	section.contents =
	        section_contents(macho, segment, &section, offset, flags);
	return section;
}

static struct error *read_sections(struct macho *macho, struct cursor *c,
                                   const struct segment *segment, bool is_64,
                                   uint32_t count)
{
	size_t section_bytes = is_64 ? 80 : 68;
	size_t room = limit_get(LIMIT_SECTIONS) - macho->section_count;

	if (count > cursor_left(c) / section_bytes)
		return error_new(ERROR_FORMAT,
		                 "offset 0x%zx: %" PRIu32
		                 " sections cannot fit in %zu bytes",
		                 c->pos, count, cursor_left(c));
	// Without the rest its debug information might be missing silently.
	if (count > room)
		return limit_error(LIMIT_SECTIONS, "more than %zu sections",
		                   limit_get(LIMIT_SECTIONS));
	if (!count)
		return NULL;
	macho->sections = mem_realloc(macho->sections,
	                              macho->section_count + count,
	                              sizeof(*macho->sections));
	for (uint32_t i = 0; i < count; i++)
		macho->sections[macho->section_count++] =
		        read_section(macho, c, segment, is_64);
	return NULL;
}

static struct error *read_any_segment(struct macho *macho, struct cursor *c,
                                      bool is_64)
{
	unsigned word = is_64 ? 8 : 4;
	char name[NAME_BYTES + 1];
	struct segment segment;
	uint32_t section_count;

	read_name(c, name);
	segment.address = cursor_uint(c, word);
	segment.size = cursor_uint(c, word);
	segment.offset = cursor_uint(c, word);
	segment.file_size = cursor_uint(c, word);
	cursor_skip(c, 8); // protections
	section_count = cursor_u32(c);
	cursor_skip(c, 4); // flags
	if (!cursor_ok(c))
		return cursor_error(c, "segment");
	// Linkers write any offset where there are no contents.
	segment.in_file =
	        part_or_skip(macho, segment.offset, segment.file_size).size > 0;
	if (!macho->has_text && !strcmp(name, "__TEXT")) {
		macho->has_text = true;
		macho->text_address = segment.address;
		macho->text_size = segment.size;
	}
	return read_sections(macho, c, &segment, is_64, section_count);
}

static struct error *read_segment(struct macho *macho, struct cursor *c)
{
	return read_any_segment(macho, c, false);
}

static struct error *read_segment_64(struct macho *macho, struct cursor *c)
{
	return read_any_segment(macho, c, true);
}

/** The first UUID counts; @p uuid is zero until there is one. */
static struct error *read_first_uuid(struct cursor *c, struct uuid *uuid)
{
	struct bytes raw = cursor_bytes(c, sizeof(uuid->bytes));

	if (!cursor_ok(c))
		return cursor_error(c, "UUID");
	if (uuid_is_zero(uuid))
		memcpy(uuid->bytes, raw.data, raw.size);
	return NULL;
}

static struct error *read_uuid(struct macho *macho, struct cursor *c)
{
	return read_first_uuid(c, &macho->uuid);
}

static struct error *read_symtab(struct macho *macho, struct cursor *c)
{
	uint32_t symbols_offset = cursor_u32(c);
	uint32_t symbol_count = cursor_u32(c);
	uint32_t strings_offset = cursor_u32(c);
	uint32_t strings_bytes = cursor_u32(c);
	uint64_t entry_bytes = macho->is_64 ? 16 : 12;

	if (!cursor_ok(c))
		return cursor_error(c, "symbol table");
	if (symbol_count > limit_get(LIMIT_SYMBOLS))
		return limit_error(LIMIT_SYMBOLS, "more than %zu symbol%s",
		                   limit_get(LIMIT_SYMBOLS),
		                   text_plural(limit_get(LIMIT_SYMBOLS)));
	macho->symbols =
	        part_or_skip(macho, symbols_offset, symbol_count * entry_bytes);
	macho->symbol_count = macho->symbols.size ? symbol_count : 0;
	macho->strings = part_or_skip(macho, strings_offset, strings_bytes);
	return NULL;
}

static struct error *read_function_starts(struct macho *macho, struct cursor *c)
{
	uint32_t offset = cursor_u32(c);
	uint32_t size = cursor_u32(c);

	if (!cursor_ok(c))
		return cursor_error(c, "function starts");
	macho->function_starts = part_or_skip(macho, offset, size);
	return NULL;
}

static struct error *read_encryption(struct macho *macho, struct cursor *c)
{
	cursor_skip(c, 8); // the encrypted range
	if (cursor_u32(c))
		macho->encrypted = true;
	if (!cursor_ok(c))
		return cursor_error(c, "encryption info");
	return NULL;
}

static const struct command_reader {
	uint32_t type;
	struct error *(*read)(struct macho *macho, struct cursor *c);
} command_readers[] = {
	{ LC_SEGMENT, read_segment },
	{ LC_SEGMENT_64, read_segment_64 },
	{ LC_UUID, read_uuid },
	{ LC_SYMTAB, read_symtab },
	{ LC_FUNCTION_STARTS, read_function_starts },
	{ LC_ENCRYPTION_INFO, read_encryption },
	{ LC_ENCRYPTION_INFO_64, read_encryption },
};

/** Of several, as of an app for macOS and Catalyst, the first counts. */
static void note_platform(struct macho *macho,
                          const struct macho_command *command)
{
	static const struct {
		uint32_t command;
		uint32_t platform; ///< as in LC_BUILD_VERSION
	} old[] = {
		{ LC_VERSION_MIN_MACOS, 1 },
		{ LC_VERSION_MIN_IOS, 2 },
		{ LC_VERSION_MIN_TVOS, 3 },
		{ LC_VERSION_MIN_WATCHOS, 4 },
	};
	struct cursor body = command->body;
	uint32_t platform;

	if (macho->platform)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(old); i++)
		if (old[i].command == command->type)
			macho->platform = old[i].platform;
	if (command->type != LC_BUILD_VERSION)
		return;
	platform = cursor_u32(&body);
	if (cursor_ok(&body))
		macho->platform = platform;
}

static struct error *read_command(struct macho *macho,
                                  struct macho_command *command)
{
	note_platform(macho, command);
	for (size_t i = 0; i < ARRAY_SIZE(command_readers); i++) {
		const struct command_reader *reader = &command_readers[i];

		if (reader->type == command->type)
			return error_prefix(reader->read(macho, &command->body),
			                    "load command %" PRIu32,
			                    command->number);
	}
	return NULL;
}

static struct error *check_commands(struct bytes slice,
                                    const struct macho_header *header)
{
	uint64_t end = macho_header_end(header);

	if (end > slice.size)
		return error_new(ERROR_FORMAT,
		                 "load commands: offset 0x%" PRIx32
		                 ": expected %" PRIu32 " bytes, found %zu",
		                 header->header_bytes, header->commands_bytes,
		                 slice.size - header->header_bytes);
	if (header->command_count > MACHO_COMMANDS_MAX)
		return error_new(ERROR_LIMIT,
		                 "load commands: %" PRIu32 " are more than %d",
		                 header->command_count, MACHO_COMMANDS_MAX);
	return NULL;
}

static struct error *read_commands(struct macho *macho,
                                   const struct macho_header *header)
{
	struct macho_commands walk = macho_commands_of(macho->slice, header);
	struct error *err = check_commands(macho->slice, header);

	while (!err && macho_commands_left(&walk)) {
		struct macho_command command;

		err = macho_commands_next(&walk, &command);
		if (!err)
			err = read_command(macho, &command);
	}
	return err;
}

struct error *macho_parse(struct bytes slice, struct macho *ret)
{
	struct macho macho = { .slice = slice };
	struct macho_header header;
	struct error *err = macho_header_read(slice, &header);

	if (err)
		return err;
	macho.order = header.order;
	macho.is_64 = header.is_64;
	macho.cpu_type = header.cpu_type;
	macho.cpu_subtype = header.cpu_subtype;
	macho.file_type = header.file_type;
	err = read_commands(&macho, &header);
	if (err) {
		macho_release(&macho);
		return err;
	}
	*ret = macho;
	return NULL;
}

void macho_release(struct macho *macho)
{
	free(macho->sections);
	*macho = (struct macho){ 0 };
}

/** Walk the commands until one is the UUID; an error where they are truncated.
 */
static struct error *find_uuid(struct bytes head,
                               const struct macho_header *header,
                               struct uuid *ret)
{
	struct macho_commands walk = macho_commands_of(head, header);

	while (macho_commands_left(&walk)) {
		struct macho_command command;
		struct error *err = macho_commands_next(&walk, &command);

		if (!err && command.type == LC_UUID)
			err = read_first_uuid(&command.body, ret);
		if (err)
			return err;
		if (!uuid_is_zero(ret))
			break;
	}
	return NULL;
}

bool macho_peek_uuid(struct bytes head, struct uuid *ret,
                     uint32_t *ret_file_type, uint32_t *ret_cpu_type,
                     uint32_t *ret_cpu_subtype, uint64_t *ret_needed)
{
	struct macho_header header;
	SCOPED(error_drop) struct error *err = macho_header_read(head, &header);

	*ret = (struct uuid){ 0 };
	*ret_needed = 0;
	if (err) {
		if (head.size < 4 || error_code(err) == ERROR_FORMAT)
			*ret_needed = 32;
		return false;
	}
	*ret_file_type = header.file_type;
	*ret_cpu_type = header.cpu_type;
	*ret_cpu_subtype = header.cpu_subtype;
	err = find_uuid(head, &header, ret);
	if (err && head.size < macho_header_end(&header))
		*ret_needed = macho_header_end(&header);
	return !err;
}

const struct macho_section *macho_section(const struct macho *macho,
                                          const char *segment, const char *name)
{
	for (size_t i = 0; i < macho->section_count; i++) {
		const struct macho_section *section = &macho->sections[i];

		if (!strncmp(section->segment, segment, NAME_BYTES) &&
		    !strncmp(section->name, name, NAME_BYTES))
			return section;
	}
	return NULL;
}

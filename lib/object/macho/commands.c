// SPDX-License-Identifier: MIT
#include "lib/object/macho/commands.h"

#include <inttypes.h>

#define COMMAND_MIN_BYTES 8u

struct error *macho_header_read(struct bytes head, struct macho_header *ret)
{
	struct cursor c = cursor_at(head, 0, CURSOR_LITTLE);
	struct macho_header header = { .order = CURSOR_LITTLE };
	uint32_t magic = cursor_u32(&c);

	if (magic == MACHO_MAGIC_32_BIG || magic == MACHO_MAGIC_64_BIG)
		header.order = CURSOR_BIG;
	else if (magic != MACHO_MAGIC_32 && magic != MACHO_MAGIC_64)
		return error_new(ERROR_UNSUPPORTED, "not a Mach-O file");
	header.is_64 = magic == MACHO_MAGIC_64 || magic == MACHO_MAGIC_64_BIG;
	header.header_bytes = header.is_64 ? 32 : 28;
	c.order = header.order;
	header.cpu_type = cursor_u32(&c);
	header.cpu_subtype = cursor_u32(&c);
	header.file_type = cursor_u32(&c);
	header.command_count = cursor_u32(&c);
	header.commands_bytes = cursor_u32(&c);
	cursor_skip(&c, header.is_64 ? 8 : 4); // flags, reserved
	if (!cursor_ok(&c))
		return cursor_error(&c, "Mach-O header");
	*ret = header;
	return NULL;
}

uint64_t macho_header_end(const struct macho_header *header)
{
	return (uint64_t)header->header_bytes + header->commands_bytes;
}

struct macho_commands macho_commands_of(struct bytes head,
                                        const struct macho_header *header)
{
	uint64_t end = macho_header_end(header);

	return (struct macho_commands){
		.head = end < head.size ? bytes_part(head, 0, end) : head,
		.header = *header,
		.pos = header->header_bytes,
	};
}

struct error *macho_commands_next(struct macho_commands *walk,
                                  struct macho_command *ret)
{
	struct cursor c = cursor_at(walk->head, walk->pos, walk->header.order);
	uint32_t number = walk->next;
	uint32_t type = cursor_u32(&c);
	uint32_t size = cursor_u32(&c);
	const char *fault = NULL;

	if (!cursor_ok(&c))
		return error_prefix(cursor_error(&c, "type and size"),
		                    "load command %" PRIu32, number);
	if (size < COMMAND_MIN_BYTES)
		fault = "is less than 8";
	else if (size % 4)
		fault = "is not a multiple of 4";
	else if (size - COMMAND_MIN_BYTES > cursor_left(&c))
		fault = "runs past the end of the load commands";
	if (fault)
		return error_new(ERROR_FORMAT,
		                 "load command %" PRIu32
		                 ": offset 0x%zx: size %" PRIu32 " %s",
		                 number, walk->pos, size, fault);
	c.in = bytes_part(walk->head, 0, (uint64_t)walk->pos + size);
	walk->pos += size;
	walk->next++;
	*ret = (struct macho_command){
		.number = number,
		.type = type,
		.body = c,
	};
	return NULL;
}

// SPDX-License-Identifier: MIT
/**
 * The header of a Mach-O image and its load commands: shared by the readers of
 * a whole image, of its UUID, and of a fat file.
 */
#ifndef APMTOOL_LIB_OBJECT_MACHO_COMMANDS_H
#define APMTOOL_LIB_OBJECT_MACHO_COMMANDS_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Magic numbers as read in little-endian order. */
enum macho_magic {
	MACHO_MAGIC_32 = 0xfeedface,
	MACHO_MAGIC_64 = 0xfeedfacf,
	MACHO_MAGIC_32_BIG = 0xcefaedfe,
	MACHO_MAGIC_64_BIG = 0xcffaedfe,
};

struct macho_header {
	enum cursor_order order;
	bool is_64;
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	uint32_t file_type;
	uint32_t command_count;
	uint32_t commands_bytes;
	uint32_t header_bytes; ///< offset of the load commands
};

MUST_CHECK struct error *macho_header_read(struct bytes head,
                                           struct macho_header *ret);

/** End of header and load commands. */
uint64_t macho_header_end(const struct macho_header *header);

struct macho_command {
	uint32_t number; ///< from 0, for messages
	uint32_t type;
	/**
	 * After type and size; ends with the command; offsets are the slice's.
	 */
	struct cursor body;
};

/** Iterator over the load commands; each step takes at least 8 bytes. */
struct macho_commands {
	struct bytes head;
	struct macho_header header;
	uint32_t next; ///< number of the next command
	size_t pos;    ///< its offset
};

/** @p head may be truncated: the walk then fails at its end. */
struct macho_commands macho_commands_of(struct bytes head,
                                        const struct macho_header *header);

static inline bool macho_commands_left(const struct macho_commands *walk)
{
	return walk->next < walk->header.command_count;
}

/** The next command; call it while macho_commands_left(). */
MUST_CHECK struct error *macho_commands_next(struct macho_commands *walk,
                                             struct macho_command *ret);

#endif

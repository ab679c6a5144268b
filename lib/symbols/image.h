// SPDX-License-Identifier: MIT
/** Result of the search for an image's symbols, for messages. */
#ifndef APMTOOL_LIB_SYMBOLS_IMAGE_H
#define APMTOOL_LIB_SYMBOLS_IMAGE_H

#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>

/** Result of the search for an image's file. */
enum symbol_status {
	SYMBOL_FILE_MISSING, ///< no file with that UUID
	SYMBOL_FILE_FOUND,
	SYMBOL_FILE_MALFORMED, ///< found, with unreadable debug information
	/** Found; the system refused to read it. */
	SYMBOL_FILE_UNREADABLE,
};

/**
 * For an image with bad units; the fault of the first one follows. The number
 * of bad units is not printed: it depends on the addresses and on the number of
 * children.
 */
#define SYMBOL_BAD_UNITS "parts of its debug information cannot be read"

/** As SYMBOL_BAD_UNITS, for a GSYM. */
#define SYMBOL_BAD_RECORDS \
	"the GSYM file is damaged: functions in it cannot be read"

/** The result for an image, for messages. */
struct symbol_image {
	enum symbol_status status;
	const char *path;    ///< that answered; or NULL
	const char *reason;  ///< why it cannot be read; or NULL
	bool cannot_open;    ///< even its symbols cannot be read
	bool has_debug_info; ///< the found file has more than a symtab
	/**
	 * Why answers may be missing; or NULL. Applies to doubted answers: in a
	 * GSYM those at damaged places; in damaged DWARF all that were looked
	 * up together.
	 */
	const char *damage;
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	const char *arch; ///< of the slice; NULL: no file found
	/** UUID of the file if it differs from the image's; else zero. */
	struct uuid mismatch_uuid;
};

#endif

// SPDX-License-Identifier: MIT
/**
 * How the search for the symbols of an image went, for messages.
 */
#ifndef APMTOOL_LIB_SYMBOLS_IMAGE_H
#define APMTOOL_LIB_SYMBOLS_IMAGE_H

#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>

/** How the search for an image's file went. */
enum symbol_status {
	SYMBOL_FILE_MISSING, ///< no file of that UUID
	SYMBOL_FILE_FOUND,
	SYMBOL_FILE_MALFORMED, ///< found, and its debug info cannot be read
	/** Found, and the system refused to read it. */
	SYMBOL_FILE_UNREADABLE,
};

/**
 * Of an image with bad units; what is wrong with the first one follows. How
 * many were met depends on which were asked, and by how many children.
 */
#define SYMBOL_BAD_UNITS "parts of its debug information cannot be read"

/** The same of a GSYM. */
#define SYMBOL_BAD_RECORDS \
	"the GSYM file is damaged: functions in it cannot be read"

/** The result for an image, for messages. */
struct symbol_image {
	enum symbol_status status;
	const char *path;    ///< the file that answered; NULL if none
	const char *reason;  ///< why it cannot be read; NULL otherwise
	bool cannot_open;    ///< nothing of it can, not even its symbols
	bool has_debug_info; ///< of a file that was found: more than a symtab
	/**
	 * Why it is silent at some places; NULL: all well. It concerns the
	 * answers that are doubted: of a GSYM the places that are damaged; of
	 * damaged DWARF, all that were looked up together.
	 */
	const char *damage;
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	const char *arch; ///< name of the slice; NULL if no file was found
	/** Of the file where it is another than the image's; else zero. */
	struct uuid mismatch_uuid;
};

#endif

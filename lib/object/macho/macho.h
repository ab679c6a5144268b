// SPDX-License-Identifier: MIT
/**
 * Mach-O files: thin, fat and fat64, 32 and 64 bits, either byte order.
 *
 * Reading is lazy: macho_parse() looks at the header and the load commands
 * only, so that a mapped file of hundreds of megabytes costs a few pages. A
 * damaged part (a segment beyond the file, a section out of its segment) is
 * left out and counted; only a broken header or load-command list is an error.
 *
 * Source: the format as in formats.md 10.1 and Apple's <mach-o/loader.h>.
 */
#ifndef APMTOOL_LIB_OBJECT_MACHO_MACHO_H
#define APMTOOL_LIB_OBJECT_MACHO_MACHO_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/limit.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>

#define MACHO_COMMANDS_MAX 65536

/** As many first bytes hold any fat header: enough to index a file. */
#define MACHO_HEAD_BYTES 4096

/** One architecture of a file. */
struct macho_slice {
	uint32_t cpu_type;
	uint32_t cpu_subtype; ///< capability bits included
	uint64_t offset;      ///< from the start of the file
	uint64_t size;
};

struct macho_slices {
	struct macho_slice slices[LIMIT_MOST_SLICES];
	size_t count;
	/** Slices left out: outside the file, or more than the maximum. */
	size_t skipped;
	/** The first of them that ends beyond the file, if one does. */
	struct macho_slice outside;
	bool has_outside;
	bool fat;
};

/** First bytes are those of a Mach-O or fat file (not of a Java class). */
bool macho_sniff(struct bytes head);

/** The slices of a file; a thin file is one slice. */
MUST_CHECK struct error *macho_slices(struct bytes file,
                                      struct macho_slices *ret);
/** The same from the first MACHO_HEAD_BYTES of a file of @p file_size. */
MUST_CHECK struct error *macho_slices_from_head(struct bytes head,
                                                uint64_t file_size,
                                                struct macho_slices *ret);

/** A section, by its 16-character names, and where its bytes are. */
struct macho_section {
	char segment[17];
	char name[17];
	uint64_t address;
	uint64_t size;
	bool has_code;         ///< holds instructions, or lies in __TEXT
	struct bytes contents; ///< empty: not in the file (dSYM's __TEXT), bad
};

enum macho_file_type {
	MACHO_OBJECT = 1,
	MACHO_EXECUTE = 2,
	MACHO_DYLIB = 6,
	MACHO_DYLINKER = 7,
	MACHO_BUNDLE = 8,
	MACHO_DSYM = 10,
	MACHO_KEXT = 11,
};

struct macho {
	struct bytes slice;
	enum cursor_order order;
	bool is_64;
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	uint32_t file_type;
	struct uuid uuid;      ///< zero: no LC_UUID
	uint32_t platform;     ///< that of LC_BUILD_VERSION; 0: it says none
	uint64_t text_address; ///< vmaddr of __TEXT
	uint64_t text_size;
	bool has_text;
	bool encrypted; ///< cryptid 1: code unreadable, symtab fine
	/**
	 * In the order of the load commands: symbols name them by number. A
	 * damaged one stays, without contents.
	 */
	struct macho_section *sections;
	size_t section_count;
	size_t skipped_parts; ///< segments or sections left out as damaged
	struct bytes symbols; ///< nlist entries, symbol_count of them
	uint32_t symbol_count;
	struct bytes strings; ///< string table
	struct bytes function_starts;
};

/**
 * Read one slice. Release with macho_release(). An error names the offset in
 * the slice: `load command 3: offset 0x68: ...`.
 */
MUST_CHECK struct error *macho_parse(struct bytes slice, struct macho *ret);
void macho_release(struct macho *macho);

/**
 * The UUID alone, from the head of a slice: for indexing thousands of files.
 *
 * @param head  May be truncated anywhere.
 * @param ret   Zero where the load commands hold no UUID.
 * @param ret_needed  How many bytes header and load commands take, where
 *                    @p head is too short to say; else 0.
 * @return false where @p head is too short, or damaged: then macho_parse()
 *         says how. The other results are filled as far as they are known.
 */
bool macho_peek_uuid(struct bytes head, struct uuid *ret,
                     uint32_t *ret_file_type, uint32_t *ret_cpu_type,
                     uint32_t *ret_cpu_subtype, uint64_t *ret_needed);

/** NULL if absent. Names are compared by 16 characters. */
const struct macho_section *macho_section(const struct macho *macho,
                                          const char *segment,
                                          const char *name);

#endif

// SPDX-License-Identifier: MIT
/**
 * Mach-O files: thin, fat and fat64, 32 and 64 bits, either byte order.
 *
 * Reading is lazy: macho_parse() reads header and load commands only, so that a
 * mapped file of hundreds of megabytes costs a few pages. Damaged parts (a
 * segment outside of the file, a section outside of its segment) are skipped
 * and counted; only an invalid header or list of load commands is an error.
 *
 * Source: Apple's <mach-o/loader.h> and <mach-o/fat.h>.
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

/** Contains any fat header: enough to index a file. */
#define MACHO_HEAD_BYTES 4096

/** One architecture of a file. */
struct macho_slice {
	uint32_t cpu_type;
	uint32_t cpu_subtype; ///< with capability bits
	uint64_t offset;      ///< from the start of the file
	uint64_t size;
};

struct macho_slices {
	struct macho_slice slices[LIMIT_MOST_SLICES];
	size_t count;
	/** Skipped slices: outside of the file, or over the max. */
	size_t skipped;
	/** The first one that ends outside of the file, if any. */
	struct macho_slice outside;
	bool has_outside;
	bool fat;
};

/** Are these the first bytes of a Mach-O or fat file (not of a Java class)? */
bool macho_sniff(struct bytes head);

/** The slices of a file; a thin file is one slice. */
MUST_CHECK struct error *macho_slices(struct bytes file,
                                      struct macho_slices *ret);
/**
 * As macho_slices(), from the first MACHO_HEAD_BYTES of a file of @p file_size
 * bytes.
 */
MUST_CHECK struct error *macho_slices_from_head(struct bytes head,
                                                uint64_t file_size,
                                                struct macho_slices *ret);

/** A section with its 16-character names and its bytes. */
struct macho_section {
	char segment[17];
	char name[17];
	uint64_t address;
	uint64_t size;
	bool has_code; ///< has instructions, or is in __TEXT
	/** empty: not in the file (dSYM's __TEXT), or invalid */
	struct bytes contents;
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
	bool encrypted; ///< cryptid 1: code is unreadable, symbols are not
	/**
	 * In the order of load commands, as symbols refer to them by number. A
	 * damaged one stays, without contents.
	 */
	struct macho_section *sections;
	size_t section_count;
	size_t skipped_parts; ///< damaged segments or sections
	struct bytes symbols; ///< symbol_count nlist entries
	uint32_t symbol_count;
	struct bytes strings; ///< string table
	struct bytes function_starts;
};

/**
 * Read one slice; free it with macho_release(). An error has the offset in the
 * slice: `load command 3: offset 0x68: ...`.
 */
MUST_CHECK struct error *macho_parse(struct bytes slice, struct macho *ret);
void macho_release(struct macho *macho);

/**
 * Only the UUID, from the head of a slice: for indexing thousands of files.
 *
 * @param head  May be truncated anywhere.
 * @param ret   Zero if the load commands have no UUID.
 * @param ret_needed  Size of header and load commands if @p head is too short;
 *                    else 0.
 * @return false if @p head is too short or damaged; macho_parse() reports the
 * fault. Other results are set as far as known.
 */
bool macho_peek_uuid(struct bytes head, struct uuid *ret,
                     uint32_t *ret_file_type, uint32_t *ret_cpu_type,
                     uint32_t *ret_cpu_subtype, uint64_t *ret_needed);

/** NULL if absent. Names are compared by 16 characters. */
const struct macho_section *macho_section(const struct macho *macho,
                                          const char *segment,
                                          const char *name);

#endif

// SPDX-License-Identifier: MIT
/**
 * The numbers of GSYM version 1, shared by the reader and the writer.
 *
 * An image: the header; address offsets from the base address (1, 2, 4 or 8
 * bytes each, ascending); the offset of each function's record; the file
 * table; then strings and records, wherever the offsets say. A record: size,
 * name, then pieces of {type, length, data} up to an empty piece of type 0.
 *
 * Source: llvm/DebugInfo/GSYM/{Header,FunctionInfo,LineTable,InlineInfo}.h.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_FORMAT_H
#define APMTOOL_LIB_SYMBOLS_GSYM_FORMAT_H

#include <stdint.h>

#define GSYM_MAGIC         0x4753594du
#define GSYM_MAGIC_SWAPPED 0x4d595347u
#define GSYM_VERSION       1

#define GSYM_HEADER_BYTES 48
/** Room in the header; a Mach-O UUID takes 16. */
#define GSYM_UUID_BYTES 20
/** Where in the header the place of the strings is said. */
#define GSYM_STRINGS_OFFSET_AT 20
#define GSYM_STRINGS_SIZE_AT   24
/** An entry of the record offset table. */
#define GSYM_INFO_BYTES 4
/** A file: string offsets of directory and name. */
#define GSYM_FILE_BYTES 8
/** What each record begins with: its size, and the offset of its name. */
#define GSYM_RECORD_BYTES 8
#define GSYM_RECORD_ALIGN 4

/**
 * Largest piece of a record, ours to choose: a lookup reads a piece from its
 * start, and this is what one may cost. A million rows take some 3 MB.
 */
#define GSYM_PIECE_BYTES_MAX ((uint64_t)4 << 20)

/** Types of the pieces of a function's record; later LLVMs add more. */
enum gsym_piece {
	GSYM_PIECE_END = 0,
	GSYM_PIECE_LINES = 1,
	GSYM_PIECE_INLINES = 2,
};

/** Line table: all but these are special, and move both address and line. */
enum gsym_opcode {
	GSYM_OP_END = 0,
	GSYM_OP_SET_FILE = 1,
	GSYM_OP_ADVANCE_ADDRESS = 2,
	GSYM_OP_ADVANCE_LINE = 3,
	GSYM_OP_FIRST_SPECIAL = 4,
};

/** File register of a line table before its first opcode. */
#define GSYM_FIRST_FILE 1

#endif

// SPDX-License-Identifier: MIT
/**
 * Constants of GSYM version 1, shared by reader and writer.
 *
 * An image has: the header; address offsets from the base address (1, 2, 4 or 8
 * bytes each, ascending); the offset of each function's record; the file table;
 * then strings and records, at their offsets. A record has: size, name, then
 * pieces of {type, length, data} up to an empty piece of type 0.
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
/** Size of the header's UUID field; a Mach-O UUID takes 16. */
#define GSYM_UUID_BYTES 20
/** Positions of the strings' offset and size in the header. */
#define GSYM_STRINGS_OFFSET_AT 20
#define GSYM_STRINGS_SIZE_AT   24
/** Size of an entry in the table of record offsets. */
#define GSYM_INFO_BYTES 4
/** Size of a file entry: string offsets of directory and name. */
#define GSYM_FILE_BYTES 8
/** Size of a record's head: its size, and the offset of its name. */
#define GSYM_RECORD_BYTES 8
#define GSYM_RECORD_ALIGN 4

/**
 * Max size of a piece that we read: a look-up reads a piece from its start,
 * which bounds its cost. A million rows take about 3 MB.
 */
#define GSYM_PIECE_BYTES_MAX ((uint64_t)4 << 20)

/** Types of a record's pieces; later LLVMs add more. */
enum gsym_piece {
	GSYM_PIECE_END = 0,
	GSYM_PIECE_LINES = 1,
	GSYM_PIECE_INLINES = 2,
};

/**
 * Opcodes of line tables; all others are special, and advance both address and
 * line.
 */
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

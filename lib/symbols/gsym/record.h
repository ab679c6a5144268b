// SPDX-License-Identifier: MIT
/**
 * Reads a function's record in a GSYM image: the calls inlined at an address,
 * and rows of the line table.
 *
 * Both are read only as far as needed. All functions return false for a damaged
 * record. The work is bounded by the size of the record's pieces.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_RECORD_H
#define APMTOOL_LIB_SYMBOLS_GSYM_RECORD_H

#include "lib/base/cursor.h"
#include "lib/symbols/gsym/gsym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A parsed record; names are offsets, not checked yet. */
struct gsym_record {
	enum cursor_order order;
	uint64_t start;
	uint32_t size;
	uint32_t name;
	struct bytes lines;   ///< or empty
	struct bytes inlines; ///< or empty
};

/** A call inlined at the address. */
struct gsym_inlined {
	uint32_t name;
	uint32_t call_file;
	uint32_t call_line;
	uint64_t start; ///< of the range with the address
};

/** All calls inlined at the address, outermost first. */
struct gsym_chain {
	struct gsym_inlined calls[GSYM_INLINE_DEPTH];
	size_t count;
};

/** Read a record for the function at @p start. */
bool gsym_record_read(struct cursor *c, uint64_t start,
                      struct gsym_record *ret);

/**
 * The inlined calls at @p address, which the function covers.
 *
 * @param work  Raised by the number of bytes read.
 */
bool gsym_record_chain(const struct gsym_record *record, uint64_t address,
                       uint64_t *work, struct gsym_chain *ret);

/**
 * Advance @p rows to @p address; starts over if it is in another table or past
 * the address. Sets `covering`, the row of the address, and `with_line`, the
 * nearest row up to there with a line.
 */
bool gsym_record_rows(const struct gsym_record *record, uint64_t address,
                      uint64_t *work, struct gsym_rows *rows);

/**
 * For an address without a line: the row to take a line from, the nearest
 * earlier one of the same function or inlined call.
 *
 * @param chain  Of the address.
 * @param nearest  `with_line` from gsym_record_rows().
 * @param ret  The row without a line; unchanged if its file has no other row.
 */
bool gsym_record_borrow(const struct gsym_record *record,
                        const struct gsym_chain *chain, struct gsym_row nearest,
                        uint64_t *work, struct gsym_row *ret);

#endif

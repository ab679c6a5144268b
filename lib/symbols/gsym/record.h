// SPDX-License-Identifier: MIT
/**
 * What a function's record in a GSYM image says of an address: the calls
 * inlined there, and the rows of the line table.
 *
 * Both are read as far as the address asks for and no further. False from any
 * function here means that the record is damaged; the work is bounded by the
 * size of the record's pieces.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_RECORD_H
#define APMTOOL_LIB_SYMBOLS_GSYM_RECORD_H

#include "lib/base/cursor.h"
#include "lib/symbols/gsym/gsym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A record, taken apart; the names in it are offsets, not looked at yet. */
struct gsym_record {
	enum cursor_order order;
	uint64_t start;
	uint32_t size;
	uint32_t name;
	struct bytes lines;   ///< empty: none
	struct bytes inlines; ///< empty: none
};

/** A call inlined at the address. */
struct gsym_inlined {
	uint32_t name;
	uint32_t call_file;
	uint32_t call_line;
	uint64_t start; ///< of the range that holds the address
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
 * The chain of inlined calls at @p address, which the function covers.
 *
 * @param work  Raised by the bytes that were read.
 */
bool gsym_record_chain(const struct gsym_record *record, uint64_t address,
                       uint64_t *work, struct gsym_chain *ret);

/**
 * Move @p rows to @p address: on from where it is, or from the start of the
 * table where it is of another one, or beyond. Then `covering` is the row that
 * covers the address, and `with_line` the nearest one up to there that has a
 * line.
 */
bool gsym_record_rows(const struct gsym_record *record, uint64_t address,
                      uint64_t *work, struct gsym_rows *rows);

/**
 * The row to borrow a line from, where that of the address has none: the
 * nearest earlier one of the same function, or of the same inlined call.
 *
 * @param chain    That of the address.
 * @param nearest  What gsym_record_rows() gave as `with_line`.
 * @param ret      The row without a line; untouched if there is none of its
 *                 file to borrow from.
 */
bool gsym_record_borrow(const struct gsym_record *record,
                        const struct gsym_chain *chain, struct gsym_row nearest,
                        uint64_t *work, struct gsym_row *ret);

#endif

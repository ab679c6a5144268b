// SPDX-License-Identifier: MIT
/**
 * Checksums of a file's blocks, compared when a block is first looked at.
 *
 * An image on disk may be damaged, and reading it whole to find out would cost
 * more than a look-up does. So each block has a checksum, and what the reader
 * of an image goes by is compared before it is used. One wrong block spoils
 * everything: what was read before is to be forgotten as well. Small blocks
 * suit a reader who wants little here and there, large ones need fewer sums.
 * Whoever has read most of a file is not asked about the rest: it is compared
 * at once.
 *
 * The checksums find damage, not malice: who can write the file can write
 * them, too.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_GUARD_H
#define APMTOOL_LIB_SYMBOLS_GSYM_GUARD_H

#include "lib/base/cursor.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUARD_SUM_BYTES 8

struct gsym_guard {
	struct bytes body; ///< what is guarded
	struct bytes sums; ///< one for each block, little-endian
	size_t block_bytes;
	bool *known; ///< for each block: it has been compared
	size_t known_count;
	bool is_sound; ///< all blocks have been compared
	bool damaged;  ///< a block was not as it should be
};

/** The checksum of one block, or of any bytes; the same on every machine. */
uint64_t guard_sum(struct bytes bytes);
/** The same of much of a file, for which it takes little memory. */
uint64_t guard_sum_file(struct bytes bytes);

/** Append the checksums of all blocks of @p body, which is not in @p out. */
void guard_add_sums(struct bytes body, size_t block_bytes, struct str *out);

/** False where there are not as many sums as blocks. */
bool guard_init(struct gsym_guard *guard, struct bytes body, size_t block_bytes,
                struct bytes sums);
void guard_release(struct gsym_guard *guard);

/** What was compared is to be compared again. No other thread may ask. */
void guard_forget(struct gsym_guard *guard);

/** May these bytes be read? NULL guards nothing. */
bool guard_check(struct gsym_guard *guard, uint64_t offset, uint64_t size);

/** How many bytes from @p offset on are compared together with it. */
size_t guard_block_rest(const struct gsym_guard *guard, uint64_t offset);

#endif

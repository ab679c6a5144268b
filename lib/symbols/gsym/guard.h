// SPDX-License-Identifier: MIT
/**
 * Checksums of a file's blocks, compared when a block is first read.
 *
 * An image on disk may be damaged, but reading all of it costs more than a
 * look-up. So each block has a checksum, which is compared before the block is
 * used. After one wrong block, earlier answers must be dropped as well. Small
 * blocks suit scattered reads, large ones need fewer checksums. Once 3/4 of the
 * blocks are verified, the rest is verified in one pass.
 *
 * Checksums detect damage, not malice: an attacker who can write the file can
 * write them, too.
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
	struct bytes body; ///< the guarded bytes
	struct bytes sums; ///< by block, little-endian
	size_t block_bytes;
	bool *known; ///< by block: verified
	size_t known_count;
	bool is_sound; ///< all blocks are verified
	bool damaged;  ///< a block was wrong
};

/** Checksum of a block, or of any bytes; the same on every machine. */
uint64_t guard_sum(struct bytes bytes);
/** As guard_sum(), for a large part of a file, in little memory. */
uint64_t guard_sum_file(struct bytes bytes);

/** Append the checksums of all blocks of @p body; it must not be @p out. */
void guard_add_sums(struct bytes body, size_t block_bytes, struct str *out);

/** False: the numbers of sums and blocks differ. */
bool guard_init(struct gsym_guard *guard, struct bytes body, size_t block_bytes,
                struct bytes sums);
void guard_release(struct gsym_guard *guard);

/** Forget verified blocks. No other thread may use the guard. */
void guard_forget(struct gsym_guard *guard);

/** Verify these bytes before they are read. NULL accepts all. */
bool guard_check(struct gsym_guard *guard, uint64_t offset, uint64_t size);

/** Number of bytes from @p offset to the end of its block. */
size_t guard_block_rest(const struct gsym_guard *guard, uint64_t offset);

#endif

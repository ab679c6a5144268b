// SPDX-License-Identifier: MIT
/**
 * Hashing bytes for tables in memory.
 *
 * What is hashed comes from the input: without a secret it could be chosen so
 * that all falls into one slot. So each table takes a seed of its own; nothing
 * that is printed or stored may depend on a hash.
 */
#ifndef APMTOOL_LIB_BASE_HASH_H
#define APMTOOL_LIB_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A random number; 0 where the system has none to give. */
uint64_t hash_seed(void);

/** Random bytes, 256 at most, that nobody guesses; false: the system has none.
 */
bool hash_secret(void *ret, size_t size);

uint64_t hash_bytes(uint64_t seed, const void *data, size_t size);

/** Two hashes of the same bytes, in little more than the time of one. */
void hash_bytes_twice(const uint64_t seeds[2], const void *data, size_t size,
                      uint64_t ret[2]);

#endif

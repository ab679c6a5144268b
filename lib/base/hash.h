// SPDX-License-Identifier: MIT
/**
 * Hashes for tables in memory.
 *
 * Keys come from the input, which could be made to collide without a secret. So
 * each table has its own seed, and nothing that is printed or stored may depend
 * on a hash.
 */
#ifndef APMTOOL_LIB_BASE_HASH_H
#define APMTOOL_LIB_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A random number; 0 if the system has none. */
uint64_t hash_seed(void);

/** Unpredictable random bytes, at most 256; false if the system has none. */
bool hash_secret(void *ret, size_t size);

uint64_t hash_bytes(uint64_t seed, const void *data, size_t size);

/** Two hashes of the same bytes, in little more than the time of one. */
void hash_bytes_twice(const uint64_t seeds[2], const void *data, size_t size,
                      uint64_t ret[2]);

#endif

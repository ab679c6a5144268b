// SPDX-License-Identifier: MIT
/**
 * Long keys that come again and again, known by 128 bits instead of kept.
 *
 * A fingerprint is two seeded hashes. Equal ones are taken for equal keys:
 * that two keys of an input agree in both has a chance of one in 2^128 for
 * each pair, and nobody who writes an input knows the seeds.
 *
 *     struct fingerprints known = { 0 };
 *     struct fingerprint print = fingerprint_of(&known, data, size);
 *     uint32_t *number = fingerprints_find(&known, &print, &is_new);
 */
#ifndef APMTOOL_LIB_BASE_FINGERPRINT_H
#define APMTOOL_LIB_BASE_FINGERPRINT_H

#include "lib/base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fingerprint {
	uint64_t words[2];
};

static inline bool fingerprint_equal(const struct fingerprint *a,
                                     const struct fingerprint *b)
{
	return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

/** Numbers by fingerprint. All zeros is empty. */
struct fingerprints {
	struct map map; ///< indexes of entries
	struct fingerprint_entry *entries;
	size_t count;
	size_t cap;
	uint64_t seeds[2]; ///< set with the first use, unless set before
	size_t asked;      ///< fingerprints_repay()
};

/** The fingerprint that @p map has for a key. */
struct fingerprint fingerprint_of(struct fingerprints *map, const void *data,
                                  size_t size);

/**
 * The number of a fingerprint, to be read or set; 0 where it is new. Good
 * until the next call.
 */
uint32_t *fingerprints_find(struct fingerprints *map,
                            const struct fingerprint *print, bool *ret_new);

/** The number of a fingerprint, to be read or set; NULL where it is new. */
uint32_t *fingerprints_known(const struct fingerprints *map,
                             const struct fingerprint *print);

/** After so many different keys, none is expected to come again. */
#define FINGERPRINTS_TRIED ((size_t)1 << 18)

/**
 * For a map that only saves work, before each look-up: is it worth one? Where
 * hardly any key came twice, the map is emptied, and stays so until it is
 * cleared: it would grow with the input, for nothing.
 */
bool fingerprints_repay(struct fingerprints *map);

/** Forget all, as map_clear() does. */
void fingerprints_clear(struct fingerprints *map);
void fingerprints_release(struct fingerprints *map);

#endif

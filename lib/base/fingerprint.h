// SPDX-License-Identifier: MIT
/**
 * Map from long, repeated keys to numbers that stores 128 bits of each key
 * instead of the key.
 *
 * A fingerprint is two seeded hashes. Equal fingerprints are treated as equal
 * keys: two keys collide with a chance of 1 in 2^128, and writers of an input
 * do not know the seeds.
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

/** Map from fingerprints to numbers. All zeros is empty. */
struct fingerprints {
	struct map map; ///< indexes of entries
	struct fingerprint_entry *entries;
	size_t count;
	size_t cap;
	uint64_t seeds[2]; ///< chosen at the first use, unless set before
	size_t asked;      ///< for fingerprints_repay()
};

/** The fingerprint of a key in @p map. */
struct fingerprint fingerprint_of(struct fingerprints *map, const void *data,
                                  size_t size);

/**
 * The number of a fingerprint, to be read or set; added as 0 if it is new.
 * Valid until the next call.
 */
uint32_t *fingerprints_find(struct fingerprints *map,
                            const struct fingerprint *print, bool *ret_new);

/** The number of a fingerprint, to be read or set; NULL if it is unknown. */
uint32_t *fingerprints_known(const struct fingerprints *map,
                             const struct fingerprint *print);

/** Different keys after which fingerprints_repay() decides. */
#define FINGERPRINTS_TRIED ((size_t)1 << 18)

/**
 * For a map that is a cache, before each lookup: is it worth one? If hardly any
 * key occurred twice, the map is emptied and stays off until it is cleared,
 * since it would only grow with the input.
 */
bool fingerprints_repay(struct fingerprints *map);

/** Empty the map, like map_clear(). */
void fingerprints_clear(struct fingerprints *map);
void fingerprints_release(struct fingerprints *map);

#endif

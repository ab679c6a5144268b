// SPDX-License-Identifier: MIT
/**
 * SHA-256 (FIPS 180-4): names that must be the same on every machine and in
 * every version. Use lib/base/hash.h for tables in memory.
 *
 *     struct sha256 hash;
 *
 *     sha256_init(&hash);
 *     sha256_add(&hash, text);
 *     sha256_finish(&hash, digest);
 */
#ifndef APMTOOL_LIB_BASE_SHA256_H
#define APMTOOL_LIB_BASE_SHA256_H

#include "lib/base/text.h"

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32

struct sha256 {
	uint32_t state[8];
	uint64_t size_bytes;
	uint8_t block[64];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, struct text bytes);
void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE]);

/** HMAC (RFC 2104) of @p bytes. */
void sha256_hmac(const uint8_t key[SHA256_SIZE], struct text bytes,
                 uint8_t digest[SHA256_SIZE]);

/** The first 64 bits of the hash so far; more can be added afterwards. */
uint64_t sha256_prefix(const struct sha256 *hash);

#endif

// SPDX-License-Identifier: MIT
#include "lib/base/sha256.h"

#include "lib/base/compiler.h"

#define BLOCK_SIZE 64

static const uint32_t rounds[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

/** Words 16 to 63 of the schedule from the first 16. */
static void expand(uint32_t words[64])
{
	for (size_t i = 16; i < 64; i++) {
		uint32_t early = words[i - 15];
		uint32_t late = words[i - 2];

		words[i] = words[i - 16] + words[i - 7] +
		           (turn(early, 7) ^ turn(early, 18) ^ early >> 3) +
		           (turn(late, 17) ^ turn(late, 19) ^ late >> 10);
	}
}

static void take_block(struct sha256 *hash)
{
	uint32_t words[64];
	uint32_t s[8]; // a to h of the standard

	for (size_t i = 0; i < 16; i++)
		words[i] = load(hash->block + 4 * i);
	expand(words);
	memcpy(s, hash->state, sizeof(s));
	for (size_t i = 0; i < 64; i++) {
		uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^
		                    (s[1] & s[2]);
		uint32_t one =
		        s[7] +
		        (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
		        choice + rounds[i] + words[i];
		uint32_t two =
		        (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
		        majority;

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++)
		hash->state[i] += s[i];
}

void sha256_init(struct sha256 *hash)
{
	*hash = (struct sha256){
		.state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 },
	};
}

void sha256_add(struct sha256 *hash, struct text bytes)
{
	while (bytes.size) {
		size_t used = hash->size_bytes % BLOCK_SIZE;
		size_t room = BLOCK_SIZE - used;
		struct text part = text_first(bytes, room);

		memcpy(hash->block + used, part.data, part.size);
		hash->size_bytes += part.size;
		bytes = text_after(bytes, part.size);
		if (part.size == room)
			take_block(hash);
	}
}

void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE])
{
	static const char padding[BLOCK_SIZE] = { (char)0x80 };
	uint64_t bits = hash->size_bytes * 8;
	size_t used = hash->size_bytes % BLOCK_SIZE;
	char size[8];

	for (size_t i = 0; i < sizeof(size); i++)
		size[i] = (char)(bits >> (56 - 8 * i));
	sha256_add(hash, (struct text){ padding,
	                                used < 56 ? 56 - used : 120 - used });
	sha256_add(hash, (struct text){ size, sizeof(size) });
	for (size_t i = 0; i < SHA256_SIZE; i++)
		digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - i % 4 * 8));
}

/** Begin a hash with the key, padded to a block, and changed by @p mask. */
static void begin_keyed(struct sha256 *hash, const uint8_t key[SHA256_SIZE],
                        uint8_t mask)
{
	char block[BLOCK_SIZE];

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)((i < SHA256_SIZE ? key[i] : 0) ^ mask);
	sha256_init(hash);
	sha256_add(hash, (struct text){ block, sizeof(block) });
}

void sha256_hmac(const uint8_t key[SHA256_SIZE], struct text bytes,
                 uint8_t digest[SHA256_SIZE])
{
	struct sha256 hash;

	begin_keyed(&hash, key, 0x36);
	sha256_add(&hash, bytes);
	sha256_finish(&hash, digest);
	begin_keyed(&hash, key, 0x5c);
	sha256_add(&hash, (struct text){ (const char *)digest, SHA256_SIZE });
	sha256_finish(&hash, digest);
}

uint64_t sha256_prefix(const struct sha256 *hash)
{
	struct sha256 copy = *hash;
	uint8_t digest[SHA256_SIZE];
	uint64_t prefix = 0;

	sha256_finish(&copy, digest);
	for (size_t i = 0; i < sizeof(prefix); i++)
		prefix = prefix << 8 | digest[i];
	return prefix;
}

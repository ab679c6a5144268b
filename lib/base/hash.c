// SPDX-License-Identifier: MIT
#include "lib/base/hash.h"

#include <string.h>
#ifdef __APPLE__
#include <sys/random.h>
#else
#include <unistd.h>
#endif

uint64_t hash_seed(void)
{
	uint64_t seed;

	return getentropy(&seed, sizeof(seed)) ? 0 : seed;
}

bool hash_secret(void *ret, size_t size)
{
	return !getentropy(ret, size);
}

/** One step of the hash: both halves of a 128-bit product. */
static uint64_t fold(uint64_t state, uint64_t word)
{
	__extension__ unsigned __int128 product =
	        (unsigned __int128)(state ^ word) * 0x9e3779b97f4a7c15u;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/** Two words into a state; each multiplier is a secret of the seed. */
static uint64_t fold_two(uint64_t state, uint64_t secret,
                         const uint64_t words[2])
{
	__extension__ unsigned __int128 product =
	        (unsigned __int128)(words[0] ^ secret) * (words[1] ^ state);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/**
 * The last bytes of a text, max 16, some perhaps twice. Copying the exact
 * number would stall the processor.
 */
static void load_last(const unsigned char *at, size_t size, uint64_t words[2])
{
	uint32_t halves[2];

	words[0] = words[1] = 0;
	if (size >= sizeof(words[0])) {
		memcpy(&words[0], at, sizeof(words[0]));
		memcpy(&words[1], at + size - sizeof(words[1]),
		       sizeof(words[1]));
	} else if (size >= sizeof(halves[0])) {
		memcpy(&halves[0], at, sizeof(halves[0]));
		memcpy(&halves[1], at + size - sizeof(halves[1]),
		       sizeof(halves[1]));
		words[0] = halves[0];
		words[1] = halves[1];
	} else if (size) {
		// With no bytes, the pointer may be NULL.
		words[0] = (uint64_t)at[0] << 8 | at[size / 2];
		words[1] = at[size - 1];
	}
}

uint64_t hash_bytes(uint64_t seed, const void *data, size_t size)
{
	const unsigned char *at = data;
	const uint64_t secret = seed ^ 0xd6e8feb86659fd93u;
	uint64_t state = fold(seed, size);
	uint64_t words[2];

	for (; size > sizeof(words); size -= sizeof(words)) {
		memcpy(words, at, sizeof(words));
		state = fold_two(state, secret, words);
		at += sizeof(words);
	}
	load_last(at, size, words);
	return fold(fold_two(state, secret, words), seed);
}

void hash_bytes_twice(const uint64_t seeds[2], const void *data, size_t size,
                      uint64_t ret[2])
{
	const unsigned char *at = data;
	const uint64_t secrets[2] = { fold(seeds[0], 1), fold(seeds[1], 2) };
	uint64_t one = fold(seeds[0], size);
	uint64_t other = fold(seeds[1], size);
	uint64_t words[2];

	// The two do not wait for each other.
	for (; size > sizeof(words); size -= sizeof(words)) {
		memcpy(words, at, sizeof(words));
		one = fold_two(one, secrets[0], words);
		other = fold_two(other, secrets[1], words);
		at += sizeof(words);
	}
	load_last(at, size, words);
	ret[0] = fold(fold_two(one, secrets[0], words), seeds[0]);
	ret[1] = fold(fold_two(other, secrets[1], words), seeds[1]);
}

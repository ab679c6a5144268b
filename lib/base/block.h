// SPDX-License-Identifier: MIT
/**
 * Sixteen bytes at a time: as lib/base/octets.h, with SIMD registers, for the
 * inside of long texts.
 *
 *     for (; size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
 *             block bytes = block_load(data + at);
 *             unsigned found = block_bits(block_of(bytes, '\n') |
 *                                         block_of(bytes, '\r'));
 *
 *             if (found)
 *                     return at + block_first(found);
 *     }
 *
 * Search functions return a block with bytes of all ones for matches, and zeros
 * for others. Combine blocks with `|`, `&` and `~`.
 */
#ifndef APMTOOL_LIB_BASE_BLOCK_H
#define APMTOOL_LIB_BASE_BLOCK_H

#include "lib/base/octets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define BLOCK_BYTES    ((size_t)16)
#define BLOCK_ALL_BITS 0xffffu ///< of block_bits()

typedef signed char block __attribute__((vector_size(16)));

static inline block block_load(const char *data)
{
	block bytes;

	memcpy(&bytes, data, sizeof(bytes));
	return bytes;
}

static inline void block_store(char *to, block bytes)
{
	memcpy(to, &bytes, sizeof(bytes));
}

/** @p c, sixteen times. */
static inline block block_each(char c)
{
	const signed char s = (signed char)c;

	return (block){ s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s };
}

/**
 * All bytes of a text shorter than a block, in any order and perhaps repeated;
 * for an empty text, @p c. Use it to check that a character is absent.
 */
static inline block block_load_few(const char *data, size_t size, char c)
{
	uint64_t halves[2];
	block bytes;

	if (!size)
		return block_each(c);
	if (size >= OCTETS) {
		halves[0] = octets_load(data);
		halves[1] = octets_load(data + size - OCTETS);
	} else {
		halves[0] = halves[1] = octets_load_few(data, size);
	}
	memcpy(&bytes, halves, sizeof(bytes));
	return bytes;
}

/** Bytes equal to @p c. */
static inline block block_of(block bytes, char c)
{
	return bytes == block_each(c);
}

/** Bytes below @p limit (max 0x7f), and bytes outside ASCII. */
static inline block block_unusual(block bytes, char limit)
{
	return bytes < block_each(limit);
}

/** Blanks, tabs, CR and LF. */
static inline block block_spaces(block bytes)
{
	return block_of(bytes, ' ') | block_of(bytes, '\n') |
	       block_of(bytes, '\r') | block_of(bytes, '\t');
}

/** As memcpy(), without a call for a few bytes, such as most names. */
static inline void block_copy(char *to, const char *from, size_t size)
{
	uint64_t first, last;
	uint32_t begin, end;

	if (size > BLOCK_BYTES) {
		memcpy(to, from, size);
	} else if (size >= sizeof(first)) {
		memcpy(&first, from, sizeof(first));
		memcpy(&last, from + size - sizeof(last), sizeof(last));
		memcpy(to, &first, sizeof(first));
		memcpy(to + size - sizeof(last), &last, sizeof(last));
	} else if (size >= sizeof(begin)) {
		memcpy(&begin, from, sizeof(begin));
		memcpy(&end, from + size - sizeof(end), sizeof(end));
		memcpy(to, &begin, sizeof(begin));
		memcpy(to + size - sizeof(end), &end, sizeof(end));
	} else {
		for (size_t i = 0; i < size; i++)
			to[i] = from[i];
	}
}

/** As !memcmp(), without a call for a few bytes. */
static inline bool block_equal(const char *a, const char *b, size_t size)
{
	uint64_t words[4];
	uint32_t halves[4];

	if (size > BLOCK_BYTES)
		return !memcmp(a, b, size);
	if (size >= sizeof(words[0])) {
		memcpy(&words[0], a, sizeof(words[0]));
		memcpy(&words[1], b, sizeof(words[1]));
		memcpy(&words[2], a + size - sizeof(words[2]),
		       sizeof(words[2]));
		memcpy(&words[3], b + size - sizeof(words[3]),
		       sizeof(words[3]));
		return words[0] == words[1] && words[2] == words[3];
	}
	if (size >= sizeof(halves[0])) {
		memcpy(&halves[0], a, sizeof(halves[0]));
		memcpy(&halves[1], b, sizeof(halves[1]));
		memcpy(&halves[2], a + size - sizeof(halves[2]),
		       sizeof(halves[2]));
		memcpy(&halves[3], b + size - sizeof(halves[3]),
		       sizeof(halves[3]));
		return halves[0] == halves[1] && halves[2] == halves[3];
	}
	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/** A bit for each match; the lowest bit is the first byte. */
static inline unsigned block_bits(block found)
{
#ifdef __SSE2__
	return (unsigned)_mm_movemask_epi8((__m128i)found);
#else
	unsigned bits = 0;

	for (size_t i = 0; i < BLOCK_BYTES; i++)
		bits |= (unsigned)(found[i] & 1) << i;
	return bits;
#endif
}

/** As block_bits(), for combining four blocks. */
static inline uint64_t block_bits64(block found)
{
	return block_bits(found);
}

/** Four blocks; a 64-bit word has a bit for each byte. */
struct blocks {
	block four[4];
};

#define BLOCKS_BYTES (4 * BLOCK_BYTES)

static inline struct blocks blocks_load(const char *data)
{
	return (struct blocks){ {
		block_load(data),
		block_load(data + BLOCK_BYTES),
		block_load(data + 2 * BLOCK_BYTES),
		block_load(data + 3 * BLOCK_BYTES),
	} };
}

/** A bit for each byte equal to @p c. */
static inline uint64_t blocks_bits_of(const struct blocks *bytes, char c)
{
	return block_bits64(block_of(bytes->four[0], c)) |
	       block_bits64(block_of(bytes->four[1], c)) << 16 |
	       block_bits64(block_of(bytes->four[2], c)) << 32 |
	       block_bits64(block_of(bytes->four[3], c)) << 48;
}

/** A bit for each byte equal to @p c or @p d. */
static inline uint64_t blocks_bits_of_both(const struct blocks *bytes, char c,
                                           char d)
{
	const block *four = bytes->four;

	return block_bits64(block_of(four[0], c) | block_of(four[0], d)) |
	       block_bits64(block_of(four[1], c) | block_of(four[1], d)) << 16 |
	       block_bits64(block_of(four[2], c) | block_of(four[2], d)) << 32 |
	       block_bits64(block_of(four[3], c) | block_of(four[3], d)) << 48;
}

/** A bit for each blank and tab. */
static inline uint64_t blocks_blanks(const struct blocks *bytes)
{
	return blocks_bits_of_both(bytes, ' ', '\t');
}

/** The bytes, with the bits of @p c set in each. */
static inline struct blocks blocks_with(const struct blocks *bytes, char c)
{
	return (struct blocks){ {
		bytes->four[0] | block_each(c),
		bytes->four[1] | block_each(c),
		bytes->four[2] | block_each(c),
		bytes->four[3] | block_each(c),
	} };
}

/**
 * The bits from each first mark up to the second one, for pairs such as quotes.
 * An unpaired mark extends to the end.
 */
static inline uint64_t blocks_between(uint64_t marks)
{
	// Each bit becomes the parity of the bits up to it.
	marks ^= marks << 1;
	marks ^= marks << 2;
	marks ^= marks << 4;
	marks ^= marks << 8;
	marks ^= marks << 16;
	return marks ^ marks << 32;
}

/** Position of the first match in block_bits(), which must not be 0. */
static inline size_t block_first(unsigned found)
{
	return (size_t)__builtin_ctz(found);
}

/** Position of the last match. */
static inline size_t block_last(unsigned found)
{
	return (size_t)(31 - __builtin_clz(found));
}

#endif

// SPDX-License-Identifier: MIT
/**
 * Eight bytes at a time: looking for a few characters in a text without a
 * branch for each byte.
 *
 *     for (; size - at >= OCTETS; at += OCTETS) {
 *             uint64_t word = octets_load(data + at);
 *             uint64_t found = octets_of(word, '\n') | octets_of(word, '\r');
 *
 *             if (found)
 *                     return at + octets_first(found);
 *     }
 *
 * The functions that look set the top bit of each byte that they find. They
 * are exact up to the first find: above it there may be too many, for a borrow
 * may have gone there. Several can be joined by `|`.
 */
#ifndef APMTOOL_LIB_BASE_OCTETS_H
#define APMTOOL_LIB_BASE_OCTETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OCTETS sizeof(uint64_t)

/** @p byte, eight times. */
#define OCTETS_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/** Eight bytes, the first of them the lowest. */
static inline uint64_t octets_load(const char *data)
{
	uint64_t word;

	memcpy(&word, data, sizeof(word));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	return word;
}

/**
 * The bytes of a text of 1 to 7, each of them at least once, in any order: to
 * know that what is looked for is not there.
 */
static inline uint64_t octets_load_few(const char *data, size_t size)
{
	uint32_t first, last;
	unsigned char middle;

	if (size >= sizeof(first)) {
		memcpy(&first, data, sizeof(first));
		memcpy(&last, data + size - sizeof(last), sizeof(last));
		return (uint64_t)first << 32 | last;
	}
	first = (unsigned char)data[0];
	middle = (unsigned char)data[size / 2];
	last = (unsigned char)data[size - 1];
	return (OCTETS_EACH((uint64_t)first) & ~UINT64_C(0xffff)) |
	       (uint64_t)middle << 8 | last;
}

/** Bytes below @p limit, 0x80 at most. */
static inline uint64_t octets_below(uint64_t word, unsigned char limit)
{
	return (word - OCTETS_EACH(limit)) & ~word & OCTETS_EACH(0x80);
}

/** Bytes that are @p byte. */
static inline uint64_t octets_of(uint64_t word, char byte)
{
	return octets_below(word ^ OCTETS_EACH((unsigned char)byte), 1);
}

/** Bytes that are not ASCII. */
static inline uint64_t octets_above_ascii(uint64_t word)
{
	return word & OCTETS_EACH(0x80);
}

/**
 * A number as eight hex digits, the text of which is the bytes of the word from
 * the lowest on.
 *
 * @param letter  `a` or `A`, of which case the letters are.
 */
static inline uint64_t octets_hex(uint32_t number, char letter)
{
	uint64_t digits = __builtin_bswap32(number);
	uint64_t above_nine;

	// A byte for each digit, of the first byte's two the upper one first.
	digits = (digits | digits << 16) & UINT64_C(0x0000ffff0000ffff);
	digits = (digits | digits << 8) & UINT64_C(0x00ff00ff00ff00ff);
	digits = (digits >> 4 | digits << 8) & OCTETS_EACH(0x0f);
	above_nine = (digits + OCTETS_EACH(6)) >> 4 & OCTETS_EACH(1);
	return digits + OCTETS_EACH('0') +
	       above_nine * (uint64_t)(letter - '9' - 1);
}

/** Put down the eight bytes of a word, the lowest first. */
static inline void octets_store(char *to, uint64_t word)
{
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	memcpy(to, &word, sizeof(word));
}

/** Where the first of @p found is; there must be one. */
static inline size_t octets_first(uint64_t found)
{
	return (size_t)__builtin_ctzll(found) / 8;
}

#endif

// SPDX-License-Identifier: MIT
/**
 * Eight bytes at a time: searches a text for a few characters without a branch
 * for each byte.
 *
 *     for (; size - at >= OCTETS; at += OCTETS) {
 *             uint64_t word = octets_load(data + at);
 *             uint64_t found = octets_of(word, '\n') | octets_of(word, '\r');
 *
 *             if (found)
 *                     return at + octets_first(found);
 *     }
 *
 * Search functions set the top bit of each matching byte. Only the first match
 * is exact: a borrow may set bits above it. Combine results with `|`.
 */
#ifndef APMTOOL_LIB_BASE_OCTETS_H
#define APMTOOL_LIB_BASE_OCTETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OCTETS sizeof(uint64_t)

/** @p byte, eight times. */
#define OCTETS_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/** Load little-endian. */
static inline uint64_t octets_load(const char *data)
{
	uint64_t word;

	memcpy(&word, data, sizeof(word));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	return word;
}

/**
 * All bytes of a text of 1 to 7, in any order and perhaps repeated. Use it to
 * check that a character is absent.
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

/** Bytes below @p limit (max 0x80). */
static inline uint64_t octets_below(uint64_t word, unsigned char limit)
{
	return (word - OCTETS_EACH(limit)) & ~word & OCTETS_EACH(0x80);
}

/** Bytes equal to @p byte. */
static inline uint64_t octets_of(uint64_t word, char byte)
{
	return octets_below(word ^ OCTETS_EACH((unsigned char)byte), 1);
}

/** Bytes outside ASCII. */
static inline uint64_t octets_above_ascii(uint64_t word)
{
	return word & OCTETS_EACH(0x80);
}

/**
 * A number as eight hex digits, as a little-endian word.
 *
 * @param letter  `a` or `A`: case of the digits.
 */
static inline uint64_t octets_hex(uint32_t number, char letter)
{
	uint64_t digits = __builtin_bswap32(number);
	uint64_t above_nine;

	// One digit per byte, high nibble first.
	digits = (digits | digits << 16) & UINT64_C(0x0000ffff0000ffff);
	digits = (digits | digits << 8) & UINT64_C(0x00ff00ff00ff00ff);
	digits = (digits >> 4 | digits << 8) & OCTETS_EACH(0x0f);
	above_nine = (digits + OCTETS_EACH(6)) >> 4 & OCTETS_EACH(1);
	return digits + OCTETS_EACH('0') +
	       above_nine * (uint64_t)(letter - '9' - 1);
}

/** Store little-endian. */
static inline void octets_store(char *to, uint64_t word)
{
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	memcpy(to, &word, sizeof(word));
}

/** Position of the first match; there must be one. */
static inline size_t octets_first(uint64_t found)
{
	return (size_t)__builtin_ctzll(found) / 8;
}

#endif

// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/guard.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/octets.h"

#include <stdlib.h>
#include <string.h>

// Arbitrary odd constants; sums are stored, so there is no random seed.
#define SUM_SEED   UINT64_C(0x9e3779b97f4a7c15)
#define SUM_FACTOR UINT64_C(0xd6e8feb86659fd93)

/** Four independent lanes run in parallel. */
#define SUM_LANES   4
#define LANES_BYTES (SUM_LANES * sizeof(uint64_t))
/** Once more than 3/4 of the blocks are verified, verify the rest. */
#define KNOWN_PARTS_MAX 3
#define KNOWN_PARTS     4
/** Bytes of a file in memory at a time; a multiple of the above. */
#define FILE_BYTES ((size_t)4 << 20)

static uint64_t mix(uint64_t state, uint64_t word)
{
	__extension__ unsigned __int128 product =
	        (unsigned __int128)(state ^ word) * SUM_FACTOR;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t word_at(const uint8_t *at)
{
	return octets_load((const char *)at);
}

/** The last word, with fewer than eight bytes. */
static uint64_t last_word(struct bytes rest)
{
	uint8_t last[sizeof(uint64_t)] = { 0 };

	if (rest.size)
		memcpy(last, rest.data, rest.size);
	return word_at(last);
}

/** Add words in units of all lanes. */
static void add_words(uint64_t lanes[SUM_LANES], struct bytes bytes)
{
	const uint8_t *at = bytes.data;

	for (size_t left = bytes.size; left >= LANES_BYTES;
	     left -= LANES_BYTES) {
		for (unsigned i = 0; i < SUM_LANES; i++, at += sizeof(uint64_t))
			lanes[i] = mix(lanes[i], word_at(at)) + SUM_SEED;
	}
}

static uint64_t join(const uint64_t lanes[SUM_LANES], struct bytes bytes)
{
	size_t left = bytes.size % LANES_BYTES;
	const uint8_t *at = bytes.data + (bytes.size - left);
	uint64_t sum = bytes.size;

	for (unsigned i = 0; i < SUM_LANES; i++)
		sum = mix(sum + SUM_SEED, lanes[i]);
	for (; left; left -= left < 8 ? left : 8) {
		struct bytes rest = { .data = at, .size = left < 8 ? left : 8 };

		sum = mix(sum + SUM_SEED, last_word(rest));
		at += rest.size;
	}
	return sum;
}

// Uses both halves of the product, so each bit of a word affects the whole sum.
// A word that makes a state 0 is harmless: it would be chance, not an attack.
uint64_t guard_sum(struct bytes bytes)
{
	uint64_t lanes[SUM_LANES] = { SUM_SEED, SUM_SEED + 1, SUM_SEED + 2,
		                      SUM_SEED + 3 };

	if (!bytes.size)
		return join(lanes,
		            (struct bytes){ .data = (const uint8_t *)"" });
	add_words(lanes, bytes);
	return join(lanes, bytes);
}

uint64_t guard_sum_file(struct bytes bytes)
{
	uint64_t lanes[SUM_LANES] = { SUM_SEED, SUM_SEED + 1, SUM_SEED + 2,
		                      SUM_SEED + 3 };
	struct bytes piece;

	for (size_t at = 0; at < bytes.size; at += piece.size) {
		size_t left = bytes.size - at;

		piece = bytes_part(bytes, at,
		                   left < FILE_BYTES ? left : FILE_BYTES);
		add_words(lanes, piece);
		file_forget(piece);
	}
	return bytes.size ? join(lanes, bytes) : guard_sum(bytes);
}

static size_t block_count(struct bytes body, size_t block_bytes)
{
	return body.size / block_bytes + (body.size % block_bytes != 0);
}

static struct bytes block_at(struct bytes body, size_t block_bytes,
                             size_t index)
{
	size_t offset = index * block_bytes;
	size_t left = body.size - offset;

	return (struct bytes){
		.data = body.data + offset,
		.size = left < block_bytes ? left : block_bytes,
	};
}

void guard_add_sums(struct bytes body, size_t block_bytes, struct str *out)
{
	for (size_t i = 0; i < block_count(body, block_bytes); i++)
		str_add_le(out, guard_sum(block_at(body, block_bytes, i)),
		           GUARD_SUM_BYTES);
}

bool guard_init(struct gsym_guard *guard, struct bytes body, size_t block_bytes,
                struct bytes sums)
{
	size_t count = block_count(body, block_bytes);

	*guard = (struct gsym_guard){ .body = body,
		                      .sums = sums,
		                      .block_bytes = block_bytes };
	if (sums.size / GUARD_SUM_BYTES != count || sums.size % GUARD_SUM_BYTES)
		return false;
	guard->known = mem_zalloc(count + 1, sizeof(*guard->known));
	return true;
}

void guard_release(struct gsym_guard *guard)
{
	free(guard->known);
	*guard = (struct gsym_guard){ 0 };
}

static bool block_is_sound(struct gsym_guard *guard, size_t index)
{
	const uint8_t *sum = guard->sums.data + index * GUARD_SUM_BYTES;
	struct bytes block;

	if (guard->known[index])
		return true;
	block = block_at(guard->body, guard->block_bytes, index);
	if (guard_sum(block) != word_at(sum))
		return false;
	guard->known[index] = true;
	guard->known_count++;
	return true;
}

/** Verify the blocks from @p first up to @p end. */
static bool check_blocks(struct gsym_guard *guard, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		if (!block_is_sound(guard, i)) {
			guard->damaged = true;
			return false;
		}
	}
	return true;
}

bool guard_check(struct gsym_guard *guard, uint64_t offset, uint64_t size)
{
	size_t first, end, count;

	if (!guard || !size)
		return true;
	if (guard->damaged || !bytes_has(guard->body, offset, size)) {
		guard->damaged = true;
		return false;
	}
	if (guard->is_sound)
		return true;
	first = (size_t)(offset / guard->block_bytes);
	end = (size_t)((offset + size - 1) / guard->block_bytes) + 1;
	if (!check_blocks(guard, first, end))
		return false;
	count = guard->sums.size / GUARD_SUM_BYTES;
	if (guard->known_count < count / KNOWN_PARTS * KNOWN_PARTS_MAX)
		return true;
	if (!check_blocks(guard, 0, count))
		return false;
	guard->is_sound = true;
	return true;
}

void guard_forget(struct gsym_guard *guard)
{
	size_t count = guard->sums.size / GUARD_SUM_BYTES;

	for (size_t i = 0; i < count; i++)
		guard->known[i] = 0;
	guard->known_count = 0;
	guard->is_sound = false;
}

size_t guard_block_rest(const struct gsym_guard *guard, uint64_t offset)
{
	if (guard->is_sound)
		return SIZE_MAX;
	return guard->block_bytes - (size_t)(offset % guard->block_bytes);
}

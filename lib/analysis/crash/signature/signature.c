// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/signature.h"

#include "lib/base/sha256.h"

#include <inttypes.h>

const char *signature_algorithm_name(enum signature_algorithm algorithm)
{
	static const char *const names[] = { "apm/1", "socorro/1",
		                             "innermost2/1", "innermost4/1" };

	return names[algorithm];
}

const char *signature_kind_name(enum signature_kind kind)
{
	static const char *const names[] = { "app", "system", "partial",
		                             "jetsam" };

	return names[kind];
}

size_t signature_size(const struct signature *signature,
                      enum signature_algorithm algorithm, unsigned level)
{
	if (algorithm != SIGNATURE_APM || level >= signature->core_count)
		return signature->core_count;
	return level;
}

static uint64_t first_bits(size_t count)
{
	return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

enum signature_kind signature_kind_at(const struct signature *signature,
                                      size_t size)
{
	if (signature->partial & first_bits(size))
		return SIGNATURE_PARTIAL;
	return signature->kind;
}

bool signature_has_places(const struct signature *signature, size_t size)
{
	return signature->unnamed & first_bits(size);
}

void signature_add_text(const struct signature *signature, size_t size,
                        struct str *out)
{
	const char *between = "";

	if (signature->class_name) {
		str_add(out, signature->class_name);
		between = " | ";
	}
	for (size_t i = 0; i < size; i++) {
		str_add(out, between);
		str_add(out, signature->core[i]);
		between = " | ";
	}
}

const char *signature_hash_text(uint64_t hash, struct arena *arena)
{
	return arena_printf(arena, "%016" PRIx64, hash);
}

static void add_part(struct sha256 *hash, const char *part)
{
	sha256_add(hash, text_from(part));
	sha256_add(hash, text_from("\n"));
}

void signature_hash(struct signature *signature,
                    enum signature_algorithm algorithm)
{
	struct sha256 hash;
	size_t done = 0;

	sha256_init(&hash);
	add_part(&hash, signature_algorithm_name(algorithm));
	if (signature->class_name)
		add_part(&hash, signature->class_name);
	if (signature->message)
		add_part(&hash, signature->message);
	for (unsigned level = 1; level <= SIGNATURE_LEVELS; level++) {
		size_t size = signature_size(signature, algorithm, level);

		for (; done < size; done++)
			add_part(&hash, signature->core[done]);
		signature->hashes[level - 1] = sha256_prefix(&hash);
	}
}

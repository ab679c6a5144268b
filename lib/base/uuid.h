// SPDX-License-Identifier: MIT
/**
 * The UUID of a Mach-O image: the only reliable key from a report to its
 * symbols. Reports write it in many ways (apmtool-formats(5)); one parser reads
 * all.
 */
#ifndef APMTOOL_LIB_BASE_UUID_H
#define APMTOOL_LIB_BASE_UUID_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct uuid {
	uint8_t bytes[16];
};

/** Size of the canonical format with its NUL. */
#define UUID_TEXT_SIZE 37

/**
 * Read a UUID in any notation: dashes, `<>`, braces and blanks are skipped,
 * case is ignored; exactly 32 hex digits must remain.
 */
bool uuid_parse(struct text text, struct uuid *ret);

/** All zeros stands for "no UUID". */
bool uuid_is_zero(const struct uuid *uuid);
bool uuid_equal(const struct uuid *a, const struct uuid *b);
int uuid_compare(const struct uuid *a, const struct uuid *b);

/** The 16 bytes, as a key. */
static inline struct text uuid_key(const struct uuid *uuid)
{
	return (struct text){ (const char *)uuid->bytes, sizeof(uuid->bytes) };
}

/** Upper case with dashes, 8-4-4-4-12; returns @p out. */
const char *uuid_format(const struct uuid *uuid, char out[UUID_TEXT_SIZE]);
/** Lower case with dashes, as macOS reports print it; returns @p out. */
const char *uuid_format_lower(const struct uuid *uuid,
                              char out[UUID_TEXT_SIZE]);
/** Lower case without dashes, as iOS reports print it; returns @p out. */
const char *uuid_format_compact(const struct uuid *uuid,
                                char out[UUID_TEXT_SIZE]);

#endif

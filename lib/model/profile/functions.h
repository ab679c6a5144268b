// SPDX-License-Identifier: MIT
/**
 * What the frames of lag samples stand for: functions, by symbol, so that
 * identical code of different builds meets; or, without a symbol, a place in
 * an image (its UUID and the offset); or a bare address. Never the absolute
 * address of anything that lies in an image (formats.md 7.3).
 *
 * Numbers are dense and in the order of first appearance. What is reported of a
 * function besides its identity (image, file, address) does not depend on the
 * order in which it was met, so several of these can be joined.
 */
#ifndef APMTOOL_LIB_MODEL_PROFILE_FUNCTIONS_H
#define APMTOOL_LIB_MODEL_PROFILE_FUNCTIONS_H

#include "lib/base/arena.h"
#include "lib/base/fingerprint.h"
#include "lib/base/intern.h"
#include "lib/base/uuid.h"
#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zeros is empty. */
struct profile_functions {
	struct arena arena;
	struct intern identities;
	struct intern paths;           ///< of source files
	struct calltree_frame *frames; ///< by number
	bool *many_addresses;          ///< it was met at more than one
	size_t cap;
	size_t many_cap;
	/** By evidence: functions that were met, and are not here. */
	uint32_t elsewhere[CALLTREE_EVIDENCES];
};

/**
 * Functions that are not kept, for what is counted of all in the end: whose
 * they are, by a fingerprint of each. All zeros is empty.
 */
struct profile_met {
	struct fingerprints prints;
	uint32_t counts[CALLTREE_EVIDENCES];
};

/** A function, or a place that has no name. */
struct profile_place {
	const char *symbol; ///< NULL: not known
	const char *image;  ///< base name; NULL: not known
	struct uuid uuid;   ///< of the image; zero: not known
	uint64_t offset;    ///< from its load address
	bool in_image;      ///< offset is known
	uint64_t address;   ///< at run time
	bool has_address;
	bool moved;       ///< it was met at other addresses, too
	const char *file; ///< base name; NULL: not known
	const char *path; ///< with its directory, mapped; NULL: not known
	uint32_t line;
	bool line_borrowed; ///< see struct report_call
	enum calltree_kind kind;
	enum calltree_evidence evidence;
};

/** The number of what @p place describes; what is new is copied. */
uint32_t profile_functions_add(struct profile_functions *functions,
                               const struct profile_place *place);

/** It was met at another address. */
void profile_functions_move(struct profile_functions *functions,
                            uint32_t number);

/**
 * The number, in @p functions, of function @p number of @p other. Places of one
 * build meet by its UUID, whatever the image was called where they were met;
 * of several names, the first in byte order is reported.
 */
uint32_t profile_functions_join(struct profile_functions *functions,
                                const struct profile_functions *other,
                                uint32_t number);

/**
 * Take over the functions of @p other, which has none then, as if each was
 * joined in turn.
 *
 * @param functions  Has none.
 * @return false, and nothing is changed, where two of them would become one.
 */
bool profile_functions_take(struct profile_functions *functions,
                            struct profile_functions *other);

/** Remember functions that are about to be forgotten. */
void profile_met_add(struct profile_met *met,
                     const struct profile_functions *functions);

/**
 * Say of functions that were joined what was known of those that were
 * forgotten, and count the others of these in `elsewhere`. Once, at the end.
 */
void profile_met_join(struct profile_met *met,
                      struct profile_functions *functions);

void profile_met_release(struct profile_met *met);

/** How many there are. */
static inline uint32_t profile_functions_count(
        const struct profile_functions *functions)
{
	return functions->identities.count;
}

/**
 * An order of functions that does not depend on who was met first: by name,
 * then by identity.
 *
 * @return The place of each in that order; free with free().
 */
uint32_t *profile_functions_rank(const struct profile_functions *functions);

void profile_functions_release(struct profile_functions *functions);

#endif

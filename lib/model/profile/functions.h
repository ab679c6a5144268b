// SPDX-License-Identifier: MIT
/**
 * Functions: what frames of lag samples are identified by. A function is known
 * by its symbol, so that different builds match; without a symbol, by its place
 * in an image (UUID and offset); otherwise by the address. Never by the
 * absolute address of code in an image.
 *
 * Numbers are dense, in order of first appearance. Other properties (image,
 * file, address) do not depend on the order of addition, so several tables can
 * be joined.
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
	bool *many_addresses;          ///< seen at several addresses
	size_t cap;
	size_t many_cap;
	/** By evidence: functions that were seen but are not in this table. */
	uint32_t elsewhere[CALLTREE_EVIDENCES];
};

/**
 * Functions that were removed, as a fingerprint and evidence of each, for final
 * counts. All zeros is empty.
 */
struct profile_met {
	struct fingerprints prints;
	uint32_t counts[CALLTREE_EVIDENCES];
};

/** A function, or a place without a name. */
struct profile_place {
	const char *symbol; ///< or NULL
	const char *image;  ///< base name; or NULL
	struct uuid uuid;   ///< of the image; or zero
	uint64_t offset;    ///< from its load address
	bool in_image;      ///< offset is known
	uint64_t address;   ///< at runtime
	bool has_address;
	bool moved;       ///< seen at other addresses, too
	const char *file; ///< base name; or NULL
	const char *path; ///< with its directory, mapped; or NULL
	uint32_t line;
	bool line_borrowed; ///< see struct report_call
	enum calltree_kind kind;
	enum calltree_evidence evidence;
};

/** The number of a function; a new one is copied. */
uint32_t profile_functions_add(struct profile_functions *functions,
                               const struct profile_place *place);

/** Record that it was seen at another address. */
void profile_functions_move(struct profile_functions *functions,
                            uint32_t number);

/**
 * The number, in @p functions, of function @p number of @p other. Places of one
 * build match by UUID, whatever the name of the image; of several names the
 * first in byte order wins.
 */
uint32_t profile_functions_join(struct profile_functions *functions,
                                const struct profile_functions *other,
                                uint32_t number);

/**
 * Move all functions of @p other, which becomes empty.
 *
 * @param functions  Must be empty.
 * @return false, with nothing changed, if two of them would become one.
 */
bool profile_functions_take(struct profile_functions *functions,
                            struct profile_functions *other);

/** Remember functions that are about to be removed. */
void profile_met_add(struct profile_met *met,
                     const struct profile_functions *functions);

/**
 * Add to @p functions what is known about removed ones that it also has, and
 * count the others in `elsewhere`. Call it once, at the end.
 */
void profile_met_join(struct profile_met *met,
                      struct profile_functions *functions);

void profile_met_release(struct profile_met *met);

/** Number of functions. */
static inline uint32_t profile_functions_count(
        const struct profile_functions *functions)
{
	return functions->identities.count;
}

/**
 * Order of functions independent of their numbers: by name, then by identity.
 *
 * @return The rank of each; free it with free().
 */
uint32_t *profile_functions_rank(const struct profile_functions *functions);

void profile_functions_release(struct profile_functions *functions);

#endif

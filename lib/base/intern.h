// SPDX-License-Identifier: MIT
/**
 * Texts that come again and again, each kept once and known by a number.
 *
 *     struct intern names = { 0 };
 *     uint32_t id = intern_add(&names, text);
 *
 * Numbers count from 0 in the order of first appearance, so they are dense
 * (an array can go beside them) and do not depend on the hash.
 */
#ifndef APMTOOL_LIB_BASE_INTERN_H
#define APMTOOL_LIB_BASE_INTERN_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Not the number of any text. */
#define INTERN_NONE MAP_NONE
/** Most texts: their numbers leave a bit to the user. */
#define INTERN_MAX ((uint32_t)1 << 31)

/** All zeros is empty. */
struct intern {
	struct arena arena;
	struct text *texts; ///< by number; each ends with a NUL, too
	uint32_t count;
	size_t cap;
	struct map map; ///< indexes of texts
};

/** The number of @p text; its bytes are copied where it is new. */
uint32_t intern_add(struct intern *intern, struct text text);

/** INTERN_NONE where it was never added. */
uint32_t intern_find(const struct intern *intern, struct text text);

/**
 * Replace each text by a part of it, which may end without a NUL.
 *
 * @return false, and nothing is changed, where two would become the same.
 */
bool intern_shorten(struct intern *intern,
                    struct text (*shorten)(struct text text));

static inline const char *intern_cstr(const struct intern *intern, uint32_t id)
{
	return intern->texts[id].data;
}

void intern_release(struct intern *intern);

#endif

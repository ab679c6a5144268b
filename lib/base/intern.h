// SPDX-License-Identifier: MIT
/**
 * Keeps each different text once and gives it a number.
 *
 *     struct intern names = { 0 };
 *     uint32_t id = intern_add(&names, text);
 *
 * Numbers count from 0 in order of first appearance: they are dense (usable as
 * array index) and independent of the hash.
 */
#ifndef APMTOOL_LIB_BASE_INTERN_H
#define APMTOOL_LIB_BASE_INTERN_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Not a number of a text. */
#define INTERN_NONE MAP_NONE
/** Max texts; users may use the highest bit of a number. */
#define INTERN_MAX ((uint32_t)1 << 31)

/** All zeros is empty. */
struct intern {
	struct arena arena;
	struct text *texts; ///< by number; each is also NUL-terminated
	uint32_t count;
	size_t cap;
	struct map map; ///< indexes of texts
};

/** The number of @p text; a new one is copied. */
uint32_t intern_add(struct intern *intern, struct text text);

/** Add a text; true if it is new. */
static inline bool intern_add_new(struct intern *intern, struct text text)
{
	uint32_t known = intern->count;

	return intern_add(intern, text) == known;
}

/** The number of @p text, or INTERN_NONE. */
uint32_t intern_find(const struct intern *intern, struct text text);

/**
 * Replace each text by a part of it, which may lack a NUL.
 *
 * @return false, with nothing changed, if two would become equal.
 */
bool intern_shorten(struct intern *intern,
                    struct text (*shorten)(struct text text));

static inline const char *intern_cstr(const struct intern *intern, uint32_t id)
{
	return intern->texts[id].data;
}

void intern_release(struct intern *intern);

#endif

// SPDX-License-Identifier: MIT
/** A map of answers by offset. */
#ifndef APMTOOL_LIB_SYMBOLS_ANSWERS_H
#define APMTOOL_LIB_SYMBOLS_ANSWERS_H

#include "lib/base/map.h"
#include "lib/symbols/answer.h"

#include <stddef.h>
#include <stdint.h>

struct known_answer {
	uint64_t offset;
	struct symbol_answer answer;
};

/** All zeros is empty. */
struct symbol_answers {
	struct map map; ///< indexes into entries
	struct known_answer *entries;
	size_t count;
	size_t cap;
};

/** The answer for an offset, which may be empty; NULL: not known. */
const struct symbol_answer *symbol_answers_find(
        const struct symbol_answers *answers, uint64_t offset);

/** Make room for @p more answers. */
void symbol_answers_room(struct symbol_answers *answers, size_t more);

/** Add the answer for a new offset; its strings are borrowed. */
void symbol_answers_add(struct symbol_answers *answers, uint64_t offset,
                        const struct symbol_answer *answer);

void symbol_answers_release(struct symbol_answers *answers);

#endif

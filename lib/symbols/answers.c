// SPDX-License-Identifier: MIT
#include "lib/symbols/answers.h"

#include "lib/base/mem.h"

#include <stdlib.h>

static uint64_t hash_offset(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_offset(const void *table, uint32_t index, const void *key)
{
	const struct symbol_answers *answers = table;

	return answers->entries[index].offset == *(const uint64_t *)key;
}

static const struct map_keys offset_keys = { hash_offset, is_offset };

const struct symbol_answer *symbol_answers_find(
        const struct symbol_answers *answers, uint64_t offset)
{
	uint32_t at = map_find(&answers->map, &offset_keys, answers, &offset);

	return at == MAP_NONE ? NULL : &answers->entries[at].answer;
}

void symbol_answers_room(struct symbol_answers *answers, size_t more)
{
	map_room(&answers->map, more);
	MEM_ROOM(answers->entries, answers->count + more, answers->cap);
}

void symbol_answers_add(struct symbol_answers *answers, uint64_t offset,
                        const struct symbol_answer *answer)
{
	MEM_GROW(answers->entries, answers->count, answers->cap);
	if (map_add(&answers->map, &offset_keys, answers, &offset,
	            answers->count) < answers->count)
		return;
	answers->entries[answers->count++] = (struct known_answer){
		.offset = offset,
		.answer = *answer,
	};
}

void symbol_answers_release(struct symbol_answers *answers)
{
	map_release(&answers->map);
	free(answers->entries);
	*answers = (struct symbol_answers){ 0 };
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/name_budget.h"

#include "lib/base/arena.h"
#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

/** A name is cut at a character: at most this much below the limit. */
#define UTF8_BYTES_MAX 4

void name_budget_init(struct name_budget *budget)
{
	*budget = (struct name_budget){ .bytes_left = limit_get(LIMIT_NAMES) };
}

void name_budget_add_place(struct name_budget *budget)
{
	budget->bytes_left += NAME_BYTES_PER_PLACE;
	if (budget->bytes_left <= limit_get(LIMIT_NAMES_TOTAL))
		return;
	budget->bytes_left = limit_get(LIMIT_NAMES_TOTAL);
	budget->is_at_total = true;
}

static bool is_cut(const char *text, size_t size, enum limit_id limit)
{
	return size + UTF8_BYTES_MAX > limit_get(limit) &&
	       text_ends((struct text){ text, size }, ARENA_ABRIDGED);
}

static void count_cut(struct name_budget *budget,
                      const struct symbol_answer *answer)
{
	bool name = false, path = false;

	for (size_t i = 0; i < answer->count; i++) {
		const struct symbol_call *call = &answer->calls[i];

		name |= is_cut(call->name, call->name_size, LIMIT_NAME);
		path |= is_cut(call->directory, call->directory_size,
		               LIMIT_PATH) ||
		        is_cut(call->file, call->file_size, LIMIT_PATH);
	}
	budget->long_names += name;
	budget->long_paths += path;
}

bool name_budget_charge(struct name_budget *budget,
                        const struct symbol_answer *answer, size_t bytes)
{
	bool fits = bytes <= budget->bytes_left;

	count_cut(budget, answer);
	budget->abridged_count += !fits || answer->is_abridged;
	if (fits)
		budget->bytes_left -= bytes;
	else
		budget->is_spent = true;
	return fits;
}

static const char *hint_of_budget(const struct name_budget *budget)
{
	if (!budget->is_spent)
		return "";
	return limit_hint(budget->is_at_total ? LIMIT_NAMES_TOTAL
	                                      : LIMIT_NAMES);
}

static void describe_cut(size_t count, const char *what, enum limit_id limit,
                         const struct name_budget_words *words,
                         name_budget_say say, void *context)
{
	SCOPED(str_release) struct str text = { 0 };

	if (!count)
		return;
	str_addf(&text, "%zu %s: %s of more than %s are abridged%s", count,
	         count == 1 ? words->place : words->places, what,
	         limit_size(limit_get(limit)).text, limit_hint(limit));
	say(str_cstr(&text), context);
}

void name_budget_describe(const struct name_budget *budget,
                          const struct name_budget_words *words,
                          name_budget_say say, void *context)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t count = budget->abridged_count;

	if (count) {
		str_addf(&text,
		         "%zu %s: inlined calls, and names beyond %zu bytes, "
		         "are left out: all of them would be too much for %s%s",
		         count, count == 1 ? words->place : words->places,
		         ABRIDGED_NAME_MAX, words->all, hint_of_budget(budget));
		say(str_cstr(&text), context);
	}
	describe_cut(budget->long_names, "names", LIMIT_NAME, words, say,
	             context);
	describe_cut(budget->long_paths, "paths of sources", LIMIT_PATH, words,
	             say, context);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/running_text.h"

#include "lib/symbols/demangle/demangle.h"

/** Characters of mangled names. */
static bool is_of_name(char c)
{
	return text_is_alnum(c) || c == '_' || c == '$' || c == '.';
}

/** First characters of names; `@` for a macro's expansion. */
static bool may_begin(char c)
{
	return c == '_' || c == '$' || c == '@';
}

static struct text word_at(struct text text)
{
	size_t size = 1;

	while (size < text.size && is_of_name(text.data[size]))
		size++;
	while (size > 1 && text.data[size - 1] == '.')
		size--;
	return text_first(text, size);
}

bool mangled_next(struct text *rest, struct text *ret_before,
                  struct text *ret_name)
{
	struct text all = *rest;
	bool within = false; // inside of another word

	for (size_t i = 0; i < all.size; i++) {
		char c = all.data[i];

		if (!within && may_begin(c)) {
			struct text word = word_at(text_after(all, i));

			if (demangle_knows(word)) {
				*ret_before = text_first(all, i);
				*ret_name = word;
				*rest = text_after(all, i + word.size);
				return true;
			}
		}
		within = is_of_name(c);
	}
	*ret_before = all;
	*ret_name = TEXT_NONE;
	*rest = TEXT_NONE;
	return false;
}

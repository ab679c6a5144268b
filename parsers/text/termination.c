// SPDX-License-Identifier: MIT
#include "parsers/text/termination.h"

#include "lib/base/number.h"

static bool ends_word(char c)
{
	return c == ',' || c == ';' || text_is_space(c);
}

/** The word at the front, without the mark or blank that ends it. */
static struct text first_word(struct text text)
{
	size_t end = 0;

	while (end < text.size && !ends_word(text.data[end]))
		end++;
	return text_first(text, end);
}

/** Step over the comma, or the semicolon, that follows a word. */
static void skip_mark(struct text *rest)
{
	if (!text_take(rest, ","))
		text_take(rest, ";");
	*rest = text_trim_left(*rest);
}

/** `0x1`, and `[0x1]` as macOS 10.14 and before write it. */
static bool read_code(struct text word, uint64_t *ret)
{
	if (text_take(&word, "[") && text_ends(word, "]"))
		word = text_first(word, word.size - 1);
	return number_any(word, ret);
}

void termination_parse(struct text value, struct arena *arena,
                       struct report_termination *ret)
{
	struct text rest = value;
	struct text word;

	if (ret->verbatim)
		return;
	ret->verbatim = arena_text(arena, text_trim(value));
	text_take(&rest, "Namespace ");
	// Without a namespace, its code follows at once.
	if (!text_take(&rest, "Code ")) {
		word = first_word(rest);
		ret->namespace_name = arena_text(arena, word);
		rest = text_after(rest, word.size);
		skip_mark(&rest);
		text_take(&rest, "Code ");
	}
	word = first_word(rest);
	if (read_code(word, &ret->code)) {
		ret->has_code = true;
		rest = text_after(rest, word.size);
		skip_mark(&rest);
	}
	rest = text_trim(rest);
	if (rest.size)
		ret->indicator = arena_text(arena, rest);
}

#include "parsers/text/termination.h"

#include "lib/base/number.h"

/** The word at the front, without the comma or blank that ends it. */
static struct text first_word(struct text text)
{
	size_t end = 0;

	while (end < text.size && text.data[end] != ',' &&
	       !text_is_space(text.data[end]))
		end++;
	return text_first(text, end);
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
	word = first_word(rest);
	ret->namespace_name = arena_text(arena, word);
	rest = text_after(rest, word.size);
	text_take(&rest, ",");
	rest = text_trim_left(rest);
	text_take(&rest, "Code ");
	word = first_word(rest);
	if (number_any(word, &ret->code)) {
		ret->has_code = true;
		rest = text_after(rest, word.size);
		text_take(&rest, ",");
	}
	rest = text_trim(rest);
	if (rest.size)
		ret->indicator = arena_text(arena, rest);
}

#include "parsers/json_shape.h"

#include <assert.h>
#include <string.h>

/** The offset behind the string that begins at @p at; the end if it is open. */
static size_t skip_string(struct text in, size_t at)
{
	for (at++; at < in.size && in.data[at] != '"'; at++)
		if (in.data[at] == '\\')
			at++;
	return at < in.size ? at + 1 : in.size;
}

/** Is the next character a colon: was that string a name? */
static bool is_name(struct text in, size_t at)
{
	while (at < in.size && text_is_space(in.data[at]))
		at++;
	return at < in.size && in.data[at] == ':';
}

static unsigned match(struct text name, const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(name, keys[i]))
			return 1u << i;
	return 0;
}

unsigned json_shape(struct text in, const char *const *keys, size_t count)
{
	unsigned found = 0;
	size_t depth = 0;
	size_t at = 0;

	assert(count <= 32);
	in = text_trim_left(in);
	if (!text_starts(in, "{"))
		return 0;
	while (at < in.size) {
		char c = in.data[at];
		size_t start = at++;

		if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			if (!--depth)
				break;
		} else if (c == '"') {
			at = skip_string(in, start);
			// The name lies between its quotes.
			if (depth == 1 && at - start >= 2 && is_name(in, at))
				found |= match(
				        (struct text){ in.data + start + 1,
				                       at - start - 2 },
				        keys, count);
		}
	}
	return found;
}

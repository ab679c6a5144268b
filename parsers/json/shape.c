#include "parsers/json/shape.h"

#include <assert.h>
#include <string.h>

size_t json_shape_skip_string(struct text in, size_t at)
{
	for (at++; at < in.size && in.data[at] != '"'; at++)
		if (in.data[at] == '\\')
			at++;
	return at < in.size ? at + 1 : in.size;
}

bool json_shape_skip_colon(struct text in, size_t *at)
{
	size_t next = *at;

	while (next < in.size && text_is_space(in.data[next]))
		next++;
	if (next >= in.size || in.data[next] != ':')
		return false;
	*at = next + 1;
	return true;
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
		size_t behind;

		if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			if (!--depth)
				break;
		} else if (c == '"') {
			behind = at = json_shape_skip_string(in, start);
			// The name lies between its quotes.
			if (depth == 1 && at - start >= 2 &&
			    json_shape_skip_colon(in, &behind))
				found |= match(
				        (struct text){ in.data + start + 1,
				                       at - start - 2 },
				        keys, count);
		}
	}
	return found;
}

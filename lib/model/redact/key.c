// SPDX-License-Identifier: MIT
#include "lib/model/redact/pair.h"

/** Of a longer key, the end counts. */
#define KEY_BYTES_MAX 40
/** Of a longer word, the end is read as a word of its own. */
#define KEY_PROBE_BYTES 128
/** Of a longer label, the end is read: each letter may be escaped. */
#define LABEL_BYTES_MAX 256

/** In lower case, and letters and digits alone: `X-Api-Key` is `xapikey`. */
static const struct {
	const char *name;
	enum redact_key key;
	const char *kind;
} keys[] = {
#define KEY(name_, key_, kind_) { name_, REDACT_KEY_##key_, kind_ },
#include "lib/model/redact/fields.def"
};

static unsigned hex_value(char c)
{
	return text_is_digit(c) ? (unsigned)(c - '0')
	                        : (unsigned)((c | 0x20) - 'a' + 10);
}

/** A character, or `\u0041`; @return its size, 0 at the end. */
static size_t next_char(struct text in, char *ret)
{
	if (!in.size)
		return 0;
	*ret = in.data[0];
	if (!text_starts(in, "\\u00") || in.size < 6 ||
	    !text_is_hex_digit(in.data[4]) || !text_is_hex_digit(in.data[5]))
		return 1;
	*ret = (char)(hex_value(in.data[4]) << 4 | hex_value(in.data[5]));
	return 6;
}

size_t redact_key_size(struct text in)
{
	size_t ret = 0;

	in = text_first(in, KEY_PROBE_BYTES);
	for (;;) {
		char c;
		size_t size;

		while (ret < in.size &&
		       (text_is_alnum(in.data[ret]) || in.data[ret] == '_'))
			ret++;
		size = next_char(text_after(in, ret), &c);

		if (!size ||
		    !(text_is_alnum(c) || c == '_' || c == '-' || c == '.'))
			return ret;
		// Of `a->b`, the sign begins with a letter of a key.
		if (c == '-' && text_starts(text_after(in, ret), "->"))
			return ret;
		ret += size;
	}
}

/** The end of a key, normalized as in the table, in @p buffer. */
static struct text normalize(struct text key, char buffer[LABEL_BYTES_MAX])
{
	struct text ret = { buffer, 0 };
	size_t size;
	char c;

	if (key.size > LABEL_BYTES_MAX)
		key = text_after(key, key.size - LABEL_BYTES_MAX);
	for (; (size = next_char(key, &c)); key = text_after(key, size)) {
		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if (text_is_alnum(c))
			buffer[ret.size++] = c;
	}
	return ret.size > KEY_BYTES_MAX
	               ? text_after(ret, ret.size - KEY_BYTES_MAX)
	               : ret;
}

/** `password1`, `passwordHash` */
static struct text stem_of(struct text name)
{
	while (name.size && text_is_digit(name.data[name.size - 1]))
		name.size--;
	if (text_ends(name, "hash"))
		name.size -= 4;
	return name;
}

enum redact_key redact_key_find(struct text key, const char **ret_kind)
{
	char buffer[LABEL_BYTES_MAX];
	struct text name = normalize(key, buffer);
	struct text stem = stem_of(name);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i].key == REDACT_KEY_SECRET
		            ? !text_ends(stem, keys[i].name)
		            : !text_is(name, keys[i].name))
			continue;
		*ret_kind = keys[i].kind;
		return keys[i].key;
	}
	return REDACT_KEY_NONE;
}

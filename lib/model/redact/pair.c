#include "lib/model/redact/place.h"

#include <string.h>

/** Of a longer key, the end says what it is. */
#define KEY_BYTES_MAX 40
/** Of JSON in JSON in JSON, a quote has 7 of them. */
#define ESCAPES_MAX 15
/** Of a longer word, the end is read again as a word of its own. */
#define KEY_PROBE_BYTES 128
/** Of a line, so much is searched for open brackets. */
#define BRACKET_BYTES_MAX 4096

/** In lower case, and letters and digits alone: `X-Api-Key` is `xapikey`. */
static const struct {
	const char *name;
	enum redact_key key;
	const char *kind;
} keys[] = {
#define KEY(name_, key_, kind_) { name_, REDACT_KEY_##key_, kind_ },
#include "lib/model/redact/fields.def"
};

/** The end of a key as the table has it. */
static struct text normalize(struct text key, char buffer[KEY_BYTES_MAX])
{
	size_t at = KEY_BYTES_MAX;

	for (size_t i = key.size; i && at; i--) {
		char c = key.data[i - 1];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if (text_is_alnum(c))
			buffer[--at] = c;
	}
	return (struct text){ buffer + at, KEY_BYTES_MAX - at };
}

enum redact_key redact_key_find(struct text key, const char **ret_kind)
{
	char buffer[KEY_BYTES_MAX];
	struct text name = normalize(key, buffer);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i].key == REDACT_KEY_SECRET
		            ? !text_ends(name, keys[i].name)
		            : !text_is(name, keys[i].name))
			continue;
		*ret_kind = keys[i].kind;
		return keys[i].key;
	}
	return REDACT_KEY_NONE;
}

static bool is_key_part(char c)
{
	return text_is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/** A quote, with what escapes it where JSON is within a string. */
static size_t quote_size(struct text in)
{
	size_t size = 0;

	while (size < in.size && size < ESCAPES_MAX && in.data[size] == '\\')
		size++;
	return size < in.size && (in.data[size] == '"' || in.data[size] == '\'')
	               ? size + 1
	               : 0;
}

/** What is between a key and its value. */
struct joint {
	size_t size;   ///< of it; 0: there is none
	size_t quote;  ///< of the quote that opens the value; 0: none
	size_t before; ///< blanks before the sign
	size_t after;
	bool is_quoted; ///< the key is
	bool is_colon;
};

/** `=`, `:`, `=>`, `%3D`, `%3A` */
static size_t sign_size(struct text in, bool *ret_colon)
{
	*ret_colon = text_starts(in, ":") || text_starts(in, "%3A") ||
	             text_starts(in, "%3a");
	if (text_starts(in, "%3"))
		return *ret_colon || text_starts(in, "%3D") ||
		                       text_starts(in, "%3d")
		               ? 3
		               : 0;
	// `Token::init`, `operator==`
	if (text_starts(in, "::") || text_starts(in, "=="))
		return 0;
	if (text_starts(in, "=>"))
		return 2;
	return text_starts(in, ":") || text_starts(in, "=");
}

static struct joint find_joint(struct text in)
{
	struct joint ret = { .size = quote_size(in) };
	size_t sign;

	ret.is_quoted = ret.size > 0;
	ret.before = text_count_blanks(text_after(in, ret.size));
	ret.size += ret.before;
	sign = sign_size(text_after(in, ret.size), &ret.is_colon);
	if (!sign)
		return (struct joint){ 0 };
	ret.size += sign;
	ret.after = text_count_blanks(text_after(in, ret.size));
	ret.size += ret.after;
	ret.quote = quote_size(text_after(in, ret.size));
	ret.size += ret.quote;
	return ret;
}

/** Brackets that are open at @p at, since the begin of the line. */
static bool is_bracketed(struct text all, size_t at, const char *open,
                         const char *close)
{
	size_t depth = 0;

	for (size_t i = at > BRACKET_BYTES_MAX ? at - BRACKET_BYTES_MAX : 0;
	     i < at; i++) {
		char c = all.data[i];

		if (c == '\n')
			depth = 0;
		else if (c && strchr(open, c))
			depth++;
		else if (c && strchr(close, c) && depth)
			depth--;
	}
	return depth > 0;
}

/**
 * Is it the label of an argument, a part of a selector, or the type of a
 * variable: `login(token: T)`, `-[A setToken:for:]`, `A.token : Swift.String`?
 */
static bool is_label(const struct redact_place *place,
                     const struct joint *joint, struct text value)
{
	struct text all = place->all;
	size_t end;

	if (joint->is_quoted || joint->quote)
		return false;
	if (place->manner != REDACT_PROSE)
		return (joint->is_colon && (joint->before || !joint->after)) ||
		       ((joint->is_colon || joint->before) &&
		        is_bracketed(all, place->at, "([<", ")]>"));
	if (!joint->is_colon || joint->after)
		return false;
	end = redact_span(value, text_is_alnum);
	return text_starts(text_after(value, end), ":") ||
	       text_starts(text_after(value, end), "]") ||
	       text_starts(text_after(value, end), ")");
}

/** To the quote that closes what @p quote opened, or the end of the line. */
static size_t quoted_size(struct text in, struct text quote)
{
	size_t size = 0;

	while (size < in.size && in.data[size] != '\n') {
		size_t escaped;
		struct text rest = text_after(in, size);

		if (text_starts(rest, "\\")) {
			escaped = quote_size(rest);
			if (escaped == quote.size &&
			    text_equal(text_first(rest, escaped), quote))
				return size;
			// What it escapes belongs to the value.
			size += escaped ? escaped : 1;
			continue;
		}
		if (quote.size == 1 && in.data[size] == quote.data[0])
			return size;
		size++;
	}
	return size;
}

/** To where a value without quotes ends. */
static size_t bare_size(struct text in, const char *ends)
{
	size_t size = 0;

	while (size < in.size && in.data[size] && in.data[size] != '\n' &&
	       !strchr(ends, in.data[size]))
		size++;
	while (size && text_is_blank(in.data[size - 1]))
		size--;
	return size;
}

/** `Basic …`: the scheme is no secret. */
static size_t scheme_size(struct text value)
{
	size_t size = redact_span(value, text_is_letter);

	return size && size + 1 < value.size && value.data[size] == ' '
	               ? size + 1
	               : 0;
}

static size_t value_size(const struct redact_place *place, enum redact_key key,
                         const struct joint *joint, struct text in)
{
	if (key == REDACT_KEY_HEADER)
		return bare_size(in, "\"\\");
	if (key == REDACT_KEY_ID && joint->is_colon &&
	    place->manner == REDACT_PROSE)
		return bare_size(in, "\"\\,;<>()[]{}|");
	if (joint->is_colon)
		return bare_size(in, " \t\r\"\\,;<>()[]{}|");
	return bare_size(in, " \t\r\"\\&,;<>()[]{}|");
}

static bool is_nothing(struct text value)
{
	static const char *const nothing[] = { "null",   "nil",   "(null)",
		                               "<null>", "false", "true",
		                               "none" };

	for (size_t i = 0; i < ARRAY_SIZE(nothing); i++)
		if (text_is(value, nothing[i]))
			return true;
	return !value.size;
}

static struct text second_word(struct text in)
{
	return text_after(in, text_find_char(in, ' ') + 1);
}

/**
 * Find a key that a value follows: one word, or two with a blank between them,
 * `API Key`.
 *
 * @return Bytes of the key; 0: there is none.
 */
static size_t find_key(struct text in, struct joint *joint,
                       enum redact_key *ret, const char **kind)
{
	size_t size = redact_span(text_first(in, KEY_PROBE_BYTES), is_key_part);
	const char *other;
	bool is_pair = false;

	*joint = find_joint(text_after(in, size));
	if (!joint->size && text_starts(text_after(in, size), " ")) {
		size += 1 + redact_span(text_first(text_after(in, size + 1),
		                                   KEY_PROBE_BYTES),
		                        is_key_part);
		*joint = find_joint(text_after(in, size));
		is_pair = true;
	}
	if (!joint->size)
		return 0;
	*ret = redact_key_find(text_first(in, size), kind);
	// The second word is found alone, too: `end of token: …`
	if (*ret == REDACT_KEY_NONE || *ret >= REDACT_KEY_LINE ||
	    (is_pair && *ret == REDACT_KEY_SECRET &&
	     redact_key_find(second_word(text_first(in, size)), &other) ==
	             REDACT_KEY_SECRET))
		return 0;
	return size;
}

size_t redact_pair(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	const char *kind;
	enum redact_key key;
	struct joint joint;
	size_t head = find_key(in, &joint, &key, &kind);
	struct text value;

	if (!head)
		return 0;
	head += joint.size;
	value = text_after(in, head);
	if (is_label(place, &joint, value))
		return 0;
	if (joint.quote)
		value = text_first(
		        value,
		        quoted_size(value, text_after(text_first(in, head),
		                                      head - joint.quote)));
	else
		value = text_first(value,
		                   value_size(place, key, &joint, value));
	if (key == REDACT_KEY_HEADER) {
		size_t scheme = scheme_size(value);

		head += scheme;
		value = text_after(value, scheme);
	}
	if (is_nothing(value))
		return 0;
	str_add_text(place->out, text_first(in, head));
	redactor_add(place->redactor, place->out, kind, value);
	return head + value.size;
}

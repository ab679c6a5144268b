// SPDX-License-Identifier: MIT
#include "lib/model/redact/text.h"

#include <string.h>

/** Of a name of a file in a message. */
#define MEMBER_BYTES_MAX 4096
#define ENDING_BYTES_MAX 8

static bool is_word(char c)
{
	return text_is_alnum(c) || (unsigned char)c >= 0x80 ||
	       (c && strchr("._-/", c));
}

/** End of a path inside a message: `dir/a.ips: …`, `'dir/a'`. */
static size_t path_size(struct text in, size_t from)
{
	static const char *const ends[] = {
		": ", "\"", "\n", ", ", " (", "; "
	};
	size_t size = from;

	for (; size < in.size; size++) {
		struct text rest = text_after(in, size);

		for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
			if (text_starts(rest, ends[i]))
				return size;
		// The quote of `O'Brien` is one of its letters.
		if (rest.data[0] == '\'' &&
		    (rest.size == 1 || !text_is_alnum(rest.data[1])))
			return size;
		if (rest.data[0] == ':' &&
		    (rest.size == 1 || text_is_digit(rest.data[1])))
			return size;
	}
	return size;
}

/** Size of a path that begins with a known one; or 0. */
static size_t input_size(const struct redactor *redactor, struct text in)
{
	const struct redact_name *known =
	        redact_names_find(&redactor->names, in);
	size_t size = known ? strlen(known->text) : 0;
	struct text name = text_first(in, size);
	struct text after = text_after(in, size);

	if (!size || text_is(name, "-"))
		return 0;
	if (text_ends(name, "/") || text_starts(after, "/"))
		return path_size(in, size);
	// Of "a report", `a` is no file.
	if (text_find_char(name, '/') == TEXT_NOWHERE &&
	    text_find_char(name, '.') == TEXT_NOWHERE && after.size &&
	    !strchr(":'\"", after.data[0]))
		return 0;
	if (after.size && is_word(after.data[0]) &&
	    !(after.data[0] == '.' &&
	      (after.size == 1 || !is_word(after.data[1]))))
		return 0;
	return size;
}

/**
 * In `m.zip: a/b.ips: line 2: …`, the text before the next colon; a file may
 * also end the message.
 */
static size_t member_size(struct text in)
{
	struct text near = text_first(in, MEMBER_BYTES_MAX);
	struct text name = text_first(near, text_find(near, ": "));
	size_t dot = text_find_last_char(name, '.');
	size_t letters = 0;

	if (text_find(name, ", ") != TEXT_NOWHERE ||
	    text_find_char(name, '[') != TEXT_NOWHERE ||
	    text_find_char(name, '"') != TEXT_NOWHERE)
		return 0;
	if (text_find_char(name, '/') != TEXT_NOWHERE)
		return name.size;
	for (size_t i = dot + 1; dot != TEXT_NOWHERE && i < name.size; i++)
		letters += text_is_alnum(name.data[i]);
	return letters && letters <= ENDING_BYTES_MAX &&
	                       letters == name.size - dot - 1
	               ? name.size
	               : 0;
}

static size_t add_input(const struct redactor *redactor, struct text in,
                        struct str *out)
{
	size_t size = input_size(redactor, in);
	size_t member;

	if (!size)
		return 0;
	redactor_add(redactor, out, REDACT_INPUT, text_first(in, size));
	if (!text_starts(text_after(in, size), ": "))
		return size;
	member = member_size(text_after(in, size + 2));
	if (!member)
		return size;
	str_add(out, ": ");
	redactor_add(redactor, out, REDACT_INPUT,
	             text_first(text_after(in, size + 2), member));
	return size + 2 + member;
}

/** `3 of 4 files are not read, such as a/b.ips: …` */
static size_t add_example(const struct redactor *redactor, struct text in,
                          struct str *out)
{
	static const char word[] = "such as ";
	size_t head = sizeof(word) - 1;
	size_t size = text_starts(in, word) ? member_size(text_after(in, head))
	                                    : 0;

	if (!size || input_size(redactor, text_after(in, head)))
		return 0;
	str_add(out, word);
	redactor_add(redactor, out, REDACT_INPUT,
	             text_first(text_after(in, head), size));
	return head + size;
}

/** The unexpected value of the input. */
static size_t add_found(const struct redactor *redactor, struct text in,
                        struct str *out)
{
	static const char word[] = "found ";
	size_t head = sizeof(word);
	struct text value;

	if (!text_starts(in, word) || in.size <= head ||
	    !strchr("'\"", in.data[head - 1]))
		return 0;
	value = text_after(in, head);
	value = text_first(value, text_find_char(value, '\n'));
	// It may contain quotes, and ends the sentence.
	value = text_first(value,
	                   text_find_last_char(value, in.data[head - 1]));
	if (!value.size)
		return 0;
	str_add_text(out, text_first(in, head));
	redactor_add(redactor, out, "text", value);
	return head + value.size;
}

const char *redact_message(const struct redactor *redactor, const char *in,
                           struct arena *arena)
{
	struct text all = text_from(in ? in : "");
	SCOPED(str_release) struct str out = { 0 };

	for (size_t at = 0; at < all.size;) {
		struct text rest = text_after(all, at);
		bool begins = !at || !is_word(all.data[at - 1]);
		size_t size = begins ? add_input(redactor, rest, &out) : 0;

		if (!size && begins)
			size = add_example(redactor, rest, &out);
		if (!size && begins)
			size = add_found(redactor, rest, &out);
		if (!size)
			str_add_char(&out, all.data[at++]);
		at += size;
	}
	if (!in || text_is(str_text(&out), in))
		return redact_text(redactor, in, REDACT_PROSE, arena);
	return redact_text(redactor, arena_text(arena, str_text(&out)),
	                   REDACT_PROSE, arena);
}

const char *redact_seen(const struct redactor *redactor, const char *in,
                        struct arena *arena)
{
	struct text all = text_from(in ? in : "");
	SCOPED(str_release) struct str out = { 0 };
	const struct redact_names *seen = redactor->seen;
	bool changed = false;

	for (size_t at = 0; in && seen && seen->count && at < all.size;) {
		bool begins = !at || !text_is_alnum(all.data[at - 1]);
		const struct redact_name *name =
		        begins ? redact_names_find(seen, text_after(all, at))
		               : NULL;
		size_t size = name ? strlen(name->text) : 0;

		if (!name || (at + size < all.size &&
		              text_is_alnum(all.data[at + size]))) {
			str_add_char(&out, all.data[at++]);
			continue;
		}
		redactor_add(redactor, &out, name->kind,
		             text_first(text_after(all, at), size));
		at += size;
		changed = true;
	}
	return changed ? arena_text(arena, str_text(&out)) : in;
}

// SPDX-License-Identifier: MIT
#include "lib/model/redact/text.h"

#include "lib/model/redact/pair.h"

#include <string.h>

/** Of UTF-8: the begin of a full-width `@`. */
#define FULL_WIDTH '\xef'
/** First characters of replaced text, besides letters and digits. */
#define SIGNS "/\\%@+-~(\xef"

/** Does a word begin here? */
static bool begins_word(struct text in, size_t at)
{
	return !at || !text_is_alnum(in.data[at - 1]);
}

/** `"\u0070assword"` */
static bool begins_escaped(struct text in, size_t at)
{
	return at && strchr("\"'", in.data[at - 1]) && in.data[at - 1] &&
	       text_starts(text_after(in, at), "\\u00");
}

/** Size of the text to replace at this place; its replacement is in `out`. */
static size_t take_any(const struct redact_place *place)
{
	size_t size = 0;

	switch (place->all.data[place->at]) {
	case '/':
	case '\\':
		size = redact_home(place);
		if (!size && begins_escaped(place->all, place->at))
			size = redact_pair(place);
		return size ? size : redact_authority(place);
	case '%':
		size = redact_home(place);
		return size ? size : redact_mail(place);
	case '@':
	case FULL_WIDTH:
		return redact_mail(place);
	case '-':
		return redact_option(place);
	case '~':
		return redact_tilde(place);
	default:
		break;
	}
	if (!begins_word(place->all, place->at))
		return 0;
	size = redact_pair(place);
	if (!size)
		size = redact_secret(place);
	if (!size)
		size = redact_local_host(place);
	return size ? size : redact_number(place);
}

/** Advance, and count open brackets. */
static void advance(struct redact_place *place, size_t size)
{
	for (; size; size--) {
		char c = place->all.data[place->at++];

		if (c == '\n')
			place->brackets = 0;
		else if (c == '(' || c == '[' || c == '<')
			place->brackets++;
		else if (place->brackets && (c == ')' || c == ']' || c == '>'))
			place->brackets--;
	}
}

/**
 * Append @p in from @p at to @p end with replacements, the last of which may
 * extend beyond.
 *
 * @return The end.
 */
static size_t add_part(const struct redactor *redactor, struct text in,
                       size_t at, size_t end, enum redact_manner manner,
                       struct str *out)
{
	struct redact_place place = { .redactor = redactor,
		                      .all = in,
		                      .at = at,
		                      .manner = manner,
		                      .out = out };

	while (place.at < end) {
		char c = in.data[place.at];
		size_t size = text_is_alnum(c) || (c && strchr(SIGNS, c))
		                      ? take_any(&place)
		                      : 0;

		if (!size)
			str_add_char(out, c);
		advance(&place, size ? size : 1);
	}
	return place.at;
}

static void add_text(const struct redactor *redactor, struct text in,
                     enum redact_manner manner, struct str *out)
{
	add_part(redactor, in, 0, in.size, manner, out);
}

/** @p in itself if @p out is equal. */
static const char *finish(const char *in, const struct str *out,
                          struct arena *arena)
{
	return !in || text_is(str_text(out), in)
	               ? in
	               : arena_text(arena, str_text(out));
}

const char *redact_text(const struct redactor *redactor, const char *in,
                        enum redact_manner manner, struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };

	add_text(redactor, text_from(in ? in : ""), manner, &out);
	return finish(in, &out, arena);
}

// Processes and labels

/** Processes that every system has: not personal. */
static bool is_common_process(struct text name)
{
	static const char *const names[] = { "launchd", "kernel_task",
		                             "kernel",  "exc handler",
		                             "???",     "Unknown",
		                             "" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

/** Logs cut names to 32 bytes, old ones to 16. */
static bool is_named(struct text name, const char *process)
{
	return text_is(name, process) ||
	       ((name.size == 16 || name.size == 32) &&
	        text_equal(text_first(text_from(process), name.size), name));
}

static bool is_own(const struct redactor *redactor, struct text name,
                   const char *const *own)
{
	while (own && *own && !is_named(name, *own))
		own++;
	return (own && *own) ||
	       (redactor->app && is_named(name, redactor->app));
}

/** `name [pid]`, and the text after it. */
static void add_process(const struct redactor *redactor, struct text in,
                        const char *const *own, struct str *out)
{
	size_t end = text_find(in, " [");
	struct text name = text_trim(text_first(in, end));

	if (is_common_process(name) || is_own(redactor, name, own))
		add_text(redactor, text_first(in, end), REDACT_CODE, out);
	else
		redactor_add(redactor, out, "process", name);
	if (end < in.size)
		add_text(redactor, text_after(in, end), REDACT_PROSE, out);
}

const char *redact_process(const struct redactor *redactor, const char *in,
                           const char *const *own, struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };

	if (!in)
		return NULL;
	add_process(redactor, text_from(in), own, &out);
	return finish(in, &out, arena);
}

static void add_value(const struct redactor *redactor, enum redact_key key,
                      const char *kind, struct text value,
                      const char *const *own, struct str *out)
{
	if (redact_is_nothing(value, key))
		str_add_text(out, value);
	else if (key == REDACT_KEY_PROCESS)
		add_process(redactor, value, own, out);
	else if (key == REDACT_KEY_VERSION)
		add_text(redactor, value, REDACT_VERSION, out);
	else if (key == REDACT_KEY_NONE)
		add_text(redactor, value, REDACT_PROSE, out);
	else
		redactor_add(redactor, out, kind, value);
}

const char *redact_value(const struct redactor *redactor, const char *label,
                         const char *value, const char *const *own,
                         struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	const char *kind;
	enum redact_key key =
	        redact_key_find(text_from(label ? label : ""), &kind);

	if (!value)
		return NULL;
	add_value(redactor, key, kind, text_from(value), own, &out);
	return finish(value, &out, arena);
}

/** `Label:  value`, keeping blanks; returns the end. */
static size_t add_line(const struct redactor *redactor, struct text all,
                       size_t at, const char *const *own, struct str *out)
{
	struct text line = text_after(all, at);
	size_t colon, head;
	struct text value;
	const char *kind;
	enum redact_key key = REDACT_KEY_NONE;

	line = text_first(line, text_find_char(line, '\n'));
	colon = text_find_char(line, ':');
	head = colon == TEXT_NOWHERE ? 0 : colon + 1;
	if (head)
		key = redact_key_find(text_first(line, colon), &kind);
	head += text_count_blanks(text_after(line, head));
	value = text_trim_right(text_after(line, head));
	// A secret has its value in quotes, perhaps, and text before its key.
	if (key < REDACT_KEY_ID ||
	    (value.size && strchr("\"'\\{[", value.data[0])))
		return add_part(redactor, all, at, at + line.size, REDACT_PROSE,
		                out);
	str_add_text(out, text_first(line, head));
	add_value(redactor, key, kind, value, own, out);
	str_add_text(out, text_after(line, head + value.size));
	return at + line.size;
}

const char *redact_lines(const struct redactor *redactor, const char *in,
                         const char *const *own, struct arena *arena)
{
	struct text all = text_from(in ? in : "");
	SCOPED(str_release) struct str out = { 0 };
	size_t at = 0;

	while (at < all.size) {
		at = add_line(redactor, all, at, own, &out);
		if (at < all.size && all.data[at] == '\n')
			str_add_char(&out, all.data[at++]);
	}
	return finish(in, &out, arena);
}

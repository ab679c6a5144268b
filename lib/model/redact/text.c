#include "lib/model/redact/text.h"

#include "lib/model/redact/place.h"

#include <string.h>

/** Does a word begin here? */
static bool begins_word(struct text in, size_t at)
{
	return !at || !text_is_alnum(in.data[at - 1]);
}

/** How much is replaced at this place; what stands for it is in `out`. */
static size_t take_any(const struct redact_place *place)
{
	size_t size = 0;

	switch (place->all.data[place->at]) {
	case '/':
	case '\\':
		size = redact_home(place);
		return size ? size : redact_userinfo(place);
	case '%':
		size = redact_home(place);
		return size ? size : redact_mail(place);
	case '@':
		return redact_mail(place);
	default:
		break;
	}
	if (!begins_word(place->all, place->at))
		return 0;
	size = redact_pair(place);
	if (!size)
		size = redact_secret(place);
	return size ? size : redact_number(place);
}

/** Append @p in, with what is to be replaced. */
static bool add_text(const struct redactor *redactor, struct text in,
                     enum redact_manner manner, struct str *out)
{
	struct redact_place place = {
		.redactor = redactor, .all = in, .manner = manner, .out = out
	};
	bool changed = false;

	while (place.at < in.size) {
		char c = in.data[place.at];
		size_t size = text_is_alnum(c) || strchr("/\\%@+", c)
		                      ? take_any(&place)
		                      : 0;

		changed |= size > 0;
		if (!size)
			str_add_char(out, in.data[place.at++]);
		place.at += size;
	}
	return changed;
}

const char *redact_text(const struct redactor *redactor, const char *in,
                        enum redact_manner manner, struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };

	return in && add_text(redactor, text_from(in), manner, &out)
	               ? arena_text(arena, str_text(&out))
	               : in;
}

// Processes and labels

/** Processes that every system has: they say nothing of whose it is. */
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

/** `name [pid]`, and what follows it. */
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
	return text_is(str_text(&out), in) ? in
	                                   : arena_text(arena, str_text(&out));
}

static void add_value(const struct redactor *redactor, enum redact_key key,
                      const char *kind, struct text value,
                      const char *const *own, struct str *out)
{
	if (!value.size)
		return;
	if (key == REDACT_KEY_PROCESS)
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
	return text_is(str_text(&out), value)
	               ? value
	               : arena_text(arena, str_text(&out));
}

/** `Label:  value`, blanks as they were. */
static void add_line(const struct redactor *redactor, struct text line,
                     const char *const *own, struct str *out)
{
	size_t colon = text_find_char(line, ':');
	size_t head = colon == TEXT_NOWHERE ? 0 : colon + 1;
	struct text value;
	struct text after;
	const char *kind;
	enum redact_key key = REDACT_KEY_NONE;

	if (head)
		key = redact_key_find(text_first(line, colon), &kind);
	// A secret has its value in quotes, perhaps, and text before its key.
	if (key < REDACT_KEY_ID) {
		add_text(redactor, line, REDACT_PROSE, out);
		return;
	}
	value = text_after(line, head);
	head += text_count_blanks(value);
	value = text_trim_right(text_after(line, head));
	after = text_after(line, head + value.size);
	if (value.size && strchr("\"'\\{[", value.data[0])) {
		add_text(redactor, line, REDACT_PROSE, out);
		return;
	}
	str_add_text(out, text_first(line, head));
	add_value(redactor, key, kind, value, own, out);
	str_add_text(out, after);
}

const char *redact_lines(const struct redactor *redactor, const char *in,
                         const char *const *own, struct arena *arena)
{
	struct text rest = text_from(in ? in : "");
	SCOPED(str_release) struct str out = { 0 };

	while (rest.size) {
		size_t end = text_find_char(rest, '\n');

		add_line(redactor, text_first(rest, end), own, &out);
		if (end == TEXT_NOWHERE)
			break;
		str_add_char(&out, '\n');
		rest = text_after(rest, end + 1);
	}
	return !in || text_is(str_text(&out), in)
	               ? in
	               : arena_text(arena, str_text(&out));
}

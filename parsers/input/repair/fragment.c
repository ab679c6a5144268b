// SPDX-License-Identifier: MIT
#include "parsers/input/repair/fragment.h"

#include "lib/base/compiler.h"

#include <string.h>

// Reports are not deeper.
#define DEPTH_MAX 64

/** How far the text is written as members. */
struct writer {
	struct text rest;
	struct str *out;
	char closers[DEPTH_MAX]; ///< of open containers, outermost first
	size_t depth;
	bool is_cut; ///< the text ends in a value
};

/** Outermost members of reports that are rare in other documents. */
static bool is_member(struct text name)
{
	static const char *const names[] = {
		"exception",
		"termination",
		"threads",
		"usedImages",
		"faultingThread",
		"vmRegionInfo",
		"asi",
		"procName",
		"bundleInfo",
		"crashDiagnostics",
		"hangDiagnostics",
		"bug_type",
		"captureTime",
		"incident",
		"lastExceptionBacktrace",
		"binary_images",
		"diagnosticMetaData",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

/** The string at the front with its quotes; all text if it has no end. */
static struct text string_at(struct text in, bool *ret_ends)
{
	size_t at = 1;

	while (at < in.size && in.data[at] != '"')
		at += in.data[at] == '\\' && at + 1 < in.size ? 2 : 1;
	*ret_ends = at < in.size;
	return text_first(in, *ret_ends ? at + 1 : in.size);
}

/** `"name" :`; false: there is no member. */
static bool take_name(struct text *rest, struct text *ret)
{
	bool ends;
	struct text after;

	if (!text_starts(*rest, "\""))
		return false;
	*ret = string_at(*rest, &ends);
	after = text_trim_left(text_after(*rest, ret->size));
	if (!ends || !text_take(&after, ":"))
		return false;
	*rest = text_trim_left(after);
	return rest->size > 0;
}

/** Line ends in a string are escaped: the copy may have unescaped ones. */
static void write_string(struct writer *w)
{
	bool ends;
	struct text string = string_at(w->rest, &ends);

	for (size_t i = 0; i < string.size; i++) {
		char c = string.data[i];

		if (c == '\n')
			str_add(w->out, "\\n");
		else if (c != '\r')
			str_add_char(w->out, c);
	}
	if (!ends && text_ends(string, "\\"))
		str_add_char(w->out, '\\');
	if (!ends)
		str_add_char(w->out, '"');
	w->is_cut |= !ends;
	w->rest = text_after(w->rest, string.size);
}

/** Write a bracket; false if it does not match, or is too deep. */
static bool write_bracket(struct writer *w, char c)
{
	if (c == '{' || c == '[') {
		if (w->depth == DEPTH_MAX)
			return false;
		w->closers[w->depth++] = c == '{' ? '}' : ']';
	} else if (!w->depth || w->closers[--w->depth] != c) {
		return false;
	}
	str_add_char(w->out, c);
	w->rest = text_after(w->rest, 1);
	return true;
}

/** Does the value end before @p c? Only numbers and words do. */
static bool ends_value(const struct writer *w, char c, bool is_word)
{
	return !w->depth && (c == ',' || c == '\n' || (is_word && c == '}'));
}

static bool write_value(struct writer *w)
{
	bool is_word = !strchr("\"{[", w->rest.data[0]);

	while (w->rest.size && !ends_value(w, w->rest.data[0], is_word)) {
		char c = w->rest.data[0];

		if (c == '"') {
			write_string(w);
		} else if (c && strchr("{}[]", c)) {
			if (!write_bracket(w, c))
				return false;
		} else {
			str_add_char(w->out, c);
			w->rest = text_after(w->rest, 1);
			continue;
		}
		if (!w->depth)
			break;
	}
	w->is_cut |= w->depth || (is_word && !w->rest.size);
	return true;
}

bool fragment_wrap(struct text in, struct str *out, size_t *ret_count,
                   size_t *ret_below)
{
	struct writer w = { .rest = text_trim_left(in), .out = out };
	struct text first = w.rest;
	struct text name;

	*ret_count = 0;
	if (!take_name(&first, &name) ||
	    !is_member(text_first(text_after(name, 1), name.size - 2)))
		return false;
	str_add_char(out, '{');
	while (take_name(&w.rest, &name)) {
		str_add(out, (*ret_count)++ ? ",\n" : "");
		str_add_text(out, name);
		str_add(out, ": ");
		if (!write_value(&w))
			return false;
		w.rest = text_trim_left(w.rest);
		text_take(&w.rest, ",");
		w.rest = text_trim_left(w.rest);
	}
	str_add(out, w.is_cut ? "" : "}\n");
	*ret_below = text_trim(w.rest).size
	                     ? text_count_char(text_trim(w.rest), '\n') + 1
	                     : 0;
	return true;
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/name.h"

/** Max nesting of types. */
#define DEPTH_MAX 8

/** A lambda of C++, by whichever compiler and demangler. */
#define LAMBDA "$_"

/** State of reading a name. */
struct reader {
	struct text in;
	size_t at;
	enum signature_style style;
	unsigned depth;
	struct str *out;
	size_t start; ///< start of the name in `out`
};

bool signature_is_unnamed(struct text printed)
{
	static const char *const words[] = {
		"<redacted>", "<unknown>",        "(unknown)",
		"???",        "<unsymbolicated>", "<deduplicated_symbol>"
	};
	static const char *const starts[] = {
		"0x",
		"__hidden#",
		"___lldb_unnamed_symbol",
		"_mh_",
		"__mh_",
		"deduplicated_symbol",
		"GCC_except_table",
	};

	printed = text_trim(printed);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_is(printed, words[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (text_starts(printed, starts[i]))
			return true;
	return !printed.size;
}

static struct text rest_of(const struct reader *reader)
{
	return text_after(reader->in, reader->at);
}

static bool is_word_char(char c)
{
	return text_is_alnum(c) || c == '_' || c == '$' ||
	       (unsigned char)c > 127;
}

static bool is_operator_char(char c)
{
	return c && strchr("<>=!+-*/%^&|~,", c);
}

static bool ends_in_word(const struct reader *reader)
{
	const struct str *out = reader->out;

	return out->size > reader->start &&
	       is_word_char(out->data[out->size - 1]);
}

static bool ends_with(const struct reader *reader, const char *what)
{
	return text_ends(text_after(str_text(reader->out), reader->start),
	                 what);
}

// Brackets

/** Is this `>` the end of an arrow? */
static bool is_arrow(struct text in, size_t at)
{
	return at && (in.data[at - 1] == '-' || in.data[at - 1] == '=');
}

/**
 * End of the group that opens at @p at; the end of the text if it is not
 * closed.
 */
static size_t group_end(struct text in, size_t at)
{
	size_t depth = 0;

	for (; at < in.size; at++) {
		char c = in.data[at];

		if (strchr("(<[{", c) && c)
			depth++;
		else if (c && strchr(")>]}", c) && !is_arrow(in, at) &&
		         !--depth)
			return at + 1;
	}
	return in.size;
}

/** The last (or first) @p what outside of brackets; or TEXT_NOWHERE. */
static size_t find_outside(struct text in, const char *what, bool last)
{
	size_t found = TEXT_NOWHERE;

	for (size_t at = 0; at < in.size;) {
		char c = in.data[at];

		if (c && strchr("(<[{", c)) {
			at = group_end(in, at);
			continue;
		}
		if (c == what[0] && text_starts(text_after(in, at), what)) {
			found = at;
			if (!last)
				return found;
		}
		at++;
	}
	return found;
}

// Syntax of names

static void read_name(struct reader *reader);

/** `<X as Y>` or `<X>` at the start of a name: X. */
static void read_qualified(struct reader *reader, struct text inside)
{
	size_t as = find_outside(inside, " as ", false);
	struct reader inner = *reader;

	inner.in = text_first(inside, as);
	inner.at = 0;
	inner.depth++;
	inner.start = reader->out->size;
	if (inner.depth < DEPTH_MAX)
		read_name(&inner);
}

/** `<…>`: a type at the start, or generic arguments. */
static void read_angles(struct reader *reader)
{
	size_t end = group_end(reader->in, reader->at);
	struct text group = text_first(rest_of(reader), end - reader->at);
	struct str *out = reader->out;

	reader->at = end;
	if (out->size == reader->start && group.size > 2) {
		read_qualified(reader,
		               (struct text){ group.data + 1, group.size - 2 });
		return;
	}
	// Rust's `f::<T>`.
	if (ends_with(reader, "::"))
		out->data[out->size -= 2] = '\0';
	if (reader->style == SIGNATURE_STYLE_SOCORRO)
		str_add(out, "<T>");
}

/** `(…)`: arguments, or a part of the name. */
static void read_parentheses(struct reader *reader)
{
	static const char anonymous[] = "(anonymous namespace)";
	static const char extension[] = "(extension in ";
	size_t end = group_end(reader->in, reader->at);
	struct text group = text_first(rest_of(reader), end - reader->at);
	size_t in;

	reader->at = end;
	if (text_is(group, anonymous)) {
		str_add(reader->out, anonymous);
		return;
	}
	if (text_starts(group, extension)) {
		if (text_starts(rest_of(reader), ":"))
			reader->at++;
		return;
	}
	// `(load in _12AB)`: a private function of Swift's.
	in = text_find(group, " in _");
	if (!ends_in_word(reader) && in != TEXT_NOWHERE)
		str_add_text(reader->out, text_after(text_first(group, in), 1));
}

/** `{closure#0}`, `{lambda(int)#1}`, `{{closure}}` */
static void read_braces(struct reader *reader)
{
	size_t end = group_end(reader->in, reader->at);
	struct text group = text_first(rest_of(reader), end - reader->at);
	size_t from = 0;
	size_t size = 0;

	while (from < group.size && group.data[from] == '{')
		from++;
	group = text_after(group, from);
	reader->at = end;
	if (text_starts(group, "lambda(") &&
	    reader->style == SIGNATURE_STYLE_APM) {
		str_add(reader->out, LAMBDA);
		return;
	}
	while (size < group.size &&
	       (text_is_letter(group.data[size]) || group.data[size] == '_'))
		size++;
	str_add_char(reader->out, '{');
	str_add_text(reader->out, text_first(group, size));
	str_add_char(reader->out, '}');
}

/** `[abi:cxx11]` and the like go; a method in brackets is part of the name. */
static void read_brackets(struct reader *reader)
{
	size_t end = group_end(reader->in, reader->at);
	struct text group = text_first(rest_of(reader), end - reader->at);

	if (!text_starts(group, "[abi:") && !text_starts(group, "[clone "))
		str_add_text(reader->out, group);
	reader->at = end;
}

/** The sign of an operator, after `operator` or as a name of Swift's. */
static bool read_operator(struct reader *reader)
{
	struct text rest = rest_of(reader);
	size_t size = 0;

	if (ends_with(reader, "operator") &&
	    (text_starts(rest, "()") || text_starts(rest, "[]"))) {
		size = 2;
	} else if (ends_with(reader, "operator") || ends_with(reader, ".")) {
		while (size < rest.size && is_operator_char(rest.data[size]) &&
		       (size < 2 || rest.data[size] == '='))
			size++;
	}
	str_add_text(reader->out, text_first(rest, size));
	reader->at += size;
	return size;
}

/** Suffix that a compiler appends to the name of a function's part. */
static bool is_part_suffix(struct text rest)
{
	static const char *const words[] = {
		".cold",      ".isra.",   ".part.",   ".constprop.", ".llvm.",
		".lto_priv.", ".__uniq.", ".resume.", ".destroy.",   ".cleanup."
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_starts(rest, words[i]))
			return true;
	return false;
}

/** Drop the text read so far: it is not part of the name. */
static void forget(struct reader *reader)
{
	struct str *out = reader->out;

	if (out->size > reader->start)
		out->data[out->size = reader->start] = '\0';
}

/**
 * A blank outside of brackets: qualifiers after the arguments are skipped, and
 * text before the name, such as a return type, is dropped.
 *
 * @return False at the end of the name.
 */
static bool read_blank(struct reader *reader)
{
	static const char *const steps[] = { " const",    " volatile",
		                             " noexcept", " &&",
		                             " &",        " infix",
		                             " prefix",   " postfix" };
	static const char *const ends[] = {
		" -> ", " throws", " async",          " [",
		" (.",  " where ", " in conformance "
	};
	struct text rest = rest_of(reader);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (text_starts(rest, ends[i]) &&
		    reader->out->size > reader->start)
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		size_t size = strlen(steps[i]);

		if (text_starts(rest, steps[i]) &&
		    (rest.size == size || !is_word_char(rest.data[size]))) {
			reader->at += size;
			return true;
		}
	}
	reader->at++;
	// `operator<< <int>`
	if (text_starts(rest, " <") && reader->out->size > reader->start)
		return true;
	if (ends_with(reader, "operator"))
		str_add_char(reader->out, ' ');
	else
		forget(reader);
	return true;
}

/** `$_12`, `'lambda3'`: the number goes. */
static void read_word(struct reader *reader)
{
	struct text rest = rest_of(reader);
	struct text after = rest;
	bool is_quoted = text_take(&after, "'lambda");

	if (!is_quoted && !text_take(&after, LAMBDA)) {
		str_add_char(reader->out, reader->in.data[reader->at++]);
		return;
	}
	text_take_digits(&after);
	if (is_quoted)
		text_take(&after, "'");
	str_add(reader->out,
	        is_quoted && reader->style == SIGNATURE_STYLE_SOCORRO
	                ? "'lambda'"
	                : LAMBDA);
	reader->at += rest.size - after.size;
}

static void read_name(struct reader *reader)
{
	while (reader->at < reader->in.size) {
		char c = reader->in.data[reader->at];

		if (read_operator(reader))
			continue;
		if (c == '<')
			read_angles(reader);
		else if (c == '(')
			read_parentheses(reader);
		else if (c == '{')
			read_braces(reader);
		else if (c == '[')
			read_brackets(reader);
		else if (c == ' ' && !read_blank(reader))
			return;
		else if (c == '.' && is_part_suffix(rest_of(reader)))
			return;
		else if (c != ' ')
			read_word(reader);
	}
}

// Languages

/** Remove `_block_invoke` and the number after it; false if there is none. */
static bool take_block(struct text *name)
{
	size_t at = text_find_last(*name, "_block_invoke");
	struct text after;

	if (at == TEXT_NOWHERE)
		return false;
	after = text_after(*name, at + sizeof("_block_invoke") - 1);
	for (size_t i = 0;
	     i < after.size && !is_part_suffix(text_after(after, i)); i++)
		if (!text_is_digit(after.data[i]) && after.data[i] != '_' &&
		    after.data[i] != '.')
			return false;
	*name = text_first(*name, at);
	// `__18-[Feed refresh]`, `__load`
	while (name->size && name->data[0] == '_')
		*name = text_after(*name, 1);
	for (at = 0; at < name->size && text_is_digit(name->data[at]);)
		at++;
	if (text_starts(text_after(*name, at), "-[") ||
	    text_starts(text_after(*name, at), "+["))
		*name = text_after(*name, at);
	return true;
}

/** `-[Feed load].cold.1`: a part of a method. */
static struct text without_part(struct text method)
{
	size_t end = text_find_last(method, "]");

	if (end == TEXT_NOWHERE || !is_part_suffix(text_after(method, end + 1)))
		return method;
	return text_first(method, end + 1);
}

/** The hash that Rust puts after a name. */
static struct text without_rust_hash(struct text name)
{
	size_t at = text_find_last(name, "::h");

	if (at == TEXT_NOWHERE || name.size - at != 3 + 16)
		return name;
	for (size_t i = at + 3; i < name.size; i++)
		if (!text_is_hex_digit(name.data[i]))
			return name;
	return text_first(name, at);
}

/** `closure #1 (Int) -> () in X`, however often: X. */
static bool take_closures(struct text *name)
{
	size_t at = find_outside(*name, "closure #", false);

	if (at == TEXT_NOWHERE)
		return false;
	at = find_outside(*name, " in ", true);
	if (at == TEXT_NOWHERE)
		return false;
	*name = text_after(*name, at + sizeof(" in ") - 1);
	return true;
}

/** `protocol witness for X in conformance Y`: X. */
static struct text without_conformance(struct text name)
{
	if (text_find(name, "protocol witness for ") == TEXT_NOWHERE)
		return name;
	return text_first(name, find_outside(name, " in conformance ", false));
}

/**
 * `vector:1393: assertion __n < size() failed: ...`: the message of the
 * hardened C++ library as the name of an inlined call. Line and words depend on
 * the SDK.
 */
static bool is_check_message(struct text name)
{
	return text_find(name, ": assertion ") != TEXT_NOWHERE &&
	       text_find(name, " failed") != TEXT_NOWHERE;
}

void signature_name_add(struct text printed, enum signature_style style,
                        struct str *out)
{
	struct text name = text_first(text_trim(printed), SIGNATURE_NAME_BYTES);
	struct reader reader = { .style = style,
		                 .out = out,
		                 .start = out->size };
	bool is_apm = style == SIGNATURE_STYLE_APM;
	bool is_block = is_apm && take_block(&name);
	bool is_closure;
	size_t at;

	if (text_starts(name, "-[") || text_starts(name, "+[")) {
		str_add_text(out, is_apm ? without_part(name) : name);
		if (is_block)
			str_add(out, " block");
		return;
	}
	// A check that the compiler of Swift inlined: no function.
	at = text_find(name, "Swift runtime failure: ");
	if (at != TEXT_NOWHERE) {
		str_add_text(out, text_after(name, at));
		return;
	}
	if (is_check_message(name)) {
		str_add(out, "assertion failed");
		return;
	}
	// `thunk for @escaping @callee_guaranteed () -> ()`
	if (text_find(name, "thunk for @") != TEXT_NOWHERE) {
		str_add(out, "thunk");
		return;
	}
	is_closure = take_closures(&name) && is_apm;
	reader.in = without_rust_hash(without_conformance(name));
	read_name(&reader);
	if (out->size == reader.start)
		str_add_text(out, name);
	if (is_closure)
		str_add(out, " closure");
	if (is_block)
		str_add(out, " block");
}

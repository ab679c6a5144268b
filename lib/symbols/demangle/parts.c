// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/parts.h"

#include <stdbool.h>
#include <string.h>

/** Prefixes of C++ names, with the kind of what they describe. */
static const struct {
	const char *words;
	const char *kind;
} fronts[] = {
	{ "vtable for ", "vtable" },
	{ "VTT for ", "vtable" },
	{ "construction vtable for ", "vtable" },
	{ "typeinfo for ", "typeinfo" },
	{ "typeinfo name for ", "typeinfo" },
	{ "guard variable for ", "guard variable" },
	{ "reference temporary #", "variable" },
	{ "non-virtual thunk to ", "thunk" },
	{ "virtual thunk to ", "thunk" },
	{ "covariant return thunk to ", "thunk" },
	{ "TLS wrapper function for ", "thunk" },
	{ "TLS init function for ", "initializer" },
	{ "invocation function for block in ", "block" },
};

/** State of parsing a name from its start. */
struct walk {
	struct text rest;
	struct text path;  ///< start of the name itself
	const char *split; ///< last `::` of the path; or NULL
	const char *end;   ///< end of the path; NULL: end of the text
};

/** Size of the bracketed text at the start; 0: not closed. */
static size_t bracket_size(struct text at)
{
	size_t depth = 0;

	for (size_t i = 0; i < at.size; i++) {
		char c = at.data[i];

		if (c == '-' && i + 1 < at.size && at.data[i + 1] == '>') {
			i++;
			continue;
		}
		if (strchr("(<{[", c) && c)
			depth++;
		else if (strchr(")>}]", c) && c && !--depth)
			return i + 1;
	}
	return 0;
}

/** Size of an operator's name at the start, `operator()`; or 0. */
static size_t operator_size(struct text at)
{
	size_t size = strlen("operator");

	if (!text_starts(at, "operator"))
		return 0;
	at = text_after(at, size);
	if (text_starts(at, "()") || text_starts(at, "[]"))
		return size + 2;
	if (text_starts(at, " ")) // `operator bool`, or `new`
		return size + (text_find_char(at, '(') == TEXT_NOWHERE
		                       ? at.size
		                       : text_find_char(at, '('));
	while (at.size && strchr("<>=!+-*/%&|^~,", at.data[0])) {
		at = text_after(at, 1);
		size++;
	}
	return size > strlen("operator") ? size : 0;
}

/** After parameters: does the path continue, `f() const::x`? */
static bool goes_on(struct text rest, size_t *ret_skip)
{
	static const char *const words[] = { " const", " volatile", " &&",
		                             " &" };
	struct text all = rest;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		text_take(&rest, words[i]);
	*ret_skip = all.size - rest.size;
	return text_starts(rest, "::");
}

static void skip(struct walk *walk, size_t size)
{
	walk->rest = text_after(walk->rest, size);
}

/** Skip a bracket of a C++ name; false: it ends the path, or the text. */
static bool walk_bracket(struct walk *walk)
{
	bool is_parameters = walk->rest.data[0] == '(' &&
	                     !text_starts(walk->rest, "(anonymous namespace)");
	const char *at = walk->rest.data;
	size_t size = bracket_size(walk->rest);
	size_t more;

	if (is_parameters && at != walk->path.data) {
		if (!size || !goes_on(text_after(walk->rest, size), &more)) {
			walk->end = at;
			return false;
		}
		size += more;
	}
	if (!size)
		return false;
	skip(walk, size);
	return true;
}

/** Move to the end of the path: the parameters, or the end of the text. */
static void walk_path(struct walk *walk)
{
	while (walk->rest.size) {
		size_t size;
		char c = walk->rest.data[0];

		if ((size = operator_size(walk->rest))) {
			skip(walk, size);
		} else if (c == '(' || c == '<' || c == '{' || c == '[') {
			if (!walk_bracket(walk))
				return;
		} else if (text_starts(walk->rest, "::")) {
			walk->split = walk->rest.data;
			skip(walk, 2);
		} else {
			skip(walk, 1);
			if (c == ' ') { // the text so far is the result's type
				walk->path = walk->rest;
				walk->split = NULL;
			}
		}
	}
}

static struct text between(const char *from, const char *to)
{
	return (struct text){ .data = from, .size = (size_t)(to - from) };
}

/** Split the path at its last `::`. */
static void split(const struct walk *walk, struct arena *arena,
                  struct name_parts *ret)
{
	const char *end = walk->end ? walk->end
	                            : walk->path.data + walk->path.size;
	struct text base = between(walk->path.data, end);

	if (walk->split) {
		base = between(walk->split + 2, end);
		ret->context = arena_text(
		        arena, between(walk->path.data, walk->split));
	}
	if (base.size)
		ret->base = arena_text(arena, base);
}

/** `b` of `a::b<int>`. */
static struct text last_name(struct text path)
{
	size_t angle = text_find_char(path, '<');
	size_t at;

	path = angle == TEXT_NOWHERE ? path : text_first(path, angle);
	at = text_find_last(path, "::");
	return at == TEXT_NOWHERE ? path : text_after(path, at + 2);
}

static const char *kind_of(const struct name_parts *parts, bool is_function)
{
	if (!parts->base)
		return NULL;
	if (text_starts(text_from(parts->base), "'lambda"))
		return "lambda";
	if (!is_function)
		return "variable";
	if (parts->base[0] == '~')
		return "destructor";
	if (parts->context && text_equal(last_name(text_from(parts->context)),
	                                 last_name(text_from(parts->base))))
		return "constructor";
	return "function";
}

void cxx_parts(struct text printed, struct arena *arena, struct name_parts *ret)
{
	struct walk walk;
	const char *kind = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(fronts); i++)
		if (text_take(&printed, fronts[i].words))
			kind = fronts[i].kind;
	walk = (struct walk){ .rest = printed, .path = printed };
	walk_path(&walk);
	split(&walk, arena, ret);
	ret->kind = kind ? kind : kind_of(ret, walk.end);
}

/**
 * The last `::` of a Rust path; or NULL. Removes generic arguments at its end,
 * `::<usize>`.
 */
static const char *split_rust(struct text *path)
{
	struct text rest = *path;
	const char *at = NULL;

	while (rest.size) {
		bool is_generic = text_starts(rest, "::<");
		struct text bracket = text_after(rest, is_generic ? 2 : 0);
		size_t size = bracket_size(bracket);

		if (!strchr("<{([", bracket.data[0]))
			size = 1;
		else if (!size)
			break;
		if (is_generic && size == bracket.size)
			path->size -= rest.size;
		else if (!is_generic && text_starts(rest, "::"))
			at = rest.data;
		rest = text_after(bracket, size);
	}
	return at;
}

void rust_parts(struct text printed, struct arena *arena,
                struct name_parts *ret)
{
	const char *at = split_rust(&printed);

	if (at) {
		struct text context = between(printed.data, at);
		size_t end = text_find(context, "::");

		ret->context = arena_text(arena, context);
		if (context.data[0] != '<')
			ret->module = arena_text(
			        arena, end == TEXT_NOWHERE
			                       ? context
			                       : text_first(context, end));
		printed = text_after(printed, context.size + 2);
	}
	ret->base = arena_text(arena, printed);
	ret->kind = text_starts(printed, "{closure") ? "closure" : "function";
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/rust.h"

#include "lib/symbols/demangle/rust_legacy.h"
#include "lib/symbols/demangle/rust_reader.h"

#include <inttypes.h>

static void path(struct rust_reader *r, bool in_value);
static void type(struct rust_reader *r);

static void path_in_type(struct rust_reader *r)
{
	path(r, false);
}

static void path_in_value(struct rust_reader *r)
{
	path(r, true);
}

/** Print a lifetime by the number of `for` between use and binding. */
static void lifetime(struct rust_reader *r, uint64_t index)
{
	uint64_t depth;

	if (!index) {
		rust_print(r, "'_");
		return;
	}
	if (index > r->lifetimes) {
		rust_fail(r);
		return;
	}
	depth = r->lifetimes - index;
	if (r->silent)
		return;
	if (depth < 26)
		str_addf(r->out, "'%c", (char)('a' + depth));
	else
		str_addf(r->out, "'_%" PRIu64, depth);
}

/** Read `for<'a, 'b> `; returns the argument of end_binder(). */
static uint64_t binder(struct rust_reader *r)
{
	uint64_t before = r->lifetimes;
	uint64_t count = rust_optional62(r, 'G');

	if (!count)
		return before;
	if (count > 64) {
		rust_fail(r);
		return before;
	}
	rust_print(r, "for<");
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			rust_print(r, ", ");
		r->lifetimes++;
		lifetime(r, 1);
	}
	rust_print(r, "> ");
	return before;
}

static void generic_argument(struct rust_reader *r)
{
	if (rust_take(r, 'L'))
		lifetime(r, rust_base62(r));
	else if (rust_take(r, 'K'))
		rust_constant(r);
	else
		type(r);
}

/** Read arguments up to `E`, separated by @p between; returns their number. */
static unsigned list(struct rust_reader *r, const char *between,
                     void (*read)(struct rust_reader *r))
{
	unsigned count = 0;

	while (!r->failed && !rust_take(r, 'E')) {
		if (count++)
			rust_print(r, between);
		read(r);
	}
	return count;
}

/** Read the path of an impl without printing: the type is enough. */
static void impl_path(struct rust_reader *r)
{
	bool silent = r->silent;

	rust_optional62(r, 's');
	r->silent = true;
	path(r, false);
	r->silent = silent;
}

/** Read `{closure#0}`, and names in the namespaces of types and values. */
static void nested_name(struct rust_reader *r, bool in_value)
{
	char space = rust_next(r);
	uint64_t disambiguator;
	size_t before;

	path(r, in_value);
	disambiguator = rust_optional62(r, 's');
	if (space >= 'a' && space <= 'z') {
		// An implementation detail; may have a name.
		before = r->out->size;
		rust_print(r, "::");
		rust_identifier(r);
		if (!r->silent && r->out->size == before + 2) {
			r->out->size = before;
			r->out->data[before] = '\0';
		}
		return;
	}
	if (space < 'A' || space > 'Z') {
		rust_fail(r);
		return;
	}
	rust_print(r, "::{");
	if (space == 'C')
		rust_print(r, "closure");
	else if (space == 'S')
		rust_print(r, "shim");
	else if (!r->silent)
		str_add_char(r->out, space);
	before = r->out->size;
	rust_print(r, ":");
	rust_identifier(r);
	if (!r->silent && r->out->size == before + 1) {
		r->out->size = before;
		r->out->data[before] = '\0';
	}
	if (!r->silent)
		str_addf(r->out, "#%" PRIu64 "}", disambiguator);
}

static void path_of(struct rust_reader *r, char letter, bool in_value)
{
	switch (letter) {
	case 'C':
		rust_optional62(r, 's');
		rust_identifier(r);
		break;
	case 'N':
		nested_name(r, in_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		if (letter != 'Y')
			impl_path(r);
		rust_print(r, "<");
		type(r);
		if (letter != 'M') {
			rust_print(r, " as ");
			path(r, false);
		}
		rust_print(r, ">");
		break;
	case 'I':
		path(r, in_value);
		rust_print(r, in_value ? "::<" : "<");
		list(r, ", ", generic_argument);
		rust_print(r, ">");
		break;
	case 'B':
		rust_back_reference(r, in_value ? path_in_value : path_in_type);
		break;
	default:
		rust_fail(r);
	}
}

static void path(struct rust_reader *r, bool in_value)
{
	if (!rust_enter(r))
		return;
	path_of(r, rust_next(r), in_value);
	r->depth--;
}

static const char *basic_type(char letter)
{
	static const char *const names[128] = {
		['a'] = "i8",   ['b'] = "bool",  ['c'] = "char",
		['d'] = "f64",  ['e'] = "str",   ['f'] = "f32",
		['h'] = "u8",   ['i'] = "isize", ['j'] = "usize",
		['l'] = "i32",  ['m'] = "u32",   ['n'] = "i128",
		['o'] = "u128", ['p'] = "_",     ['s'] = "i16",
		['t'] = "u16",  ['u'] = "()",    ['v'] = "...",
		['x'] = "i64",  ['y'] = "u64",   ['z'] = "!",
	};

	return (unsigned char)letter < ARRAY_SIZE(names)
	               ? names[(unsigned char)letter]
	               : NULL;
}

/** Read `"C"`, and others whose hyphens are written `_`. */
static void calling_convention(struct rust_reader *r)
{
	size_t from;

	rust_print(r, "extern \"");
	if (rust_take(r, 'C')) {
		rust_print(r, "C");
	} else {
		from = r->out->size;
		rust_identifier(r);
		for (size_t i = from; !r->silent && i < r->out->size; i++)
			if (r->out->data[i] == '_')
				r->out->data[i] = '-';
	}
	rust_print(r, "\" ");
}

static void function_type(struct rust_reader *r)
{
	uint64_t before = binder(r);

	if (rust_take(r, 'U'))
		rust_print(r, "unsafe ");
	if (rust_take(r, 'K'))
		calling_convention(r);
	rust_print(r, "fn(");
	list(r, ", ", type);
	rust_print(r, ")");
	if (!rust_take(r, 'u')) {
		rust_print(r, " -> ");
		type(r);
	}
	r->lifetimes = before;
}

/**
 * Read a path, leaving its `<…>` open for associated types; returns whether it
 * is.
 */
static bool open_path(struct rust_reader *r)
{
	const char *resume;
	const char *here = r->at;
	uint64_t at;
	bool open;

	if (rust_take(r, 'B')) {
		at = rust_base62(r);
		resume = r->at;
		if (r->failed || at >= (uint64_t)(here - r->start) ||
		    !rust_enter(r)) {
			rust_fail(r);
			return false;
		}
		r->at = r->start + at;
		open = open_path(r);
		r->depth--;
		if (!r->failed)
			r->at = resume;
		return open;
	}
	if (!rust_take(r, 'I')) {
		path(r, false);
		return false;
	}
	path(r, false);
	rust_print(r, "<");
	list(r, ", ", generic_argument);
	return true;
}

static void dyn_trait(struct rust_reader *r)
{
	bool open = open_path(r);

	while (rust_take(r, 'p')) {
		rust_print(r, open ? ", " : "<");
		open = true;
		rust_identifier(r);
		rust_print(r, " = ");
		type(r);
	}
	if (open)
		rust_print(r, ">");
}

static void dyn_type(struct rust_reader *r)
{
	uint64_t before;
	uint64_t bound;

	rust_print(r, "dyn ");
	before = binder(r);
	list(r, " + ", dyn_trait);
	r->lifetimes = before;
	if (!rust_take(r, 'L')) {
		rust_fail(r);
		return;
	}
	bound = rust_base62(r);
	if (bound) {
		rust_print(r, " + ");
		lifetime(r, bound);
	}
}

static void reference(struct rust_reader *r, bool is_mutable)
{
	uint64_t bound;

	rust_print(r, "&");
	if (rust_take(r, 'L')) {
		bound = rust_base62(r);
		if (bound) {
			lifetime(r, bound);
			rust_print(r, " ");
		}
	}
	if (is_mutable)
		rust_print(r, "mut ");
	type(r);
}

static void compound_type(struct rust_reader *r, char letter)
{
	switch (letter) {
	case 'A':
	case 'S':
		rust_print(r, "[");
		type(r);
		if (letter == 'A') {
			rust_print(r, "; ");
			rust_constant(r);
		}
		rust_print(r, "]");
		break;
	case 'T':
		rust_print(r, "(");
		if (list(r, ", ", type) == 1)
			rust_print(r, ",");
		rust_print(r, ")");
		break;
	case 'R':
	case 'Q':
		reference(r, letter == 'Q');
		break;
	case 'P':
	case 'O':
		rust_print(r, letter == 'P' ? "*const " : "*mut ");
		type(r);
		break;
	case 'F':
		function_type(r);
		break;
	case 'D':
		dyn_type(r);
		break;
	case 'B':
		rust_back_reference(r, type);
		break;
	default:
		path_of(r, letter, false);
	}
}

static void type(struct rust_reader *r)
{
	const char *basic;
	char letter;

	if (!rust_enter(r))
		return;
	letter = rust_next(r);
	basic = basic_type(letter);
	if (basic)
		rust_print(r, basic);
	else
		compound_type(r, letter);
	r->depth--;
}

bool rust_is_mangled(struct text name)
{
	if (rust_is_legacy(name))
		return true;
	text_take(&name, "_");
	text_take(&name, "_");
	return name.size > 1 && name.data[0] == 'R' && name.data[1] >= 'A' &&
	       name.data[1] <= 'Z';
}

/** Demangle the text after `_R`; a suffix begins at the first `.` or `$`. */
static bool demangle_path(struct text name, struct str *out)
{
	size_t end = 0;
	struct rust_reader r = { .out = out };

	while (end < name.size && name.data[end] != '.' &&
	       name.data[end] != '$')
		end++;
	r.start = r.at = name.data;
	r.end = name.data + end;
	path(&r, true);
	// Crate that instantiated a generic function.
	if (!r.failed && r.at < r.end) {
		r.silent = true;
		path(&r, false);
	}
	if (r.failed || r.at < r.end)
		return false;
	if (end < name.size)
		str_addf(out, " (%.*s)", TEXT_ARGS(text_after(name, end)));
	return true;
}

bool rust_demangle(struct text name, bool brief, struct str *out)
{
	size_t before = out->size;
	bool done;

	if (rust_is_legacy(name)) {
		text_take(&name, "_");
		text_take(&name, "_");
		text_take(&name, "ZN");
		done = rust_demangle_legacy(name, brief, out);
	} else {
		text_take(&name, "_");
		text_take(&name, "_");
		done = text_take(&name, "R") && demangle_path(name, out);
	}
	if (done && out->size > before)
		return true;
	out->size = before;
	if (out->data)
		out->data[before] = '\0';
	return false;
}

#include "lib/symbols/demangle/rust.h"

#include "lib/base/utf8.h"
#include "lib/symbols/demangle/punycode.h"

#include <inttypes.h>
#include <string.h>

#define RUST_DEPTH_MAX   100u
#define RUST_STEPS_MAX   10000u
#define RUST_PRINTED_MAX 65536u

/** A name of RFC 2603 that is being read, and printed as it is read. */
struct rust {
	const char *start; ///< what back references count from
	const char *at;
	const char *end;
	struct str *out;
	unsigned depth;
	unsigned steps;
	uint64_t lifetimes; ///< bound by the `for<…>` around this place
	bool silent;        ///< read, do not print
	bool failed;
};

static void path(struct rust *r, bool in_value);
static void type(struct rust *r);
static void constant(struct rust *r);

static void fail(struct rust *r)
{
	r->failed = true;
	r->at = r->end;
}

static bool enter(struct rust *r)
{
	if (r->failed || r->depth >= RUST_DEPTH_MAX ||
	    ++r->steps > RUST_STEPS_MAX || r->out->size > RUST_PRINTED_MAX) {
		fail(r);
		return false;
	}
	r->depth++;
	return true;
}

static void print(struct rust *r, const char *word)
{
	if (!r->silent)
		str_add(r->out, word);
}

static char peek(const struct rust *r)
{
	return r->at < r->end ? *r->at : '\0';
}

static char next(struct rust *r)
{
	if (r->at < r->end)
		return *r->at++;
	r->failed = true;
	return '\0';
}

static bool take(struct rust *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/** `_` is 0; else digits of base 62, plus one, to `_`. */
static uint64_t base62(struct rust *r)
{
	uint64_t value = 0;

	if (take(r, '_'))
		return 0;
	while (!take(r, '_')) {
		char c = next(r);
		uint64_t digit;

		if (text_is_digit(c)) {
			digit = (uint64_t)(c - '0');
		} else if (c >= 'a' && c <= 'z') {
			digit = (uint64_t)(c - 'a') + 10;
		} else if (c >= 'A' && c <= 'Z') {
			digit = (uint64_t)(c - 'A') + 36;
		} else {
			fail(r);
			return 0;
		}
		if (__builtin_mul_overflow(value, 62, &value) ||
		    __builtin_add_overflow(value, digit, &value)) {
			fail(r);
			return 0;
		}
	}
	return value + 1;
}

/** A number behind its letter; 0 where the letter is not there. */
static uint64_t optional62(struct rust *r, char letter)
{
	return take(r, letter) ? base62(r) + 1 : 0;
}

static uint64_t decimal(struct rust *r)
{
	uint64_t value = 0;

	if (!text_is_digit(peek(r))) {
		fail(r);
		return 0;
	}
	if (take(r, '0'))
		return 0;
	while (text_is_digit(peek(r))) {
		value = 10 * value + (uint64_t)(next(r) - '0');
		if (value > (uint64_t)(r->end - r->start)) {
			fail(r);
			return 0;
		}
	}
	return value;
}

/**
 * Punycode here has digits for 26 to 35, and `_` before the letters that
 * stand for others; punycode_decode() takes the letters `A` to `J`.
 */
static bool decode(struct text text, char *to, size_t *size)
{
	char letters[PUNYCODE_CHARS_MAX];
	size_t from = text_find_last_char(text, '_');

	if (text.size > sizeof(letters))
		return false;
	memcpy(letters, text.data, text.size);
	for (size_t i = from == TEXT_NOWHERE ? 0 : from + 1; i < text.size; i++)
		if (text_is_digit(letters[i]))
			letters[i] = (char)(letters[i] - '0' + 'A');
	return punycode_decode((struct text){ letters, text.size }, to, size);
}

/** A name without its disambiguator, printed. */
static struct text identifier(struct rust *r)
{
	char bytes[PUNYCODE_BYTES_MAX];
	bool is_punycode = take(r, 'u');
	uint64_t length = decimal(r);
	struct text text = TEXT_NONE;
	size_t size;

	take(r, '_');
	if (r->failed || length > (uint64_t)(r->end - r->at)) {
		fail(r);
		return text;
	}
	text = (struct text){ r->at, (size_t)length };
	r->at += length;
	if (!is_punycode) {
		if (!r->silent)
			str_add_text(r->out, text);
	} else if (!decode(text, bytes, &size)) {
		fail(r);
	} else if (!r->silent) {
		str_add_bytes(r->out, bytes, size);
	}
	return text;
}

/** Read again what stands at an earlier place. */
static void back_reference(struct rust *r, void (*read)(struct rust *r))
{
	const char *here = r->at - 1;
	uint64_t at = base62(r);
	const char *resume = r->at;

	if (r->failed || at >= (uint64_t)(here - r->start)) {
		fail(r);
		return;
	}
	// Whoever does not print need not read it again.
	if (r->silent)
		return;
	r->at = r->start + at;
	read(r);
	if (!r->failed)
		r->at = resume;
}

static void path_in_type(struct rust *r)
{
	path(r, false);
}

static void path_in_value(struct rust *r)
{
	path(r, true);
}

/** A lifetime by how many `for` lie between it and where it is bound. */
static void lifetime(struct rust *r, uint64_t index)
{
	uint64_t depth;

	if (!index) {
		print(r, "'_");
		return;
	}
	if (index > r->lifetimes) {
		fail(r);
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

/** `for<'a, 'b> `; returns what to give back to end_binder(). */
static uint64_t binder(struct rust *r)
{
	uint64_t before = r->lifetimes;
	uint64_t count = optional62(r, 'G');

	if (!count)
		return before;
	if (count > 64) {
		fail(r);
		return before;
	}
	print(r, "for<");
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			print(r, ", ");
		r->lifetimes++;
		lifetime(r, 1);
	}
	print(r, "> ");
	return before;
}

static void generic_argument(struct rust *r)
{
	if (take(r, 'L'))
		lifetime(r, base62(r));
	else if (take(r, 'K'))
		constant(r);
	else
		type(r);
}

/** The arguments to `E`, with @p between them; their number. */
static unsigned list(struct rust *r, const char *between,
                     void (*read)(struct rust *r))
{
	unsigned count = 0;

	while (!r->failed && !take(r, 'E')) {
		if (count++)
			print(r, between);
		read(r);
	}
	return count;
}

/** Where an impl stands is read, and not printed: the type says enough. */
static void impl_path(struct rust *r)
{
	bool silent = r->silent;

	optional62(r, 's');
	r->silent = true;
	path(r, false);
	r->silent = silent;
}

/** `{closure#0}`, and names in the namespaces of types and values. */
static void nested_name(struct rust *r, bool in_value)
{
	char space = next(r);
	uint64_t disambiguator;
	size_t before;

	path(r, in_value);
	disambiguator = optional62(r, 's');
	if (space >= 'a' && space <= 'z') {
		// An implementation detail, which has a name or not.
		before = r->out->size;
		print(r, "::");
		identifier(r);
		if (!r->silent && r->out->size == before + 2) {
			r->out->size = before;
			r->out->data[before] = '\0';
		}
		return;
	}
	if (space < 'A' || space > 'Z') {
		fail(r);
		return;
	}
	print(r, "::{");
	if (space == 'C')
		print(r, "closure");
	else if (space == 'S')
		print(r, "shim");
	else if (!r->silent)
		str_add_char(r->out, space);
	before = r->out->size;
	print(r, ":");
	identifier(r);
	if (!r->silent && r->out->size == before + 1) {
		r->out->size = before;
		r->out->data[before] = '\0';
	}
	if (!r->silent)
		str_addf(r->out, "#%" PRIu64 "}", disambiguator);
}

static void path_of(struct rust *r, char letter, bool in_value)
{
	switch (letter) {
	case 'C':
		optional62(r, 's');
		identifier(r);
		break;
	case 'N':
		nested_name(r, in_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		if (letter != 'Y')
			impl_path(r);
		print(r, "<");
		type(r);
		if (letter != 'M') {
			print(r, " as ");
			path(r, false);
		}
		print(r, ">");
		break;
	case 'I':
		path(r, in_value);
		print(r, in_value ? "::<" : "<");
		list(r, ", ", generic_argument);
		print(r, ">");
		break;
	case 'B':
		back_reference(r, in_value ? path_in_value : path_in_type);
		break;
	default:
		fail(r);
	}
}

static void path(struct rust *r, bool in_value)
{
	if (!enter(r))
		return;
	path_of(r, next(r), in_value);
	r->depth--;
}

/** By its letter; NULL if it has none. */
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

/** `"C"`, and others whose hyphens are written `_`. */
static void calling_convention(struct rust *r)
{
	size_t from;

	print(r, "extern \"");
	if (take(r, 'C')) {
		print(r, "C");
	} else {
		from = r->out->size;
		identifier(r);
		for (size_t i = from; !r->silent && i < r->out->size; i++)
			if (r->out->data[i] == '_')
				r->out->data[i] = '-';
	}
	print(r, "\" ");
}

static void function_type(struct rust *r)
{
	uint64_t before = binder(r);

	if (take(r, 'U'))
		print(r, "unsafe ");
	if (take(r, 'K'))
		calling_convention(r);
	print(r, "fn(");
	list(r, ", ", type);
	print(r, ")");
	if (!take(r, 'u')) {
		print(r, " -> ");
		type(r);
	}
	r->lifetimes = before;
}

/** A path whose `<…>` stays open for associated types; is it? */
static bool open_path(struct rust *r)
{
	const char *resume;
	const char *here = r->at;
	uint64_t at;
	bool open;

	if (take(r, 'B')) {
		at = base62(r);
		resume = r->at;
		if (r->failed || at >= (uint64_t)(here - r->start) ||
		    !enter(r)) {
			fail(r);
			return false;
		}
		r->at = r->start + at;
		open = open_path(r);
		r->depth--;
		if (!r->failed)
			r->at = resume;
		return open;
	}
	if (!take(r, 'I')) {
		path(r, false);
		return false;
	}
	path(r, false);
	print(r, "<");
	list(r, ", ", generic_argument);
	return true;
}

static void dyn_trait(struct rust *r)
{
	bool open = open_path(r);

	while (take(r, 'p')) {
		print(r, open ? ", " : "<");
		open = true;
		identifier(r);
		print(r, " = ");
		type(r);
	}
	if (open)
		print(r, ">");
}

static void dyn_type(struct rust *r)
{
	uint64_t before;
	uint64_t bound;

	print(r, "dyn ");
	before = binder(r);
	list(r, " + ", dyn_trait);
	r->lifetimes = before;
	if (!take(r, 'L')) {
		fail(r);
		return;
	}
	bound = base62(r);
	if (bound) {
		print(r, " + ");
		lifetime(r, bound);
	}
}

static void reference(struct rust *r, bool is_mutable)
{
	uint64_t bound;

	print(r, "&");
	if (take(r, 'L')) {
		bound = base62(r);
		if (bound) {
			lifetime(r, bound);
			print(r, " ");
		}
	}
	if (is_mutable)
		print(r, "mut ");
	type(r);
}

static void compound_type(struct rust *r, char letter)
{
	switch (letter) {
	case 'A':
	case 'S':
		print(r, "[");
		type(r);
		if (letter == 'A') {
			print(r, "; ");
			constant(r);
		}
		print(r, "]");
		break;
	case 'T':
		print(r, "(");
		if (list(r, ", ", type) == 1)
			print(r, ",");
		print(r, ")");
		break;
	case 'R':
	case 'Q':
		reference(r, letter == 'Q');
		break;
	case 'P':
	case 'O':
		print(r, letter == 'P' ? "*const " : "*mut ");
		type(r);
		break;
	case 'F':
		function_type(r);
		break;
	case 'D':
		dyn_type(r);
		break;
	case 'B':
		back_reference(r, type);
		break;
	default:
		path_of(r, letter, false);
	}
}

static void type(struct rust *r)
{
	const char *basic;
	char letter;

	if (!enter(r))
		return;
	letter = next(r);
	basic = basic_type(letter);
	if (basic)
		print(r, basic);
	else
		compound_type(r, letter);
	r->depth--;
}

/** Hexadecimal digits to `_`. */
static struct text hex(struct rust *r)
{
	struct text digits = { r->at, 0 };

	while (text_is_hex_digit(peek(r))) {
		next(r);
		digits.size++;
	}
	if (!take(r, '_'))
		fail(r);
	return digits;
}

static bool value_of(struct text digits, uint64_t *ret)
{
	*ret = 0;
	if (digits.size > 16)
		return false;
	for (size_t i = 0; i < digits.size; i++)
		*ret = *ret << 4 | (uint64_t)text_hex_value(digits.data[i]);
	return true;
}

static void print_number(struct rust *r, struct text digits)
{
	uint64_t value;

	if (r->silent)
		return;
	if (value_of(digits, &value))
		str_addf(r->out, "%" PRIu64, value);
	else
		str_addf(r->out, "0x%.*s", TEXT_ARGS(digits));
}

/** As Rust writes it in its sources. */
static void print_character(struct rust *r, struct text digits)
{
	static const char escaped[][2] = {
		{ '\t', 't' },  { '\n', 'n' },  { '\r', 'r' },
		{ '\'', '\'' }, { '\\', '\\' },
	};
	char bytes[UTF8_SIZE];
	uint64_t value;

	if (!value_of(digits, &value) || value > 0x10ffff ||
	    (value >= 0xd800 && value <= 0xdfff)) {
		fail(r);
		return;
	}
	if (r->silent)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(escaped); i++)
		if (value == (unsigned char)escaped[i][0]) {
			str_addf(r->out, "'\\%c'", escaped[i][1]);
			return;
		}
	if (value < 0x20 || value == 0x7f || utf8_is_hidden((uint32_t)value))
		str_addf(r->out, "'\\u{%" PRIx64 "}'", value);
	else
		str_addf(r->out, "'%.*s'",
		         (int)utf8_encode((uint32_t)value, bytes), bytes);
}

static void constant_of(struct rust *r, char letter)
{
	uint64_t value;

	switch (letter) {
	case 'a':
	case 's':
	case 'l':
	case 'x':
	case 'n':
	case 'i':
		if (take(r, 'n'))
			print(r, "-");
		print_number(r, hex(r));
		break;
	case 'h':
	case 't':
	case 'm':
	case 'y':
	case 'o':
	case 'j':
		print_number(r, hex(r));
		break;
	case 'b':
		if (!value_of(hex(r), &value) || value > 1)
			fail(r);
		else
			print(r, value ? "true" : "false");
		break;
	case 'c':
		print_character(r, hex(r));
		break;
	case 'p':
		print(r, "_");
		break;
	case 'B':
		back_reference(r, constant);
		break;
	default:
		fail(r);
	}
}

static void constant(struct rust *r)
{
	if (!enter(r))
		return;
	constant_of(r, next(r));
	r->depth--;
}

bool rust_is_mangled(struct text name)
{
	text_take(&name, "_");
	text_take(&name, "_");
	return name.size > 1 && name.data[0] == 'R' && name.data[1] >= 'A' &&
	       name.data[1] <= 'Z';
}

/** Behind `_R`; a suffix begins at the first `.` or `$`. */
static bool demangle_path(struct text name, struct str *out)
{
	size_t end = 0;
	struct rust r = { .out = out };

	while (end < name.size && name.data[end] != '.' &&
	       name.data[end] != '$')
		end++;
	r.start = r.at = name.data;
	r.end = name.data + end;
	path(&r, true);
	// The crate that made an instance of a generic function.
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

bool rust_is_legacy(struct text name)
{
	size_t at, digits;

	text_take(&name, "_");
	if (!text_starts(name, "_ZN") && !text_starts(name, "ZN"))
		return false;
	// Nothing follows the hash but a suffix, `.llvm.123`.
	if (name.data[name.size - 1] != 'E' &&
	    text_find_char(name, '.') == TEXT_NOWHERE)
		return false;
	at = text_find_last(name, "17h");
	digits = at + 3;
	if (at == TEXT_NOWHERE || name.size < digits + 17)
		return false;
	for (size_t i = 0; i < 16; i++)
		if (!text_is_hex_digit(name.data[digits + i]))
			return false;
	return name.data[digits + 16] == 'E';
}

/** What an escape between dollar signs stands for; false if it is none. */
static bool add_escape(struct text escape, struct str *out)
{
	static const struct {
		const char *escape;
		const char *text;
	} escapes[] = {
		{ "SP", "@" }, { "BP", "*" }, { "RF", "&" }, { "LT", "<" },
		{ "GT", ">" }, { "LP", "(" }, { "RP", ")" }, { "C", "," },
	};
	char bytes[UTF8_SIZE];
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++)
		if (text_is(escape, escapes[i].escape)) {
			str_add(out, escapes[i].text);
			return true;
		}
	if (!text_take(&escape, "u") || !escape.size || escape.size > 6)
		return false;
	for (size_t i = 0; i < escape.size; i++)
		if (!text_is_hex_digit(escape.data[i]))
			return false;
	if (!value_of(escape, &value) || value > 0x10ffff || value < 0x20 ||
	    (value >= 0xd800 && value <= 0xdfff))
		return false;
	str_add_bytes(out, bytes, utf8_encode((uint32_t)value, bytes));
	return true;
}

static bool add_segment(struct text segment, struct str *out)
{
	// A name cannot begin with `$`.
	if (text_starts(segment, "_$"))
		segment = text_after(segment, 1);
	while (segment.size) {
		size_t end;

		if (text_take(&segment, "..")) {
			str_add(out, "::");
		} else if (segment.data[0] == '$') {
			segment = text_after(segment, 1);
			end = text_find_char(segment, '$');
			if (end == TEXT_NOWHERE ||
			    !add_escape(text_first(segment, end), out))
				return false;
			segment = text_after(segment, end + 1);
		} else {
			str_add_char(out, segment.data[0]);
			segment = text_after(segment, 1);
		}
	}
	return true;
}

/** Behind `_ZN`: names with their lengths, the last one a hash, to `E`. */
static bool demangle_legacy(struct text name, bool brief, struct str *out)
{
	const char *before = "";

	while (name.size && text_is_digit(name.data[0])) {
		size_t size = 0;
		bool is_hash;

		while (name.size && text_is_digit(name.data[0])) {
			size = 10 * size + (size_t)(name.data[0] - '0');
			name = text_after(name, 1);
			if (size > name.size)
				return false;
		}
		is_hash = size == 17 && name.size > size &&
		          name.data[size] == 'E';
		if (!is_hash || !brief) {
			str_add(out, before);
			if (!add_segment(text_first(name, size), out))
				return false;
			before = "::";
		}
		name = text_after(name, size);
	}
	if (!text_take(&name, "E") || out->size > RUST_PRINTED_MAX)
		return false;
	// Other letters are the parameters of a function of C++.
	if (name.size && name.data[0] != '.')
		return false;
	if (name.size)
		str_addf(out, " (%.*s)", TEXT_ARGS(name));
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
		done = demangle_legacy(name, brief, out);
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

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/punycode.h"
#include "lib/symbols/demangle/swift_reader.h"

#include <string.h>

/** Max repetitions of a substitution. */
#define REPEAT_MAX 2048u

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool begins_word(char c)
{
	return !text_is_digit(c) && c != '_' && c != '\0';
}

static bool ends_word(char c, char before)
{
	return c == '_' || c == '\0' || (!is_upper(before) && is_upper(c));
}

/** Record the words of @p text, which later identifiers may repeat. */
static void add_words(struct swift_reader *r, struct text text)
{
	size_t start = TEXT_NOWHERE;

	for (size_t i = 0; i <= text.size; i++) {
		char c = i < text.size ? text.data[i] : '\0';

		if (start != TEXT_NOWHERE && ends_word(c, text.data[i - 1])) {
			if (i - start >= 2 && r->word_count < SWIFT_WORDS_MAX)
				r->words[r->word_count++] = text_first(
				        text_after(text, start), i - start);
			start = TEXT_NOWHERE;
		}
		if (start == TEXT_NOWHERE && begins_word(c))
			start = i;
	}
}

/** The identifier being assembled. */
struct piece {
	struct text text;
	bool owned; ///< the text is a copy with room to grow
	size_t cap;
};

static void append(struct swift_reader *r, struct piece *to, struct text text)
{
	char *data;

	if (!to->text.size) {
		to->text = text;
		return;
	}
	if (!to->owned || to->text.size + text.size > to->cap) {
		to->cap = 2 * (to->text.size + text.size);
		data = swift_alloc(r->pool, to->cap);
		memcpy(data, to->text.data, to->text.size);
		to->text.data = data;
		to->owned = true;
	}
	data = (char *)(uintptr_t)to->text.data;
	memcpy(data + to->text.size, text.data, text.size);
	to->text.size += text.size;
}

static bool decode(struct swift_reader *r, struct text in, struct text *ret)
{
	char bytes[PUNYCODE_BYTES_MAX];
	char *data;
	size_t size;

	if (!punycode_decode(in, bytes, &size))
		return false;
	data = swift_alloc(r->pool, size + 1);
	memcpy(data, bytes, size);
	*ret = (struct text){ data, size };
	return true;
}

/** Append words of earlier identifiers; false: no such word. */
static bool repeat_words(struct swift_reader *r, struct piece *to, bool *more)
{
	while (*more && (is_lower(swift_peek(r)) || is_upper(swift_peek(r)))) {
		char c = swift_next(r);
		size_t at = (size_t)(is_lower(c) ? c - 'a' : c - 'A');

		if (at >= r->word_count)
			return false;
		append(r, to, r->words[at]);
		*more = is_lower(c);
	}
	return true;
}

/** Append letters after their number. */
static bool spelled(struct swift_reader *r, struct piece *to, bool is_punycode)
{
	uint64_t size;
	struct text text;

	if (!swift_natural(r, &size) || !size)
		return false;
	if (is_punycode)
		swift_next_is(r, '_');
	if (size > (size_t)(r->end - r->at))
		return false;
	text = (struct text){ r->at, (size_t)size };
	r->at += size;
	if (!is_punycode)
		add_words(r, text);
	else if (!decode(r, text, &text))
		return false;
	append(r, to, text);
	return true;
}

struct swift_node *swift_read_identifier(struct swift_reader *r)
{
	struct piece found = { .text = TEXT_NONE };
	bool is_punycode = false;
	bool has_words = false;

	if (swift_next_is(r, '0')) {
		is_punycode = swift_next_is(r, '0');
		has_words = !is_punycode;
	}
	do {
		if (!repeat_words(r, &found, &has_words))
			return NULL;
		if (swift_next_is(r, '0'))
			break;
		if (!spelled(r, &found, is_punycode))
			return NULL;
	} while (has_words);
	if (!found.text.size)
		return NULL;
	return swift_substitute(
	        r, swift_make_text(r, SWIFT_IDENTIFIER, found.text));
}

bool swift_operator_name(struct swift_pool *pool, struct text letters,
                         struct text *ret)
{
	// By letter, `a` to `z`; blank: none.
	static const char characters[] = "& @/= >    <*!|+?%-~   ^ .";
	char *data = swift_alloc(pool, letters.size + 1);

	for (size_t i = 0; i < letters.size; i++) {
		char c = letters.data[i];

		if ((unsigned char)c < 0x80) {
			if (!is_lower(c) || characters[c - 'a'] == ' ')
				return false;
			c = characters[c - 'a'];
		}
		data[i] = c;
	}
	*ret = (struct text){ data, letters.size };
	return true;
}

struct swift_node *swift_read_operator_name(struct swift_reader *r)
{
	struct swift_node *name = swift_pop_kind(r, SWIFT_IDENTIFIER);
	struct text text;

	if (!name || !swift_operator_name(r->pool, name->text, &text))
		return NULL;
	switch (swift_next(r)) {
	case 'i':
		return swift_make_text(r, SWIFT_INFIX_OPERATOR, text);
	case 'p':
		return swift_make_text(r, SWIFT_PREFIX_OPERATOR, text);
	case 'P':
		return swift_make_text(r, SWIFT_POSTFIX_OPERATOR, text);
	default:
		return NULL;
	}
}

static struct swift_node *private_name(struct swift_reader *r)
{
	struct swift_node *file = swift_pop_kind(r, SWIFT_IDENTIFIER);

	return swift_make2(r, SWIFT_PRIVATE_NAME, file, swift_pop_name(r));
}

struct swift_node *swift_read_local_name(struct swift_reader *r)
{
	struct swift_node *first;
	char c = swift_peek(r);

	if (swift_next_is(r, 'L'))
		return private_name(r);
	if (swift_next_is(r, 'l'))
		return swift_make1(r, SWIFT_PRIVATE_NAME,
		                   swift_pop_kind(r, SWIFT_IDENTIFIER));
	if ((c >= 'a' && c <= 'j') || (c >= 'A' && c <= 'J')) {
		struct text letter = { r->at, 1 };

		r->at++;
		first = swift_make_text(r, SWIFT_IDENTIFIER, letter);
		return swift_make2(r, SWIFT_RELATED_NAME, first, swift_pop(r));
	}
	first = swift_index_node(r);
	return swift_make2(r, SWIFT_LOCAL_NAME, first, swift_pop_name(r));
}

/** Push @p node repeatedly, except for the last time. */
static struct swift_node *repeated(struct swift_reader *r,
                                   struct swift_node *node, uint64_t times)
{
	if (times > REPEAT_MAX)
		return NULL;
	for (; node && times > 1; times--)
		if (!swift_push(&r->stack, r->pool, node))
			return NULL;
	return node;
}

static struct swift_node *substitution(struct swift_reader *r, uint64_t at)
{
	if (at >= r->substitutions.count)
		return NULL;
	return r->substitutions.items[at];
}

/**
 * `A`: several substitutions in a row. All but the last have small letters; a
 * number before a letter repeats it, a number before `_` is an index from 27.
 */
struct swift_node *swift_read_substitutions(struct swift_reader *r)
{
	uint64_t number = 0;
	bool has_number = false;

	for (;;) {
		char c = swift_peek(r);
		struct swift_node *node;

		if (text_is_digit(c)) {
			if (!swift_natural(r, &number))
				return NULL;
			has_number = true;
			continue;
		}
		swift_next(r);
		if (c == '_')
			return substitution(r, has_number ? number + 27 : 26);
		if (!is_lower(c) && !is_upper(c))
			return NULL;
		node = substitution(
		        r, (uint64_t)(is_lower(c) ? c - 'a' : c - 'A'));
		node = repeated(r, node, has_number ? number : 1);
		if (is_upper(c) || !node)
			return node;
		if (!swift_push(&r->stack, r->pool, node))
			return NULL;
		has_number = false;
	}
}

struct standard_type {
	enum swift_kind kind;
	const char *name;
};

/** By the letter after `S`. */
static const struct standard_type types[128] = {
	['A'] = { SWIFT_STRUCTURE, "AutoreleasingUnsafeMutablePointer" },
	['a'] = { SWIFT_STRUCTURE, "Array" },
	['b'] = { SWIFT_STRUCTURE, "Bool" },
	['D'] = { SWIFT_STRUCTURE, "Dictionary" },
	['d'] = { SWIFT_STRUCTURE, "Double" },
	['f'] = { SWIFT_STRUCTURE, "Float" },
	['h'] = { SWIFT_STRUCTURE, "Set" },
	['I'] = { SWIFT_STRUCTURE, "DefaultIndices" },
	['i'] = { SWIFT_STRUCTURE, "Int" },
	['J'] = { SWIFT_STRUCTURE, "Character" },
	['N'] = { SWIFT_STRUCTURE, "ClosedRange" },
	['n'] = { SWIFT_STRUCTURE, "Range" },
	['O'] = { SWIFT_STRUCTURE, "ObjectIdentifier" },
	['P'] = { SWIFT_STRUCTURE, "UnsafePointer" },
	['p'] = { SWIFT_STRUCTURE, "UnsafeMutablePointer" },
	['R'] = { SWIFT_STRUCTURE, "UnsafeBufferPointer" },
	['r'] = { SWIFT_STRUCTURE, "UnsafeMutableBufferPointer" },
	['S'] = { SWIFT_STRUCTURE, "String" },
	['s'] = { SWIFT_STRUCTURE, "Substring" },
	['u'] = { SWIFT_STRUCTURE, "UInt" },
	['V'] = { SWIFT_STRUCTURE, "UnsafeRawPointer" },
	['v'] = { SWIFT_STRUCTURE, "UnsafeMutableRawPointer" },
	['W'] = { SWIFT_STRUCTURE, "UnsafeRawBufferPointer" },
	['w'] = { SWIFT_STRUCTURE, "UnsafeMutableRawBufferPointer" },
	['q'] = { SWIFT_ENUM, "Optional" },
	['B'] = { SWIFT_PROTOCOL, "BinaryFloatingPoint" },
	['E'] = { SWIFT_PROTOCOL, "Encodable" },
	['e'] = { SWIFT_PROTOCOL, "Decodable" },
	['F'] = { SWIFT_PROTOCOL, "FloatingPoint" },
	['G'] = { SWIFT_PROTOCOL, "RandomNumberGenerator" },
	['H'] = { SWIFT_PROTOCOL, "Hashable" },
	['j'] = { SWIFT_PROTOCOL, "Numeric" },
	['K'] = { SWIFT_PROTOCOL, "BidirectionalCollection" },
	['k'] = { SWIFT_PROTOCOL, "RandomAccessCollection" },
	['L'] = { SWIFT_PROTOCOL, "Comparable" },
	['l'] = { SWIFT_PROTOCOL, "Collection" },
	['M'] = { SWIFT_PROTOCOL, "MutableCollection" },
	['m'] = { SWIFT_PROTOCOL, "RangeReplaceableCollection" },
	['Q'] = { SWIFT_PROTOCOL, "Equatable" },
	['T'] = { SWIFT_PROTOCOL, "Sequence" },
	['t'] = { SWIFT_PROTOCOL, "IteratorProtocol" },
	['U'] = { SWIFT_PROTOCOL, "UnsignedInteger" },
	['X'] = { SWIFT_PROTOCOL, "RangeExpression" },
	['x'] = { SWIFT_PROTOCOL, "Strideable" },
	['Y'] = { SWIFT_PROTOCOL, "RawRepresentable" },
	['y'] = { SWIFT_PROTOCOL, "StringProtocol" },
	['Z'] = { SWIFT_PROTOCOL, "SignedInteger" },
	['z'] = { SWIFT_PROTOCOL, "BinaryInteger" },
};
/** By the letter after `Sc`. */
static const struct standard_type concurrency_types[128] = {
	['A'] = { SWIFT_PROTOCOL, "Actor" },
	['C'] = { SWIFT_STRUCTURE, "CheckedContinuation" },
	['c'] = { SWIFT_STRUCTURE, "UnsafeContinuation" },
	['E'] = { SWIFT_STRUCTURE, "CancellationError" },
	['e'] = { SWIFT_STRUCTURE, "UnownedSerialExecutor" },
	['F'] = { SWIFT_PROTOCOL, "Executor" },
	['f'] = { SWIFT_PROTOCOL, "SerialExecutor" },
	['G'] = { SWIFT_STRUCTURE, "TaskGroup" },
	['g'] = { SWIFT_STRUCTURE, "ThrowingTaskGroup" },
	['h'] = { SWIFT_PROTOCOL, "TaskExecutor" },
	['I'] = { SWIFT_PROTOCOL, "AsyncIteratorProtocol" },
	['i'] = { SWIFT_PROTOCOL, "AsyncSequence" },
	['J'] = { SWIFT_STRUCTURE, "UnownedJob" },
	['M'] = { SWIFT_CLASS, "MainActor" },
	['P'] = { SWIFT_STRUCTURE, "TaskPriority" },
	['S'] = { SWIFT_STRUCTURE, "AsyncStream" },
	['s'] = { SWIFT_STRUCTURE, "AsyncThrowingStream" },
	['T'] = { SWIFT_STRUCTURE, "Task" },
	['t'] = { SWIFT_STRUCTURE, "UnsafeCurrentTask" },
};

bool swift_standard_type(char letter, bool concurrency, enum swift_kind *kind,
                         const char **name)
{
	size_t at = (unsigned char)letter;
	const struct standard_type *found;

	if (at >= ARRAY_SIZE(types))
		return false;
	found = concurrency ? &concurrency_types[at] : &types[at];
	if (!found->name)
		return false;
	*kind = found->kind;
	*name = found->name;
	return true;
}

static struct swift_node *optional(struct swift_reader *r)
{
	struct swift_node *arguments =
	        swift_make1(r, SWIFT_TYPE_LIST, swift_pop_type(r));
	struct swift_node *bound = swift_make2(
	        r, SWIFT_BOUND_ENUM,
	        swift_make_stdlib(r, SWIFT_ENUM, "Optional"), arguments);

	return swift_substitute(r, swift_make_type(r, bound));
}

/** `S`: frequent names have one letter. */
struct swift_node *swift_read_standard(struct swift_reader *r)
{
	uint64_t times = 1;
	enum swift_kind kind;
	const char *name;
	bool concurrency;

	if (swift_next_is(r, 'o'))
		return swift_make_text(r, SWIFT_MODULE, text_from("__C"));
	if (swift_next_is(r, 'C'))
		return swift_make_text(r, SWIFT_MODULE,
		                       text_from("__C_Synthesized"));
	if (swift_next_is(r, 'g'))
		return optional(r);
	if (text_is_digit(swift_peek(r)) && !swift_natural(r, &times))
		return NULL;
	concurrency = swift_next_is(r, 'c');
	if (!swift_standard_type(swift_next(r), concurrency, &kind, &name))
		return NULL;
	return repeated(r, swift_make_stdlib(r, kind, name), times);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

#include "lib/symbols/demangle/punycode.h"

#include <string.h>

/** Read letters after their number, decoding Punycode. */
static bool read_letters(struct swift_reader *r, bool is_punycode,
                         struct text *ret)
{
	char bytes[PUNYCODE_BYTES_MAX];
	uint64_t size;
	size_t decoded;
	char *data;

	if (!swift_natural(r, &size) || !size ||
	    size > (size_t)(r->end - r->at))
		return false;
	*ret = (struct text){ r->at, (size_t)size };
	r->at += size;
	if (!is_punycode)
		return true;
	if (!punycode_decode(*ret, bytes, &decoded) || !decoded)
		return false;
	data = swift_alloc(r->pool, decoded);
	memcpy(data, bytes, decoded);
	*ret = (struct text){ data, decoded };
	return true;
}

struct swift_node *swift_old_identifier(struct swift_reader *r,
                                        enum swift_kind kind)
{
	bool is_punycode = swift_next_is(r, 'X');
	bool is_operator = swift_next_is(r, 'o');
	struct text text;

	if (is_operator) {
		// Only names of declarations can be operators.
		if (kind != SWIFT_IDENTIFIER)
			return NULL;
		switch (swift_next(r)) {
		case 'p':
			kind = SWIFT_PREFIX_OPERATOR;
			break;
		case 'P':
			kind = SWIFT_POSTFIX_OPERATOR;
			break;
		case 'i':
			kind = SWIFT_INFIX_OPERATOR;
			break;
		default:
			return NULL;
		}
	}
	if (!read_letters(r, is_punycode, &text))
		return NULL;
	if (is_operator && !swift_operator_name(r->pool, text, &text))
		return NULL;
	return swift_make_text(r, kind, text);
}

struct swift_node *swift_old_name(struct swift_reader *r)
{
	struct swift_node *first;

	if (swift_next_is(r, 'L')) {
		first = swift_index_node(r);
		return swift_make2(r, SWIFT_LOCAL_NAME, first,
		                   swift_old_identifier(r, SWIFT_IDENTIFIER));
	}
	if (swift_next_is(r, 'P')) {
		first = swift_old_identifier(r, SWIFT_IDENTIFIER);
		return swift_make2(r, SWIFT_PRIVATE_NAME, first,
		                   swift_old_identifier(r, SWIFT_IDENTIFIER));
	}
	return swift_old_identifier(r, SWIFT_IDENTIFIER);
}

struct swift_node *swift_old_stdlib(struct swift_reader *r)
{
	return swift_make_text(r, SWIFT_MODULE, text_from("Swift"));
}

/** Some letters of Swift 3 differ from later ones. */
static bool old_standard_type(char letter, enum swift_kind *kind,
                              const char **name)
{
	static const char known[] = "abdfiVvPpqRrSu";

	if (letter == 'c' || letter == 'Q') {
		*kind = letter == 'c' ? SWIFT_STRUCTURE : SWIFT_ENUM;
		*name = letter == 'c' ? "UnicodeScalar"
		                      : "ImplicitlyUnwrappedOptional";
		return true;
	}
	return letter && strchr(known, letter) &&
	       swift_standard_type(letter, false, kind, name);
}

struct swift_node *swift_old_substitution(struct swift_reader *r)
{
	enum swift_kind kind;
	const char *name;
	uint64_t at;

	if (swift_next_is(r, 'o'))
		return swift_make_text(r, SWIFT_MODULE, text_from("__C"));
	if (swift_next_is(r, 'C'))
		return swift_make_text(r, SWIFT_MODULE,
		                       text_from("__C_Synthesized"));
	if (old_standard_type(swift_peek(r), &kind, &name)) {
		struct swift_node *type;

		swift_next(r);
		type = swift_make_stdlib(r, kind, name);
		return type ? type->children[0] : NULL;
	}
	if (!swift_index(r, &at) || at >= r->substitutions.count)
		return NULL;
	return r->substitutions.items[at];
}

struct swift_node *swift_old_module(struct swift_reader *r)
{
	struct swift_node *module;

	if (swift_next_is(r, 's'))
		return swift_old_stdlib(r);
	if (swift_next_is(r, 'S')) {
		module = swift_old_substitution(r);
		return swift_is(module, SWIFT_MODULE) ? module : NULL;
	}
	return swift_substitute(r, swift_old_identifier(r, SWIFT_MODULE));
}

struct swift_node *swift_old_declaration(struct swift_reader *r,
                                         enum swift_kind kind)
{
	struct swift_node *context = swift_old_context(r);

	return context ? swift_substitute(r, swift_make2(r, kind, context,
	                                                 swift_old_name(r)))
	               : NULL;
}

struct swift_node *swift_old_protocol_in(struct swift_reader *r,
                                         struct swift_node *context)
{
	return swift_substitute(
	        r, swift_make2(r, SWIFT_PROTOCOL, context, swift_old_name(r)));
}

/** A substitution can be the protocol or its module. */
static struct swift_node *read_protocol_inside(struct swift_reader *r)
{
	struct swift_node *found;

	if (swift_next_is(r, 'S')) {
		found = swift_old_substitution(r);
		if (swift_is(found, SWIFT_PROTOCOL))
			return found;
		return swift_is(found, SWIFT_MODULE)
		               ? swift_old_protocol_in(r, found)
		               : NULL;
	}
	if (swift_next_is(r, 's'))
		return swift_old_protocol_in(r, swift_old_stdlib(r));
	return swift_old_declaration(r, SWIFT_PROTOCOL);
}

struct swift_node *swift_old_protocol(struct swift_reader *r)
{
	return swift_make_type(r, read_protocol_inside(r));
}

bool swift_old_nominal_kind(char letter, enum swift_kind *kind)
{
	switch (letter) {
	case 'V':
		*kind = SWIFT_STRUCTURE;
		return true;
	case 'O':
		*kind = SWIFT_ENUM;
		return true;
	case 'C':
		*kind = SWIFT_CLASS;
		return true;
	case 'P':
		*kind = SWIFT_PROTOCOL;
		return true;
	default:
		return false;
	}
}

struct swift_node *swift_old_nominal(struct swift_reader *r)
{
	char letter = swift_next(r);
	enum swift_kind kind;

	if (letter == 'S')
		return swift_old_substitution(r);
	return swift_old_nominal_kind(letter, &kind)
	               ? swift_old_declaration(r, kind)
	               : NULL;
}

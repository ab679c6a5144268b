// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

#include <string.h>

/** Max nesting of types. */
#define DEPTH_MAX 200u

bool swift_old_take(struct swift_reader *r, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
		return false;
	r->at += size;
	return true;
}

struct swift_node *swift_old_nested(struct swift_reader *r, swift_operator read)
{
	struct swift_node *node = NULL;

	if (r->depth < DEPTH_MAX) {
		r->depth++;
		node = read(r);
		r->depth--;
	}
	return node;
}

struct swift_node *swift_old_add_word(struct swift_reader *r,
                                      struct swift_node *to,
                                      enum swift_kind kind, const char *word)
{
	return swift_add(r->pool, to,
	                 swift_make_text(r, kind, text_from(word)));
}

/** After `M`. */
static struct swift_node *read_metadata(struct swift_reader *r)
{
	static const struct {
		const char *letters;
		enum swift_kind kind;
	} kinds[] = {
		{ "P", SWIFT_GENERIC_PATTERN },
		{ "a", SWIFT_METADATA_ACCESSOR },
		{ "L", SWIFT_METADATA_LAZY_CACHE },
		{ "m", SWIFT_METACLASS },
		{ "n", SWIFT_NOMINAL_DESCRIPTOR },
		{ "f", SWIFT_FULL_METADATA },
		{ "Rf", SWIFT_REFLECTION_FIELD },
		{ "Rb", SWIFT_REFLECTION_BUILTIN },
		{ "Rs", SWIFT_REFLECTION_SUPERCLASS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (swift_old_take(r, kinds[i].letters))
			return swift_make1(r, kinds[i].kind, swift_old_type(r));
	if (swift_old_take(r, "Ra"))
		return swift_make1(r, SWIFT_REFLECTION_ASSOCIATED,
		                   swift_old_conformance(r));
	if (swift_next_is(r, 'p'))
		return swift_make1(r, SWIFT_PROTOCOL_DESCRIPTOR,
		                   swift_old_protocol(r));
	return swift_make1(r, SWIFT_METADATA, swift_old_type(r));
}

/** After `W`. */
static struct swift_node *read_witness(struct swift_reader *r)
{
	struct swift_node *first;

	switch (swift_next(r)) {
	case 'V':
		return swift_make1(r, SWIFT_VALUE_WITNESS_TABLE,
		                   swift_old_type(r));
	case 'v':
		return swift_read_field_offset(r, swift_old_entity);
	case 'o':
		return swift_make1(r, SWIFT_WITNESS_OFFSET,
		                   swift_old_entity(r));
	case 'P':
		return swift_make1(r, SWIFT_WITNESS_TABLE,
		                   swift_old_conformance(r));
	case 'G':
		return swift_make1(r, SWIFT_GENERIC_WITNESS_TABLE,
		                   swift_old_conformance(r));
	case 'I':
		return swift_make1(r, SWIFT_GENERIC_WITNESS_INSTANTIATION,
		                   swift_old_conformance(r));
	case 'l':
		first = swift_old_type(r);
		return swift_make2(r, SWIFT_LAZY_WITNESS_ACCESSOR, first,
		                   swift_old_conformance(r));
	case 'L':
		first = swift_old_type(r);
		return swift_make2(r, SWIFT_LAZY_WITNESS_CACHE, first,
		                   swift_old_conformance(r));
	case 'a':
		return swift_make1(r, SWIFT_WITNESS_TABLE_ACCESSOR,
		                   swift_old_conformance(r));
	case 't':
		first = swift_old_conformance(r);
		return swift_make2(r, SWIFT_ASSOCIATED_METADATA_ACCESSOR, first,
		                   swift_old_name(r));
	case 'T':
		first = swift_make1(r, SWIFT_ASSOCIATED_WITNESS_ACCESSOR,
		                    swift_old_conformance(r));
		first = swift_add(r->pool, first, swift_old_name(r));
		return swift_add(r->pool, first, swift_old_protocol(r));
	default:
		return NULL;
	}
}

/** After `T`. */
static struct swift_node *read_thunk(struct swift_reader *r)
{
	char letter = swift_next(r);
	struct swift_node *thunk;

	if (letter == 'W') {
		thunk = swift_make1(r, SWIFT_PROTOCOL_WITNESS,
		                    swift_old_conformance(r));
		return thunk ? swift_add(r->pool, thunk, swift_old_entity(r))
		             : NULL;
	}
	if (letter != 'R' && letter != 'r')
		return NULL;
	thunk = swift_make(r, letter == 'R' ? SWIFT_REABSTRACTION_HELPER
	                                    : SWIFT_REABSTRACTION);
	if (swift_next_is(r, 'G'))
		thunk = swift_add(r->pool, thunk,
		                  swift_old_signature(r, SWIFT_SIGNATURE));
	thunk = swift_add(r->pool, thunk, swift_old_type(r));
	return thunk ? swift_add(r->pool, thunk, swift_old_type(r)) : NULL;
}

static struct swift_node *read_value_witness(struct swift_reader *r)
{
	struct text letters = { r->at, 2 };
	const char *name;
	struct swift_node *node;

	if (r->end - r->at < 2)
		return NULL;
	name = swift_value_witness(letters);
	r->at += 2;
	if (!name)
		return NULL;
	node = swift_make1(r, SWIFT_VALUE_WITNESS, swift_old_type(r));
	if (node)
		node->text = text_from(name);
	return node;
}

static struct swift_node *read_global(struct swift_reader *r)
{
	struct swift_node *node;

	if (swift_next_is(r, 'M'))
		return read_metadata(r);
	if (swift_old_take(r, "PA")) {
		node = swift_make(r, swift_next_is(r, 'o')
		                             ? SWIFT_PARTIAL_APPLY_OBJC
		                             : SWIFT_PARTIAL_APPLY);
		return swift_old_take(r, "__T")
		               ? swift_add(r->pool, node,
		                           swift_old_nested(r, read_global))
		               : node;
	}
	if (swift_next_is(r, 't'))
		return swift_make1(r, SWIFT_TYPE_MANGLING, swift_old_type(r));
	if (swift_next_is(r, 'w'))
		return read_value_witness(r);
	if (swift_next_is(r, 'W'))
		return read_witness(r);
	if (swift_next_is(r, 'T'))
		return read_thunk(r);
	// A substitution cannot come first: this is a name of C.
	return swift_peek(r) == 'S' ? NULL : swift_old_entity(r);
}

/** Nested specializations; each has its own substitutions. */
static struct swift_node *add_specialized(struct swift_reader *r,
                                          struct swift_node *global)
{
	do {
		global = swift_add(r->pool, global, swift_old_specialized(r));
		r->substitutions.count = 0;
	} while (global && swift_old_take(r, "_TTS"));
	return swift_old_take(r, "_T") ? global : NULL;
}

struct swift_node *swift_read_old(struct swift_reader *r)
{
	static const struct {
		const char *letters;
		enum swift_kind kind;
	} attributes[] = {
		{ "To", SWIFT_OBJC },    { "TO", SWIFT_NONOBJC },
		{ "TD", SWIFT_DYNAMIC }, { "Td", SWIFT_DIRECT_METHOD },
		{ "TV", SWIFT_VTABLE },
	};
	struct swift_node *global = swift_make(r, SWIFT_GLOBAL);

	if (swift_old_take(r, "TS")) {
		global = add_specialized(r, global);
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
			if (swift_old_take(r, attributes[i].letters)) {
				global = swift_add(
				        r->pool, global,
				        swift_make(r, attributes[i].kind));
				break;
			}
	}
	if (!global)
		return NULL;
	global = swift_add(r->pool, global, read_global(r));
	if (global && r->at < r->end)
		global = swift_add(
		        r->pool, global,
		        swift_make_text(
		                r, SWIFT_SUFFIX,
		                (struct text){ r->at,
		                               (size_t)(r->end - r->at) }));
	return global;
}

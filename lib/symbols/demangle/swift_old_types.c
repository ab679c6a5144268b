// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <string.h>

static struct swift_node *read_type_inside(struct swift_reader *r);

static struct swift_node *read_protocol_list(struct swift_reader *r)
{
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);

	while (types && !swift_next_is(r, '_'))
		types = swift_add(r->pool, types, swift_old_protocol(r));
	return swift_make1(r, SWIFT_PROTOCOL_LIST, types);
}

static struct swift_node *associated_in(struct swift_reader *r,
                                        struct swift_node *root)
{
	if (!root)
		return NULL;
	return swift_substitute(
	        r, swift_make2(r, SWIFT_ASSOCIATED_TYPE_REF, root,
	                       swift_old_identifier(r, SWIFT_IDENTIFIER)));
}

static struct swift_node *read_archetype(struct swift_reader *r)
{
	if (swift_next_is(r, 'Q'))
		return associated_in(r, swift_old_nested(r, read_archetype));
	if (swift_next_is(r, 'S'))
		return associated_in(r, swift_old_substitution(r));
	if (swift_next_is(r, 's'))
		return associated_in(r, swift_old_stdlib(r));
	return NULL;
}

static struct swift_node *read_tuple(struct swift_reader *r, bool is_variadic)
{
	struct swift_node *tuple = swift_make(r, SWIFT_TUPLE);
	struct swift_node *element = NULL;

	while (tuple && !swift_next_is(r, '_')) {
		char c = swift_peek(r);

		element = swift_make(r, SWIFT_TUPLE_ELEMENT);
		if (text_is_digit(c) || c == 'o' || c == 'X')
			// A label, unless `X` begins a type.
			if (c != 'X' ||
			    (r->end - r->at > 1 && text_is_digit(r->at[1])))
				element = swift_add(
				        r->pool, element,
				        swift_old_identifier(
				                r, SWIFT_TUPLE_LABEL));
		element = swift_add(r->pool, element, swift_old_type(r));
		tuple = swift_add(r->pool, tuple, element);
	}
	if (tuple && is_variadic && element &&
	    !swift_add(r->pool, element, swift_make(r, SWIFT_VARIADIC)))
		return NULL;
	return tuple;
}

static struct swift_node *read_function(struct swift_reader *r,
                                        enum swift_kind kind)
{
	struct swift_node *function = swift_make(r, kind);
	bool throws = swift_next_is(r, 'z');
	struct swift_node *arguments;
	char letter;

	if (swift_next_is(r, 'y'))
		function = swift_add(r->pool, function,
		                     swift_make(r, SWIFT_SENDABLE));
	if (swift_next_is(r, 'Z'))
		function = swift_add(r->pool, function,
		                     swift_make(r, SWIFT_ASYNC));
	if (swift_next_is(r, 'D')) {
		letter = swift_next(r);
		if (!letter || !strchr("frdl", letter))
			return NULL;
		function = swift_add(r->pool, function,
		                     swift_make_number(r, SWIFT_DIFFERENTIABLE,
		                                       (uint64_t)letter));
	}
	if (swift_next_is(r, 'Y'))
		function = swift_add(
		        r->pool, function,
		        swift_make1(r, SWIFT_GLOBAL_ACTOR, swift_old_type(r)));
	if (throws)
		function = swift_add(r->pool, function,
		                     swift_make(r, SWIFT_THROWS));
	arguments = swift_make1(r, SWIFT_ARGUMENTS, swift_old_type(r));
	function = swift_add(r->pool, function, arguments);
	if (!function)
		return NULL;
	return swift_add(r->pool, function,
	                 swift_make1(r, SWIFT_RESULT, swift_old_type(r)));
}

static struct swift_node *read_sized(struct swift_reader *r, const char *prefix)
{
	SCOPED(str_release) struct str str = { 0 };
	uint64_t size;
	char *data;

	if (!swift_natural(r, &size) || !swift_next_is(r, '_'))
		return NULL;
	str_addf(&str, "%s%" PRIu64, prefix, size);
	data = swift_alloc(r->pool, str.size);
	memcpy(data, str.data, str.size);
	return swift_make_text(r, SWIFT_BUILTIN_NAME,
	                       (struct text){ data, str.size });
}

static struct swift_node *read_vector(struct swift_reader *r)
{
	SCOPED(str_release) struct str prefix = { 0 };
	uint64_t count;
	char *data;

	if (!swift_natural(r, &count) || !swift_next_is(r, 'B'))
		return NULL;
	str_addf(&prefix, "Builtin.Vec%" PRIu64 "x", count);
	if (swift_next_is(r, 'i')) {
		str_add(&prefix, "Int");
		return read_sized(r, str_cstr(&prefix));
	}
	if (swift_next_is(r, 'f')) {
		str_add(&prefix, "FPIEEE");
		return read_sized(r, str_cstr(&prefix));
	}
	if (!swift_next_is(r, 'p'))
		return NULL;
	str_add(&prefix, "RawPointer");
	data = swift_alloc(r->pool, prefix.size);
	memcpy(data, prefix.data, prefix.size);
	return swift_make_text(r, SWIFT_BUILTIN_NAME,
	                       (struct text){ data, prefix.size });
}

static struct swift_node *read_builtin(struct swift_reader *r)
{
	static const struct {
		char letter;
		const char *name;
	} names[] = {
		{ 'b', "Builtin.BridgeObject" },
		{ 'B', "Builtin.UnsafeValueBuffer" },
		{ 'O', "Builtin.UnknownObject" },
		{ 'o', "Builtin.NativeObject" },
		{ 'p', "Builtin.RawPointer" },
		{ 't', "Builtin.SILToken" },
		{ 'w', "Builtin.Word" },
	};

	if (swift_next_is(r, 'f'))
		return read_sized(r, "Builtin.FPIEEE");
	if (swift_next_is(r, 'i'))
		return read_sized(r, "Builtin.Int");
	if (swift_next_is(r, 'v'))
		return read_vector(r);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (swift_next_is(r, names[i].letter))
			return swift_make_text(r, SWIFT_BUILTIN_NAME,
			                       text_from(names[i].name));
	return NULL;
}

static struct swift_node *read_metatype(struct swift_reader *r,
                                        enum swift_kind kind)
{
	const char *word = swift_next_is(r, 't')   ? "@thin"
	                   : swift_next_is(r, 'T') ? "@thick"
	                   : swift_next_is(r, 'o') ? "@objc_metatype"
	                                           : NULL;
	struct swift_node *metatype;

	if (!word)
		return NULL;
	metatype = swift_old_add_word(r, swift_make(r, kind),
	                              SWIFT_METATYPE_REPRESENTATION, word);
	return metatype ? swift_add(r->pool, metatype, swift_old_type(r))
	                : NULL;
}

/** `X` and a letter. */
static struct swift_node *read_extended(struct swift_reader *r)
{
	switch (swift_next(r)) {
	case 'b':
		return swift_make1(r, SWIFT_SIL_BOX, swift_old_type(r));
	case 'B':
		return swift_old_box(r);
	case 'M':
		return read_metatype(r, SWIFT_METATYPE);
	case 'P':
		if (swift_next_is(r, 'M'))
			return read_metatype(r, SWIFT_EXISTENTIAL_METATYPE);
		return read_protocol_list(r);
	case 'f':
		return read_function(r, SWIFT_THIN_FUNCTION);
	case 'o':
		return swift_make1(r, SWIFT_UNOWNED, swift_old_type(r));
	case 'u':
		return swift_make1(r, SWIFT_UNMANAGED, swift_old_type(r));
	case 'w':
		return swift_make1(r, SWIFT_WEAK, swift_old_type(r));
	case 'F':
		return swift_old_lowered(r);
	default:
		return NULL;
	}
}

static struct swift_node *read_generic(struct swift_reader *r)
{
	struct swift_node *signature = swift_old_signature(r, SWIFT_SIGNATURE);

	return signature ? swift_make2(r, SWIFT_GENERIC_TYPE, signature,
	                               swift_old_type(r))
	                 : NULL;
}

static struct swift_node *read_opaque(struct swift_reader *r)
{
	if (swift_next_is(r, 'u'))
		return swift_make(r, SWIFT_OPAQUE_RETURN);
	if (swift_next_is(r, 'U'))
		return swift_make1(r, SWIFT_OPAQUE_RETURN, swift_index_node(r));
	return read_archetype(r);
}

/** Types with operands, by their letter. */
static struct swift_node *read_compound(struct swift_reader *r, char letter)
{
	enum swift_kind kind;

	switch (letter) {
	case 'G':
		return swift_old_bound(r);
	case 'P':
		if (swift_next_is(r, 'M'))
			return swift_make1(r, SWIFT_EXISTENTIAL_METATYPE,
			                   swift_old_type(r));
		return read_protocol_list(r);
	case 'Q':
		return read_opaque(r);
	case 'q':
		return swift_old_dependent(r);
	case 'x':
		return swift_make_param(r, 0, 0);
	case 'w':
		return swift_old_member_simple(r);
	case 'W':
		return swift_old_member_path(r);
	case 'R':
		return swift_make1(r, SWIFT_INOUT,
		                   swift_old_nested(r, read_type_inside));
	case 'k':
		return swift_make1(r, SWIFT_NO_DERIVATIVE,
		                   swift_old_nested(r, read_type_inside));
	case 'S':
		return swift_old_substitution(r);
	case 'T':
		return read_tuple(r, false);
	case 't':
		return read_tuple(r, true);
	case 'u':
		return read_generic(r);
	case 'X':
		return read_extended(r);
	default:
		return swift_old_nominal_kind(letter, &kind)
		               ? swift_old_declaration(r, kind)
		               : NULL;
	}
}

static struct swift_node *read_type_inside(struct swift_reader *r)
{
	char letter = swift_next(r);

	switch (letter) {
	case 'B':
		return read_builtin(r);
	case 'a':
		return swift_old_declaration(r, SWIFT_TYPE_ALIAS);
	case 'b':
		return read_function(r, SWIFT_BLOCK);
	case 'c':
		return read_function(r, SWIFT_C_FUNCTION);
	case 'F':
		return read_function(r, SWIFT_FUNCTION_TYPE);
	case 'f':
		return read_function(r, SWIFT_UNCURRIED_FUNCTION);
	case 'K':
		return read_function(r, SWIFT_AUTOCLOSURE);
	case 'D':
		return swift_make1(r, SWIFT_DYNAMIC_SELF, swift_old_type(r));
	case 'M':
		return swift_make1(r, SWIFT_METATYPE, swift_old_type(r));
	case 'E':
		return swift_old_take(r, "RR") ? swift_make(r, SWIFT_ERROR_TYPE)
		                               : NULL;
	default:
		return read_compound(r, letter);
	}
}

struct swift_node *swift_old_type(struct swift_reader *r)
{
	return swift_make_type(r, swift_old_nested(r, read_type_inside));
}

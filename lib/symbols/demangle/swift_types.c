// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <string.h>

/** A builtin type, by the letter after `B`. */
static const char *const builtin_names[128] = {
	['A'] = "Builtin.ImplicitActor",
	['b'] = "Builtin.BridgeObject",
	['B'] = "Builtin.UnsafeValueBuffer",
	['c'] = "Builtin.RawUnsafeContinuation",
	['D'] = "Builtin.DefaultActorStorage",
	['d'] = "Builtin.NonDefaultDistributedActorStorage",
	['e'] = "Builtin.Executor",
	['I'] = "Builtin.IntLiteral",
	['j'] = "Builtin.Job",
	['O'] = "Builtin.UnknownObject",
	['o'] = "Builtin.NativeObject",
	['p'] = "Builtin.RawPointer",
	['P'] = "Builtin.PackIndex",
	['Q'] = "Builtin.WasmExternrefTable",
	['r'] = "Builtin.WasmExternref",
	['t'] = "Builtin.SILToken",
	['w'] = "Builtin.Word",
};

/** Max bits of a number, and elements of a vector. */
#define BUILTIN_SIZE_MAX 4096u

static struct text printed(struct swift_reader *r, const char *before,
                           uint64_t number, struct text element)
{
	SCOPED(str_release) struct str str = { 0 };
	char *data;

	str_addf(&str, "%s%" PRIu64 "%s%.*s", before, number,
	         element.size ? "x" : "", TEXT_ARGS(element));
	data = swift_alloc(r->pool, str.size);
	memcpy(data, str.data, str.size);
	return (struct text){ data, str.size };
}

/** `i64_`, `f32_`, and `v4_` after the element type. */
static struct swift_node *sized_builtin(struct swift_reader *r, char letter)
{
	static const char prefix[] = "Builtin.";
	const char *before = letter == 'f'   ? "Builtin.FPIEEE"
	                     : letter == 'i' ? "Builtin.Int"
	                                     : "Builtin.Vec";
	struct text element_name = TEXT_NONE;
	uint64_t size;

	if (!swift_index(r, &size) || size < 2 || size - 1 > BUILTIN_SIZE_MAX)
		return NULL;
	if (letter == 'v') {
		struct swift_node *element = swift_pop_type_child(r);

		if (!swift_is(element, SWIFT_BUILTIN_NAME) ||
		    !text_starts(element->text, prefix))
			return NULL;
		element_name = text_after(element->text, strlen(prefix));
	}
	return swift_make_text(r, SWIFT_BUILTIN_NAME,
	                       printed(r, before, size - 1, element_name));
}

struct swift_node *swift_read_builtin(struct swift_reader *r)
{
	char letter = swift_next(r);
	struct swift_node *first;
	const char *name;

	switch (letter) {
	case 'f':
	case 'i':
	case 'v':
		return swift_make_type(r, sized_builtin(r, letter));
	case 'V':
		first = swift_pop_type(r);
		return swift_make_type(r,
		                       swift_make2(r, SWIFT_BUILTIN_FIXED_ARRAY,
		                                   swift_pop_type(r), first));
	case 'W':
		return swift_make_type(r, swift_make1(r, SWIFT_BUILTIN_BORROW,
		                                      swift_pop_type(r)));
	case 'T':
		return swift_make_type(r, swift_make(r, SWIFT_BUILTIN_TUPLE));
	default:
		break;
	}
	if ((unsigned char)letter >= ARRAY_SIZE(builtin_names))
		return NULL;
	name = builtin_names[(unsigned char)letter];
	if (!name)
		return NULL;
	return swift_make_type(
	        r, swift_make_text(r, SWIFT_BUILTIN_NAME, text_from(name)));
}

/** `$1_` is 2; `$n1_` is -2. */
struct swift_node *swift_read_integer(struct swift_reader *r)
{
	enum swift_kind kind = swift_next_is(r, 'n') ? SWIFT_NEGATIVE_INTEGER
	                                             : SWIFT_INTEGER;
	uint64_t number;

	if (!swift_index(r, &number))
		return NULL;
	return swift_make_type(r, swift_make_number(r, kind, number));
}

static struct swift_node *tuple_element(struct swift_reader *r)
{
	struct swift_node *element = swift_make(r, SWIFT_TUPLE_ELEMENT);
	struct swift_node *label;

	element = swift_add_any(r, element, swift_pop_kind(r, SWIFT_VARIADIC));
	label = swift_pop_kind(r, SWIFT_IDENTIFIER);
	if (label)
		element = swift_add(
		        r->pool, element,
		        swift_make_text(r, SWIFT_TUPLE_LABEL, label->text));
	return swift_add(r->pool, element, swift_pop_type(r));
}

struct swift_node *swift_read_tuple(struct swift_reader *r)
{
	struct swift_node *tuple = swift_make(r, SWIFT_TUPLE);
	bool first = swift_pop_kind(r, SWIFT_EMPTY_LIST);

	while (tuple && !first) {
		first = swift_pop_kind(r, SWIFT_FIRST_ELEMENT);
		tuple = swift_add(r->pool, tuple, tuple_element(r));
	}
	if (tuple)
		swift_reverse(tuple, 0);
	return swift_make_type(r, tuple);
}

/** `D`: a type alone, for debuggers. */
struct swift_node *swift_read_type_mangling(struct swift_reader *r)
{
	struct swift_node *type = swift_pop_type(r);
	struct swift_node *mangling = swift_make(r, SWIFT_TYPE_MANGLING);
	struct swift_node *labels;

	if (!swift_pop_labels(r, type, &labels))
		return NULL;
	mangling = swift_add_any(r, mangling, labels);
	return swift_add(r->pool, mangling, type);
}

static struct swift_node *differentiable(struct swift_reader *r)
{
	char letter = swift_next(r);

	if (letter != 'f' && letter != 'r' && letter != 'd' && letter != 'l')
		return NULL;
	return swift_make_number(r, SWIFT_DIFFERENTIABLE, (uint64_t)letter);
}

static struct swift_node *modified(struct swift_reader *r, enum swift_kind kind)
{
	return swift_make_type(r,
	                       swift_make1(r, kind, swift_pop_type_child(r)));
}

/** `Y`: attributes of function types and of parameters. */
struct swift_node *swift_read_annotation(struct swift_reader *r)
{
	switch (swift_next(r)) {
	case 'a':
		return swift_make(r, SWIFT_ASYNC);
	case 'A':
		return swift_make(r, SWIFT_ISOLATED_ANY);
	case 'b':
		return swift_make(r, SWIFT_SENDABLE);
	case 'c':
		return swift_make1(r, SWIFT_GLOBAL_ACTOR,
		                   swift_pop_type_child(r));
	case 'C':
		return swift_make(r, SWIFT_NONISOLATED_CALLER);
	case 'T':
		return swift_make(r, SWIFT_SENDING_RESULT);
	case 'j':
		return differentiable(r);
	case 'K':
		return swift_make1(r, SWIFT_TYPED_THROWS,
		                   swift_pop_type_child(r));
	case 'i':
		return modified(r, SWIFT_ISOLATED);
	case 'k':
		return modified(r, SWIFT_NO_DERIVATIVE);
	case 't':
		return modified(r, SWIFT_COMPILE_TIME_LITERAL);
	case 'g':
		return modified(r, SWIFT_CONST_VALUE);
	case 'u':
		return modified(r, SWIFT_SENDING);
	default:
		return NULL;
	}
}

static struct swift_node *protocol_list(struct swift_reader *r)
{
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);
	bool first = swift_pop_kind(r, SWIFT_EMPTY_LIST);

	while (types && !first) {
		first = swift_pop_kind(r, SWIFT_FIRST_ELEMENT);
		types = swift_add(r->pool, types, swift_pop_protocol(r));
	}
	if (types)
		swift_reverse(types, 0);
	return swift_make1(r, SWIFT_PROTOCOL_LIST, types);
}

struct swift_node *swift_read_protocols(struct swift_reader *r)
{
	return swift_make_type(r, protocol_list(r));
}

static struct swift_node *metatype(struct swift_reader *r, enum swift_kind kind)
{
	const char *name;

	switch (swift_next(r)) {
	case 't':
		name = "@thin";
		break;
	case 'T':
		name = "@thick";
		break;
	case 'o':
		name = "@objc_metatype";
		break;
	default:
		return NULL;
	}
	return swift_make_type(
	        r, swift_make2(r, kind,
	                       swift_make_text(r, SWIFT_METATYPE_REPRESENTATION,
	                                       text_from(name)),
	                       swift_pop_type(r)));
}

static struct swift_node *constrained_existential(struct swift_reader *r)
{
	struct swift_node *list = swift_make(r, SWIFT_CONSTRAINED_REQUIREMENTS);
	bool first = false;

	while (list && !first) {
		first = swift_pop_kind(r, SWIFT_FIRST_ELEMENT);
		list = swift_add(r->pool, list,
		                 swift_pop_flag(r, SWIFT_IS_REQUIREMENT));
	}
	if (list)
		swift_reverse(list, 0);
	return swift_make_type(r, swift_make2(r, SWIFT_CONSTRAINED_EXISTENTIAL,
	                                      swift_pop_type(r), list));
}

static struct swift_node *box_field(struct swift_reader *r,
                                    struct swift_node *type)
{
	struct swift_node *inner = type->children[0];

	if (inner->kind != SWIFT_INOUT)
		return swift_make1(r, SWIFT_SIL_BOX_LET, type);
	// `inout` marks a mutable field.
	return swift_make1(r, SWIFT_SIL_BOX_VAR,
	                   swift_make_type(r, inner->children[0]));
}

static struct swift_node *box(struct swift_reader *r, bool is_generic)
{
	struct swift_node *signature = NULL;
	struct swift_node *arguments = NULL;
	struct swift_node *layout = swift_make(r, SWIFT_SIL_BOX_LAYOUT);
	struct swift_node *fields;
	struct swift_node *made;

	if (is_generic) {
		signature = swift_pop_signature(r);
		arguments = signature ? swift_pop_types(r, SWIFT_TYPE_LIST)
		                      : NULL;
		if (!arguments)
			return NULL;
	}
	fields = swift_pop_types(r, SWIFT_TYPE_LIST);
	for (unsigned i = 0; layout && fields && i < fields->count; i++)
		layout = swift_add(r->pool, layout,
		                   box_field(r, fields->children[i]));
	if (!fields)
		return NULL;
	made = swift_make1(r, SWIFT_SIL_BOX_WITH_LAYOUT, layout);
	if (is_generic)
		made = swift_add(r->pool, swift_add(r->pool, made, signature),
		                 arguments);
	return swift_make_type(r, made);
}

static struct swift_node *anonymous_context(struct swift_reader *r)
{
	struct swift_node *types = swift_pop_types(r, SWIFT_TYPE_LIST);
	struct swift_node *name = swift_pop_kind(r, SWIFT_IDENTIFIER);

	return swift_make3(r, SWIFT_ANONYMOUS_CONTEXT, name,
	                   swift_pop_context(r), types);
}

static struct swift_node *sugared(struct swift_reader *r)
{
	struct swift_node *last;
	enum swift_kind kind;

	switch (swift_next(r)) {
	case 'q':
		return swift_make_type(r, swift_make1(r, SWIFT_SUGARED_OPTIONAL,
		                                      swift_pop_type(r)));
	case 'a':
		return swift_make_type(r, swift_make1(r, SWIFT_SUGARED_ARRAY,
		                                      swift_pop_type(r)));
	case 'p':
		return swift_make_type(r, swift_make1(r, SWIFT_SUGARED_PAREN,
		                                      swift_pop_type(r)));
	case 'A':
		kind = SWIFT_SUGARED_INLINE_ARRAY;
		break;
	case 'D':
		kind = SWIFT_SUGARED_DICTIONARY;
		break;
	default:
		return NULL;
	}
	last = swift_pop_type(r);
	return swift_make_type(r,
	                       swift_make2(r, kind, swift_pop_type(r), last));
}

/** A C function or block, with its C type. */
static struct swift_node *clang_function(struct swift_reader *r)
{
	char letter = swift_next(r);
	enum swift_kind kind = letter == 'B' ? SWIFT_BLOCK : SWIFT_C_FUNCTION;
	struct swift_node *function;
	uint64_t size;

	if ((letter != 'B' && letter != 'C') || !swift_natural(r, &size) ||
	    !size || size > (size_t)(r->end - r->at))
		return NULL;
	r->at += size;
	function = swift_pop_function(r, kind);
	if (!function)
		return NULL;
	function = swift_add(
	        r->pool, function->children[0],
	        swift_make_text(r, SWIFT_CLANG_TYPE,
	                        (struct text){ r->at - size, (size_t)size }));
	return swift_make_type(r, function);
}

static struct swift_node *existential_shape(struct swift_reader *r,
                                            bool is_generic)
{
	struct swift_node *type = swift_pop_type(r);

	if (!is_generic)
		return swift_make1(r, SWIFT_EXISTENTIAL_SHAPE, type);
	return swift_make2(r, SWIFT_EXISTENTIAL_SHAPE, swift_pop_signature(r),
	                   type);
}

/** `X` and a letter, by their operands or result. */
static bool special_kind(char letter, enum swift_kind *kind, bool *is_function)
{
	static const struct {
		char letter;
		bool is_function;
		enum swift_kind kind;
	} kinds[] = {
		{ 'E', true, SWIFT_NO_ESCAPE_FUNCTION },
		{ 'A', true, SWIFT_ESCAPING_AUTOCLOSURE },
		{ 'f', true, SWIFT_THIN_FUNCTION },
		{ 'K', true, SWIFT_AUTOCLOSURE },
		{ 'U', true, SWIFT_UNCURRIED_FUNCTION },
		{ 'L', true, SWIFT_ESCAPING_BLOCK },
		{ 'B', true, SWIFT_BLOCK },
		{ 'C', true, SWIFT_C_FUNCTION },
		{ 'o', false, SWIFT_UNOWNED },
		{ 'u', false, SWIFT_UNMANAGED },
		{ 'w', false, SWIFT_WEAK },
		{ 'b', false, SWIFT_SIL_BOX },
		{ 'D', false, SWIFT_DYNAMIC_SELF },
		{ 'p', false, SWIFT_EXISTENTIAL_METATYPE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].letter != letter)
			continue;
		*kind = kinds[i].kind;
		*is_function = kinds[i].is_function;
		return true;
	}
	return false;
}

static struct swift_node *other_nominal(struct swift_reader *r)
{
	struct swift_node *name = swift_pop_name(r);

	return swift_substitute(
	        r, swift_make_type(r, swift_make2(r, SWIFT_OTHER_NOMINAL,
	                                          swift_pop_context(r), name)));
}

struct swift_node *swift_read_special_type(struct swift_reader *r)
{
	char letter = swift_next(r);
	struct swift_node *superclass;
	enum swift_kind kind;
	bool is_function;

	if (special_kind(letter, &kind, &is_function))
		return is_function ? swift_pop_function(r, kind)
		                   : swift_make_type(
		                             r, swift_make1(r, kind,
		                                            swift_pop_type(r)));
	switch (letter) {
	case 'g':
	case 'G':
		return existential_shape(r, letter == 'G');
	case 'z':
		return clang_function(r);
	case 'M':
		return metatype(r, SWIFT_METATYPE);
	case 'm':
		return metatype(r, SWIFT_EXISTENTIAL_METATYPE);
	case 'P':
		return constrained_existential(r);
	case 'c':
		superclass = swift_pop_type(r);
		return swift_make_type(
		        r, swift_make2(r, SWIFT_PROTOCOL_LIST_WITH_CLASS,
		                       protocol_list(r), superclass));
	case 'l':
		return swift_make_type(
		        r, swift_make1(r, SWIFT_PROTOCOL_LIST_WITH_ANY_OBJECT,
		                       protocol_list(r)));
	case 'X':
	case 'x':
		return box(r, letter == 'X');
	case 'Y':
		return other_nominal(r);
	case 'Z':
		return anonymous_context(r);
	case 'e':
		return swift_make_type(r, swift_make(r, SWIFT_ERROR_TYPE));
	case 'S':
		return sugared(r);
	default:
		return NULL;
	}
}

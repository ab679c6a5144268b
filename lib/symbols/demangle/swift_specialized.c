// SPDX-License-Identifier: MIT
/*
 * Specializations: copies of a function for certain types or arguments.
 */
#include "lib/symbols/demangle/swift_reader.h"

#include "lib/symbols/demangle/swift_signature.h"

/** An optimiser pass is one digit or letter. */
static bool pass(struct swift_reader *r, struct swift_node **spec)
{
	char c = swift_next(r);

	if (!text_is_digit(c))
		return false;
	*spec = swift_add(
	        r->pool, *spec,
	        swift_make_number(r, SWIFT_PASS, (uint64_t)(c - '0')));
	return *spec;
}

static struct swift_node *attributes(struct swift_reader *r,
                                     enum swift_kind kind)
{
	struct swift_node *spec = swift_make(r, kind);

	swift_next_is(r, 'm'); // metatypes were removed; not printed
	if (swift_next_is(r, 'q'))
		spec = swift_add(r->pool, spec,
		                 swift_make(r, SWIFT_SERIALIZED));
	if (swift_next_is(r, 'a'))
		spec = swift_add(r->pool, spec,
		                 swift_make(r, SWIFT_ASYNC_REMOVED));
	if (swift_next_is(r, 'r'))
		spec = swift_add(r->pool, spec,
		                 swift_make(r, SWIFT_REPRESENTATION_CHANGED));
	return pass(r, &spec) ? spec : NULL;
}

static struct swift_node *generic(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *spec = attributes(r, kind);
	struct swift_node *types;

	if (!spec)
		return NULL;
	types = swift_pop_types(r, SWIFT_TYPE_LIST);
	if (!types)
		return NULL;
	for (unsigned i = 0; spec && i < types->count; i++)
		spec = swift_add(r->pool, spec,
		                 swift_make1(r, SWIFT_SPECIALIZED_PARAM,
		                             types->children[i]));
	return spec;
}

static struct swift_node *partial(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *spec = attributes(r, kind);

	if (!spec)
		return NULL;
	return swift_add(
	        r->pool, spec,
	        swift_make1(r, SWIFT_SPECIALIZED_PARAM, swift_pop_type(r)));
}

/** `t…`: dropped arguments; not printed. */
static struct swift_node *with_dropped(struct swift_reader *r)
{
	uint64_t number;

	r->at--;
	while (swift_next_is(r, 't'))
		swift_natural(r, &number);
	switch (swift_next(r)) {
	case 'g':
		return generic(r, SWIFT_SPECIALIZED);
	case 'G':
		return generic(r, SWIFT_SPECIALIZED_NOT_REABSTRACTED);
	case 'B':
		return generic(r, SWIFT_SPECIALIZED_RESILIENCE);
	default:
		return NULL;
	}
}

static struct swift_node *operation(struct swift_reader *r, uint64_t number)
{
	return swift_make_number(r, SWIFT_SIGNATURE_OPERATION, number);
}

/** A constant number, as digits. */
static struct swift_node *add_number(struct swift_reader *r,
                                     struct swift_node *param,
                                     enum swift_signature_operation what)
{
	struct text digits = { r->at, 0 };

	while (text_is_digit(swift_peek(r))) {
		swift_next(r);
		digits.size++;
	}
	if (!digits.size)
		return NULL;
	param = swift_add(r->pool, param, operation(r, what));
	return swift_add(r->pool, param,
	                 swift_make_text(r, SWIFT_SIGNATURE_PAYLOAD, digits));
}

static struct swift_node *add_string(struct swift_reader *r,
                                     struct swift_node *param)
{
	const char *encoding = swift_next_is(r, 'b')   ? "u8"
	                       : swift_next_is(r, 'w') ? "u16"
	                       : swift_next_is(r, 'c') ? "objc"
	                                               : NULL;

	if (!encoding)
		return NULL;
	param = swift_add(r->pool, param, operation(r, SWIFT_SIGNATURE_STRING));
	return swift_add(r->pool, param,
	                 swift_make_text(r, SWIFT_SIGNATURE_PAYLOAD,
	                                 text_from(encoding)));
}

/** `p…`: constants; their names are on the stack. */
static struct swift_node *add_constants(struct swift_reader *r,
                                        struct swift_node *param)
{
	bool any = false;

	for (; param; any = true) {
		if (swift_next_is(r, 'f'))
			param = swift_add(
			        r->pool, param,
			        operation(r, SWIFT_SIGNATURE_FUNCTION));
		else if (swift_next_is(r, 'g'))
			param = swift_add(r->pool, param,
			                  operation(r, SWIFT_SIGNATURE_GLOBAL));
		else if (swift_next_is(r, 'S'))
			param = swift_add(r->pool, param,
			                  operation(r, SWIFT_SIGNATURE_STRUCT));
		else if (swift_next_is(r, 'k'))
			param = swift_add(
			        r->pool, param,
			        operation(r, SWIFT_SIGNATURE_KEY_PATH));
		else if (swift_next_is(r, 'i'))
			param = add_number(r, param, SWIFT_SIGNATURE_INTEGER);
		else if (swift_next_is(r, 'd'))
			param = add_number(r, param, SWIFT_SIGNATURE_FLOAT);
		else if (swift_next_is(r, 's'))
			param = add_string(r, param);
		else
			return any ? param : NULL;
	}
	return NULL;
}

/** Flags after the first letter, in their order. */
static uint64_t more_flags(struct swift_reader *r, uint64_t flags,
                           const char *letters)
{
	for (; *letters; letters++) {
		if (!swift_next_is(r, *letters))
			continue;
		flags |= *letters == 'D'   ? SWIFT_SIGNATURE_DEAD
		         : *letters == 'G' ? SWIFT_SIGNATURE_OWNED_TO_GUARANTEED
		         : *letters == 'O' ? SWIFT_SIGNATURE_GUARANTEED_TO_OWNED
		                           : SWIFT_SIGNATURE_EXPLODED;
	}
	return flags;
}

static struct swift_node *previous_closure(struct swift_reader *r,
                                           struct swift_node *param)
{
	uint64_t number;

	if (!swift_natural(r, &number))
		return NULL;
	param = swift_add(r->pool, param,
	                  operation(r, SWIFT_SIGNATURE_CLOSURE_PREVIOUS));
	return swift_add(r->pool, param,
	                 swift_make_number(r, SWIFT_NUMBER, number));
}

static struct swift_node *signature_param(struct swift_reader *r,
                                          enum swift_kind kind)
{
	struct swift_node *param = swift_make(r, kind);
	uint64_t what;

	switch (swift_next(r)) {
	case 'n':
		return param;
	case 'p':
		return add_constants(r, param);
	case 'C':
		return previous_closure(r, param);
	case 'c':
		what = SWIFT_SIGNATURE_CLOSURE;
		break;
	case 'e':
		what = more_flags(r, SWIFT_SIGNATURE_TO_GENERIC, "DGOX");
		break;
	case 'd':
		what = more_flags(r, SWIFT_SIGNATURE_DEAD, "GOX");
		break;
	case 'g':
		what = more_flags(r, SWIFT_SIGNATURE_OWNED_TO_GUARANTEED, "X");
		break;
	case 'o':
		what = more_flags(r, SWIFT_SIGNATURE_GUARANTEED_TO_OWNED, "X");
		break;
	case 'x':
		what = SWIFT_SIGNATURE_EXPLODED;
		break;
	case 'i':
		what = SWIFT_SIGNATURE_BOX_TO_VALUE;
		break;
	case 's':
		what = SWIFT_SIGNATURE_BOX_TO_STACK;
		break;
	case 'r':
		what = SWIFT_SIGNATURE_INOUT_TO_OUT;
		break;
	default:
		return NULL;
	}
	return swift_add(r->pool, param, operation(r, what));
}

static struct swift_node *add_payload(struct swift_reader *r,
                                      struct swift_node *param, bool is_string)
{
	struct swift_node *name = swift_pop_kind(r, SWIFT_IDENTIFIER);
	struct text text;

	if (!name)
		return NULL;
	text = name->text;
	// `_` separates a text that begins with a digit or `_`.
	if (is_string && text_starts(text, "_"))
		text = text_after(text, 1);
	return swift_add(r->pool, param,
	                 swift_make_text(r, SWIFT_SIGNATURE_PAYLOAD, text));
}

/** Pop the operands of an operation. */
static struct swift_node *add_operands(struct swift_reader *r,
                                       struct swift_node *param, uint64_t what)
{
	struct swift_node *type;

	switch (what) {
	case SWIFT_SIGNATURE_CLOSURE:
		while (param && (type = swift_pop_type(r)))
			param = swift_add(r->pool, param, type);
		return add_payload(r, param, false);
	case SWIFT_SIGNATURE_KEY_PATH:
		param = swift_add(r->pool, param, swift_pop_type(r));
		param = swift_add(r->pool, param, swift_pop_type(r));
		return add_payload(r, param, false);
	case SWIFT_SIGNATURE_STRUCT:
		return swift_add(r->pool, param, swift_pop_type(r));
	case SWIFT_SIGNATURE_STRING:
		return add_payload(r, param, true);
	case SWIFT_SIGNATURE_FUNCTION:
	case SWIFT_SIGNATURE_GLOBAL:
		return add_payload(r, param, false);
	default:
		return param;
	}
}

static struct swift_node *function(struct swift_reader *r)
{
	struct swift_node *spec = attributes(r, SWIFT_SPECIALIZED_SIGNATURE);

	if (swift_child(spec ? spec : &(struct swift_node){ 0 },
	                SWIFT_REPRESENTATION_CHANGED))
		return spec;
	while (spec && !swift_next_is(r, '_'))
		spec = swift_add(r->pool, spec,
		                 signature_param(r, SWIFT_SIGNATURE_PARAM));
	if (spec && !swift_next_is(r, 'n'))
		spec = swift_add(r->pool, spec,
		                 signature_param(r, SWIFT_SIGNATURE_RESULT));
	// Operands of the last parameter are on top.
	for (unsigned i = spec ? spec->count : 0; i-- > 0;) {
		struct swift_node *param = spec->children[i];
		unsigned fixed = param->count;

		if (param->kind != SWIFT_SIGNATURE_PARAM)
			continue;
		for (unsigned j = fixed; j-- > 0;) {
			struct swift_node *what = param->children[j];

			if (what->kind == SWIFT_SIGNATURE_OPERATION &&
			    !add_operands(r, param, what->number))
				return NULL;
		}
		swift_reverse(param, fixed);
	}
	return spec;
}

/** `T` and a letter. */
struct swift_node *swift_read_specialized(struct swift_reader *r, char letter)
{
	switch (letter) {
	case 'g':
		return generic(r, SWIFT_SPECIALIZED);
	case 'G':
		return generic(r, SWIFT_SPECIALIZED_NOT_REABSTRACTED);
	case 'B':
		return generic(r, SWIFT_SPECIALIZED_RESILIENCE);
	case 's':
		return generic(r, SWIFT_SPECIALIZED_BEFORE);
	case 'i':
		return generic(r, SWIFT_INLINED_GENERIC);
	case 't':
		return with_dropped(r);
	case 'p':
		return partial(r, SWIFT_SPECIALIZED_PARTLY);
	case 'P':
		return partial(r, SWIFT_SPECIALIZED_PARTLY_NOT_REABSTRACTED);
	case 'f':
		return function(r);
	default:
		return NULL;
	}
}

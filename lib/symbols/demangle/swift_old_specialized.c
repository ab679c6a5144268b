// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

#include "lib/symbols/demangle/swift_signature.h"

#include <string.h>

/** A constant that replaced a parameter. */
static struct swift_node *read_constant(struct swift_reader *r,
                                        struct swift_node *param)
{
	enum swift_signature_operation what;
	struct swift_node *payload = NULL;
	struct text text = TEXT_NONE;
	const char *encoding = NULL;

	if (swift_old_take(r, "fr")) {
		what = SWIFT_SIGNATURE_FUNCTION;
	} else if (swift_old_take(r, "fl")) {
		what = SWIFT_SIGNATURE_FLOAT;
	} else if (swift_old_take(r, "g")) {
		what = SWIFT_SIGNATURE_GLOBAL;
	} else if (swift_old_take(r, "i")) {
		what = SWIFT_SIGNATURE_INTEGER;
	} else if (swift_old_take(r, "se0v") || swift_old_take(r, "se1v")) {
		what = SWIFT_SIGNATURE_STRING;
		encoding = r->at[-2] == '0' ? "u8" : "u16";
	} else {
		return NULL;
	}
	if (what == SWIFT_SIGNATURE_FLOAT || what == SWIFT_SIGNATURE_INTEGER) {
		text.data = r->at;
		while (swift_peek(r) && swift_peek(r) != '_')
			swift_next(r);
		text.size = (size_t)(r->at - text.data);
		payload = swift_make_text(r, SWIFT_SIGNATURE_PAYLOAD, text);
	} else {
		payload = swift_old_identifier(r, SWIFT_SIGNATURE_PAYLOAD);
	}
	param = swift_add(
	        r->pool, param,
	        swift_make_number(r, SWIFT_SIGNATURE_OPERATION, what));
	if (encoding)
		param = swift_old_add_word(r, param, SWIFT_SIGNATURE_PAYLOAD,
		                           encoding);
	param = swift_add(r->pool, param, payload);
	return swift_next_is(r, '_') ? param : NULL;
}

static struct swift_node *read_closure_constant(struct swift_reader *r,
                                                struct swift_node *param)
{
	param = swift_add(r->pool, param,
	                  swift_make_number(r, SWIFT_SIGNATURE_OPERATION,
	                                    SWIFT_SIGNATURE_CLOSURE));
	param = swift_add(r->pool, param,
	                  swift_old_identifier(r, SWIFT_SIGNATURE_PAYLOAD));
	while (param && !swift_next_is(r, '_'))
		param = swift_add(r->pool, param, swift_old_type(r));
	return param;
}

static struct swift_node *read_signature_param(struct swift_reader *r)
{
	struct swift_node *param = swift_make(r, SWIFT_SIGNATURE_PARAM);
	uint64_t what = 0;

	if (swift_old_take(r, "n_"))
		return param;
	if (swift_old_take(r, "cp"))
		return read_constant(r, param);
	if (swift_old_take(r, "cl"))
		return read_closure_constant(r, param);
	if (swift_old_take(r, "i_")) {
		what = SWIFT_SIGNATURE_BOX_TO_VALUE;
	} else if (swift_old_take(r, "k_")) {
		what = SWIFT_SIGNATURE_BOX_TO_STACK;
	} else if (swift_old_take(r, "r_")) {
		what = SWIFT_SIGNATURE_INOUT_TO_OUT;
	} else {
		what |= swift_next_is(r, 'd') ? SWIFT_SIGNATURE_DEAD : 0;
		what |= swift_next_is(r, 'g')
		                ? SWIFT_SIGNATURE_OWNED_TO_GUARANTEED
		                : 0;
		what |= swift_next_is(r, 'o')
		                ? SWIFT_SIGNATURE_GUARANTEED_TO_OWNED
		                : 0;
		what |= swift_next_is(r, 's') ? SWIFT_SIGNATURE_EXPLODED : 0;
		if (!what || !swift_next_is(r, '_'))
			return NULL;
	}
	return swift_add(r->pool, param,
	                 swift_make_number(r, SWIFT_SIGNATURE_OPERATION, what));
}

static struct swift_node *read_specialized_param(struct swift_reader *r)
{
	struct swift_node *param =
	        swift_make1(r, SWIFT_SPECIALIZED_PARAM, swift_old_type(r));

	while (param && !swift_next_is(r, '_'))
		param = swift_add(r->pool, param, swift_old_conformance(r));
	return param;
}

struct swift_node *swift_old_specialized(struct swift_reader *r)
{
	char letter = swift_next(r);
	enum swift_kind kind = letter == 'g' ? SWIFT_SPECIALIZED
	                       : letter == 'r'
	                               ? SWIFT_SPECIALIZED_NOT_REABSTRACTED
	                               : SWIFT_SPECIALIZED_SIGNATURE;
	struct swift_node *spec = swift_make(r, kind);

	if (!letter || !strchr("grf", letter))
		return NULL;
	if (swift_next_is(r, 'q'))
		spec = swift_add(r->pool, spec,
		                 swift_make(r, SWIFT_SERIALIZED));
	letter = swift_next(r);
	if (!letter)
		return NULL;
	spec = swift_add(r->pool, spec,
	                 swift_make_number(r, SWIFT_PASS, (uint64_t)letter));
	while (spec && !swift_next_is(r, '_'))
		spec = swift_add(r->pool, spec,
		                 kind == SWIFT_SPECIALIZED_SIGNATURE
		                         ? read_signature_param(r)
		                         : read_specialized_param(r));
	return spec;
}

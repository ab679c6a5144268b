// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

#include <string.h>

/** The member of a type, with the declaring protocol. */
static struct swift_node *read_member(struct swift_reader *r,
                                      struct swift_node *base)
{
	struct swift_node *name;
	struct swift_node *protocol = NULL;

	if (!base)
		return NULL;
	if (swift_next_is(r, 'S')) {
		name = swift_old_substitution(r);
		if (!swift_is(name, SWIFT_ASSOCIATED_NAME))
			return NULL;
	} else {
		if (swift_next_is(r, 'P')) {
			protocol = swift_old_protocol(r);
			if (!protocol)
				return NULL;
		}
		name = swift_make1(r, SWIFT_ASSOCIATED_NAME,
		                   swift_old_identifier(r, SWIFT_IDENTIFIER));
		name = swift_substitute(r, swift_add_any(r, name, protocol));
	}
	return swift_make2(r, SWIFT_MEMBER_TYPE, base, name);
}

struct swift_node *swift_old_member_simple(struct swift_reader *r)
{
	return read_member(r,
	                   swift_make_type(r, swift_read_param_index(r, 'x')));
}

struct swift_node *swift_old_member_path(struct swift_reader *r)
{
	struct swift_node *base = swift_read_param_index(r, 'x');

	while (base && !swift_next_is(r, '_'))
		base = read_member(r, swift_make_type(r, base));
	return base;
}

struct swift_node *swift_old_dependent(struct swift_reader *r)
{
	char c = swift_peek(r);

	if (!c)
		return NULL;
	if (c != 'd' && c != '_' && !text_is_digit(c))
		return read_member(r, swift_old_type(r));
	return swift_read_param_index(r, 'x');
}

static struct swift_node *read_constrained(struct swift_reader *r)
{
	if (swift_next_is(r, 'w'))
		return swift_make_type(r, swift_old_member_simple(r));
	if (swift_next_is(r, 'W'))
		return swift_make_type(r, swift_old_member_path(r));
	return swift_make_type(r, swift_read_param_index(r, 'x'));
}

static struct swift_node *add_natural(struct swift_reader *r,
                                      struct swift_node *to)
{
	uint64_t number;

	if (!swift_natural(r, &number))
		return NULL;
	return swift_add(r->pool, to,
	                 swift_make_number(r, SWIFT_NUMBER, number));
}

static struct swift_node *read_layout(struct swift_reader *r,
                                      struct swift_node *subject)
{
	struct text letter = { r->at, 1 };
	char c = swift_next(r);
	struct swift_node *node;

	if (!c || !strchr("URNTBEeMmS", c))
		return NULL;
	node = swift_make2(r, SWIFT_LAYOUT_REQUIREMENT, subject,
	                   swift_make_text(r, SWIFT_IDENTIFIER, letter));
	if (strchr("EeMmS", c))
		node = add_natural(r, node);
	if (strchr("EM", c))
		node = swift_next_is(r, '_') ? add_natural(r, node) : NULL;
	return node;
}

/** A class, or a protocol, as a constraint of a type. */
static struct swift_node *read_constraint(struct swift_reader *r)
{
	struct swift_node *found;

	if (swift_peek(r) == 'C')
		return swift_old_type(r);
	if (!swift_next_is(r, 'S'))
		return swift_old_protocol(r);
	found = swift_old_substitution(r);
	if (swift_is(found, SWIFT_MODULE))
		found = swift_old_protocol_in(r, found);
	if (!swift_is(found, SWIFT_PROTOCOL) && !swift_is(found, SWIFT_CLASS))
		return NULL;
	return swift_make_type(r, found);
}

static struct swift_node *read_requirement(struct swift_reader *r)
{
	struct swift_node *subject = read_constrained(r);

	if (!subject)
		return NULL;
	if (swift_next_is(r, 'z'))
		return swift_make2(r, SWIFT_SAME_TYPE_REQUIREMENT, subject,
		                   swift_old_type(r));
	if (swift_next_is(r, 'l'))
		return read_layout(r, subject);
	return swift_make2(r, SWIFT_CONFORMANCE_REQUIREMENT, subject,
	                   read_constraint(r));
}

static struct swift_node *add_count(struct swift_reader *r,
                                    struct swift_node *signature,
                                    uint64_t count)
{
	return swift_add(r->pool, signature,
	                 swift_make_number(r, SWIFT_PARAM_COUNT, count));
}

/** `_` is 1, `0_` is 2; saturates. */
static bool read_count(struct swift_reader *r, uint64_t *ret)
{
	uint64_t count = 0;

	if (swift_next_is(r, '_')) {
		*ret = 1;
		return true;
	}
	if (!text_is_digit(swift_peek(r)))
		return false;
	while (text_is_digit(swift_peek(r))) {
		uint64_t digit = (uint64_t)(swift_next(r) - '0');

		if (count < SWIFT_NUMBER_MAX)
			count = 10 * count + digit;
	}
	*ret = count + 2;
	return swift_next_is(r, '_');
}

struct swift_node *swift_old_signature(struct swift_reader *r,
                                       enum swift_kind kind)
{
	struct swift_node *signature = swift_make(r, kind);

	while (signature && swift_peek(r) != 'R' && swift_peek(r) != 'r') {
		uint64_t count = 0;

		if (!swift_next_is(r, 'z') && !read_count(r, &count))
			return NULL;
		signature = add_count(r, signature, count);
	}
	if (signature && !signature->count)
		signature = add_count(r, signature, 1);
	if (swift_next_is(r, 'r'))
		return signature;
	swift_next(r);
	while (signature && !swift_next_is(r, 'r'))
		signature = swift_add(r->pool, signature, read_requirement(r));
	return signature;
}

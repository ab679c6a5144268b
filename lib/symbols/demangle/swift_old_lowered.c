// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

/** A letter and its calling convention. */
struct convention {
	char letter;
	const char *callee;
	const char *parameter;
	const char *result;
};

static const struct convention conventions[] = {
	{ 'a', NULL, NULL, "@autoreleased" },
	{ 'd', "@callee_unowned", "@unowned", "@unowned" },
	{ 'D', NULL, NULL, "@unowned_inner_pointer" },
	{ 'g', "@callee_guaranteed", "@guaranteed", NULL },
	{ 'e', NULL, "@deallocating", NULL },
	{ 'i', NULL, "@in", "@out" },
	{ 'l', NULL, "@inout", NULL },
	{ 'o', "@callee_owned", "@owned", "@owned" },
};

static const struct convention *take_convention(struct swift_reader *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(conventions); i++)
		if (swift_next_is(r, conventions[i].letter))
			return &conventions[i];
	return NULL;
}

static struct swift_node *read_value(struct swift_reader *r,
                                     enum swift_kind kind)
{
	const struct convention *convention;
	const char *word;
	struct swift_node *value;

	if (kind == SWIFT_IMPL_RESULT && swift_next_is(r, 'z'))
		kind = SWIFT_IMPL_ERROR;
	convention = take_convention(r);
	if (!convention)
		return NULL;
	word = kind == SWIFT_IMPL_PARAM ? convention->parameter
	                                : convention->result;
	if (!word)
		return NULL;
	value = swift_old_add_word(r, swift_make(r, kind),
	                           SWIFT_IMPL_CONVENTION, word);
	return value ? swift_add(r->pool, value, swift_old_type(r)) : NULL;
}

static struct swift_node *add_lowered_attributes(struct swift_reader *r,
                                                 struct swift_node *type)
{
	static const struct {
		const char *letters;
		const char *word;
	} kinds[] = {
		{ "Cb", "block" },          { "Cc", "c" },
		{ "Cm", "method" },         { "CO", "objc_method" },
		{ "Cw", "witness_method" },
	};
	enum swift_kind kind = SWIFT_SIGNATURE;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (swift_old_take(r, kinds[i].letters))
			type = swift_old_add_word(
			        r, type, SWIFT_IMPL_FUNCTION_CONVENTION,
			        kinds[i].word);
	if (swift_next_is(r, 'h'))
		type = swift_old_add_word(r, type, SWIFT_IMPL_ATTRIBUTE,
		                          "@Sendable");
	if (swift_next_is(r, 'H'))
		type = swift_old_add_word(r, type, SWIFT_IMPL_ATTRIBUTE,
		                          "@async");
	if (swift_peek(r) == 'g')
		kind = SWIFT_PSEUDOGENERIC_SIGNATURE;
	if (swift_next_is(r, 'G') || swift_next_is(r, 'g'))
		type = swift_add(r->pool, type, swift_old_signature(r, kind));
	return type;
}

struct swift_node *swift_old_lowered(struct swift_reader *r)
{
	struct swift_node *type = swift_make(r, SWIFT_IMPL_FUNCTION);
	const char *word = "@convention(thin)";

	if (!swift_next_is(r, 't')) {
		const struct convention *convention = take_convention(r);

		word = convention ? convention->callee : NULL;
		if (!word)
			return NULL;
	}
	type = swift_old_add_word(r, type, SWIFT_IMPL_CONVENTION, word);
	type = add_lowered_attributes(r, type);
	if (!swift_next_is(r, '_'))
		return NULL;
	while (type && !swift_next_is(r, '_'))
		type = swift_add(r->pool, type,
		                 read_value(r, SWIFT_IMPL_PARAM));
	while (type && !swift_next_is(r, '_'))
		type = swift_add(r->pool, type,
		                 read_value(r, SWIFT_IMPL_RESULT));
	return type;
}

struct swift_node *swift_old_box(struct swift_reader *r)
{
	struct swift_node *signature = NULL;
	struct swift_node *layout = swift_make(r, SWIFT_SIL_BOX_LAYOUT);
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);
	struct swift_node *box;

	if (swift_next_is(r, 'G')) {
		signature = swift_old_signature(r, SWIFT_SIGNATURE);
		if (!signature)
			return NULL;
	}
	while (layout && !swift_next_is(r, '_')) {
		enum swift_kind kind = swift_next_is(r, 'm')
		                               ? SWIFT_SIL_BOX_VAR
		                               : SWIFT_SIL_BOX_LET;

		if (kind == SWIFT_SIL_BOX_LET && !swift_next_is(r, 'i'))
			return NULL;
		layout = swift_add(r->pool, layout,
		                   swift_make1(r, kind, swift_old_type(r)));
	}
	box = swift_make1(r, SWIFT_SIL_BOX_WITH_LAYOUT, layout);
	if (!signature)
		return box;
	while (types && !swift_next_is(r, '_'))
		types = swift_add(r->pool, types, swift_old_type(r));
	return swift_add(r->pool, swift_add(r->pool, box, signature), types);
}

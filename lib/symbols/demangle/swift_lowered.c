// SPDX-License-Identifier: MIT
/*
 * Lowered function types, `I…_`: parameters and results with the conventions
 * chosen by the compiler. Used in names of thunks.
 */
#include "lib/symbols/demangle/swift_reader.h"

struct letter_word {
	char letter;
	const char *word;
};

static const struct letter_word callee_words[] = {
	{ 'y', "@callee_unowned" },
	{ 'g', "@callee_guaranteed" },
	{ 'x', "@callee_owned" },
	{ 't', "@convention(thin)" },
};

static const struct letter_word convention_words[] = {
	{ 'B', "block" },       { 'C', "c" },       { 'M', "method" },
	{ 'O', "objc_method" }, { 'K', "closure" }, { 'W', "witness_method" },
};

static const struct letter_word coroutine_words[] = {
	{ 'A', "@yield_once" },
	{ 'I', "@yield_once_2" },
	{ 'G', "@yield_many" },
};

static const struct letter_word sendable_words[] = { { 'h', "@Sendable" } };
static const struct letter_word async_words[] = { { 'H', "@async" } };

static const struct letter_word parameter_words[] = {
	{ 'i', "@in" },
	{ 'c', "@in_constant" },
	{ 'l', "@inout" },
	{ 'b', "@inout_aliasable" },
	{ 'n', "@in_guaranteed" },
	{ 'X', "@in_cxx" },
	{ 'x', "@owned" },
	{ 'g', "@guaranteed" },
	{ 'e', "@deallocating" },
	{ 'y', "@unowned" },
	{ 'v', "@pack_owned" },
	{ 'p', "@pack_guaranteed" },
	{ 'm', "@pack_inout" },
};

static const struct letter_word result_words[] = {
	{ 'r', "@out" },
	{ 'o', "@owned" },
	{ 'd', "@unowned" },
	{ 'u', "@unowned_inner_pointer" },
	{ 'a', "@autoreleased" },
	{ 'k', "@pack_out" },
	{ 'l', "@guaranteed_address" },
	{ 'g', "@guaranteed" },
	{ 'm', "@inout" },
};

static const struct letter_word no_derivative[] = { { 'w', "@noDerivative" } };
static const struct letter_word sending[] = { { 'T', "sending" } };

/** Take the next letter and return its word; NULL: none. */
static const char *take(struct swift_reader *r, const struct letter_word *words,
                        size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (swift_next_is(r, words[i].letter))
			return words[i].word;
	return NULL;
}

#define TAKE(r, words) take((r), (words), ARRAY_SIZE(words))

static struct swift_node *add_word(struct swift_reader *r,
                                   struct swift_node *to, enum swift_kind kind,
                                   const char *word)
{
	if (!word)
		return to;
	return swift_add(r->pool, to,
	                 swift_make_text(r, kind, text_from(word)));
}

/** Add the types substituted in the function, `s` and `I`. */
static struct swift_node *add_substitutions(struct swift_reader *r,
                                            struct swift_node *type,
                                            bool is_pattern)
{
	struct swift_arguments arguments;
	struct swift_node *node;

	if (!swift_pop_arguments(r, &arguments) || arguments.count != 1)
		return NULL;
	if (is_pattern)
		node = swift_make2(r, SWIFT_IMPL_PATTERN_SUBSTITUTIONS,
		                   swift_pop_signature(r), arguments.levels[0]);
	else
		node = swift_make1(r, SWIFT_IMPL_INVOCATION_SUBSTITUTIONS,
		                   arguments.levels[0]);
	node = swift_add_any(r, node, arguments.retroactive);
	return swift_add(r->pool, type, node);
}

static struct swift_node *add_convention(struct swift_reader *r,
                                         struct swift_node *type)
{
	const char *word = TAKE(r, convention_words);
	struct swift_node *convention;
	uint64_t size = 0;

	if (!word && swift_next_is(r, 'z')) {
		// With the mangled C type after it.
		word = TAKE(r, convention_words);
		if (!word || !swift_natural(r, &size) || !size ||
		    size > (size_t)(r->end - r->at))
			return NULL;
		r->at += size;
	}
	if (!word)
		return type;
	convention = swift_make_text(r, SWIFT_IMPL_FUNCTION_CONVENTION,
	                             text_from(word));
	if (size)
		convention = swift_make1(
		        r, SWIFT_IMPL_FUNCTION_CONVENTION,
		        swift_make_text(
		                r, SWIFT_CLANG_TYPE,
		                (struct text){ r->at - size, (size_t)size }));
	if (convention)
		convention->text = text_from(word);
	return swift_add(r->pool, type, convention);
}

static struct swift_node *add_attributes(struct swift_reader *r,
                                         struct swift_node *type)
{
	static const char kinds[] = "dlfr";
	const char *callee;
	char c;

	if (swift_next_is(r, 'e'))
		type = swift_add(r->pool, type,
		                 swift_make(r, SWIFT_IMPL_ESCAPING));
	if (swift_next_is(r, 'A'))
		type = swift_add(r->pool, type,
		                 swift_make(r, SWIFT_IMPL_ERASED_ISOLATION));
	c = swift_peek(r);
	if (c && text_find_char(text_from(kinds), c) != TEXT_NOWHERE) {
		swift_next(r);
		type = swift_add(r->pool, type,
		                 swift_make_number(r, SWIFT_IMPL_DIFFERENTIABLE,
		                                   (uint64_t)c));
	}
	callee = TAKE(r, callee_words);
	if (!callee)
		return NULL;
	type = add_word(r, type, SWIFT_IMPL_CONVENTION, callee);
	type = add_convention(r, type);
	type = add_word(r, type, SWIFT_IMPL_ATTRIBUTE,
	                TAKE(r, coroutine_words));
	type = add_word(r, type, SWIFT_IMPL_ATTRIBUTE, TAKE(r, sendable_words));
	type = add_word(r, type, SWIFT_IMPL_ATTRIBUTE, TAKE(r, async_words));
	if (swift_next_is(r, 'T'))
		type = swift_add(r->pool, type,
		                 swift_make(r, SWIFT_IMPL_SENDING_RESULT));
	return type;
}

/** A value: its convention and attributes. */
static struct swift_node *value(struct swift_reader *r, enum swift_kind kind,
                                const char *convention)
{
	struct swift_node *node = swift_make(r, kind);
	bool is_isolated;

	node = add_word(r, node, SWIFT_IMPL_CONVENTION, convention);
	if (kind == SWIFT_IMPL_PARAM || kind == SWIFT_IMPL_RESULT)
		node = add_word(r, node, SWIFT_IMPL_MODIFIER,
		                TAKE(r, no_derivative));
	if (kind != SWIFT_IMPL_PARAM)
		return node;
	node = add_word(r, node, SWIFT_IMPL_MODIFIER, TAKE(r, sending));
	is_isolated = swift_next_is(r, 'I');
	// The compiler's implicit parameter: not printed.
	if (swift_next_is(r, 'L') || !is_isolated)
		return node;
	return add_word(r, node, SWIFT_IMPL_MODIFIER, "isolated");
}

/** Add parameters, results, yields and the error; counts them in @p count. */
static struct swift_node *add_values(struct swift_reader *r,
                                     struct swift_node *type, unsigned *count)
{
	unsigned before = type ? type->count : 0;
	const char *word;

	while (type && (word = TAKE(r, parameter_words)))
		type = swift_add(r->pool, type,
		                 value(r, SWIFT_IMPL_PARAM, word));
	while (type && (word = TAKE(r, result_words)))
		type = swift_add(r->pool, type,
		                 value(r, SWIFT_IMPL_RESULT, word));
	while (type && swift_next_is(r, 'Y')) {
		word = TAKE(r, parameter_words);
		type = word ? swift_add(r->pool, type,
		                        value(r, SWIFT_IMPL_YIELD, word))
		            : NULL;
	}
	if (type && swift_next_is(r, 'z')) {
		word = TAKE(r, result_words);
		type = word ? swift_add(r->pool, type,
		                        value(r, SWIFT_IMPL_ERROR, word))
		            : NULL;
	}
	*count = type ? type->count - before : 0;
	return type;
}

struct swift_node *swift_read_lowered(struct swift_reader *r)
{
	struct swift_node *type = swift_make(r, SWIFT_IMPL_FUNCTION);
	struct swift_node *signature;
	unsigned count;

	if (swift_next_is(r, 's'))
		type = add_substitutions(r, type, true);
	if (type && swift_next_is(r, 'I'))
		type = add_substitutions(r, type, false);
	if (!type)
		return NULL;
	signature = swift_pop_signature(r);
	if (signature && swift_next_is(r, 'P')) {
		struct swift_node *copy =
		        swift_make(r, SWIFT_PSEUDOGENERIC_SIGNATURE);

		for (unsigned i = 0; i < signature->count; i++)
			copy = swift_add(r->pool, copy, signature->children[i]);
		signature = copy;
	}
	type = add_attributes(r, type);
	type = swift_add_any(r, type, signature);
	type = add_values(r, type, &count);
	if (!type || !swift_next_is(r, '_'))
		return NULL;
	for (unsigned i = 0; i < count; i++) {
		struct swift_node *of = type->children[type->count - 1 - i];

		if (!swift_add(r->pool, of, swift_pop_type(r)))
			return NULL;
	}
	return swift_make_type(r, type);
}

#include "lib/symbols/demangle/swift_parts.h"

#include <string.h>

/** Wrappers around a declaration: no name has more. */
#define WRAPPED_MAX 64u

static const struct {
	enum swift_kind kind;
	const char *word;
	const char *fixed; ///< the name of what has none of its own
} declarations[] = {
	{ SWIFT_FUNCTION, "function", NULL },
	{ SWIFT_VARIABLE, "variable", NULL },
	{ SWIFT_SUBSCRIPT, "subscript", "subscript" },
	{ SWIFT_ALLOCATOR, "initializer", "init" },
	{ SWIFT_CONSTRUCTOR, "initializer", "init" },
	{ SWIFT_DESTRUCTOR, "deinitializer", "deinit" },
	{ SWIFT_DEALLOCATOR, "deinitializer", "deinit" },
	{ SWIFT_ISOLATED_DEALLOCATOR, "deinitializer", "deinit" },
	{ SWIFT_IVAR_INITIALIZER, "initializer", "ivar initializer" },
	{ SWIFT_IVAR_DESTROYER, "deinitializer", "ivar destroyer" },
	{ SWIFT_EXPLICIT_CLOSURE, "closure", "closure" },
	{ SWIFT_IMPLICIT_CLOSURE, "closure", "implicit closure" },
	{ SWIFT_INITIALIZER, "variable initializer", "variable initializer" },
	{ SWIFT_DEFAULT_ARGUMENT, "default argument", "default argument" },
	{ SWIFT_MACRO, "macro", NULL },
	{ SWIFT_CLASS, "class", NULL },
	{ SWIFT_STRUCTURE, "struct", NULL },
	{ SWIFT_ENUM, "enum", NULL },
	{ SWIFT_PROTOCOL, "protocol", NULL },
	{ SWIFT_TYPE_ALIAS, "type alias", NULL },
	{ SWIFT_OTHER_NOMINAL, "type", NULL },
};

/** Kinds by a word in their printed form (swift_kinds.def). */
static const char *const form_words[] = {
	"partial apply", "thunk",      "witness",  "metadata",
	"outlined",      "descriptor", "key path", "initialization",
};

static size_t find_declaration(enum swift_kind kind)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(declarations) && declarations[i].kind != kind)
		i++;
	return i;
}

const char *swift_fixed_name(const struct swift_node *entity)
{
	size_t i = find_declaration(entity->kind);

	return i < ARRAY_SIZE(declarations) ? declarations[i].fixed : NULL;
}

/** The child that a wrapper is about; NULL where it wraps none. */
static const struct swift_node *wrapped(const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_PROTOCOL_WITNESS:
	case SWIFT_VTABLE_THUNK:
	case SWIFT_ONCE_TOKEN:
	case SWIFT_ONCE_FUNCTION:
		return node->count > 1 ? node->children[1] : NULL;
	default:
		return node->count ? node->children[0] : NULL;
	}
}

static const char *kind_word(const struct swift_node *node)
{
	size_t i = find_declaration(node->kind);
	const char *form = swift_kinds[node->kind].full;

	if (i < ARRAY_SIZE(declarations))
		return declarations[i].word;
	if (swift_has(node, SWIFT_IS_ACCESSOR))
		return form;
	if (swift_has(node, SWIFT_IS_EXPANSION))
		return "macro expansion";
	if (node->kind == SWIFT_PARTIAL_APPLY ||
	    node->kind == SWIFT_PARTIAL_APPLY_OBJC)
		return "partial apply";
	if (form == swift_form_special || form == swift_form_never)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(form_words); i++)
		if (strstr(form, form_words[i]))
			return form_words[i];
	return NULL;
}

/** The node that names the thing itself: behind attributes and suffixes. */
static const struct swift_node *subject_of(const struct swift_node *global,
                                           const char **ret_kind)
{
	const struct swift_node *subject = NULL;

	for (unsigned i = 0; i < global->count; i++) {
		const struct swift_node *child = global->children[i];

		if (swift_has(child, SWIFT_IS_ATTRIBUTE)) {
			const char *word = kind_word(child);

			if (word && !*ret_kind)
				*ret_kind = word;
			if (child->count && !subject &&
			    (child->kind == SWIFT_PARTIAL_APPLY ||
			     child->kind == SWIFT_PARTIAL_APPLY_OBJC))
				subject = child->children[child->count - 1];
		} else if (child->kind != SWIFT_SUFFIX) {
			subject = child;
		}
	}
	return subject;
}

static struct text module_of(const struct swift_node *context)
{
	for (unsigned i = 0; context && i < WRAPPED_MAX; i++) {
		if (context->kind == SWIFT_MODULE)
			return context->text;
		context = context->count ? context->children[0] : NULL;
	}
	return TEXT_NONE;
}

struct swift_parts swift_parts_of(const struct swift_node *global)
{
	struct swift_parts parts = { .module = TEXT_NONE };
	const struct swift_node *node = subject_of(global, &parts.kind);

	for (unsigned i = 0; node && i < WRAPPED_MAX; i++) {
		if (!parts.kind)
			parts.kind = kind_word(node);
		if (find_declaration(node->kind) < ARRAY_SIZE(declarations))
			break;
		node = wrapped(node);
	}
	if (!node || find_declaration(node->kind) == ARRAY_SIZE(declarations))
		return parts;
	parts.entity = node;
	if (node->count) {
		parts.module = module_of(node->children[0]);
		if (node->children[0]->kind != SWIFT_MODULE)
			parts.context = node->children[0];
	}
	return parts;
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift.h"

#include "lib/symbols/demangle/swift_printer.h"
#include "lib/symbols/demangle/swift_reader.h"

#include <string.h>

// The nodes that are the parts of a name (parts.h)

struct swift_parts {
	const char *kind;
	struct text module;              ///< or empty
	const struct swift_node *entity; ///< the declaration; or NULL
	/** Parent of the declaration; NULL: the module. */
	const struct swift_node *context;
};

/** Max wrappers around a declaration; compilers emit fewer. */
#define WRAPPED_MAX 64u

static const struct {
	enum swift_kind kind;
	const char *word;
	const char *fixed; ///< name of a kind without own names
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

/** Kinds by a word of their form (swift_kinds.def). */
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

static const char *fixed_name(const struct swift_node *entity)
{
	size_t i = find_declaration(entity->kind);

	return i < ARRAY_SIZE(declarations) ? declarations[i].fixed : NULL;
}

/** The wrapped child; NULL: not a wrapper. */
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

/** The node of the declaration, without attributes and suffixes. */
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

static struct swift_parts parts_of(const struct swift_node *global)
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

/** Prefixes of the postfix mangling. */
static const char *const prefixes[] = {
	"$s", "$S", "$e", "_T0", "@__swiftmacro_",
};

/** Take the prefix; NULL: none. */
static const char *take_prefix(struct text *name)
{
	if (text_starts(*name, "_$"))
		text_take(name, "_");
	else if (text_starts(*name, "__T"))
		text_take(name, "_");
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_take(name, prefixes[i]))
			return prefixes[i];
	return NULL;
}

bool swift_is_mangled(struct text name)
{
	char second = name.size > 1 ? name.data[1] : '\0';

	// Fast path: most names are not Swift's.
	if (!name.size || (name.data[0] == '_' && second != '$' &&
	                   second != 'T' && second != '_'))
		return false;
	if (name.data[0] != '_' && name.data[0] != '$' && name.data[0] != '@')
		return false;
	return take_prefix(&name) || text_starts(name, "_T");
}

/** Attributes are on top of the stack, their subject below. */
static struct swift_node *global_of(struct swift_reader *r)
{
	struct swift_node *global = swift_make(r, SWIFT_GLOBAL);
	struct swift_node *parent = global;
	struct swift_node *suffix = swift_pop_kind(r, SWIFT_SUFFIX);
	struct swift_node *found;

	while (parent && (found = swift_pop_flag(r, SWIFT_IS_ATTRIBUTE))) {
		if (!swift_add(r->pool, parent, found))
			return NULL;
		if (found->kind == SWIFT_PARTIAL_APPLY ||
		    found->kind == SWIFT_PARTIAL_APPLY_OBJC)
			parent = found;
	}
	// Unused nodes make the name invalid.
	if (!parent || r->stack.count > 1)
		return NULL;
	if (r->stack.count) {
		found = swift_pop(r);
		if (found->kind == SWIFT_TYPE)
			found = found->children[0];
		if (!swift_add(r->pool, parent, found))
			return NULL;
	}
	global = swift_add_any(r, global, suffix);
	return global && global->count ? global : NULL;
}

static struct swift_node *read(struct swift_reader *r, struct text name)
{
	const char *prefix = take_prefix(&name);

	r->at = name.data;
	r->end = name.data + name.size;
	if (!prefix) {
		if (!text_take(&name, "_T"))
			return NULL;
		r->at = name.data;
		return swift_read_old(r);
	}
	r->labels_in_types = prefix[0] == '_';
	return swift_read_all(r) ? global_of(r) : NULL;
}

bool swift_demangle_nested(struct text name, bool brief, unsigned depth,
                           struct str *out)
{
	struct swift_pool pool;
	struct swift_reader reader = { .pool = &pool };
	struct swift_printer printer = {
		.out = out,
		.brief = brief,
		.depth = depth,
	};
	size_t before = out->size;
	struct swift_node *node;

	if (name.size > SWIFT_NAME_MAX || !swift_is_mangled(name))
		return false;
	swift_pool_init(&pool);
	node = read(&reader, name);
	if (node)
		swift_print(&printer, node);
	swift_pool_release(&pool);
	if (node && !printer.failed && out->size > before &&
	    out->size - before <= SWIFT_PRINTED_MAX)
		return true;
	if (out->data)
		out->data[before] = '\0';
	out->size = before;
	return false;
}

bool swift_demangle(struct text name, bool brief, struct str *out)
{
	return swift_demangle_nested(name, brief, 0, out);
}

/** Print a node in the short form, to the arena; NULL: empty. */
static const char *print_part(const struct swift_node *node,
                              struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	struct swift_printer printer = {
		.out = &out,
		.brief = true,
	};

	swift_print(&printer, node);
	if (printer.failed || !out.size || out.size > SWIFT_PRINTED_MAX)
		return NULL;
	return arena_text(arena, str_text(&out));
}

/** The name of a declaration: its own, or that of its kind. */
static const char *base_name(const struct swift_node *entity,
                             struct arena *arena)
{
	const char *fixed = fixed_name(entity);

	if (fixed)
		return fixed;
	for (unsigned i = 1; i < entity->count; i++)
		if (swift_has(entity->children[i], SWIFT_IS_NAME))
			return print_part(entity->children[i], arena);
	return NULL;
}

void swift_describe(struct text name, struct arena *arena,
                    struct name_parts *ret)
{
	struct swift_pool pool;
	struct swift_reader reader = { .pool = &pool };
	const struct swift_node *global;

	if (name.size > SWIFT_NAME_MAX)
		return;
	swift_pool_init(&pool);
	global = read(&reader, name);
	if (global) {
		struct swift_parts parts = parts_of(global);

		ret->kind = parts.kind;
		if (parts.module.size)
			ret->module = arena_text(arena, parts.module);
		if (parts.context)
			ret->context = print_part(parts.context, arena);
		if (parts.entity)
			ret->base = base_name(parts.entity, arena);
	}
	swift_pool_release(&pool);
}

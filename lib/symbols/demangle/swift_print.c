// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

#include <inttypes.h>
#include <string.h>

/** How the type of a declaration is printed. */
enum typing {
	NO_TYPE,
	COLON,    ///< `name : Type`
	FUNCTION, ///< `name(Type) -> Type`
};

/** How to print a declaration. */
struct entity {
	enum typing typing;
	bool has_name;
	const char *extra; ///< after the name, or instead
	int64_t number;    ///< after `extra`; or -1
	const char *name;  ///< instead of its own
	bool is_of;        ///< `extra of name in context`, not `extra in`
};

/** The rest of a declaration's context, to be printed after it. */
static const struct swift_node *print_visited(struct swift_printer *p,
                                              const struct swift_node *node,
                                              bool is_prefix);

static bool is_long_word(const char *word)
{
	return word && strchr(word, ' ');
}

static void print_entity_type(struct swift_printer *p,
                              const struct swift_node *entity,
                              const struct swift_node *type,
                              const struct swift_node *arguments)
{
	const struct swift_node *labels = swift_child(entity, SWIFT_LABELS);

	if (!labels && !arguments) {
		swift_print(p, type);
		return;
	}
	if (arguments) {
		swift_print_word(p, "<");
		swift_print_children(p, arguments, 0, ", ");
		swift_print_word(p, ">");
	}
	if (type->kind == SWIFT_GENERIC_TYPE) {
		if (!arguments)
			swift_print_child(p, type, 0);
		if (swift_type_needs_blank(type->children[1]))
			swift_print_word(p, " ");
		type = type->children[1]->children[0];
	}
	swift_print_function(p, labels, type);
}

static bool is_function(const struct swift_node *type)
{
	while (type->kind == SWIFT_GENERIC_TYPE)
		type = type->children[1]->children[0];
	switch (type->kind) {
	case SWIFT_FUNCTION_TYPE:
	case SWIFT_NO_ESCAPE_FUNCTION:
	case SWIFT_UNCURRIED_FUNCTION:
	case SWIFT_C_FUNCTION:
	case SWIFT_THIN_FUNCTION:
		return true;
	default:
		return false;
	}
}

static void print_typing(struct swift_printer *p,
                         const struct swift_node *entity,
                         const struct swift_node *arguments, enum typing typing,
                         bool is_postfix)
{
	const struct swift_node *type = swift_child(entity, SWIFT_TYPE);
	bool is_closure = entity->kind == SWIFT_EXPLICIT_CLOSURE ||
	                  entity->kind == SWIFT_IMPLICIT_CLOSURE;

	if (typing == NO_TYPE)
		return;
	if (!type) {
		p->failed = true;
		return;
	}
	type = type->children[0];
	if (typing == COLON || !is_function(type)) {
		if (p->brief)
			return;
		swift_print_word(p, " : ");
	} else if (is_closure && p->brief) {
		return;
	} else if (is_postfix || swift_type_needs_blank(type)) {
		swift_print_word(p, " ");
	}
	print_entity_type(p, entity, type, arguments);
}

/** Print the declaration's name, with its file if it is private. */
static void print_own_name(struct swift_printer *p,
                           const struct swift_node *entity,
                           const struct entity *how)
{
	const struct swift_node *name;
	const struct swift_node *file;

	if (how->name) {
		swift_print_word(p, how->name);
		return;
	}
	if (entity->count < 2) {
		p->failed = true;
		return;
	}
	name = entity->children[1];
	file = swift_child(entity, SWIFT_PRIVATE_NAME);
	if (name->kind != SWIFT_PRIVATE_NAME)
		swift_print(p, name);
	if (file)
		swift_print(p, file);
}

static void print_extra(struct swift_printer *p, const struct entity *how)
{
	swift_print_word(p, how->extra);
	if (how->number >= 0)
		str_addf(p->out, "%" PRId64, how->number);
}

static void print_names(struct swift_printer *p,
                        const struct swift_node *entity,
                        const struct entity *how, bool is_postfix)
{
	bool extra_first = how->extra && is_postfix;
	size_t before;

	if (!how->has_name && !how->name) {
		if (how->extra)
			print_extra(p, how);
		return;
	}
	if (extra_first) {
		print_extra(p, how);
		swift_print_word(p, " of ");
	}
	before = p->out->size;
	print_own_name(p, entity, how);
	if (!how->extra || extra_first)
		return;
	if (p->out->size > before)
		swift_print_word(p, ".");
	print_extra(p, how);
}

/**
 * Print a declaration after its context, `Cart.total()`, or, for names with
 * several words, before it, `closure #1 in Cart.total()`.
 *
 * @param is_prefix  It is itself the context of something that follows.
 * @return A context to print after the whole; or NULL.
 */
static const struct swift_node *print_entity(struct swift_printer *p,
                                             const struct swift_node *entity,
                                             const struct entity *how,
                                             bool is_prefix)
{
	const struct swift_node *arguments = NULL;
	const struct swift_node *postfix = NULL;
	const struct swift_node *context;
	bool is_postfix;

	if (entity->kind == SWIFT_BOUND_FUNCTION) {
		arguments = entity->children[1];
		entity = entity->children[0];
	}
	is_postfix = is_long_word(how->extra) ||
	             (how->has_name && entity->count > 1 &&
	              entity->children[1]->kind == SWIFT_LOCAL_NAME);
	if (is_prefix && (how->typing != NO_TYPE || is_postfix))
		return entity;
	context = entity->children[0];
	if (is_postfix) {
		postfix = context;
	} else {
		size_t before = p->out->size;

		postfix = print_visited(p, context, true);
		if (p->out->size != before)
			swift_print_word(p, ".");
	}
	print_names(p, entity, how, is_postfix);
	print_typing(p, entity, arguments, how->typing, is_postfix);
	if (is_prefix || !postfix)
		return postfix;
	swift_print_word(p, how->is_of ? " of " : " in ");
	swift_print(p, postfix);
	return NULL;
}

static const struct swift_node *print_macro(struct swift_printer *p,
                                            const struct swift_node *node,
                                            bool is_prefix)
{
	SCOPED(str_release) struct str extra = { 0 };
	struct swift_printer inner = *p;
	bool is_attached = node->kind != SWIFT_MACRO_FREESTANDING &&
	                   node->kind != SWIFT_MACRO_UNIQUE_NAME;
	unsigned number = is_attached ? 3 : 2;
	struct entity how = { .has_name = true };

	if (node->count <= number) {
		p->failed = true;
		return NULL;
	}
	if (is_attached) {
		str_add(&extra, swift_kinds[node->kind].full);
		str_add(&extra, " macro @");
		inner.out = &extra;
		swift_print(&inner, node->children[2]);
		str_add(&extra, " expansion #");
	} else {
		str_add(&extra, node->kind == SWIFT_MACRO_UNIQUE_NAME
		                        ? "unique name #"
		                        : "freestanding macro expansion #");
	}
	how.extra = str_cstr(&extra);
	how.number = (int64_t)node->children[number]->number + 1;
	return print_entity(p, node, &how, is_prefix);
}

static const struct swift_node *print_accessor(struct swift_printer *p,
                                               const struct swift_node *node,
                                               bool is_prefix)
{
	const struct swift_node *of = node->children[0];
	struct entity how = {
		.typing = COLON,
		.has_name = of->kind == SWIFT_VARIABLE,
		.name = of->kind == SWIFT_SUBSCRIPT ? "subscript" : NULL,
		.extra = swift_kinds[node->kind].full,
		.number = -1,
	};

	if (of->kind != SWIFT_VARIABLE && of->kind != SWIFT_SUBSCRIPT) {
		p->failed = true;
		return NULL;
	}
	return print_entity(p, of, &how, is_prefix);
}

/** Numbered declarations; a blank in the name makes them postfix. */
static bool numbered(const struct swift_node *node, bool brief,
                     struct entity *how)
{
	switch (node->kind) {
	case SWIFT_EXPLICIT_CLOSURE:
	case SWIFT_IMPLICIT_CLOSURE:
		how->typing = brief ? NO_TYPE : FUNCTION;
		how->extra = node->kind == SWIFT_EXPLICIT_CLOSURE
		                     ? "closure #"
		                     : "implicit closure #";
		how->number = (int64_t)node->children[1]->number + 1;
		return true;
	case SWIFT_DEFAULT_ARGUMENT:
		how->extra = "default argument ";
		how->number = (int64_t)node->children[1]->number;
		how->is_of = true;
		return true;
	default:
		return false;
	}
}

/** Declarations without a name of their own. */
static bool unnamed(const struct swift_node *node, struct entity *how)
{
	static const struct {
		enum swift_kind kind;
		const char *extra;
		bool is_of;
	} words[] = {
		{ SWIFT_DESTRUCTOR, "deinit", false },
		{ SWIFT_IVAR_INITIALIZER, "__ivar_initializer", false },
		{ SWIFT_IVAR_DESTROYER, "__ivar_destroyer", false },
		{ SWIFT_INITIALIZER, "variable initialization expression",
		  true },
		{ SWIFT_WRAPPER_BACKING_INIT,
		  "property wrapper backing initializer", true },
		{ SWIFT_WRAPPER_PROJECTED_INIT,
		  "property wrapper init from projected value", true },
		{ SWIFT_WRAPPED_FIELD_INIT,
		  "property wrapped field init accessor", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (words[i].kind != node->kind)
			continue;
		how->extra = words[i].extra;
		how->is_of = words[i].is_of;
		return true;
	}
	return false;
}

/** How to print a declaration of this kind; false: not a declaration. */
static bool describe(const struct swift_node *node, bool brief,
                     struct entity *how)
{
	bool is_class = node->count && node->children[0]->kind == SWIFT_CLASS;

	*how = (struct entity){ .number = -1 };
	switch (node->kind) {
	case SWIFT_FUNCTION:
	case SWIFT_BOUND_FUNCTION:
		how->typing = FUNCTION;
		how->has_name = true;
		return true;
	case SWIFT_VARIABLE:
		how->typing = COLON;
		how->has_name = true;
		return true;
	case SWIFT_SUBSCRIPT:
		how->typing = FUNCTION;
		how->name = "subscript";
		return true;
	case SWIFT_MACRO:
		how->typing = node->count == 3 ? COLON : FUNCTION;
		how->has_name = true;
		return true;
	case SWIFT_ALLOCATOR:
		how->typing = FUNCTION;
		how->extra = is_class ? "__allocating_init" : "init";
		return true;
	case SWIFT_CONSTRUCTOR:
		how->typing = FUNCTION;
		how->has_name = swift_child(node, SWIFT_PRIVATE_NAME);
		how->extra = "init";
		return true;
	case SWIFT_DEALLOCATOR:
		how->extra = is_class ? "__deallocating_deinit" : "deinit";
		return true;
	case SWIFT_ISOLATED_DEALLOCATOR:
		how->extra = is_class ? "__isolated_deallocating_deinit"
		                      : "deinit";
		return true;
	case SWIFT_GENERIC_PARAM_DECL:
	case SWIFT_CLASS:
	case SWIFT_STRUCTURE:
	case SWIFT_ENUM:
	case SWIFT_PROTOCOL:
	case SWIFT_TYPE_ALIAS:
	case SWIFT_OTHER_NOMINAL:
		how->has_name = true;
		return true;
	default:
		return numbered(node, brief, how) || unnamed(node, how);
	}
}

/** Print a template of swift_kinds.def. */
static void print_template(struct swift_printer *p, const char *form,
                           const struct swift_node *node)
{
	for (; *form; form++) {
		bool is_optional;
		unsigned at;

		if (*form != '%') {
			str_add_char(p->out, *form);
			continue;
		}
		form++;
		switch (*form) {
		case 't':
			swift_print_text(p, node->text);
			break;
		case 'n':
			str_addf(p->out, "%" PRIu64, node->number);
			break;
		case '*':
			swift_print_children(p, node, 0, "");
			break;
		case ',':
			swift_print_children(p, node, 0, ", ");
			break;
		default:
			is_optional = *form == '?';
			form += is_optional;
			at = (unsigned)(*form - '0');
			if (!is_optional || at < node->count)
				swift_print_child(p, node, at);
		}
	}
}

static void print_special(struct swift_printer *p,
                          const struct swift_node *node)
{
	if (!swift_print_name(p, node) && !swift_print_function_part(p, node) &&
	    !swift_print_type(p, node) && !swift_print_generic(p, node) &&
	    !swift_print_lowered(p, node) && !swift_print_thunk(p, node) &&
	    !swift_print_specialized(p, node) && !swift_print_autodiff(p, node))
		p->failed = true;
}

static const struct swift_node *print_kind(struct swift_printer *p,
                                           const struct swift_node *node,
                                           bool is_prefix)
{
	const struct swift_kind_info *info = &swift_kinds[node->kind];
	const char *form = p->brief && info->brief ? info->brief : info->full;
	struct entity how;

	if (describe(node, p->brief, &how))
		return print_entity(p, node, &how, is_prefix);
	if (info->flags & SWIFT_IS_ACCESSOR)
		return print_accessor(p, node, is_prefix);
	if (info->flags & SWIFT_IS_EXPANSION &&
	    node->kind != SWIFT_MACRO_LOCATION)
		return print_macro(p, node, is_prefix);
	if (node->kind == SWIFT_MACRO_UNIQUE_NAME)
		return print_macro(p, node, is_prefix);
	if (form == swift_form_special || info->flags & SWIFT_IS_WORDED)
		print_special(p, node);
	else if (form == swift_form_never)
		p->failed = true;
	else
		print_template(p, form, node);
	return NULL;
}

static const struct swift_node *print_visited(struct swift_printer *p,
                                              const struct swift_node *node,
                                              bool is_prefix)
{
	const struct swift_node *postfix;

	if (p->failed || ++p->visits > SWIFT_VISITS_MAX ||
	    p->depth >= SWIFT_DEPTH_MAX || p->out->size > SWIFT_PRINTED_MAX) {
		p->failed = true;
		return NULL;
	}
	p->depth++;
	postfix = print_kind(p, node, is_prefix);
	p->depth--;
	return postfix;
}

void swift_print(struct swift_printer *p, const struct swift_node *node)
{
	print_visited(p, node, false);
}

void swift_print_child(struct swift_printer *p, const struct swift_node *node,
                       unsigned at)
{
	if (at < node->count)
		swift_print(p, node->children[at]);
	else
		p->failed = true;
}

void swift_print_children(struct swift_printer *p,
                          const struct swift_node *node, unsigned first,
                          const char *between)
{
	for (unsigned i = first; i < node->count && !p->failed; i++) {
		if (i > first)
			swift_print_word(p, between);
		swift_print(p, node->children[i]);
	}
}

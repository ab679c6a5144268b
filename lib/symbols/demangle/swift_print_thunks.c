#include "lib/symbols/demangle/swift.h"
#include "lib/symbols/demangle/swift_printer.h"
#include "lib/symbols/demangle/swift_signature.h"

#include <inttypes.h>

/** A name inside a name, printed if it is one. */
static void print_payload(struct swift_printer *p, struct text text)
{
	SCOPED(str_release) struct str printed = { 0 };

	// One level only: a name in a name in a name is no compiler's.
	if (p->depth < SWIFT_DEPTH_MAX / 2 &&
	    p->demangle(text, p->brief, p->depth + 50, &printed))
		swift_print_text(p, str_text(&printed));
	else
		swift_print_text(p, text);
}

static void print_flags(struct swift_printer *p, uint64_t flags)
{
	static const struct {
		uint64_t flag;
		const char *words;
	} names[] = {
		{ SWIFT_SIGNATURE_TO_GENERIC,
		  "Existential To Protocol Constrained Generic" },
		{ SWIFT_SIGNATURE_DEAD, "Dead" },
		{ SWIFT_SIGNATURE_OWNED_TO_GUARANTEED, "Owned To Guaranteed" },
		{ SWIFT_SIGNATURE_GUARANTEED_TO_OWNED, "Guaranteed To Owned" },
		{ SWIFT_SIGNATURE_EXPLODED, "Exploded" },
	};
	const char *before = "";

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(flags & names[i].flag))
			continue;
		swift_print_word(p, before);
		swift_print_word(p, names[i].words);
		before = " and ";
	}
}

/** By enum swift_signature_operation. */
static const char *const operation_words[] = {
	[SWIFT_SIGNATURE_FUNCTION] = "Constant Propagated Function",
	[SWIFT_SIGNATURE_GLOBAL] = "Constant Propagated Global",
	[SWIFT_SIGNATURE_INTEGER] = "Constant Propagated Integer",
	[SWIFT_SIGNATURE_FLOAT] = "Constant Propagated Float",
	[SWIFT_SIGNATURE_STRING] = "Constant Propagated String",
	[SWIFT_SIGNATURE_CLOSURE] = "Closure Propagated",
	[SWIFT_SIGNATURE_BOX_TO_VALUE] = "Value Promoted from Box",
	[SWIFT_SIGNATURE_BOX_TO_STACK] = "Stack Promoted from Box",
	[SWIFT_SIGNATURE_INOUT_TO_OUT] = "InOut Converted to Out",
	[SWIFT_SIGNATURE_KEY_PATH] = "Constant Propagated KeyPath",
	[SWIFT_SIGNATURE_STRUCT] = "Constant Propagated Struct",
	[SWIFT_SIGNATURE_CLOSURE_PREVIOUS] = "Same As Argument",
};

/** The child at @p at, taken. */
static const struct swift_node *take(struct swift_printer *p,
                                     const struct swift_node *param,
                                     unsigned *at)
{
	if (*at < param->count)
		return param->children[(*at)++];
	p->failed = true;
	return NULL;
}

static void print_operand(struct swift_printer *p,
                          const struct swift_node *param, unsigned *at)
{
	const struct swift_node *operand = take(p, param, at);

	if (!operand)
		return;
	if (operand->kind == SWIFT_SIGNATURE_PAYLOAD)
		print_payload(p, operand->text);
	else
		swift_print(p, operand);
}

/** One bracket closes the types and the whole, as in Apple's tools. */
static void print_closure(struct swift_printer *p,
                          const struct swift_node *param, unsigned *at)
{
	const char *before = "";

	print_operand(p, param, at);
	swift_print_word(p, ", Argument Types : [");
	while (*at < param->count && param->children[*at]->kind == SWIFT_TYPE) {
		swift_print_word(p, before);
		swift_print(p, param->children[(*at)++]);
		before = ", ";
	}
}

/** One operation of a parameter, with its operands. */
static void print_operation(struct swift_printer *p,
                            const struct swift_node *param, unsigned *at)
{
	const struct swift_node *operation = take(p, param, at);
	uint64_t what = operation ? operation->number : 0;

	if (!operation || operation->kind != SWIFT_SIGNATURE_OPERATION) {
		p->failed = true;
		return;
	}
	if (what >= SWIFT_SIGNATURE_TO_GENERIC) {
		print_flags(p, what);
		return;
	}
	if (what == SWIFT_SIGNATURE_BOX_TO_VALUE ||
	    what == SWIFT_SIGNATURE_BOX_TO_STACK ||
	    what == SWIFT_SIGNATURE_INOUT_TO_OUT) {
		swift_print_word(p, operation_words[what]);
		return;
	}
	str_addf(p->out, "[%s : ", operation_words[what]);
	if (what == SWIFT_SIGNATURE_CLOSURE) {
		print_closure(p, param, at);
	} else if (what == SWIFT_SIGNATURE_STRING) {
		print_operand(p, param, at);
		swift_print_word(p, "'");
		print_operand(p, param, at);
		swift_print_word(p, "'");
	} else if (what == SWIFT_SIGNATURE_KEY_PATH) {
		print_operand(p, param, at);
		swift_print_word(p, "<");
		print_operand(p, param, at);
		swift_print_word(p, ",");
		print_operand(p, param, at);
		swift_print_word(p, ">");
	} else {
		print_operand(p, param, at);
	}
	swift_print_word(p, "]");
}

/** In what order the operands of several operations come. */
static void print_operations(struct swift_printer *p,
                             const struct swift_node *param)
{
	unsigned at = 0;

	while (at < param->count && !p->failed)
		print_operation(p, param, &at);
}

static void print_specialized_part(struct swift_printer *p,
                                   const struct swift_node *part,
                                   unsigned argument)
{
	switch (part->kind) {
	case SWIFT_SIGNATURE_PARAM:
		str_addf(p->out, "Arg[%u] = ", argument);
		print_operations(p, part);
		break;
	case SWIFT_SIGNATURE_RESULT:
		swift_print_word(p, "Return = ");
		print_operations(p, part);
		break;
	default:
		swift_print(p, part);
	}
}

static void print_specialized(struct swift_printer *p,
                              const struct swift_node *spec)
{
	bool is_partial = spec->kind == SWIFT_SPECIALIZED_PARTLY ||
	                  spec->kind ==
	                          SWIFT_SPECIALIZED_PARTLY_NOT_REABSTRACTED;
	const char *before = "";
	unsigned argument = 0;

	if (p->brief) {
		if (!p->specialized)
			swift_print_word(p, "specialized ");
		p->specialized = true;
		return;
	}
	swift_print_word(p, swift_kinds[spec->kind].full);
	swift_print_word(p, " <");
	for (unsigned i = 0; i < spec->count; i++) {
		const struct swift_node *part = spec->children[i];
		bool is_flag = part->kind == SWIFT_SERIALIZED ||
		               part->kind == SWIFT_ASYNC_REMOVED ||
		               part->kind == SWIFT_REPRESENTATION_CHANGED;

		if (part->kind == SWIFT_PASS)
			continue;
		if (is_flag || part->count) {
			swift_print_word(p, before);
			if (is_partial && !is_flag)
				swift_print_word(p, "Signature = ");
			before = ", ";
			print_specialized_part(p, part, argument);
		}
		argument += !is_flag;
	}
	swift_print_word(p, "> of ");
}

static void print_specialized_param(struct swift_printer *p,
                                    const struct swift_node *param)
{
	swift_print_child(p, param, 0);
	for (unsigned i = 1; i < param->count; i++) {
		swift_print_word(p, i == 1 ? " with " : " and ");
		swift_print_child(p, param, i);
	}
}

static void print_reabstraction(struct swift_printer *p,
                                const struct swift_node *thunk)
{
	bool has_self = thunk->kind == SWIFT_REABSTRACTION_SELF;
	unsigned types = has_self ? 3 : 2;
	unsigned first = thunk->count - types;

	if (thunk->count < types) {
		p->failed = true;
		return;
	}
	if (p->brief && !has_self) {
		swift_print_word(p, "thunk for ");
		swift_print_child(p, thunk, thunk->count - 1);
		return;
	}
	swift_print_word(p, "reabstraction thunk ");
	if (thunk->kind == SWIFT_REABSTRACTION_HELPER)
		swift_print_word(p, "helper ");
	if (first) {
		swift_print_child(p, thunk, 0);
		swift_print_word(p, " ");
	}
	swift_print_word(p, "from ");
	swift_print_child(p, thunk, first + types - 1);
	swift_print_word(p, " to ");
	swift_print_child(p, thunk, first + types - 2);
	if (has_self) {
		swift_print_word(p, " self ");
		swift_print_child(p, thunk, first);
	}
}

static void print_partial_apply(struct swift_printer *p,
                                const struct swift_node *node)
{
	swift_print_word(p, "partial apply");
	if (!p->brief)
		swift_print_word(p, node->kind == SWIFT_PARTIAL_APPLY
		                            ? " forwarder"
		                            : " ObjC forwarder");
	if (node->count) {
		swift_print_word(p, " for ");
		swift_print_children(p, node, 0, "");
	}
}

static void print_key_path(struct swift_printer *p,
                           const struct swift_node *node)
{
	swift_print_word(p, swift_kinds[node->kind].full);
	swift_print_child(p, node, 0);
	swift_print_word(p, " : ");
	for (unsigned i = 1; i < node->count; i++) {
		if (node->children[i]->kind == SWIFT_SERIALIZED)
			swift_print_word(p, ", ");
		swift_print_child(p, node, i);
	}
}

static void print_key_path_index(struct swift_printer *p,
                                 const struct swift_node *node)
{
	const struct swift_node *signature = swift_child(node, SWIFT_SIGNATURE);
	const char *before = "";

	swift_print_word(p, swift_kinds[node->kind].full);
	if (signature)
		swift_print(p, signature);
	swift_print_word(p, "(");
	for (unsigned i = 0; i < node->count; i++) {
		if (node->children[i]->kind != SWIFT_TYPE)
			continue;
		swift_print_word(p, before);
		swift_print_child(p, node, i);
		before = ", ";
	}
	swift_print_word(p, ")");
}

static void print_completion(struct swift_printer *p,
                             const struct swift_node *node)
{
	static const char *const flags[] = { "", " nonzero on error",
		                             " zero on error" };
	uint64_t flag = node->children[2]->number;

	swift_print_word(p, swift_kinds[node->kind].full);
	if (node->count > 3)
		swift_print_child(p, node, 3);
	swift_print_child(p, node, 0);
	swift_print_word(p, " with result type ");
	swift_print_child(p, node, 1);
	swift_print_word(p, flag < ARRAY_SIZE(flags) ? flags[flag]
	                                             : " <invalid error flag>");
}

/** `{0, 2}`: the places of `S` in the text. */
static void print_subset(struct swift_printer *p, struct text text)
{
	const char *before = "";

	swift_print_word(p, "{");
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] != 'S')
			continue;
		str_addf(p->out, "%s%zu", before, i);
		before = ", ";
	}
	swift_print_word(p, "}");
}

static void print_subsets(struct swift_printer *p,
                          const struct swift_node *node, unsigned first)
{
	swift_print_word(p, " with respect to parameters ");
	swift_print_child(p, node, first);
	swift_print_word(p, " and results ");
	swift_print_child(p, node, first + 1);
}

/** Where the first child of a kind stands; the number of children if none. */
static unsigned place_of(const struct swift_node *node, enum swift_kind kind)
{
	unsigned at = 0;

	while (at < node->count && node->children[at]->kind != kind)
		at++;
	return at;
}

static void print_autodiff(struct swift_printer *p,
                           const struct swift_node *node)
{
	unsigned kind = place_of(node, SWIFT_AUTODIFF_KIND);
	const struct swift_node *signature = NULL;

	if (node->kind == SWIFT_AUTODIFF_VTABLE_THUNK)
		swift_print_word(p, "vtable thunk for ");
	swift_print_child(p, node, kind);
	swift_print_word(p, " of ");
	if (kind && node->children[kind - 1]->kind == SWIFT_SIGNATURE)
		signature = node->children[kind - 1];
	for (unsigned i = 0; i < kind - (signature != NULL); i++)
		swift_print_child(p, node, i);
	if (p->brief)
		return;
	print_subsets(p, node, kind + 1);
	if (signature) {
		swift_print_word(p, " with ");
		swift_print(p, signature);
	}
}

static void print_autodiff_reordering(struct swift_printer *p,
                                      const struct swift_node *node)
{
	swift_print_word(p,
	                 "autodiff self-reordering reabstraction thunk for ");
	if (p->brief) {
		swift_print_child(p, node, 0);
		return;
	}
	swift_print_child(p, node, node->count - 1);
	if (node->count > 3) {
		swift_print_child(p, node, 2);
		swift_print_word(p, " ");
	}
	swift_print_word(p, " from ");
	swift_print_child(p, node, 0);
	swift_print_word(p, " to ");
	swift_print_child(p, node, 1);
}

static void print_autodiff_subset(struct swift_printer *p,
                                  const struct swift_node *node)
{
	unsigned kind = place_of(node, SWIFT_AUTODIFF_KIND);

	swift_print_word(p, "autodiff subset parameters thunk for ");
	swift_print_child(p, node, kind);
	swift_print_word(p, " from ");
	// One type, or a function with the type it becomes behind it.
	for (unsigned i = 0; i < (kind > 1 ? kind - 1 : kind); i++)
		swift_print_child(p, node, i);
	if (p->brief)
		return;
	print_subsets(p, node, kind + 1);
	swift_print_word(p, " to parameters ");
	swift_print_child(p, node, kind + 3);
	if (kind > 1) {
		swift_print_word(p, " of type ");
		swift_print_child(p, node, kind - 1);
	}
}

static void print_differentiability(struct swift_printer *p,
                                    const struct swift_node *node)
{
	unsigned kind = place_of(node, SWIFT_INDEX);
	uint64_t letter = kind < node->count ? node->children[kind]->number : 0;

	swift_print_word(p, letter == 'f'   ? "forward-mode"
	                    : letter == 'r' ? "reverse-mode"
	                    : letter == 'l' ? "linear"
	                                    : "normal");
	swift_print_word(p, " differentiability witness for ");
	for (unsigned i = 0; i < kind; i++)
		swift_print_child(p, node, i);
	print_subsets(p, node, kind + 1);
	if (kind + 3 < node->count) {
		swift_print_word(p, " with ");
		swift_print_child(p, node, kind + 3);
	}
}

static void print_autodiff_kind(struct swift_printer *p, uint64_t letter)
{
	swift_print_word(p, letter == 'f'   ? "forward-mode derivative"
	                    : letter == 'r' ? "reverse-mode derivative"
	                    : letter == 'd' ? "differential"
	                                    : "pullback");
}

static void print_conformance(struct swift_printer *p,
                              const struct swift_node *node)
{
	if (node->count == 4) {
		swift_print_word(p, "property behavior storage of ");
		swift_print_child(p, node, 2);
		swift_print_word(p, " in ");
		swift_print_child(p, node, 0);
		swift_print_word(p, " : ");
		swift_print_child(p, node, 1);
		return;
	}
	swift_print_child(p, node, 0);
	if (p->brief)
		return;
	swift_print_word(p, " : ");
	swift_print_child(p, node, 1);
	swift_print_word(p, " in ");
	swift_print_child(p, node, 2);
}

static void print_concrete(struct swift_printer *p,
                           const struct swift_node *node)
{
	swift_print_word(p, "concrete protocol conformance ");
	swift_print_child(p, node, 0);
	swift_print_word(p, " to ");
	swift_print_child(p, node, 1);
	if (node->count > 2 && node->children[2]->count) {
		swift_print_word(p, " with conditional requirements: ");
		swift_print_child(p, node, 2);
	}
}

static void print_dependent(struct swift_printer *p,
                            const struct swift_node *node, const char *how)
{
	str_addf(p->out, "dependent %s protocol conformance ", how);
	if (node->children[2]->kind == SWIFT_INDEX)
		str_addf(p->out, "#%" PRIu64 " ", node->children[2]->number);
	swift_print_child(p, node, 0);
	swift_print_word(p, " to ");
	swift_print_child(p, node, 1);
}

static void print_bracketed(struct swift_printer *p,
                            const struct swift_node *list, unsigned from)
{
	if (list->count >= from)
		swift_print_word(p, "(");
	swift_print_children(p, list, 0, ", ");
	if (list->count >= from)
		swift_print_word(p, ")");
}

static bool print_autodiff_part(struct swift_printer *p,
                                const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_AUTODIFF_FUNCTION:
	case SWIFT_AUTODIFF_VTABLE_THUNK:
		print_autodiff(p, node);
		return true;
	case SWIFT_AUTODIFF_SELF_REORDERING:
		print_autodiff_reordering(p, node);
		return true;
	case SWIFT_AUTODIFF_SUBSET:
		print_autodiff_subset(p, node);
		return true;
	case SWIFT_AUTODIFF_KIND:
		print_autodiff_kind(p, node->number);
		return true;
	case SWIFT_DIFFERENTIABILITY_WITNESS:
		print_differentiability(p, node);
		return true;
	case SWIFT_INDEX_SUBSET:
		print_subset(p, node->text);
		return true;
	default:
		return false;
	}
}

static bool print_conformance_part(struct swift_printer *p,
                                   const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_CONFORMANCE:
		print_conformance(p, node);
		return true;
	case SWIFT_CONCRETE_CONFORMANCE:
		print_concrete(p, node);
		return true;
	case SWIFT_ROOT_CONFORMANCE:
		print_dependent(p, node, "root");
		return true;
	case SWIFT_INHERITED_CONFORMANCE:
		print_dependent(p, node, "inherited");
		return true;
	case SWIFT_MEMBER_CONFORMANCE:
		print_dependent(p, node, "associated");
		return true;
	case SWIFT_CONFORMANCE_LIST:
		print_bracketed(p, node, 1);
		return true;
	case SWIFT_ONCE_NAMES:
		print_bracketed(p, node, 2);
		return true;
	default:
		return print_autodiff_part(p, node);
	}
}

bool swift_print_thunk(struct swift_printer *p, const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_SPECIALIZED:
	case SWIFT_SPECIALIZED_NOT_REABSTRACTED:
	case SWIFT_SPECIALIZED_RESILIENCE:
	case SWIFT_SPECIALIZED_BEFORE:
	case SWIFT_SPECIALIZED_PARTLY:
	case SWIFT_SPECIALIZED_PARTLY_NOT_REABSTRACTED:
	case SWIFT_INLINED_GENERIC:
	case SWIFT_SPECIALIZED_SIGNATURE:
		print_specialized(p, node);
		return true;
	case SWIFT_SPECIALIZED_PARAM:
		print_specialized_param(p, node);
		return true;
	case SWIFT_REABSTRACTION:
	case SWIFT_REABSTRACTION_HELPER:
	case SWIFT_REABSTRACTION_SELF:
		print_reabstraction(p, node);
		return true;
	case SWIFT_PARTIAL_APPLY:
	case SWIFT_PARTIAL_APPLY_OBJC:
		print_partial_apply(p, node);
		return true;
	case SWIFT_KEY_PATH_GETTER:
	case SWIFT_KEY_PATH_SETTER:
	case SWIFT_KEY_PATH_UNAPPLIED:
	case SWIFT_KEY_PATH_APPLIED:
		print_key_path(p, node);
		return true;
	case SWIFT_KEY_PATH_EQUALS:
	case SWIFT_KEY_PATH_HASH:
		print_key_path_index(p, node);
		return true;
	case SWIFT_COMPLETION_HANDLER:
	case SWIFT_CHECKED_COMPLETION_HANDLER:
		print_completion(p, node);
		return true;
	default:
		return print_conformance_part(p, node);
	}
}

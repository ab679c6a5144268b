// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"
#include "lib/symbols/demangle/swift_signature.h"

#include <inttypes.h>

/** Print a text, demangled if it is a mangled name. */
static void print_payload(struct swift_printer *p, struct text text)
{
	SCOPED(str_release) struct str printed = { 0 };

	// One level only: compilers nest no deeper.
	if (p->depth < SWIFT_DEPTH_MAX / 2 &&
	    swift_demangle_nested(text, p->brief, p->depth + 50, &printed))
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

/** One bracket closes both the types and the whole, as in Apple's tools. */
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

/** Print an operation of a parameter, with its operands. */
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

/** Print operations in the order of their operands. */
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

bool swift_print_specialized(struct swift_printer *p,
                             const struct swift_node *node)
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
	default:
		return false;
	}
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

#include <inttypes.h>
#include <string.h>

static void print_private(struct swift_printer *p,
                          const struct swift_node *node)
{
	if (node->count > 1) {
		if (!p->brief)
			swift_print_word(p, "(");
		swift_print_child(p, node, 1);
		if (p->brief)
			return;
		swift_print_word(p, " in ");
	} else {
		if (p->brief)
			return;
		swift_print_word(p, "(in ");
	}
	swift_print_text(p, node->children[0]->text);
	swift_print_word(p, ")");
}

/** In double quotes, control characters escaped. */
static void print_quoted(struct swift_printer *p, struct text text)
{
	static const char plain[] = "\\\t\n\r\"";
	static const char letters[] = "\\tnr\"";

	swift_print_word(p, " with unmangled suffix \"");
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		const char *found = c ? strchr(plain, c) : NULL;

		if (found)
			str_addf(p->out, "\\%c", letters[found - plain]);
		else if (!c)
			swift_print_word(p, "\\0");
		else if (c < 0x20 || c == 0x7f)
			str_addf(p->out, "\\x%02X", c);
		else
			str_add_char(p->out, (char)c);
	}
	swift_print_word(p, "\"");
}

static void print_extension(struct swift_printer *p,
                            const struct swift_node *node)
{
	if (!p->brief) {
		swift_print_word(p, "(extension in ");
		swift_print_child(p, node, 0);
		swift_print_word(p, "):");
	}
	swift_print_child(p, node, 1);
	if (node->count > 2)
		swift_print_child(p, node, 2);
}

static void print_anonymous(struct swift_printer *p,
                            const struct swift_node *node)
{
	swift_print_child(p, node, 1);
	swift_print_word(p, ".(unknown context at ");
	swift_print_child(p, node, 0);
	swift_print_word(p, ")");
	if (node->count > 2 && node->children[2]->count) {
		swift_print_word(p, "<");
		swift_print_child(p, node, 2);
		swift_print_word(p, ">");
	}
}

/** Print a source location from its parts. */
static void print_location(struct swift_printer *p,
                           const struct swift_node *node)
{
	static const char *const words[] = { "module ", " file ", " line ",
		                             " column " };

	for (unsigned i = 0; i < node->count && i < ARRAY_SIZE(words); i++) {
		swift_print_word(p, words[i]);
		if (node->children[i]->kind == SWIFT_IDENTIFIER)
			swift_print_text(p, node->children[i]->text);
		else
			swift_print_child(p, node, i);
	}
}

bool swift_print_name(struct swift_printer *p, const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_LOCAL_NAME:
		swift_print_child(p, node, 1);
		str_addf(p->out, " #%" PRIu64, node->children[0]->number + 1);
		return true;
	case SWIFT_PRIVATE_NAME:
		print_private(p, node);
		return true;
	case SWIFT_SUFFIX:
		print_quoted(p, node->text);
		return true;
	case SWIFT_EXTENSION:
		print_extension(p, node);
		return true;
	case SWIFT_ANONYMOUS_CONTEXT:
		print_anonymous(p, node);
		return true;
	case SWIFT_MACRO_LOCATION:
		print_location(p, node);
		return true;
	default:
		return false;
	}
}

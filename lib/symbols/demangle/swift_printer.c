#include "lib/symbols/demangle/swift_printer.h"

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

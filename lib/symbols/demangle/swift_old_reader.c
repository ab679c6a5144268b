#include "lib/symbols/demangle/swift_old_reader.h"

#include <string.h>

/** Levels of types in types. */
#define DEPTH_MAX 200u

bool swift_old_take(struct swift_reader *r, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
		return false;
	r->at += size;
	return true;
}

struct swift_node *swift_old_nested(struct swift_reader *r, swift_operator read)
{
	struct swift_node *node = NULL;

	if (r->depth < DEPTH_MAX) {
		r->depth++;
		node = read(r);
		r->depth--;
	}
	return node;
}

struct swift_node *swift_old_add_word(struct swift_reader *r,
                                      struct swift_node *to,
                                      enum swift_kind kind, const char *word)
{
	return swift_add(r->pool, to,
	                 swift_make_text(r, kind, text_from(word)));
}

#include "lib/symbols/demangle/cxx.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/symbols/demangle/cxx_spelling.h"

#include <stdlib.h>
#include <string.h>

// The C++ runtime declares it in <cxxabi.h>, which C cannot include.
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *size,
                            int *status);

#define NAME_MAX_BYTES   4096u
#define REFERENCES_MAX   24u
#define PRINTED_MAX_SIZE 65536u

/** Of __cxa_demangle(): other failures are names that it does not know. */
#define STATUS_NO_MEMORY (-1)

#define BLOCK_SUFFIX "_block_invoke"

/**
 * How many substitutions and template parameters a name refers to. Each may
 * repeat all that precedes it, so that 170 characters of them print as
 * 2 MB, and ten more double it; the runtime offers no bound on its output.
 * Letters inside identifiers are counted too: the count may be too high,
 * never too low.
 */
static size_t count_references(struct text name)
{
	size_t count = 0;

	for (size_t i = 0; i < name.size; i++) {
		size_t end = i + 1;

		if (name.data[i] != 'S' && name.data[i] != 'T')
			continue;
		while (end < name.size &&
		       (text_is_digit(name.data[end]) ||
		        (name.data[end] >= 'A' && name.data[end] <= 'Z')))
			end++;
		if (end < name.size && name.data[end] == '_')
			count++;
	}
	return count;
}

/** The printed form of a whole `_Z` name; NULL if the runtime knows none. */
static const char *demangle_itanium(struct text name, struct arena *arena)
{
	SCOPED(mem_drop) char *printed = NULL;
	SCOPED(str_release) struct str spelled = { 0 };
	int status = 0;

	if (!text_starts(name, "_Z"))
		return NULL;
	printed = __cxa_demangle(arena_text(arena, name), NULL, NULL, &status);
	if (status == STATUS_NO_MEMORY)
		mem_fail();
	if (!printed || status || strlen(printed) > PRINTED_MAX_SIZE)
		return NULL;
	cxx_spell(text_from(printed), &spelled);
	return arena_text(arena, str_text(&spelled));
}

/** `foo() (.cold.1)`: what the optimiser split off or renamed. */
static const char *demangle_with_suffix(struct text name, struct arena *arena)
{
	size_t dot = text_find_char(name, '.');
	const char *printed;

	if (dot == TEXT_NOWHERE)
		return demangle_itanium(name, arena);
	printed = demangle_itanium(text_first(name, dot), arena);
	if (!printed)
		return NULL;
	return arena_printf(arena, "%s (%.*s)", printed,
	                    TEXT_ARGS(text_after(name, dot)));
}

/**
 * The body of a block literal: `___Z3foov_block_invoke`, with a number from
 * the second one on. clang puts two more underscores before the name of the
 * function that holds the block.
 */
static const char *demangle_block(struct text name, struct arena *arena)
{
	size_t at = text_find_last(name, BLOCK_SUFFIX);
	struct text number;
	const char *holder;

	if (at == TEXT_NOWHERE || !text_take(&name, "__"))
		return NULL;
	at -= 2;
	number = text_after(name, at + strlen(BLOCK_SUFFIX));
	if (number.size && number.data[0] != '.') {
		text_take(&number, "_");
		if (!number.size)
			return NULL;
	}
	while (number.size && text_is_digit(number.data[0]))
		number = text_after(number, 1);
	if (number.size && number.data[0] != '.')
		return NULL;
	holder = demangle_itanium(text_first(name, at), arena);
	if (!holder)
		return NULL;
	return arena_printf(arena, "invocation function for block in %s",
	                    holder);
}

bool cxx_is_mangled(struct text name)
{
	return text_starts(name, "_Z") || text_starts(name, "___Z");
}

const char *cxx_demangle(struct text name, struct arena *arena)
{
	if (name.size > NAME_MAX_BYTES ||
	    count_references(name) > REFERENCES_MAX)
		return NULL;
	if (text_starts(name, "_Z"))
		return demangle_with_suffix(name, arena);
	return text_starts(name, "___Z") ? demangle_block(name, arena) : NULL;
}

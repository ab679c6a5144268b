// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/cxx.h"

#include "lib/base/mem.h"
#include "lib/symbols/demangle/cxx_spelling.h"

#include <stdlib.h>
#include <string.h>

// The C++ runtime declares it in <cxxabi.h>, which C cannot include.
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *size,
                            int *status);

#define NAME_MAX_BYTES   4096u
#define REFERENCES_MAX   24u
#define PRINTED_MAX_SIZE 65536u

/** From __cxa_demangle(); other failures mean an unknown name. */
#define STATUS_NO_MEMORY (-1)

#define BLOCK_SUFFIX "_block_invoke"

/**
 * Count the references to substitutions and template parameters. Each may
 * repeat everything before it: 170 characters can print as 2 MB, ten more
 * double that, and the runtime has no limit on output. Counts letters inside of
 * identifiers, too, so the result may be too high, never too low.
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

/** Demangle a whole `_Z` name; false: unknown to the runtime. */
static bool print_itanium(struct text name, struct str *out)
{
	SCOPED(mem_drop) char *printed = NULL;
	char mangled[NAME_MAX_BYTES + 1];
	int status = 0;
	size_t size;

	if (!text_starts(name, "_Z"))
		return false;
	memcpy(mangled, name.data, name.size);
	mangled[name.size] = '\0';
	printed = __cxa_demangle(mangled, NULL, NULL, &status);
	if (status == STATUS_NO_MEMORY)
		mem_fail();
	size = printed && !status ? strlen(printed) : SIZE_MAX;
	if (size > PRINTED_MAX_SIZE)
		return false;
	cxx_spell((struct text){ .data = printed, .size = size }, out);
	return true;
}

/** `foo() (.cold.1)`: a function that the optimiser split or renamed. */
static bool print_with_suffix(struct text name, struct str *out)
{
	size_t dot = text_find_char(name, '.');

	if (dot == TEXT_NOWHERE)
		return print_itanium(name, out);
	if (!print_itanium(text_first(name, dot), out))
		return false;
	str_addf(out, " (%.*s)", TEXT_ARGS(text_after(name, dot)));
	return true;
}

/**
 * The body of a block literal: `___Z3foov_block_invoke`, numbered from the
 * second on. clang adds two underscores to the name of the enclosing function.
 */
static bool print_block(struct text name, struct str *out)
{
	size_t at = text_find_last(name, BLOCK_SUFFIX);
	size_t before = out->size;
	struct text number;

	if (at == TEXT_NOWHERE || !text_take(&name, "__"))
		return false;
	at -= 2;
	number = text_after(name, at + strlen(BLOCK_SUFFIX));
	if (number.size && number.data[0] != '.') {
		text_take(&number, "_");
		if (!number.size)
			return false;
	}
	text_take_digits(&number);
	if (number.size && number.data[0] != '.')
		return false;
	str_add(out, "invocation function for block in ");
	if (print_itanium(text_first(name, at), out))
		return true;
	out->size = before;
	return false;
}

bool cxx_is_mangled(struct text name)
{
	return text_starts(name, "_Z") || text_starts(name, "___Z");
}

bool cxx_demangle(struct text name, struct str *out)
{
	if (name.size > NAME_MAX_BYTES ||
	    count_references(name) > REFERENCES_MAX)
		return false;
	if (text_starts(name, "_Z"))
		return print_with_suffix(name, out);
	return text_starts(name, "___Z") && print_block(name, out);
}

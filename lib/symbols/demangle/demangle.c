// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/demangle.h"

#include "lib/base/str.h"
#include "lib/symbols/demangle/cxx.h"
#include "lib/symbols/demangle/rust.h"
#include "lib/symbols/demangle/swift.h"

#include <string.h>

/** Usual max of a demangled name. */
#define PRINTED_BYTES 255

/** A language: recognizes and demangles its names. */
struct language {
	const char *name;
	bool (*knows)(struct text name);
	/** Append the demangled name, and get its parts if requested. */
	bool (*print)(struct text name, bool brief, struct arena *arena,
	              struct str *out, struct name_parts *ret);
};

static bool print_rust(struct text name, bool brief, struct arena *arena,
                       struct str *out, struct name_parts *ret)
{
	if (!rust_demangle(name, brief, out))
		return false;
	if (ret)
		rust_parts(str_text(out), arena, ret);
	return true;
}

static bool print_swift(struct text name, bool brief, struct arena *arena,
                        struct str *out, struct name_parts *ret)
{
	if (!swift_demangle(name, brief, out))
		return false;
	if (ret)
		swift_describe(name, arena, ret);
	return true;
}

static bool print_cxx(struct text name, bool brief, struct arena *arena,
                      struct str *out, struct name_parts *ret)
{
	size_t before = out->size;

	(void)brief; // both forms are the same
	if (!cxx_demangle(name, out))
		return false;
	if (ret)
		cxx_parts(text_after(str_text(out), before), arena, ret);
	return true;
}

/** Rust's old scheme looks like C++, so it comes first. */
static const struct language languages[] = {
	{ "Rust", rust_is_mangled, print_rust },
	{ "Swift", swift_is_mangled, print_swift },
	{ "C++", cxx_is_mangled, print_cxx },
};

static const struct language *language_of(struct text name)
{
	if (!name.size || !strchr("_$@RZ", name.data[0]))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (languages[i].knows(name))
			return &languages[i];
	return NULL;
}

/** Demangle to the arena; NULL: not mangled, or not understood. */
static const char *printed_form(struct text name, bool brief,
                                struct arena *arena)
{
	const struct language *language = language_of(name);
	SCOPED(str_release) struct str printed = { 0 };

	if (!language)
		return NULL;
	str_room(&printed, PRINTED_BYTES);
	if (!language->print(name, brief, arena, &printed, NULL))
		return NULL;
	return arena_text(arena, str_text(&printed));
}

const char *demangle_as(struct text name, enum demangle_form form,
                        bool from_symtab, struct arena *arena)
{
	const char *printed = NULL;

	if (from_symtab)
		text_take(&name, "_");
	if (form != DEMANGLE_NONE)
		printed = printed_form(name, form == DEMANGLE_SHORT, arena);
	return printed ? printed : arena_text(arena, name);
}

const char *demangle(struct text name, bool from_symtab, struct arena *arena)
{
	return demangle_as(name, DEMANGLE_SHORT, from_symtab, arena);
}

/** The name without a symbol table's underscore. */
static struct text own_name(struct text name)
{
	struct text bare = name;

	if (language_of(name) || !text_take(&bare, "_") || !language_of(bare))
		return name;
	return bare;
}

bool demangle_knows(struct text name)
{
	return language_of(own_name(name));
}

const char *demangle_printed(struct text name, enum demangle_form form,
                             struct arena *arena)
{
	const char *printed = NULL;

	if (form != DEMANGLE_NONE)
		printed = printed_form(own_name(name), form == DEMANGLE_SHORT,
		                       arena);
	return printed ? printed : arena_text(arena, name);
}

const char *demangle_again(const char *name, const char *mangled,
                           enum demangle_form form, struct arena *arena)
{
	struct text own;

	if (form == DEMANGLE_SHORT || !mangled)
		return name;
	own = own_name(text_from(mangled));
	if (!language_of(own))
		return name;
	return demangle_as(own, form, false, arena);
}

struct demangled demangle_whole(struct text name, enum demangle_form form,
                                struct arena *arena)
{
	struct demangled whole = { .mangled = arena_text(arena, name) };
	SCOPED(str_release) struct str printed = { 0 };
	const struct language *language;

	name = own_name(name);
	language = language_of(name);
	whole.name = whole.mangled;
	if (!language || !language->print(name, form == DEMANGLE_SHORT, arena,
	                                  &printed, &whole.parts))
		return whole;
	whole.language = language->name;
	if (form != DEMANGLE_NONE)
		whole.name = arena_text(arena, str_text(&printed));
	return whole;
}

#include "lib/symbols/demangle/demangle.h"

#include "lib/base/str.h"
#include "lib/symbols/demangle/cxx.h"
#include "lib/symbols/demangle/rust.h"
#include "lib/symbols/demangle/swift.h"

/** The printed form, in the arena; NULL where there is none. */
static const char *printed_form(struct text name, bool brief,
                                struct arena *arena)
{
	SCOPED(str_release) struct str printed = { 0 };

	// Rust's old scheme looks like C++, so it is asked for first.
	if (rust_is_legacy(name) || rust_is_mangled(name)) {
		if (rust_demangle(name, brief, &printed))
			return arena_text(arena, str_text(&printed));
		return NULL;
	}
	if (swift_is_mangled(name)) {
		if (swift_demangle(name, brief, &printed))
			return arena_text(arena, str_text(&printed));
		return NULL;
	}
	return cxx_is_mangled(name) ? cxx_demangle(name, arena) : NULL;
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

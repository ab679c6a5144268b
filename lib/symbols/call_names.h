// SPDX-License-Identifier: MIT
/**
 * Names and places of calls in answers: demangled, with names from a
 * BCSymbolMap, and shortened to a max length.
 *
 * A name is demangled once, even if several files have it, as builds of one app
 * do. Each string of an image that stays is read and copied once. Answers are
 * in one arena, which outlives these tables. A name known from another file is
 * not charged again.
 *
 *     struct printed_names printed = { 0 }; // for all files
 *     struct call_names names = { .printed = &printed };
 *
 *     bytes = call_names_set(&names, &found.calls[i], true, arena, &call);
 *     …
 *     call_names_forget(&names);
 *     printed_names_release(&printed);
 */
#ifndef APMTOOL_LIB_SYMBOLS_CALL_NAMES_H
#define APMTOOL_LIB_SYMBOLS_CALL_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/text.h"
#include "lib/symbols/answer.h"
#include "lib/symbols/demangle/known_names.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/index/map.h"

#include <stdbool.h>
#include <stddef.h>

/** A string of an image, and its copy for answers. */
struct seen_string {
	const char *at;      ///< in the image
	const char *answer;  ///< the printed name, or the copy of a path
	const char *mangled; ///< of a name, shortened
	/** Size of the copy; of a name, the bytes not charged to a call yet. */
	uint32_t bytes;
	uint32_t size; ///< of a name, in the image
	uint32_t answer_size;
	uint32_t mangled_size;
};

/**
 * Strings by address in the image, so they are not read again. All zeros is
 * empty.
 */
struct seen_strings {
	struct map map;
	struct seen_string *items;
	size_t count;
	size_t cap;
};

/** Printed names of any number of files. All zeros is empty. */
struct printed_names {
	struct known_names of_debug_info;
	struct known_names of_symtab;
};

/** Names of one file. Zero-initialise, then set the printed ones. */
struct call_names {
	struct printed_names *printed; ///< borrowed
	const struct symbol_map *map;  ///< or NULL
	enum demangle_form form;
	struct seen_strings seen_names; ///< of images that stay
	struct seen_strings seen_paths;
};

/** Set the name and the mangled name of a call. */
void call_names_set_name(struct call_names *names, struct text name,
                         bool from_symtab, struct arena *arena,
                         struct symbol_call *call);

/**
 * Set name and place of a call.
 *
 * @param stays  See symbol_file_fill().
 * @return Its memory besides the arena's, the same for each source of answers.
 */
size_t call_names_set(struct call_names *names, const struct gsym_call *from,
                      bool stays, struct arena *arena, struct symbol_call *to);

/** Call before an image that stays is freed, or the arena of the answers. */
void call_names_forget(struct call_names *names);

void printed_names_release(struct printed_names *printed);

#endif

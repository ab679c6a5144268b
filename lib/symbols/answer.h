// SPDX-License-Identifier: MIT
/** The answer for an address: the calls there, and their source. */
#ifndef APMTOOL_LIB_SYMBOLS_ANSWER_H
#define APMTOOL_LIB_SYMBOLS_ANSWER_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_call {
	const char *name;      ///< demangled
	const char *mangled;   ///< as in the file; equal to name except for C++
	const char *directory; ///< or NULL
	const char *file;      ///< base name; or NULL
	uint32_t line;
	uint32_t column;    ///< from 1; 0: unknown
	bool line_borrowed; ///< see struct report_call
	bool is_unnamed;    ///< see struct gsym_call
	uint64_t start;     ///< file address of its start
	// Lengths of the strings; 0 for NULL.
	uint32_t name_size;
	uint32_t mangled_size;
	uint32_t directory_size;
	uint32_t file_size;
};

/**
 * The path of its source file, by the rules of base/source_path.h.
 *
 * @return NULL without a file; borrowed from @p call or those rules, or in @p
 *         arena.
 */
const char *symbol_call_path(const struct symbol_call *call,
                             struct arena *arena);

enum symbol_origin { SYMBOL_NONE, SYMBOL_SYMTAB, SYMBOL_DWARF };

struct symbol_answer {
	enum symbol_origin source;
	uint32_t file; ///< index of the image's file; set by the store
	struct symbol_call *calls; ///< innermost first
	uint32_t count;
	/**
	 * Inlined calls were dropped: with those of the other addresses, they
	 * exceed the memory limit.
	 */
	bool is_abridged;
	/**
	 * The source is damaged there, so a call may be missing. Damage
	 * elsewhere in the file does not count.
	 */
	bool is_doubted;
	/** Number of sound files without a better answer; set by the store. */
	uint8_t denials;
};

#endif

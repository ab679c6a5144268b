// SPDX-License-Identifier: MIT
/**
 * What is at an address: the calls there, and where they come from.
 */
#ifndef APMTOOL_LIB_SYMBOLS_ANSWER_H
#define APMTOOL_LIB_SYMBOLS_ANSWER_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_call {
	const char *name;      ///< demangled
	const char *mangled;   ///< as in the file; equal to name where not C++
	const char *directory; ///< NULL if unknown
	const char *file;      ///< base name; NULL if unknown
	uint32_t line;
	bool line_borrowed; ///< see struct report_call
	bool is_unnamed;    ///< see struct gsym_call
	uint64_t start;     ///< file address where it begins
	// Lengths of the strings; 0 for NULL.
	uint32_t name_size;
	uint32_t mangled_size;
	uint32_t directory_size;
	uint32_t file_size;
};

/**
 * The path of its source file by the rules of base/source_path.h.
 *
 * @return NULL where the file is not known; borrowed from @p call or those
 *         rules, or in @p arena.
 */
const char *symbol_call_path(const struct symbol_call *call,
                             struct arena *arena);

enum symbol_source { SYMBOL_NONE, SYMBOL_SYMTAB, SYMBOL_DWARF };

struct symbol_answer {
	enum symbol_source source;
	uint32_t file;             ///< which of the image's files; the store's
	struct symbol_call *calls; ///< innermost first
	uint32_t count;
	/**
	 * Inlined calls are left out: together with those of the other
	 * addresses they would take too much memory.
	 */
	bool is_abridged;
	/**
	 * What it comes from is damaged there, and may have said more: of other
	 * places of the same file, that says nothing.
	 */
	bool is_doubted;
	/** So many sound files know no more; the store's. */
	uint8_t denials;
};

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds symbols at or below a path, in directories and archives: slices of
 * Mach-O files (such as dSYMs), GSYM files and BCSymbolMaps.
 *
 *     struct symbol_walk walk = { .visitor = &visitor, .context = index };
 *
 *     if ((err = symbol_walk(&walk, "build/App.xcarchive.zip")))
 *             return err;
 *     if (!walk.found)
 *             …
 *
 * Only the heads of files are read, and no descriptor stays open, so thousands
 * of dSYMs are fine. Other files are skipped.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_SYMBOL_WALK_H
#define APMTOOL_LIB_SYMBOLS_INDEX_SYMBOL_WALK_H

#include "lib/base/error.h"
#include "lib/base/file_walk.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stddef.h>

/** Callbacks; all are required. */
struct symbol_visitor {
	/**
	 * A Mach-O file, a GSYM or a map was found. Returns a copy of its path,
	 * valid as long as its entries; NULL: skip it, it is known.
	 */
	const char *(*take)(void *context, const char *path);
	void (*slice)(void *context, const struct uuid_entry *entry);
	void (*map)(void *context, const struct uuid *uuid, const char *path);
	/** A file is damaged, wholly or in part, or unreadable. */
	void (*problem)(void *context, const char *path, const char *reason);
	/** As unread_packed_add(), for files that were found in a directory. */
	void (*packed)(void *context, const char *path, const char *what);
};

struct symbol_walk {
	const struct symbol_visitor *visitor;
	void *context;
	bool is_system; ///< copied to entries
	bool only_maps;
	bool only_dsyms; ///< only paths with `dSYM`
	/** Set if the path was found, not named; see file_walk_found(). */
	struct file_budget *budget;
	/**
	 * Other paths are searched, too: an archive too damaged to have symbols
	 * is a problem, not an error.
	 */
	bool is_one_of_several;

	size_t file_count;   ///< files read, also in archives
	size_t macho_count;  ///< of these, Mach-O and GSYM files taken
	size_t nested_count; ///< archives inside of the last archive
	bool found;          ///< something was found, known or new
	bool archive_found;
	/** In a directory or archive, unreadable files are problems. */
	bool may_hold_others;
};

/**
 * Walk @p path: a file, an archive, a directory, or a path inside of an
 * archive. A missing path is an error, and so is a fault of a file that was
 * named itself.
 */
MUST_CHECK struct error *symbol_walk(struct symbol_walk *walk,
                                     const char *path);

#endif

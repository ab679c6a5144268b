// SPDX-License-Identifier: MIT
/**
 * The walk that finds symbols: slices of Mach-O files (dSYMs among them), GSYM
 * files and BCSymbolMaps, at or below a path, in directories and in archives.
 *
 *     struct symbol_walk walk = { .visitor = &visitor, .context = index };
 *
 *     if ((err = symbol_walk(&walk, "build/App.xcarchive.zip")))
 *             return err;
 *     if (!walk.found)
 *             …
 *
 * Of each file only the head is read, and no descriptor stays open, so
 * thousands of dSYMs are fine. Other files are passed over.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_SYMBOL_WALK_H
#define APMTOOL_LIB_SYMBOLS_INDEX_SYMBOL_WALK_H

#include "lib/base/error.h"
#include "lib/base/file_walk.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stddef.h>

/** Who gets what the walk finds; all are needed. */
struct symbol_visitor {
	/**
	 * A Mach-O file, a GSYM or a map was found: a copy of its path, which
	 * has to live as long as what is made of it; NULL: it is known, pass
	 * over.
	 */
	const char *(*take)(void *context, const char *path);
	void (*slice)(void *context, const struct uuid_entry *entry);
	void (*map)(void *context, const struct uuid *uuid, const char *path);
	/** A file is damaged, wholly or in part, or cannot be read. */
	void (*problem)(void *context, const char *path, const char *reason);
	/** As unread_packed_add(): one that was not named itself. */
	void (*packed)(void *context, const char *path, const char *what);
};

struct symbol_walk {
	const struct symbol_visitor *visitor;
	void *context;
	bool is_system; ///< goes into the entries
	bool only_maps;
	bool only_dsyms; ///< what has `dSYM` in its path
	/** The path was only found, see file_walk_found(); NULL: it was named.
	 */
	struct file_budget *budget;
	/**
	 * One of several places: an archive that was named, and of which the
	 * damage leaves nothing, is a problem as any other.
	 */
	bool is_one_of_several;

	size_t file_count;   ///< looked at, those in archives included
	size_t macho_count;  ///< of those, Mach-O and GSYM files taken
	size_t nested_count; ///< archives inside the archive walked last
	bool found;          ///< anything, also what is known
	bool archive_found;
	/** A directory or an archive: what fails in it is a problem. */
	bool may_hold_others;
};

/**
 * Walk @p path: a file, an archive, a directory of either, or a path into an
 * archive. An absent path is an error, and so is the fault of a file that was
 * named itself.
 */
MUST_CHECK struct error *symbol_walk(struct symbol_walk *walk,
                                     const char *path);

#endif

// SPDX-License-Identifier: MIT
/**
 * Sources of symbols: options of the commands that resolve addresses, and the
 * config.
 */
#ifndef APMTOOL_CMD_RUN_SYMBOL_PATHS_H
#define APMTOOL_CMD_RUN_SYMBOL_PATHS_H

#include "cmd/run/notices.h"
#include "lib/cli/command.h"
#include "lib/config/config.h"
#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/index/unread_packed.h"
#include "lib/symbols/store.h"

/** User settings; part of a command's settings. */
struct symbol_paths {
	struct option_list dsym;
	struct option_list symbols;
	struct option_list bcsymbolmap;
	struct option_list store;
	unsigned debug_info; ///< enum debug_reader
	bool no_cache;
	bool no_auto; ///< see near_symbols.h
};

#define OPT_NO_CACHE(type, member) \
	OPT_FLAG(0, "no-cache", type, member, "do not use the cache")

/** The option to use only named symbols. */
#define OPT_NO_AUTO(type, member)                                          \
	OPT_FLAG(0, "no-auto", type, member,                               \
	         "do not look for dSYMs beside the reports and below the " \
	         "current directory")

/** Options for commands whose reports have no directory. */
#define OPT_SYMBOL_PLACES(type, member)                                        \
	OPT_LIST('d', "dsym", type, member.dsym, "<path>",                     \
	         "search <path> for symbols: a dSYM, a Mach-O file, an "       \
	         "archive, or a directory"),                                   \
	        OPT_LIST(0, "symbols", type, member.symbols, "<path>",         \
	                 "search <path> for system symbols, such as a "        \
	                 "DeviceSupport directory"),                           \
	        OPT_LIST(0, "bcsymbolmap", type, member.bcsymbolmap, "<path>", \
	                 "use the BCSymbolMap at <path>, or those in a "       \
	                 "directory"),                                         \
	        OPT_LIST(0, "store", type, member.store, "<dir>",              \
	                 "look up UUIDs in the symbol store <dir>, which is "  \
	                 "not searched"),                                      \
	        OPT_NO_CACHE(type, member.no_cache)

/** All options. */
#define OPT_SYMBOL_PATHS(type, member) \
	OPT_SYMBOL_PLACES(type, member), OPT_NO_AUTO(type, member.no_auto)

/** The reader of debug information: an unsigned member, enum debug_reader. */
#define OPT_DEBUG_INFO(type, member)                              \
	OPT_CHOICE(                                               \
	        0, "debug-info", type, member, "native|libdwarf", \
	        "reader of debug information: built in (native) or libdwarf")

/** How names are printed: an unsigned member, enum demangle_form. */
#define OPT_DEMANGLE(type, member)                                     \
	OPT_CHOICE(0, "demangle", type, member, DEMANGLE_FORMS,        \
	           "how names are printed: as Apple's tools do, with " \
	           "modules and types, or mangled")

/** Is there an index of symbols that the store would use? */
bool symbols_are_indexed(const struct symbol_paths *paths,
                         const struct config *config);

/** The cache of the config; NULL: none. */
struct cache_directory *symbols_open_cache(const struct config *config);

/**
 * Add these paths and those of the config to the index. A missing path of an
 * option ends the run. A missing path of the config, or an unusable file below
 * a path, is a warning, unless @p quiet.
 */
enum exit_status symbols_add_paths(const struct notices *notices,
                                   struct symbol_store *store,
                                   const struct symbol_paths *paths,
                                   const struct config *config, bool quiet);

/** Does Xcode give such a directory this ending: `App.app.dSYM`? */
bool symbol_path_is_bundle(const char *path);

/** Warn of packed files that may have symbols, if any. */
void symbols_warn_packed(const struct notices *notices,
                         const struct unread_packed *packed);

/**
 * The status of a run that used @p store: that of the environment, after a
 * message, if names are missing for lack of resources; else @p status. Warns of
 * an unusable index and of damaged symbols that were replaced by others, unless
 * @p quiet.
 */
enum exit_status symbols_status(const struct notices *notices,
                                const struct symbol_store *store, bool quiet,
                                enum exit_status status);

#endif

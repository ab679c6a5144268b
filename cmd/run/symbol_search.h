// SPDX-License-Identifier: MIT
/**
 * Where a command finds symbols, all in one: what its options and the config
 * name, places among its operands, and what is near the reports.
 *
 *     SCOPED(symbol_search_release)
 *     struct symbol_search search = { .form = settings->form };
 *     const struct command_line reports = symbol_search_split(&search, line);
 *
 *     status = symbol_search_open(&search, &reports, &settings->symbols,
 *                                 jobs, quiet);
 *     symbol_search_begin(&search, reports, count);
 *     symbolicate(reports, count, search.store, ...);
 */
#ifndef APMTOOL_CMD_RUN_SYMBOL_SEARCH_H
#define APMTOOL_CMD_RUN_SYMBOL_SEARCH_H

#include "cmd/run/near_symbols.h"
#include "cmd/run/symbol_paths.h"
#include "lib/analysis/symbolicate/missing_symbols.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Symbols among the operands: `symbolicate App.crash App.dSYM`, as people type
 * it for Apple's symbolicatecrash. A dSYM, an .xcarchive, a Mach-O or GSYM
 * file, or an archive with any of these, is a place to search; all others are
 * reports. An archive that holds both is in both lists.
 */
struct symbol_operands {
	const char **reports;
	size_t report_count;
	const char **places;
	size_t place_count;
};

/** All zeros to begin, but for the form where it is not DEMANGLE_SHORT. */
struct symbol_search {
	enum demangle_form form; ///< of the names that reports get
	struct symbol_store *store;
	struct near_symbols near;
	struct symbol_operands operands;
	struct missing_symbols damaged; ///< of what symbol_search_name() named
};

/**
 * The command line without the operands that are places to search.
 *
 * @return Borrows from @p line and @p search.
 */
struct command_line symbol_search_split(struct symbol_search *search,
                                        const struct command_line *line);

/**
 * Open the store and give it all places. The children that read symbols are no
 * copies of this process, which reads reports.
 *
 * @param reports  Borrowed; its operands are the reports.
 * @return EXIT_DONE, or another status after a message.
 */
enum exit_status symbol_search_open(struct symbol_search *search,
                                    const struct command_line *reports,
                                    const struct symbol_paths *paths,
                                    unsigned jobs, bool quiet);

/**
 * Before a batch of reports is named: forget what earlier ones needed, if it is
 * much, and look near the reports for what is missing.
 */
void symbol_search_begin(struct symbol_search *search,
                         struct report *const *reports, size_t count);

/** As symbol_search_begin(), and name all frames of the reports. */
void symbol_search_name(struct symbol_search *search,
                        struct report *const *reports, size_t count,
                        struct arena *arena);

/**
 * At the end: print which symbols are damaged, for commands that say nothing of
 * those that are missing, and what symbols_status() prints, which is returned.
 */
enum exit_status symbol_search_finish(struct symbol_search *search,
                                      enum exit_status status);

void symbol_search_release(struct symbol_search *search);

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds symbols for a command: from its options and the config, among its
 * operands, and near the reports.
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
 * Operands with symbols: `symbolicate App.crash App.dSYM`, as for Apple's
 * symbolicatecrash. A dSYM, an .xcarchive, a Mach-O or GSYM file, or an archive
 * with one of these, is a place of symbols; all others are reports. An archive
 * with both is in both lists.
 */
struct symbol_operands {
	const char **reports;
	size_t report_count;
	const char **places;
	size_t place_count;
};

/** Zero-initialise, then set the form unless DEMANGLE_SHORT. */
struct symbol_search {
	enum demangle_form form; ///< of printed names
	struct symbol_store *store;
	struct near_symbols near;
	struct symbol_operands operands;
	struct missing_symbols damaged; ///< from symbol_search_name()
};

/**
 * The command line without operands that only have symbols.
 *
 * @return Borrows from @p line and @p search.
 */
struct command_line symbol_search_split(struct symbol_search *search,
                                        const struct command_line *line);

/**
 * Open the store and add all sources. Children that read symbols are not forks
 * of this process, which reads reports.
 *
 * @param reports  Borrowed; its operands are the reports.
 * @return EXIT_DONE, or another status after a message.
 */
enum exit_status symbol_search_open(struct symbol_search *search,
                                    const struct command_line *reports,
                                    const struct symbol_paths *paths,
                                    unsigned jobs, bool quiet);

/**
 * Before a batch of reports is symbolicated: free data of earlier ones if it is
 * large, and search near the reports for missing symbols.
 */
void symbol_search_begin(struct symbol_search *search,
                         struct report *const *reports, size_t count);

/** As symbol_search_begin(), then symbolicate the reports. */
void symbol_search_name(struct symbol_search *search,
                        struct report *const *reports, size_t count,
                        struct arena *arena);

/**
 * At the end: print damaged symbols, for commands that do not report missing
 * ones, and the messages of symbols_status(), whose status is returned.
 */
enum exit_status symbol_search_finish(struct symbol_search *search,
                                      enum exit_status status);

void symbol_search_release(struct symbol_search *search);

#endif

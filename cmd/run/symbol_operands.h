/**
 * Symbols among the operands: `symbolicate App.crash App.dSYM`, as people type
 * it for Apple's symbolicatecrash. A dSYM, an .xcarchive, a Mach-O or GSYM
 * file, or an archive with any of these, is a place to search; all others are
 * reports.
 *
 *     SCOPED(symbol_operands_release) struct symbol_operands operands = { 0 };
 *     struct command_line reports = symbol_operands_split(line, &operands);
 */
#ifndef APMTOOL_CMD_RUN_SYMBOL_OPERANDS_H
#define APMTOOL_CMD_RUN_SYMBOL_OPERANDS_H

#include "cmd/run/notices.h"
#include "lib/cli/command.h"
#include "lib/symbols/store.h"

#include <stddef.h>

/** All zeros before symbol_operands_split(). */
struct symbol_operands {
	const char **reports;
	size_t report_count;
	const char **places;
	size_t place_count;
};

/**
 * The same command line without the places. An archive that holds both symbols
 * and reports is in both lists.
 *
 * @return Borrows from @p line and @p ret.
 */
struct command_line symbol_operands_split(const struct command_line *line,
                                          struct symbol_operands *ret);

/** Search the places; as symbols_add_paths(). */
enum exit_status symbol_operands_add(const struct notices *notices,
                                     const struct symbol_operands *operands,
                                     struct symbol_store *store);

void symbol_operands_release(struct symbol_operands *operands);

#endif

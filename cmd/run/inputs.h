/**
 * The inputs of a command, from its operands: files as they are, folders
 * walked, standard input for `-` or where there is no operand.
 */
#ifndef APMTOOL_CMD_RUN_INPUTS_H
#define APMTOOL_CMD_RUN_INPUTS_H

#include "cmd/command.h"
#include "lib/symbols/symbol_store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	char *path;
	uint64_t size_bytes; ///< 0 where there is none: a pipe
	bool from_folder;    ///< not named by the user
};

struct inputs {
	struct input *items;
	size_t count;
	size_t cap;
	size_t failed; ///< operands that are not there; already reported
};

/**
 * Gather the inputs in the order of the operands; a folder's files by name.
 *
 * @param output  The output file, which must not be one of the inputs; may be
 *                NULL.
 * @return EXIT_DONE, or EXIT_USAGE after a message.
 */
enum exit_status inputs_gather(const struct command_line *line,
                               const char *output, struct inputs *ret);

void inputs_release(struct inputs *inputs);

/** Where symbols are looked for; part of a command's settings. */
struct symbol_paths {
	struct option_list dsym;
	struct option_list symbols;
	struct option_list bcsymbolmap;
};

/** The options that fill it. */
#define OPT_SYMBOL_PATHS(type, member)                                         \
	OPT_LIST('d', "dsym", type, member.dsym, "<path>",                     \
	         "search <path> for symbols: a dSYM, a Mach-O file, an "       \
	         "archive, or a directory"),                                   \
	        OPT_LIST(0, "symbols", type, member.symbols, "<path>",         \
	                 "search <path> for system symbols, such as a "        \
	                 "DeviceSupport directory"),                           \
	        OPT_LIST(0, "bcsymbolmap", type, member.bcsymbolmap, "<path>", \
	                 "use the BCSymbolMap at <path>, or those in a "       \
	                 "directory")

/**
 * Index these paths and those of the config. A path that was named and is not
 * there ends the run; one of the config is only warned of.
 */
enum exit_status symbols_add_paths(struct symbol_store *store,
                                   const struct symbol_paths *paths,
                                   const struct config *config);

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds symbols that the user did not name: dSYMs in directories of the reports
 * and below the current directory; on a Mac also Xcode's archives and dSYMs
 * known to Spotlight. Searches once a run, when an image of the app has no
 * symbols elsewhere (including the UUID index). Files are used by UUID only.
 * Prints the used files on stderr, and, once, packed files that may contain a
 * missing dSYM.
 *
 *     SCOPED(near_symbols_release)
 *     struct near_symbols near = { .store = store, .line = line };
 *
 *     near_symbols_use(&near, reports, count);
 */
#ifndef APMTOOL_CMD_RUN_NEAR_SYMBOLS_H
#define APMTOOL_CMD_RUN_NEAR_SYMBOLS_H

#include "lib/base/intern.h"
#include "lib/cli/command.h"
#include "lib/model/report.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>

/** Zero-initialise, then set the first members, before near_symbols_use(). */
struct near_symbols {
	struct symbol_store *store;
	/** Its operands are the reports, except `-`. */
	const struct command_line *line;
	bool off;
	bool quiet; ///< print nothing
	bool warned_of_packed;
	struct uuid_index *found; ///< NULL: not searched yet
	struct intern asked;      ///< UUIDs, in bytes
	struct intern printed;    ///< files in use
	struct intern places;     ///< directories to search, in order
	uint32_t searched;        ///< number of directories searched so far
	struct file_budget budget;
};

/** Search near these operands, too, before those of `line`. */
void near_symbols_look_beside(struct near_symbols *near,
                              const struct command_line *line);

/** Add the files found for one image of the app to the store. */
void near_symbols_use_for(struct near_symbols *near, const struct uuid *uuid);

/** Add the files found for images with frames in @p reports to the store. */
void near_symbols_use(struct near_symbols *near, struct report *const *reports,
                      size_t count);

void near_symbols_release(struct near_symbols *near);

#endif

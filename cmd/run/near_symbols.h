// SPDX-License-Identifier: MIT
/**
 * Symbols found without being named: dSYMs beside the reports and below the
 * current directory, and on a Mac those of Xcode's archives and those that
 * Spotlight knows. They are looked for when an image of the app has none
 * elsewhere, the UUID index included, once a run, and used by UUID only; which
 * are used is printed on stderr, and once, if there is no dSYM of an image,
 * which files may hold it and are packed.
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

/** All zeros but for the first ones, before near_symbols_use(). */
struct near_symbols {
	struct symbol_store *store;
	/** Its operands, but for `-`, are the reports. */
	const struct command_line *line;
	bool off;
	bool quiet; ///< nothing is printed
	bool warned_of_packed;
	struct uuid_index *found; ///< NULL: not searched yet
	struct intern asked;      ///< UUIDs, in bytes
	struct intern printed;    ///< files that are used
	struct intern places;     ///< to search, in this order
	uint32_t searched;        ///< so many of them were
	struct file_budget budget;
};

/** Look beside these operands, too, and before those of `line`. */
void near_symbols_look_beside(struct near_symbols *near,
                              const struct command_line *line);

/** Give the store what is found for one image, which is of the app. */
void near_symbols_use_for(struct near_symbols *near, const struct uuid *uuid);

/** Give the store what is found for images that have frames in @p reports. */
void near_symbols_use(struct near_symbols *near, struct report *const *reports,
                      size_t count);

void near_symbols_release(struct near_symbols *near);

#endif

// SPDX-License-Identifier: MIT
/**
 * Rules for frames of crashes: the user's (--rules), then those of
 * data/frame-meanings.yaml.
 */
#ifndef APMTOOL_CMD_RUN_FRAME_RULES_H
#define APMTOOL_CMD_RUN_FRAME_RULES_H

#include "lib/base/error.h"
#include "lib/cli/options.h"
#include "lib/config/lag_rules.h"

/** Option of commands with these rules. */
#define OPT_FRAME_RULES(type, member)                               \
	OPT_LIST(0, "rules", type, member, "<file>",                \
	         "rules for frames, before the built-in ones; see " \
	         "apmtool-rules(5)")

/**
 * @param files  Of the option; or NULL.
 * @param ret  All zeros; release it in any case.
 * @param ret_user_count  Set to the number of the user's rules; or NULL.
 */
MUST_CHECK struct error *frame_rules_read(const struct option_list *files,
                                          struct lag_rules *ret,
                                          size_t *ret_user_count);

#endif

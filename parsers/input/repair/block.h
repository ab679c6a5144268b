// SPDX-License-Identifier: MIT
/**
 * Blocks around a report in a chat, an issue or a wiki: fences of markdown,
 * `{code}` and `{noformat}` of Jira, `<pre>` and `<details>`.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_BLOCK_H
#define APMTOOL_PARSERS_INPUT_REPAIR_BLOCK_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct block {
	struct text mark;   ///< opening mark: "```", `{code}`
	bool has_line;      ///< the mark is alone on its line
	size_t lines_above; ///< removed, not counting the mark's own
	size_t lines_below;
};

/**
 * Write the contents of the outermost block; false without one.
 *
 * @param tags  HTML tags are marks, too.
 */
bool block_open(struct text in, bool tags, struct str *out, struct block *ret);

#endif

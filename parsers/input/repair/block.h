// SPDX-License-Identifier: MIT
/**
 * What sets a report apart in a chat, an issue or a wiki: fences of markdown,
 * `{code}` and `{noformat}` of Jira, `<pre>` and `<details>`.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_BLOCK_H
#define APMTOOL_PARSERS_INPUT_REPAIR_BLOCK_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct block {
	struct text mark;   ///< what it began with: "```", `{code}`
	bool has_line;      ///< the mark has a line of its own
	size_t lines_above; ///< left out, but for the mark's own
	size_t lines_below;
};

/**
 * Write what is inside the outermost block; false if there is none.
 *
 * @param tags  Those of HTML are marks, too.
 */
bool block_open(struct text in, bool tags, struct str *out, struct block *ret);

#endif

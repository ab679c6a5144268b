// SPDX-License-Identifier: MIT
/**
 * Reports inside of JSON of another kind: the envelopes of SDKs and servers. A
 * report is the text of a value, with its lines as `\\n` and its quotes as
 * `\\"`; that text in Base64, perhaps packed besides; or an object or an array
 * under a name that envelopes use (`payload`, `STACK_TRACE`, `JSON`, …).
 *
 *     struct wrapping wrapping = { .layer = 1 };
 *
 *     used = wrapping_find(in, left_bytes, arena, &wrapping);
 *     for (size_t i = 0; i < wrapping.count; i++)
 *             …read wrapping.items[i].bytes…
 *     wrapping_fill(&wrapping, report, arena);
 *
 * What an envelope says beside its report (`SYS_PHONE_MODEL`, `CREATE_TIME`, …)
 * fills what the report lacks. What is inside may be an envelope, too:
 * WRAPPING_LAYERS_MAX in all.
 */
#ifndef APMTOOL_PARSERS_INPUT_WRAPPING_H
#define APMTOOL_PARSERS_INPUT_WRAPPING_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** Envelopes around a report. */
#define WRAPPING_LAYERS_MAX 3

/** What an envelope says besides. */
enum wrapping_fact {
	WRAPPING_SESSION,     ///< `APP_SESSION_ID`
	WRAPPING_MODEL,       ///< `SYS_PHONE_MODEL`
	WRAPPING_OS_NAME,     ///< `SYS_SYSTEM_MODEL`: iOS
	WRAPPING_OS_VERSION,  ///< `SYS_SYSTEM_VERSION`
	WRAPPING_APP_VERSION, ///< `APP_VERSION`
	WRAPPING_TIME,        ///< `CREATE_TIME`
	WRAPPING_MONITOR,     ///< `MONITOR_TYPE`
	WRAPPING_IMAGES,      ///< `dyld_images`
	WRAPPING_CRASH_TIME,  ///< `crashTime`, beside `appleReport`
	WRAPPING_EXCEPTION,   ///< `userException`
	WRAPPING_CUSTOM,      ///< `custom`
	WRAPPING_FACTS,
};

/** What may be a report. */
struct wrapped {
	struct bytes bytes; ///< of the input, or in the arena
	const char *place;  ///< its path: `payload.STACK_TRACE`
	/** Why not all of it is there, a constant; NULL: all is. */
	const char *damage;
	bool is_text; ///< the text of a value as it is
};

/** One envelope. All zeros but the first two, before wrapping_find(). */
struct wrapping {
	unsigned layer; ///< from 1 on
	const struct wrapping *outer;
	struct text facts[WRAPPING_FACTS]; ///< as JSON; empty: not said
	struct wrapped *items;
	size_t count;
	size_t cap;
	size_t made_bytes; ///< that were decoded
	bool is_too_large; ///< something would be more than may be decoded
};

/**
 * Look into the first JSON value of @p in, which must outlive @p ret.
 *
 * @param limit_bytes  So much may be decoded.
 * @return How far the value reaches; 0: it is no JSON, and nothing was found.
 */
size_t wrapping_find(struct text in, size_t limit_bytes, struct arena *arena,
                     struct wrapping *ret);

/** Give @p report what it lacks, and all linked to it. */
void wrapping_fill(const struct wrapping *wrapping, struct report *report,
                   struct arena *arena);

/**
 * The same for samples, which are not read into a report: a document with what
 * its envelope says in front.
 *
 * @param in  A list of nodes, or a document of samples.
 * @return @p in where there is nothing to add; else in the arena.
 */
struct text wrapping_compose(const struct wrapping *wrapping, struct text in,
                             struct arena *arena);

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds reports inside of other JSON: envelopes of SDKs and servers. A report
 * is the text of a value, with line ends as `\\n` and quotes as `\\"`; that
 * text in Base64, perhaps compressed; or an object or array under a name that
 * envelopes use (`payload`, `STACK_TRACE`, `JSON`, …).
 *
 *     struct wrapping wrapping = { .layer = 1 };
 *     used = wrapping_find(in, left_bytes, arena, &wrapping);
 *     for (size_t i = 0; i < wrapping.count; i++)
 *             …read wrapping.items[i].bytes…
 *     wrapping_fill(&wrapping, report, arena);
 *
 * Facts of the envelope (`SYS_PHONE_MODEL`, `CREATE_TIME`, …) fill empty fields
 * of the report. Envelopes nest up to WRAPPING_LAYERS_MAX.
 */
#ifndef APMTOOL_PARSERS_INPUT_WRAPPING_H
#define APMTOOL_PARSERS_INPUT_WRAPPING_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** Max envelopes around a report. */
#define WRAPPING_LAYERS_MAX 3

/** Facts of an envelope. */
enum wrapping_fact {
	WRAPPING_SESSION,     ///< `APP_SESSION_ID`
	WRAPPING_MODEL,       ///< `SYS_PHONE_MODEL`
	WRAPPING_OS_NAME,     ///< `SYS_SYSTEM_MODEL`: iOS
	WRAPPING_OS_VERSION,  ///< `SYS_SYSTEM_VERSION`
	WRAPPING_APP_VERSION, ///< `APP_VERSION`
	WRAPPING_TIME,        ///< `CREATE_TIME`
	WRAPPING_MONITOR,     ///< `MONITOR_TYPE`
	WRAPPING_IMAGES,      ///< `dyld_images`
	WRAPPING_CRASH_TIME,  ///< `crashTime`, next to `appleReport`
	WRAPPING_EXCEPTION,   ///< `userException`
	WRAPPING_CUSTOM,      ///< `custom`
	WRAPPING_FACTS,
};

/** A possible report. */
struct wrapped {
	struct bytes bytes; ///< of the input, or in the arena
	const char *place;  ///< its path: `payload.STACK_TRACE`
	/** Why it is incomplete, a constant; or NULL. */
	const char *damage;
	bool is_text; ///< the plain text of a value
};

/** One envelope. All zeros except the first two, before wrapping_find(). */
struct wrapping {
	unsigned layer; ///< from 1 on
	const struct wrapping *outer;
	struct text facts[WRAPPING_FACTS]; ///< as JSON; empty: absent
	struct wrapped *items;
	size_t count;
	size_t cap;
	size_t made_bytes; ///< decoded bytes
	bool is_too_large; ///< something exceeds the limit
};

/**
 * Search the first JSON value of @p in, which must outlive @p ret.
 *
 * @param limit_bytes  Max bytes to decode.
 * @return Size of the value; 0 if @p in is not JSON.
 */
size_t wrapping_find(struct text in, size_t limit_bytes, struct arena *arena,
                     struct wrapping *ret);

/** Fill empty fields of @p report and all reports linked to it. */
void wrapping_fill(const struct wrapping *wrapping, struct report *report,
                   struct arena *arena);

/**
 * As wrapping_fill() for samples, which are not read into a report: the
 * document with the envelope's facts added.
 *
 * @param in  A list of nodes, or a document of samples.
 * @return @p in if there is nothing to add; else in the arena.
 */
struct text wrapping_compose(const struct wrapping *wrapping, struct text in,
                             struct arena *arena);

#endif

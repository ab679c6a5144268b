// SPDX-License-Identifier: MIT
/**
 * Selects reports by app, system, device, kind and time.
 *
 *     err = selection_add(&selection, "app=Demo,os=17.2", &arena);
 *     if (!err)
 *             err = selection_set_since(&selection, "2026-01-31");
 *     …
 *     if (selection_takes(&selection, report))
 *
 * A report without a required value is not selected.
 */
#ifndef APMTOOL_LIB_MODEL_SELECTION_H
#define APMTOOL_LIB_MODEL_SELECTION_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/model/report.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum selection_key {
	SELECTION_APP,
	SELECTION_VERSION,
	SELECTION_OS,
	SELECTION_DEVICE,
	SELECTION_KIND,
	SELECTION_AT_LAUNCH,
	SELECTION_KEYS,
};

struct selection_term {
	enum selection_key key;
	struct text value;
};

/** All zeros selects all reports. */
struct selection {
	struct selection_term *terms;
	size_t count;
	size_t cap;
	unsigned keys; ///< 1 << enum selection_key, of the terms
	int64_t since_ms;
	bool has_since;
	int64_t until_ms; ///< inclusive
	bool has_until;
};

/** Keys of terms and names of kinds, for `--help`. */
#define SELECTION_WORDS "app=|version=|os=|device=|kind=|at_launch="

/**
 * Add the terms of an option, `KEY=VALUE` separated by commas; a comma without
 * a key after it is part of the value, `iPhone14,2`. Terms of one key are
 * alternatives; one of each key must match. `*` in values other than kinds
 * matches any text.
 *
 * @param terms  Borrowed.
 * @return An ERROR_USAGE with the expected syntax.
 */
MUST_CHECK struct error *selection_add(struct selection *selection,
                                       const char *terms, struct arena *arena);

/**
 * First and last moment: a day or a time, in UTC unless it has a time zone. A
 * day is included as a whole.
 */
MUST_CHECK struct error *selection_set_since(struct selection *selection,
                                             const char *date);
MUST_CHECK struct error *selection_set_until(struct selection *selection,
                                             const char *date);

/** Is there any condition? */
bool selection_is_active(const struct selection *selection);

bool selection_takes(const struct selection *selection,
                     const struct report *report);

/** The report's value for `kind=`: `crash`, `hang`, `jetsam`, … */
const char *selection_kind(const struct report *report);

/** Is a date required that the report does not have? */
bool selection_misses_date(const struct selection *selection,
                           const struct report *report);

/** Properties of a report of samples; NULL: unknown. */
struct selection_sample {
	const char *app; ///< `Demo 2.1 (210)`
	const char *os;
	const char *device;
	const char *date; ///< a date, or seconds or milliseconds since 1970
	enum sample_kind kind;
};

/** As selection_takes() for a report of samples. */
bool selection_takes_sample(const struct selection *selection,
                            const struct selection_sample *sample);

#endif

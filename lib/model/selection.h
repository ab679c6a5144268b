// SPDX-License-Identifier: MIT
/**
 * Which of many reports are meant: by what they say of their app, system,
 * device, kind and time.
 *
 *     err = selection_add(&selection, "app=Demo,os=17.2", &arena);
 *     if (!err)
 *             err = selection_set_since(&selection, "2026-01-31");
 *     …
 *     if (selection_takes(&selection, report))
 *
 * A report that does not say what is asked for is not taken.
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

/** All zeros takes everything. */
struct selection {
	struct selection_term *terms;
	size_t count;
	size_t cap;
	unsigned keys; ///< 1 << enum selection_key, of the terms
	int64_t since_ms;
	bool has_since;
	int64_t until_ms; ///< the last that is meant
	bool has_until;
};

/** What a term may be of, and what kinds there are, for `--help`. */
#define SELECTION_WORDS "app=|version=|os=|device=|kind=|at_launch="

/**
 * Add the terms of an option, `KEY=VALUE` after commas; a comma that no key
 * follows is part of a value, `iPhone14,2`. Terms of one key are alternatives,
 * and one of each key must hold. In values other than kinds, `*` is any text.
 *
 * @param terms  Borrowed.
 * @return An ERROR_USAGE that says what was expected.
 */
MUST_CHECK struct error *selection_add(struct selection *selection,
                                       const char *terms, struct arena *arena);

/**
 * A day or a time, UTC unless it names a zone: the first, and the last moment
 * that is meant; of a day, all of it.
 */
MUST_CHECK struct error *selection_set_since(struct selection *selection,
                                             const char *date);
MUST_CHECK struct error *selection_set_until(struct selection *selection,
                                             const char *date);

/** Is anything asked for? */
bool selection_is_active(const struct selection *selection);

bool selection_takes(const struct selection *selection,
                     const struct report *report);

/** What `kind=` calls a report: `crash`, `hang`, `jetsam`, … */
const char *selection_kind(const struct report *report);

/** Is a date asked for that the report does not have? */
bool selection_misses_date(const struct selection *selection,
                           const struct report *report);

/** What a report of samples says of itself; NULL: it does not. */
struct selection_sample {
	const char *app; ///< `Demo 2.1 (210)`
	const char *os;
	const char *device;
	const char *date; ///< a date, or seconds or milliseconds since 1970
	enum sample_kind kind;
};

/** The same of such a report. */
bool selection_takes_sample(const struct selection *selection,
                            const struct selection_sample *sample);

#endif

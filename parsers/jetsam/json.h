// SPDX-License-Identifier: MIT
/**
 * JetsamEvents in JSON (apmtool-formats(5)): numbers in the unit of the log,
 * and the list of processes.
 */
#ifndef APMTOOL_PARSERS_JETSAM_JSON_H
#define APMTOOL_PARSERS_JETSAM_JSON_H

#include "lib/model/jetsam.h"
#include "lib/text/json/json.h"
#include "parsers/json/place.h"

#include <stddef.h>
#include <stdint.h>

/** A whole number ≥ 0. A note about another value calls it @c what. */
struct jetsam_field {
	const char *key;
	size_t offset; ///< of a struct jetsam_number
	uint64_t max;
	const char *what;
};

#define JETSAM_PAGES(key_, type_, member_)                          \
	{                                                           \
		.key = (key_), .offset = offsetof(type_, member_),  \
		.max = JETSAM_PAGES_MAX, .what = "a count of pages" \
	}
#define JETSAM_NUMBER(key_, type_, member_, what_)                 \
	{                                                          \
		.key = (key_), .offset = offsetof(type_, member_), \
		.max = UINT64_MAX, .what = (what_)                 \
	}

/** Read numbers by a table; other values become notes. */
void jetsam_read_numbers(const struct json_place *place, const cJSON *object,
                         const struct jetsam_field *fields, size_t count,
                         void *target);

/** Lookup of jetsam_read_process(), for all processes of a log. */
struct json_lookup jetsam_process_lookup(void);

/** Add the process described by @p object. */
void jetsam_read_process(const struct json_place *place,
                         struct json_lookup *lookup, const cJSON *object,
                         struct jetsam *jetsam);

/**
 * Read the rest of a log that people shortened with `...` and comments. An
 * object with a name and pages is a process; other objects are read as the log.
 */
void jetsam_read_pieces(const struct json_place *root, struct text rest);

#endif

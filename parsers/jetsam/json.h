// SPDX-License-Identifier: MIT
/**
 * JetsamEvents in JSON (formats.md chapter 4): numbers that keep the unit of
 * the log, and the processes of its list.
 */
#ifndef APMTOOL_PARSERS_JETSAM_JSON_H
#define APMTOOL_PARSERS_JETSAM_JSON_H

#include "lib/model/jetsam.h"
#include "lib/text/json/json.h"
#include "parsers/json/place.h"

#include <stddef.h>
#include <stdint.h>

/** A whole number from 0 on, and its name in the note of another value. */
struct jetsam_field {
	const char *key;
	size_t offset; ///< of a struct jetsam_number
	uint64_t most;
	const char *what;
};

#define JETSAM_PAGES(key_, type_, member_)                           \
	{                                                            \
		.key = (key_), .offset = offsetof(type_, member_),   \
		.most = JETSAM_PAGES_MAX, .what = "a count of pages" \
	}
#define JETSAM_NUMBER(key_, type_, member_, what_)                 \
	{                                                          \
		.key = (key_), .offset = offsetof(type_, member_), \
		.most = UINT64_MAX, .what = (what_)                \
	}

/** Read numbers by a table; what is no such number is a note. */
void jetsam_read_numbers(const struct json_place *place, const cJSON *object,
                         const struct jetsam_field *fields, size_t count,
                         void *target);

/** What jetsam_read_process() looks up, for all processes of a log. */
struct json_lookup jetsam_process_lookup(void);

/** Add the process that @p object describes. */
void jetsam_read_process(const struct json_place *place,
                         struct json_lookup *lookup, const cJSON *object,
                         struct jetsam *jetsam);

/**
 * What people leave of a log between `...` and comments: an object that has a
 * name and pages is a process; others are read as the log is.
 */
void jetsam_read_pieces(const struct json_place *root, struct text rest);

#endif

/**
 * How far a JSON value reaches, and what its outermost names say that it is.
 *
 * This is not a JSON reader (lib/text/json/json.h): it finds the end of a value
 * whatever is wrong inside, in one pass and without memory, so that an input
 * can be cut into reports before anything is read.
 */
#ifndef APMTOOL_PARSERS_JSON_EXTENT_H
#define APMTOOL_PARSERS_JSON_EXTENT_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct json_extent {
	size_t size;   ///< bytes of the value; up to the cut where it has one
	bool complete; ///< false: cut by the end, or by what begins after it
	/** Its first name, with both quotes; empty if it has none. */
	struct text first_name;
	bool has_bug_type;
	bool is_header; ///< like the first line of an `.ips` file
	bool is_body;   ///< like a report: what no header has
};

/**
 * Measure the value at the front of @p in, which must begin with a bracket.
 *
 * A value that lost its end would swallow all that follows. So it also ends
 * where a line begins with another report, or with a value in a place where
 * no value may stand.
 */
struct json_extent json_extent(struct text in);

#endif

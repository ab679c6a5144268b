/**
 * The strict scanner that stands before cJSON.
 *
 * It walks a document once, without recursion, checks it against RFC 8259,
 * and writes a copy that cJSON cannot spoil:
 *
 * - a number that a double may not hold is written as a string that begins
 *   with JSON_SCAN_NUMBER, a byte that no other string of the copy holds;
 * - `\u0000`, lone surrogates and bytes that are not UTF-8 are U+FFFD;
 * - control characters inside strings are escaped;
 * - a document that ends early is cut after its last complete member or
 *   element, and what is open is closed.
 *
 * Only lib/text/json/json.c uses this.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_SCAN_H
#define APMTOOL_LIB_TEXT_JSON_SCAN_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/text/json/json.h"

#include <stdbool.h>
#include <stddef.h>

/** First byte of a string that stands for a number: never valid UTF-8. */
#define JSON_SCAN_NUMBER '\xff'

/**
 * Most values of one document: the tree takes about 100 bytes each, and a
 * real report spends 20 bytes of text on one.
 */
#define JSON_SCAN_VALUES 3000000

/** Most members of one object: looking one up walks over the others. */
#define JSON_SCAN_KEYS 1000000

/** Most repairs that are listed. */
#define JSON_SCAN_REPAIRS 100

/** All zeros before json_scan(); json_scan_release() after it, always. */
struct json_scan {
	struct str copy; ///< what cJSON is to read
	size_t used;     ///< bytes of the input that belong to the value
	bool truncated;
	struct error *fault; ///< what ended a salvaged document; or NULL
	struct json_repair *repairs;
	size_t repair_count;
	size_t repair_cap;
};

enum json_scan_flags {
	/** Only white space may follow the value. */
	JSON_SCAN_ALONE = 1 << 0,
	/**
	 * A fault inside the outermost container ends the document there; a
	 * comma before an end, a name without a value and NaN or Infinity are
	 * repaired.
	 */
	JSON_SCAN_SALVAGE = 1 << 1,
};

/** Scan the first value of @p in. */
MUST_CHECK struct error *json_scan(struct text in, unsigned flags,
                                   struct json_scan *ret);
void json_scan_release(struct json_scan *scan);

#endif

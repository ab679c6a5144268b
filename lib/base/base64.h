/**
 * Base64: bytes that had to travel as text.
 */
#ifndef APMTOOL_LIB_BASE_BASE64_H
#define APMTOOL_LIB_BASE_BASE64_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/**
 * Append what @p in stands for. Blanks and line ends are skipped, the URL-safe
 * letters are read as well, padding may be absent.
 *
 * @return false, and @p out as it was, where anything else is in it.
 */
bool base64_decode(struct text in, struct str *out);

#endif

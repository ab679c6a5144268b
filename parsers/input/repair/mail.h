// SPDX-License-Identifier: MIT
/**
 * Quoted-printable text, as mails have it (RFC 2045, 6.7): `=3D` is a byte,
 * and `=` at the end of a line means that the line goes on.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_MAIL_H
#define APMTOOL_PARSERS_INPUT_REPAIR_MAIL_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Is all of @p in encoded so? */
bool mail_is_encoded(struct text in);

/** Write @p in decoded, if it is encoded; the number of what was read. */
bool mail_decode(struct text in, struct str *out, size_t *ret_count);

#endif

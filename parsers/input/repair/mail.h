// SPDX-License-Identifier: MIT
/**
 * Quoted-printable text of mails (RFC 2045, 6.7): `=3D` is a byte, and `=` at
 * the end of a line joins it with the next.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_MAIL_H
#define APMTOOL_PARSERS_INPUT_REPAIR_MAIL_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Is all of @p in quoted-printable? */
bool mail_is_encoded(struct text in);

/** Decode @p in if it is quoted-printable; @p ret_count: escapes decoded. */
bool mail_decode(struct text in, struct str *out, size_t *ret_count);

#endif

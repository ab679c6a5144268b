// SPDX-License-Identifier: MIT
/**
 * `multipart/form-data`: the body that a form of a page sends.
 */
#ifndef APMTOOL_CMD_SERVER_FORM_H
#define APMTOOL_CMD_SERVER_FORM_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Whether @p content_type is that of a form. */
bool form_is_type(struct text content_type);

/**
 * Find the contents of the first field that is not blank.
 *
 * @param content_type  With the boundary between fields.
 * @param ret           Part of @p body.
 * @return false where all fields are blank, or @p body is no form.
 */
bool form_find(struct text content_type, struct text body, struct text *ret);

#endif

/**
 * What an input is that no parser reads, as far as its bytes tell (formats.md,
 * chapter 1), so that the user learns more than "no".
 */
#ifndef APMTOOL_PARSERS_FOREIGN_H
#define APMTOOL_PARSERS_FOREIGN_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

/** The error of an input with a magic number; NULL if it has none. */
struct error *foreign_binary(struct bytes in);

/** The error of any other text; never NULL. */
struct error *foreign_text(struct text in);

#endif

/**
 * What an input is that no parser reads, as far as its bytes show (formats.md,
 * chapter 1), so that the user learns more than "no".
 */
#ifndef APMTOOL_PARSERS_FOREIGN_H
#define APMTOOL_PARSERS_FOREIGN_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

/** The error of an input with a magic number; NULL if it has none. */
struct error *foreign_binary(struct bytes in);

/**
 * The error of a program's source, a manual page, a patch, and of what apmtool
 * itself wrote as JSON: they quote reports, and are none. NULL for any other
 * text.
 */
struct error *foreign_source(struct text in);

/**
 * The error of JSON that apmtool or another tool wrote for a third; NULL for
 * any other text.
 */
struct error *foreign_tool(struct text in);

/** The error of any other text; never NULL. */
struct error *foreign_text(struct text in);

/**
 * What parsers say of an input that is no report, in the words of a command
 * that looks for something else: @p instead, and what it is.
 */
struct error *foreign_reword(struct error *err, const char *instead);

#endif

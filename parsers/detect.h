/**
 * Which parser reads an input, by its bytes; what it is, where none does.
 */
#ifndef APMTOOL_PARSERS_DETECT_H
#define APMTOOL_PARSERS_DETECT_H

#include "lib/base/error.h"
#include "parsers/parser.h"

/**
 * The parser of a binary format; NULL for what may be text. The error says
 * what other binary format this is, or that there is nothing in it.
 */
MUST_CHECK struct error *detect_binary(const struct envelope *in,
                                       const struct parser **ret);

/** The parser of a text; the error says what the text is instead. */
MUST_CHECK struct error *detect_text(const struct envelope *in,
                                     const struct parser **ret);

#endif

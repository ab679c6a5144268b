// SPDX-License-Identifier: MIT
/**
 * The two sides of a place where a line was broken: what the word before it
 * and the line after it say of whether a blank was there.
 *
 * Words are of a report, as text or as JSON, where a string's quotes and
 * slashes come with them. None of the texts may be empty, unless it says so.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_BROKEN_WORD_H
#define APMTOOL_PARSERS_INPUT_REPAIR_BROKEN_WORD_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Bytes of what quotes a string at the start of @p at: a quote, a curly one,
 * or one as HTML has it. 0: nothing, or @p at is empty.
 */
size_t word_quote_size(struct text at);

/** Blanks of every kind count, no-break spaces among them. */
bool word_begins_in_blank(struct text line);
bool word_ends_in_blank(struct text line);

/** Broken after its hyphen: `7D1F0C5E-` and `2B3A`. */
bool word_is_hyphenated(struct text line, struct text next);

/** A path; in JSON with a quote before it, and with slashes escaped. */
bool word_is_path(struct text word);

/** `-[Class`, or `__76-[Class`: the beginning of a method's name. */
bool word_is_class(struct text word);

/** The rest of a method's name: ends in `]`, or has an argument. */
bool word_is_selector(struct text word);

/** An address with all its digits: none in @p next can be of it. */
bool word_is_whole_address(struct text word, struct text next);

#endif

// SPDX-License-Identifier: MIT
/**
 * Decides whether a broken line had a blank at its break, by the word before
 * the break and the line after it.
 *
 * Words may be JSON text, with its quotes and escaped slashes. No text may be
 * empty except where stated.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_BROKEN_WORD_H
#define APMTOOL_PARSERS_INPUT_REPAIR_BROKEN_WORD_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Size of an opening quote at the start of @p at: plain, typographic, or an
 * HTML escape. 0 if there is none or @p at is empty.
 */
size_t word_quote_size(struct text at);

/** All blanks count, including no-break spaces. */
bool word_begins_in_blank(struct text line);
bool word_ends_in_blank(struct text line);

/** Broken after a hyphen: `7D1F0C5E-` and `2B3A`. */
bool word_is_hyphenated(struct text line, struct text next);

/** A path; in JSON after a quote and with escaped slashes. */
bool word_is_path(struct text word);

/** The start of a method's name: `-[Class`, `__76-[Class`. */
bool word_is_class(struct text word);

/** The end of a method's name: ends in `]`, or has an argument. */
bool word_is_selector(struct text word);

/** Does the address have all its digits, so that none are in @p next? */
bool word_is_whole_address(struct text word, struct text next);

#endif

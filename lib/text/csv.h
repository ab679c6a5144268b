// SPDX-License-Identifier: MIT
/**
 * Writes CSV by RFC 4180: CR LF after each record, fields quoted if necessary.
 * Control characters are made visible.
 *
 * Spreadsheets interpret fields that begin with certain characters as formulas,
 * and names in a report are untrusted: such a text gets a `'` in front, and so
 * do lines inside a field that a CI runner would take for a command.
 *
 *     SCOPED(csv_release) struct csv_writer w = { .out = out };
 *
 *     csv_text(&w, frame->name);
 *     csv_number(&w, frame->line);
 *     csv_end(&w);
 */
#ifndef APMTOOL_LIB_TEXT_CSV_H
#define APMTOOL_LIB_TEXT_CSV_H

#include "lib/base/out.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stdint.h>

/** Starts as all zeros except the output. */
struct csv_writer {
	struct out *out;
	struct str record;
	bool has_fields;
};

/** A field of text; empty for NULL. */
void csv_text(struct csv_writer *w, const char *text);
void csv_number(struct csv_writer *w, uint64_t value);
/** As `0x…`. */
void csv_address(struct csv_writer *w, uint64_t value);
/** A number from its digits; a minus sign is no formula. */
void csv_decimal(struct csv_writer *w, const char *digits);
/** A field without a value. */
void csv_empty(struct csv_writer *w);
/** Write the record, and begin the next. */
void csv_end(struct csv_writer *w);
void csv_release(struct csv_writer *w);

#endif

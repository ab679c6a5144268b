// SPDX-License-Identifier: MIT
/**
 * Writing CSV as RFC 4180 has it: a CR LF after each record, fields quoted
 * where they must be. What a field cannot hold is made visible.
 *
 * A spreadsheet takes a field that begins with one of a few characters for a
 * formula, and names in a report are not ours: such a text gets a `'` before
 * it. So does a line within a field that a CI runner would take for a command.
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

/** All zeros but for the output to begin. */
struct csv_writer {
	struct out *out;
	struct str record;
	bool has_fields;
};

/** A field of text; empty for NULL. */
void csv_text(struct csv_writer *w, const char *text);
void csv_number(struct csv_writer *w, uint64_t value);
/** `0x…` */
void csv_address(struct csv_writer *w, uint64_t value);
/** A number as its text says it: a minus sign begins no formula. */
void csv_decimal(struct csv_writer *w, const char *digits);
/** A field without a value. */
void csv_empty(struct csv_writer *w);
/** Write the record; the next begins. */
void csv_end(struct csv_writer *w);
void csv_release(struct csv_writer *w);

#endif

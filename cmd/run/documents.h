// SPDX-License-Identifier: MIT
/**
 * Reports, or pages about them, written one after the other: what comes before,
 * between and after several, and what an input that failed leaves. Or each
 * report into a file of its own.
 */
#ifndef APMTOOL_CMD_RUN_DOCUMENTS_H
#define APMTOOL_CMD_RUN_DOCUMENTS_H

#include "cmd/run/report_files.h"
#include "formatters/formatter.h"
#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/model/page.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

struct documents {
	const struct formatter *formatter;
	struct format_options options;
	struct out *out;
	size_t count; ///< written
	bool several; ///< documents_begin() was called
	/** A file for each, instead of `out`; an input that fails leaves none.
	 */
	struct report_files files;
	struct str list;       ///< of several, for the formatter's end()
	struct error *failure; ///< the first file that could not be written
};

/** From now on there is more than one; before any is written. */
void documents_begin(struct documents *documents);
/**
 * Add a report.
 *
 * @param text  The report, formatted already, and emptied; NULL: it is not yet.
 */
void documents_add_text(struct documents *documents,
                        const struct report *report, struct out *text);
/** In place of a report, a page about it. */
void documents_add_page(struct documents *documents, const struct page *page);
/** An input that failed; nothing where the format has no place for it. */
void documents_add_failure(struct documents *documents, const char *name,
                           const struct error *err);
/** The end of all; why a file could not be written. */
MUST_CHECK struct error *documents_end(struct documents *documents);
void documents_release(struct documents *documents);

#endif

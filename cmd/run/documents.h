// SPDX-License-Identifier: MIT
/**
 * Writes reports, or pages about them, one after the other into one output,
 * with the format's separators and its entries for failed inputs. Or writes a
 * file for each report.
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
	/** One file per report, instead of `out`; failed inputs get none. */
	struct report_files files;
	struct str list; ///< with several: the list for the formatter's end()
	struct error *failure; ///< of the first file that could not be written
};

/** There will be several documents; call before the first one. */
void documents_begin(struct documents *documents);
/**
 * Add a report.
 *
 * @param text  The formatted report, which is emptied; NULL: not formatted yet.
 */
void documents_add_text(struct documents *documents,
                        const struct report *report, struct out *text);
/** Add a page instead of the report. */
void documents_add_page(struct documents *documents, const struct page *page);
/** Add a failed input, if the format can show it. */
void documents_add_failure(struct documents *documents, const char *name,
                           const struct error *err);
/** End the output; returns the first failure to write a file. */
MUST_CHECK struct error *documents_end(struct documents *documents);
void documents_release(struct documents *documents);

#endif

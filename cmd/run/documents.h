/**
 * Reports, or pages about them, written one after the other: what comes before,
 * between and after several, and what an input that failed leaves.
 */
#ifndef APMTOOL_CMD_RUN_DOCUMENTS_H
#define APMTOOL_CMD_RUN_DOCUMENTS_H

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
};

/** From now on there is more than one; before any is written. */
void documents_begin(struct documents *documents);
void documents_add(struct documents *documents, const struct report *report);
/** In place of a report, a page about it. */
void documents_add_page(struct documents *documents, const struct page *page);
/** An input that failed; nothing where the format has no place for it. */
void documents_add_failure(struct documents *documents, const char *name,
                           const struct error *err);
void documents_end(struct documents *documents);

#endif

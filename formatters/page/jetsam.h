/**
 * A jetsam log as the formats `text` and `csv` show it.
 */
#ifndef APMTOOL_FORMATTERS_PAGE_JETSAM_H
#define APMTOOL_FORMATTERS_PAGE_JETSAM_H

#include "formatters/formatter.h"
#include "lib/base/out.h"
#include "lib/model/report.h"

/** The verdict, where the memory was, and the processes of the ranking. */
void jetsam_page(const struct report *report,
                 const struct format_options *options, struct out *out);

/** The processes of the ranking, for CSV; strings are the log's. */
struct table *jetsam_table(const struct jetsam *jetsam, struct arena *arena);

#endif

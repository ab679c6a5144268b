// SPDX-License-Identifier: MIT
/**
 * A file for each report, in a directory: `-o reports/`.
 *
 * A file has the name of its input, with the extension of the format:
 * `crashes/a.ips` becomes `reports/a.crash`. A file of an archive gives
 * its own name, with control characters made visible. What is taken gets a
 * number, `reports/a-2.crash`: the other reports of an input, inputs of the
 * same name (also where only the case of letters differs), and whatever is an
 * input itself. What an earlier run left there is replaced, and so is what
 * others did: links, FIFOs. The same inputs in the same order give the same
 * names.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_FILES_H
#define APMTOOL_CMD_RUN_REPORT_FILES_H

#include "cmd/run/inputs.h"
#include "lib/base/error.h"
#include "lib/base/intern.h"
#include "lib/base/out.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

struct file_identity;

/** All zeros: no files. */
struct report_files {
	const char *directory; ///< NULL: reports go elsewhere
	int fd; ///< the directory's, whatever becomes of its name
	const char *extension; ///< without the point
	struct intern names;   ///< written; letters in lower case
	struct intern stems;   ///< of them, without number and extension
	size_t *numbers;       ///< the last number that each stem got
	size_t number_cap;
	struct file_identity *inputs; ///< ascending
	size_t input_count;
};

/** Whether an output is a directory: one that is there, or `name/`. */
bool report_files_is_directory(const char *output);

/**
 * Make the directory if it is not there yet.
 *
 * @param directory  Borrowed, as is @p extension.
 */
MUST_CHECK struct error *report_files_init(struct report_files *files,
                                           const char *directory,
                                           const char *extension,
                                           const struct inputs *inputs);

/** Open the file for a report; it is put in place by out_close(). */
MUST_CHECK struct error *report_files_open(struct report_files *files,
                                           const struct report *report,
                                           struct out **ret);

void report_files_release(struct report_files *files);

#endif

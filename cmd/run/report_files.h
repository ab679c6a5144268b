// SPDX-License-Identifier: MIT
/**
 * Writes a file for each report into a directory: `-o reports/`.
 *
 * A file has the name of its input, with the format's extension:
 * `crashes/a.ips` becomes `reports/a.crash`. A file of an archive has its own
 * name, with control characters made visible. If the name is taken, a number is
 * added, `reports/a-2.crash`: for further reports of an input, inputs with the
 * same name (ignoring case), and names of inputs. Files of earlier runs are
 * replaced, as are links and FIFOs. Equal inputs in equal order give equal
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
	const char *directory; ///< NULL: no files
	int fd;                ///< of the directory, even if it is renamed
	const char *extension; ///< without the dot
	struct intern names;   ///< of written files, in lower case
	struct intern stems;   ///< of these, without number and extension
	size_t *numbers;       ///< last number of each stem
	size_t number_cap;
	struct file_identity *inputs; ///< ascending
	size_t input_count;
};

/** Is an output a directory: an existing one, or `name/`? */
bool report_files_is_directory(const char *output);

/**
 * Create the directory if it does not exist.
 *
 * @param directory  Borrowed, as is @p extension.
 */
MUST_CHECK struct error *report_files_init(struct report_files *files,
                                           const char *directory,
                                           const char *extension,
                                           const struct inputs *inputs);

/** Open the file of a report; out_close() puts it in place. */
MUST_CHECK struct error *report_files_open(struct report_files *files,
                                           const struct report *report,
                                           struct out **ret);

void report_files_release(struct report_files *files);

#endif

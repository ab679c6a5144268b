// SPDX-License-Identifier: MIT
/**
 * `--redact`: one switch for all that a run prints, on every format and on
 * stderr. main() turns it on before a command runs; from then on reports
 * (report_batch.h), tables and trees (run.h), failures (documents.h) and
 * notices (cmd/console.h) are redacted where they are about to be printed.
 */
#ifndef APMTOOL_CMD_RUN_REDACTION_H
#define APMTOOL_CMD_RUN_REDACTION_H

#include "lib/base/error.h"
#include "lib/cli/command.h"
#include "lib/cli/options.h"
#include "lib/model/redact/redactor.h"

#include <stdbool.h>

struct redact_settings {
	bool is_on;
	const char *key; ///< a file; turns it on, too
};

/** The options that fill it, of every command that reads reports or samples. */
#define OPT_REDACT(type, member)                                              \
	OPT_FLAG(0, "redact", type, member.is_on,                             \
	         "replace people, devices, networks, inputs and other "       \
	         "processes by pseudonyms"),                                  \
	        OPT_TEXT(0, "redact-key", type, member.key, "<file>",         \
	                 "redact with the key in <file>: pseudonyms are the " \
	                 "same in every run")

/**
 * Turn it on if the options of the command say so. What the command line names
 * is an input, or near one.
 */
MUST_CHECK struct error *redaction_begin(const struct option *options,
                                         const struct command_line *line);

/** With what to redact; NULL: it is off. */
const struct redactor *redaction(void);

/** Can others read the user's key? */
bool redaction_is_exposed(void);

/** Leave the process that the user names as it is. */
void redaction_keep_process(const char *name);

void redaction_end(void);

#endif

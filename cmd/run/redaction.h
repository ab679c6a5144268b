// SPDX-License-Identifier: MIT
/**
 * `--redact`: redacts all output of a run, in every format and on stderr.
 * main() turns it on before a command runs. Reports (report_batch.h), tables
 * and trees (run.h), failures (documents.h) and notices (cmd/console.h) are
 * redacted just before they are printed.
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
	const char *key; ///< a file; implies is_on
};

/** Its options, for every command that reads reports or samples. */
#define OPT_REDACT(type, member)                                              \
	OPT_FLAG(0, "redact", type, member.is_on,                             \
	         "replace people, devices, networks, inputs and other "       \
	         "processes by pseudonyms"),                                  \
	        OPT_TEXT(0, "redact-key", type, member.key, "<file>",         \
	                 "redact with the key in <file>: pseudonyms are the " \
	                 "same in every run")

/**
 * Turn it on if the command's options request it. The key must not be an input
 * or near one.
 */
MUST_CHECK struct error *redaction_begin(const struct option *options,
                                         const struct command_line *line);

/** The redactor; NULL: off. */
const struct redactor *redaction(void);

/** Can other users read the key file? */
bool redaction_is_exposed(void);

/** Do not redact the process that the user named. */
void redaction_keep_process(const char *name);

void redaction_end(void);

#endif

// SPDX-License-Identifier: MIT
/**
 * Options of the server.
 */
#ifndef APMTOOL_CMD_SERVER_SETTINGS_H
#define APMTOOL_CMD_SERVER_SETTINGS_H

#include "lib/cli/options.h"

#include <stdbool.h>
#include <stddef.h>

struct server_settings {
	const char *listen; ///< for listener_open()
	struct option_list dsym;
	struct option_list symbols;
	struct option_list store;
	struct option_list origins; ///< whose pages may use /symbolicate/v5
	struct option_list hosts;   ///< names of this server
	const char *redact_key;
	bool redact;
	unsigned jobs;
	unsigned queue; ///< limit of questions without an answer
	unsigned time_limit_s;
	size_t body_bytes_max;

	const char *program; ///< apmtool (lib/answers/program.h)
	const char *commit;
	/** Print @p line, which has no line end. */
	void (*log)(const char *line);
};

#endif

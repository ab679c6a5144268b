// SPDX-License-Identifier: MIT
/**
 * What a server is to do; all zeros are no options.
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
	struct option_list origins; ///< that may ask /symbolicate/v5
	struct option_list hosts;   ///< names of this server
	const char *redact_key;
	bool redact;
	unsigned jobs;
	unsigned queue; ///< requests that are worked on or wait
	unsigned time_limit_s;
	size_t body_bytes_max;

	const char *program; ///< apmtool (lib/answers/program.h)
	const char *commit;
	/** Print a line; it has no line end. */
	void (*log)(const char *line);
};

#endif

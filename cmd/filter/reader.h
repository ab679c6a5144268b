// SPDX-License-Identifier: MIT
/**
 * The reader of a filter: a separate process, which a report may crash. It gets
 * frames from the front (front.h) over a channel, and answers them in order.
 *
 *     reader → front   struct reader_reply, once it is ready
 *     front → reader   struct reader_request, then the report
 *     reader → front   struct reader_reply, then the body of the answer
 */
#ifndef APMTOOL_CMD_FILTER_READER_H
#define APMTOOL_CMD_FILTER_READER_H

#include "cmd/filter/answer.h"
#include "cmd/run/symbol_paths.h"
#include "lib/cli/command.h"

#include <stdint.h>

struct reader_request {
	uint32_t magic;
	uint32_t content; ///< enum envelope_content
	uint32_t shape;   ///< enum answer_shape
	uint32_t unused;
	uint64_t size;
};

struct reader_reply {
	uint32_t magic;
	uint32_t reason; ///< enum answer_reason
	uint64_t size;
};

#define READER_MAGIC 0x61706d31u

struct reader_settings {
	const struct command_line *line; ///< without operands
	const struct report_settings *reports;
	const struct symbol_paths *symbols;
	enum answer_shape shape;
	unsigned form; ///< enum demangle_form
	/** Called by the front and by each reader once frames are read. */
	void (*begin)(void);
	/** Called by a reader that cannot start. */
	void (*give_up)(void);
};

/**
 * Answer requests on @p channel until it is closed.
 *
 * @return EXIT_DONE; another status, after a message, where it cannot start.
 */
enum exit_status reader_run(const struct reader_settings *settings,
                            int channel);

#endif

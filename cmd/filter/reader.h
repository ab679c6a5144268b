// SPDX-License-Identifier: MIT
/**
 * The reader of a filter: a process of its own, which may die of a report. It
 * takes frames from the front (front.h) over a channel, and answers each in
 * order.
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
	uint64_t size;
};

struct reader_reply {
	uint32_t magic;
	uint32_t reason; ///< enum answer_reason
	uint64_t size;
};

#define READER_MAGIC 0x61706d31u

/** What the reader does; borrowed. */
struct reader_settings {
	const struct command_line *line; ///< without operands
	const struct report_settings *reports;
	const struct symbol_paths *symbols;
	enum answer_shape shape;
	unsigned form; ///< enum demangle_form
	/** Called by the front and by each reader once frames are read. */
	void (*begin)(void);
	/** The same by a reader that could not begin. */
	void (*give_up)(void);
};

/**
 * Answer what comes over @p channel until it is closed.
 *
 * @return Of the process; not EXIT_DONE where it could not begin, after a
 *         message.
 */
enum exit_status reader_run(const struct reader_settings *settings,
                            int channel);

#endif

// SPDX-License-Identifier: MIT
/**
 * The front of a filter: frames in on standard input, one answer each out on
 * standard output, in order, sent off at once. It owns framing, ids, limits of
 * size and time, and never looks into a report: that is done by a reader
 * (reader.h), a process that may die.
 *
 * Frames that wait for their answers are kept. Where the reader dies, they go
 * to a new one, one at a time; the one that a fresh reader dies of is `failed`.
 */
#ifndef APMTOOL_CMD_FILTER_FRONT_H
#define APMTOOL_CMD_FILTER_FRONT_H

#include "cmd/filter/reader.h"
#include "lib/base/out.h"
#include "lib/text/framing.h"

struct front_settings {
	const struct reader_settings *reader;
	enum framing framing;
	unsigned time_limit_s; ///< for one frame
	int input;             ///< a descriptor
	struct out *out;
};

/**
 * Pass all frames.
 *
 * @return EXIT_DONE where each frame has its answer, whatever it says;
 *         EXIT_SOME_FAILED where the framing was broken; EXIT_ENVIRONMENT
 *         where no reader can be started, or nothing be read.
 */
enum exit_status front_run(const struct front_settings *settings);

#endif

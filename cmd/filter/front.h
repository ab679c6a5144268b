// SPDX-License-Identifier: MIT
/**
 * The front of a filter: reads frames from standard input, and writes an answer
 * for each to standard output, in order and at once. It does framing, ids, and
 * limits of size and time. A separate process, the reader (reader.h), parses
 * the reports, since it may crash.
 *
 * The front keeps frames until they are answered. When the reader dies, it
 * sends them to a new one, one at a time. A frame that crashes a new reader is
 * answered as `failed`.
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
 * Answer all frames.
 *
 * @return EXIT_DONE where each frame has an answer; EXIT_SOME_FAILED where the
 *         framing is broken; EXIT_ENVIRONMENT where the input cannot be read or
 *         no reader can start.
 */
enum exit_status front_run(const struct front_settings *settings);

#endif

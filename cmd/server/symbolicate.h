// SPDX-License-Identifier: MIT
/**
 * Mozilla's symbolication API, version 5, for the Firefox Profiler. A request
 *
 *     {"jobs":[{"memoryMap":[["App","4C4C…0"]],"stacks":[[[0,3260]]]}]}
 *
 * becomes a report for `apmtool filter`, and the answer becomes a response:
 *
 *     {"results":[{"stacks":[[{"frame":0,"module":"App",…}]],
 *                  "found_modules":{"App/4C4C…0":true}}]}
 *
 * Offsets are looked up as they are: the client has already subtracted 1 from
 * return addresses.
 *
 *     SCOPED(arena_release) struct arena arena = { 0 };
 *     struct symbolicate_request request;
 *
 *     err = symbolicate_read(body, &arena, &request);
 *     symbolicate_add_report(&request, &report);
 *     …
 *     err = symbolicate_add_response(&request, document, &response);
 */
#ifndef APMTOOL_CMD_SERVER_SYMBOLICATE_H
#define APMTOOL_CMD_SERVER_SYMBOLICATE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A request with more is an ERROR_LIMIT. One thread serves all clients: reading
 * a request and writing its response must not keep it for more than a fifth of
 * a second. The profiler asks for 10,000 frames at a time, or all of one
 * module.
 */
#define SYMBOLICATE_BYTES_MAX   ((size_t)16 << 20)
#define SYMBOLICATE_FRAMES_MAX  50000
#define SYMBOLICATE_MODULES_MAX 16384
/** Bytes of a name or an id; each frame of the response has the name. */
#define SYMBOLICATE_NAME_MAX 255

struct symbolicate_module {
	const char *name;
	const char *id;
	struct text member; ///< `"module":"App"`, for each frame
	struct uuid uuid;   ///< zero: not the id of a Mach-O file
};

struct symbolicate_frame {
	/** Index in the request; SYMBOLICATE_MODULES_MAX: none. */
	uint32_t module;
	uint64_t offset;
};

/** Where its stacks and modules end; they begin where those before it end. */
struct symbolicate_job {
	size_t stack_end;
	size_t module_end;
};

/** The contents of all jobs, in order. */
struct symbolicate_request {
	struct symbolicate_job *jobs;
	size_t job_count;
	struct symbolicate_module *modules;
	size_t module_count;
	size_t *stack_ends; ///< frames of all stacks up to the end of each
	size_t stack_count;
	struct symbolicate_frame *frames;
	size_t frame_count;
};

/** Read a request; an ERROR_FORMAT or ERROR_LIMIT names the place. */
MUST_CHECK struct error *symbolicate_read(struct text body, struct arena *arena,
                                          struct symbolicate_request *ret);

/** Append a report (.ips) with the frames of the request. */
void symbolicate_add_report(const struct symbolicate_request *request,
                            struct str *out);

/**
 * Append the response.
 *
 * @param document  The report with names (apmtool.report/1); empty: nothing
 *                  was found.
 * @return ERROR_FORMAT where @p document has other frames.
 */
MUST_CHECK struct error *symbolicate_add_response(
        const struct symbolicate_request *request, struct text document,
        struct str *out);

#endif

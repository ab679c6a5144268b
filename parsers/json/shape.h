// SPDX-License-Identifier: MIT
/**
 * Finds the end of a JSON value, and classifies it by the names of its
 * outermost members.
 *
 * This is not a JSON reader (lib/text/json). It makes one pass, allocates no
 * memory and tolerates any damage inside of the value. With it, callers split
 * an input into reports and detect its format before they parse anything.
 */
#ifndef APMTOOL_PARSERS_JSON_SHAPE_H
#define APMTOOL_PARSERS_JSON_SHAPE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Names that identify an object; 64 at most. */
enum json_name {
	JSON_NAME_BUG_TYPE,
	JSON_NAME_APP_NAME,
	JSON_NAME_TIMESTAMP,
	JSON_NAME_INCIDENT_ID,
	JSON_NAME_OS_VERSION,
	// .ips, jetsam
	JSON_NAME_THREADS,
	JSON_NAME_USED_IMAGES,
	JSON_NAME_FAULTING_THREAD,
	JSON_NAME_PANIC_STRING,
	JSON_NAME_MACOS_PANIC_STRING,
	JSON_NAME_PROCESS_BY_PID,
	JSON_NAME_STACKSHOT,
	JSON_NAME_LARGEST_PROCESS,
	JSON_NAME_MEMORY_STATUS,
	JSON_NAME_PROCESSES,
	JSON_NAME_TIME_DELTA,
	// KSCrash, its wrapper, Matrix
	JSON_NAME_CRASH,
	JSON_NAME_REPORT,
	JSON_NAME_RECRASH_REPORT,
	JSON_NAME_BINARY_IMAGES,
	JSON_NAME_APPLE_REPORT,
	JSON_NAME_CRASH_TIME,
	JSON_NAME_USER_EXCEPTION,
	JSON_NAME_STACK_STRING,
	JSON_NAME_DUMP_TYPE,
	JSON_NAME_HEAD,
	// MetricKit
	JSON_NAME_CRASH_DIAGNOSTICS,
	JSON_NAME_HANG_DIAGNOSTICS,
	JSON_NAME_CPU_DIAGNOSTICS,
	JSON_NAME_DISK_DIAGNOSTICS,
	JSON_NAME_LAUNCH_DIAGNOSTICS,
	JSON_NAME_CALL_STACK_TREE,
	JSON_NAME_CALL_STACK_TREES,
	JSON_NAME_CALL_STACKS,
	JSON_NAME_DIAGNOSTIC_META_DATA,
	// lag samples and nodes
	JSON_NAME_SAMPLES,
	JSON_NAME_DYLD_IMAGES,
	JSON_NAME_STACK,
	JSON_NAME_DEPTH,
	JSON_NAME_COUNT,
	JSON_NAME_COST_TIME,
	JSON_NAME_METHOD_ADDRESS,
	JSON_NAME_METHOD_ID,
	// Swift's own crash logs
	JSON_NAME_FAULT_ADDRESS,
	// events of crash reporting services
	JSON_NAME_DEBUG_META,
	JSON_NAME_EXCEPTION,
	JSON_NAME_EVENT,
	JSON_NAME_EVENTS,
	JSON_NAME_EXCEPTIONS,
	JSON_NAME_PAYLOAD_VERSION,
	JSON_NAME_IMAGES_OF_KIT,
	// profiles of other tools
	JSON_NAME_SCHEMA,
	JSON_NAME_TRACE_EVENTS,
	// envelopes; with JSON_NAME_STACK, of lists of nodes, too
	JSON_NAME_NODES,
	JSON_NAME_STACKS,
	JSON_NAME_STACK_TRACE,
	JSON_NAME_PAYLOAD,
	JSON_NAME_JSON,
};

/** The bit of a name in struct json_shape. */
#define JSON_HAS(name) (UINT64_C(1) << JSON_NAME_##name)

struct json_shape {
	size_t size; ///< of an incomplete value, up to its end
	/** false: truncated, interrupted by another value, or malformed */
	bool complete;
	/** Its first name, with both quotes; empty if it has none. */
	struct text first_name;
	uint64_t names; ///< JSON_HAS() of the outermost object
	bool is_body;   ///< it has a name that reports have and headers do not
	/** it has the names of the first line of an `.ips` file */
	bool has_header_names;
	bool is_header; ///< @c has_header_names, but not @c is_body
};

/**
 * Classify the value at the start of @p in; all zeros unless it begins with a
 * bracket. Damaged and truncated values are read as far as possible.
 */
struct json_shape json_shape(struct text in);

/**
 * Is it certainly a report? Programs print other JSON into a text, and a text
 * may lack its end. Envelopes contain other JSON, too.
 */
bool json_shape_is_report(const struct json_shape *shape);

/**
 * Does a JSON object or array begin @p in? Checks what follows the bracket,
 * since texts begin with brackets, too: `[ERROR] …`, `{System.Exception: …`.
 */
bool json_begins(struct text in);

/** Is @p name, without quotes, an outermost member of headers or reports? */
bool json_name_is_of_report(struct text name);

/**
 * Does @p in begin with a document of apmtool, identified by its schema, or an
 * array of them?
 */
bool json_is_own(struct text in);

/**
 * As json_shape(), for one of several values. An incomplete value ends before a
 * line that begins with another report. It also ends before a line that begins
 * with a value if JSON allows no value there.
 */
struct json_shape json_shape_in_line(struct text in);

/** The shape of a complete value that is known already. */
struct json_shape_known {
	const char *data; ///< its start; NULL: none
	struct json_shape shape;
};

/** As json_shape(), but reuses @p known if it is the same value. */
struct json_shape json_shape_known(struct text in,
                                   const struct json_shape_known *known);

#endif

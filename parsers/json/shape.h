// SPDX-License-Identifier: MIT
/**
 * How far a JSON value reaches, and what the names of its outermost members
 * say that it is.
 *
 * This is not a JSON reader (lib/text/json): it finds the end of a value
 * whatever is wrong inside, in one pass and without memory, so that an input
 * can be split into reports, and its format detected, before anything is read.
 */
#ifndef APMTOOL_PARSERS_JSON_SHAPE_H
#define APMTOOL_PARSERS_JSON_SHAPE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Names that say what an object is (formats.md chapter 1); 64 at most. */
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
	size_t size;   ///< bytes of the value; of an open one, to where it ends
	bool complete; ///< false: ended by the end, by what begins after it, or
	               ///< askew
	/** Its first name, with both quotes; empty if it has none. */
	struct text first_name;
	uint64_t names; ///< JSON_HAS() of the outermost object
	bool is_body;   ///< like a report: it has a name that no header has
	bool has_header_names; ///< of the first line of an `.ips` file
	bool is_header;        ///< has them, and is no body
};

/**
 * Look at the value at the front of @p in: the zero shape unless it begins
 * with a bracket. A damaged or shortened one is looked at as far as it goes.
 */
struct json_shape json_shape(struct text in);

/**
 * Is it a report for sure? A text that has lost its end may hold other JSON,
 * which programs print into it, and so do envelopes.
 */
bool json_shape_is_report(const struct json_shape *shape);

/**
 * Does a JSON object or array begin @p in, by what follows its bracket? Texts
 * begin with brackets, too: `[ERROR] …`, `{System.Exception: …`.
 */
bool json_begins(struct text in);

/** Is @p name, without quotes, one that a header or a report has outermost? */
bool json_name_is_of_report(struct text name);

/**
 * Does a document that apmtool itself wrote begin here, by its schema, or an
 * array of them?
 */
bool json_is_own(struct text in);

/**
 * As json_shape() for one of several values. One that lost its end would
 * swallow all that follows, so it also ends where a line begins with another
 * report, or with a value in a place where no value may be.
 */
struct json_shape json_shape_in_line(struct text in);

/** A complete value that was looked at before: of the last one, say. */
struct json_shape_known {
	const char *data; ///< where it begins; NULL: there was none
	struct json_shape shape;
};

/** json_shape(), which looks again only if it is not the value in @p known. */
struct json_shape json_shape_known(struct text in,
                                   const struct json_shape_known *known);

#endif

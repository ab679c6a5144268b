// SPDX-License-Identifier: MIT
/**
 * The header line of an `.ips` file (apmtool-formats(5)): a JSON object with
 * the kind of the report and its app. Other readers parse the body, JSON or
 * text.
 */
#ifndef APMTOOL_PARSERS_ENVELOPE_HEADER_H
#define APMTOOL_PARSERS_ENVELOPE_HEADER_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"

#include <stdbool.h>
#include <stdint.h>

/** Apple's headers have about 600 bytes. */
#define IPS_HEADER_LINE_MAX ((size_t)64 << 10)

/** Absent and mistyped members are NULL or 0. */
struct ips_header {
	const char *bug_type;
	const char *timestamp;
	const char *os_version;
	const char *incident;
	const char *app_name;
	const char *name;
	const char *version;
	const char *build;
	const char *bundle_id;
	uint64_t platform;
};

/** Does @p object have the names of a header line? */
bool ips_header_is(const cJSON *object);

/** Read the header. Mistyped members are ignored without a note. */
struct ips_header ips_header_read(const cJSON *object, struct arena *arena);

/** Fill fields that the body does not have. */
void ips_header_merge(const struct ips_header *header, struct report *report);

#endif

// SPDX-License-Identifier: MIT
/**
 * The header line of an `.ips` file (formats.md 3.1): one JSON object that
 * says what kind of report follows and whose it is. Its body is another
 * reader's, JSON or text.
 */
#ifndef APMTOOL_PARSERS_ENVELOPE_HEADER_H
#define APMTOOL_PARSERS_ENVELOPE_HEADER_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"

#include <stdbool.h>
#include <stdint.h>

/** Apple's headers have some 600 bytes. */
#define IPS_HEADER_LINE_MAX ((size_t)64 << 10)

/** What is absent or mistyped is NULL or 0. */
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

/** Is this the object of a header line (formats.md chapter 1)? */
bool ips_header_is(const cJSON *object);

/** The header is a help, not a report: what is mistyped in it is absent. */
struct ips_header ips_header_read(const cJSON *object, struct arena *arena);

/** The body knows better; the header fills what it leaves out. */
void ips_header_merge(const struct ips_header *header, struct report *report);

#endif

// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/str.h"
#include "lib/base/units.h"

#include <string.h>

/** The watchdog's code, which KSCrash writes for a fatal hang. */
#define WATCHDOG_CODE UINT64_C(0x8badf00d)

/**
 * Why the process ended, as KSCrash concludes at the next launch from its last
 * measurements. `none` means no reason.
 */
static void read_reason(const struct kscrash *ks)
{
	const char *reason =
	        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	                ks->error, "termination_reason"));
	struct json_reader *reader = ks->place.reader;
	struct report_termination *end = &reader->report->termination;

	if (!reason || !*reason || !strcmp(reason, "none"))
		return;
	end->namespace_name = "KSCRASH";
	end->indicator = arena_strdup(reader->arena, reason);
}

static void read_exit_reason(const struct kscrash *ks)
{
	const cJSON *reason =
	        cJSON_GetObjectItemCaseSensitive(ks->error, "exit_reason");
	struct report_termination *end = &ks->place.reader->report->termination;

	end->has_code =
	        json_as_u64(cJSON_GetObjectItemCaseSensitive(reason, "code"),
	                    &end->code) &&
	        end->code;
}

/** Did the hang monitor write it? Other reports include the last hang, too. */
static bool is_of_watchdog(const struct kscrash *ks)
{
	const struct report_termination *end =
	        &ks->place.reader->report->termination;
	const char *monitor =
	        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(ks->root, "report"),
	                "monitor_id"));

	return ks->error_type == KSCRASH_ERROR_HANG ||
	       (end->has_code && end->code == WATCHDOG_CODE) ||
	       (monitor && !strcmp(monitor, "Watchdog"));
}

/** From its start to KSCrash's last check; 0: unknown. */
static uint64_t duration_of(const cJSON *hang)
{
	uint64_t start, end;

	if (!json_as_u64(
	            cJSON_GetObjectItemCaseSensitive(hang, "hang_start_nanos"),
	            &start) ||
	    !json_as_u64(
	            cJSON_GetObjectItemCaseSensitive(hang, "hang_end_nanos"),
	            &end) ||
	    !start || end <= start)
		return 0;
	return end - start;
}

/** `8.002 s` */
static const char *duration_text(uint64_t ns, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, ns / 1000000, 1000);
	str_add(&text, " s");
	return arena_text(arena, str_text(&text));
}

static void read_hang(const struct kscrash *ks)
{
	const cJSON *hang = cJSON_GetObjectItemCaseSensitive(ks->error, "hang");
	struct json_reader *reader = ks->place.reader;
	uint64_t ns;

	if (!is_of_watchdog(ks))
		return;
	reader->report->sample_kind = SAMPLE_KIND_STALL;
	if (ks->error_type == KSCRASH_ERROR_HANG)
		reader->report->kind = "hang report of KSCrash";
	ns = duration_of(hang);
	if (!ns)
		return;
	report_add_field(reader->report, reader->arena, "Hang Duration",
	                 duration_text(ns, reader->arena));
	reader->report->sampled_us = ns / 1000;
}

void kscrash_read_ending(const struct kscrash *ks)
{
	read_reason(ks);
	read_exit_reason(ks);
	read_hang(ks);
}

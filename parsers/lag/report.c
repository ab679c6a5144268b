// SPDX-License-Identifier: MIT
/*
 * Reports and image lists from their first event to being handed out, or to the
 * fault that makes them useless.
 */
#include "parsers/lag/reader.h"

size_t lag_json_line(const struct lag_json *json)
{
	return json_pull_line(json->source.pull) + json->first_line - 1;
}

void lag_json_begin_report(struct lag_json *json, size_t line)
{
	lag_report_clear(json->report);
	json->report->line = line;
	lag_samples_begin(json);
	lag_nodes_begin(json);
}

/** Deliver a complete report, with the images of the input, if any. */
static void hand_out(struct lag_json *json, struct lag_report *report)
{
	lag_images_give(&json->images, report);
	lag_reader_hand_out(json->reader, report);
}

void lag_json_hand_out_waiting(struct lag_json *json)
{
	if (json->is_waiting)
		hand_out(json, &json->waiting);
	json->is_waiting = false;
}

void lag_json_fail(struct lag_json *json, size_t line, struct error *err)
{
	json->reader->failed(line, err, json->reader->context);
}

/** Note for a truncated report. */
static const char *truncated_text(const struct lag_json *json)
{
	return json->alone ? "truncated at the end of the line"
	                   : "truncated at the end of the input";
}

void lag_json_fail_truncated(struct lag_json *json, size_t line)
{
	lag_json_fail(json, line,
	              error_new(ERROR_FORMAT, "%s, before its first sample",
	                        truncated_text(json)));
}

/** Blocks lost by the disk: a stack may continue in another one there. */
static void note_nuls(struct lag_json *json)
{
	struct json_pull *pull = json->source.pull;
	size_t count = json_pull_repair_count(pull);

	for (size_t i = json->repairs_seen; i < count; i++) {
		SCOPED(str_release) struct str place = { 0 };
		struct json_repair repair = json_pull_repair(pull, i);

		if (!text_starts(text_from(repair.text), "NUL"))
			continue;
		str_addf(&place, "offset 0x%zx", repair.offset);
		lag_report_note(json->report, str_cstr(&place), repair.text);
	}
	json->repairs_seen = count;
}

void lag_json_end_report(struct lag_json *json)
{
	struct lag_report *report = json->report;
	struct lag_report next;
	bool is_broken = lag_json_is_broken(json);

	lag_samples_end(json);
	lag_nodes_end(json);
	if (report->duration_us && report->profile.cost_us) {
		profile_set_cost(&report->profile, report->duration_us);
		report->cost_origin = COST_RECORDED;
	}
	// A line of invalid JSON is reported as a whole.
	if (json->err && (json->alone || !report->profile.sample_count))
		return;
	if (is_broken && !report->profile.sample_count) {
		lag_json_fail_truncated(json, report->line);
		return;
	}
	if (is_broken)
		lag_report_note(report, "report",
		                json->err ? error_message(json->err)
		                          : truncated_text(json));
	note_nuls(json);
	lag_images_check(report);
	lag_json_hand_out_waiting(json);
	if (json->alone || report->profile.images.count || json->images.count ||
	    json->images.note_count) {
		hand_out(json, report);
		return;
	}
	json->is_waiting = true;
	next = json->waiting;
	json->waiting = *report;
	*report = next;
}

void lag_json_end_images(struct lag_json *json, size_t line)
{
	lag_images_check(json->report);
	if (json->alone && lag_json_is_broken(json)) {
		lag_json_fail_truncated(json, line);
		return;
	}
	if (json->alone) {
		lag_json_fail(json, line,
		              error_new(ERROR_FORMAT,
		                        "expected a lag report, found a "
		                        "list of images"));
		return;
	}
	arena_clear(&json->arena);
	json->images = lag_images_copy(json->report, &json->arena);
	lag_json_hand_out_waiting(json);
}

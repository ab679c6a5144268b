// SPDX-License-Identifier: MIT
/*
 * The `ips` format: Apple's crash reports since iOS 15 and macOS 12.
 */
#include "formatters/report/ips/ips.h"
#include "formatters/formatter.h"
#include "formatters/report/ips/clean.h"

#include <string.h>

/** The reader's name for Apple's format. */
#define FORMAT_IPS_CRASH "ips-crash"

/** The image of the process; NULL if it is not listed. */
static const struct report_image *main_image(const struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];

		if (report->path && image->path
		            ? !strcmp(report->path, image->path)
		            : report->process.name && image->name &&
		                      !strcmp(report->process.name,
		                              image->name))
			return image;
	}
	return NULL;
}

/** Versions of system processes are empty there, not absent. */
static const char *or_empty(const char *text)
{
	return ips_known(text) ? text : "";
}

static void add_header_line(const struct report *report, struct out *out)
{
	struct json_writer w = json_writer_compact(out);
	const struct report_image *image = main_image(report);
	char uuid[UUID_TEXT_SIZE];

	json_open_object(&w, NULL);
	json_text(&w, "app_name", ips_known(report->process.name));
	json_text(&w, "timestamp", report->date_time);
	json_text(&w, "app_version", or_empty(report->version));
	if (image && !uuid_is_zero(&image->uuid))
		json_text(&w, "slice_uuid",
		          uuid_format_lower(&image->uuid, uuid));
	json_text(&w, "build_version", or_empty(report->build));
	if (report->platform > 0)
		json_number(&w, "platform", (uint64_t)report->platform);
	json_text(&w, "bundleID", ips_bundle_id(report));
	json_text(&w, "bug_type", report->bug_type ? report->bug_type : "309");
	json_text(&w, "os_version", report->os_version);
	json_text(&w, "incident_id", report->incident);
	json_text(&w, "name", ips_known(report->process.name));
	json_close(&w);
	json_finish(&w);
}

/** A member a line; of the members, a thread or an image a line. */
#define LINE_DEPTH 3

static void add_body(const struct report *report, struct out *out)
{
	struct json_writer w = json_writer_to(out);

	w.line_depth = LINE_DEPTH;
	json_open_object(&w, NULL);
	ips_add_facts(&w, report);
	ips_add_end(&w, report);
	ips_add_sections(&w, report);
	ips_add_threads(&w, report);
	ips_add_images(&w, report);
	json_close(&w);
	json_finish(&w);
}

static void ips_report(const struct report *report,
                       const struct format_options *options UNUSED,
                       struct out *out)
{
	if (!report->raw.size) {
		add_header_line(report, out);
		add_body(report, out);
	} else if (!strcmp(report->format, FORMAT_IPS_CRASH)) {
		ips_rewrite(report, out);
	} else {
		ips_add_clean(out, report->raw);
	}
}

static void ips_between(struct out *out)
{
	out_add(out, "\n");
}

static const char *ips_shortcoming(const struct report *report)
{
	bool is_ips = !strcmp(report->format, FORMAT_IPS_CRASH);

	if (report->tree_count && !report->raw.size)
		return "the .ips format cannot hold its call trees: they are "
		       "left out";
	if (is_ips && !report->raw.size)
		return "the report is damaged: rewritten from what could be "
		       "read";
	if (!is_ips && report->raw.size)
		return "not a crash report: written unchanged, without names "
		       "for its frames";
	if (!report->raw.size &&
	    (!ips_holds_text(report) || !ips_holds_fields(report)))
		return "the .ips format has no place for some of its text, "
		       "which is left out: --format json has all of it";
	return NULL;
}

const struct formatter ips_formatter = {
	.name = "ips",
	.summary = "crash reports in Apple's JSON format (.ips)",
	.report = ips_report,
	.between = ips_between,
	.shortcoming = ips_shortcoming,
};

// SPDX-License-Identifier: MIT
#include "formatters/report/json/event.h"

#include "formatters/report/json/report.h"
#include "formatters/report/json/stacks.h"
#include "lib/base/timestamp.h"
#include "lib/model/explanation.h"
#include "lib/model/jetsam_answer.h"
#include "lib/model/selection.h"

/** A jetsam log has no process of its own: the one that its verdict names. */
static const char *process_of(const struct report *report)
{
	const struct jetsam_answer *answer = report->jetsam_answer;

	if (report->process.name || !answer)
		return report->process.name;
	if (answer->victim_count)
		return answer->victims[0].process->name;
	return answer->largest ? NULL : report->jetsam->largest_name;
}

static void add_subject(struct json_writer *w, const struct report *report)
{
	const char *process = process_of(report);

	json_text(w, "id", report->incident);
	json_text(w, "kind", selection_kind(report));
	json_text(w, "app", report->identifier ? report->identifier : process);
	json_text(w, "process", process);
	json_text(w, "version", report->version);
	json_text(w, "build", report->build);
	json_text(w, "device", report->hardware_model);
	json_text(w, "os", report->os_version);
	json_text(w, "os_build", report->os_build);
}

/** In ISO 8601 if the time zone is known, else unchanged. */
static void add_time(struct json_writer *w, const char *date)
{
	SCOPED(str_release) struct str iso = { 0 };

	if (date && timestamp_add_iso(text_from(date), &iso))
		date = str_cstr(&iso);
	json_text(w, "time", date);
}

static void add_verdict(struct json_writer *w,
                        const struct explanation *explanation)
{
	json_text(w, "cause", explanation->cause);
	json_text(w, "confidence", confidence_name(explanation->confidence));
	json_text(w, "verdict", explanation->verdict);
	json_text(w, "where", explanation->where);
	if (explanation->where_frame)
		json_add_place(w, "where_frame", explanation->report,
		               explanation->where_frame,
		               explanation->where_call);
}

void json_add_signature(struct json_writer *w,
                        const struct report_signature *signature)
{
	if (!signature)
		return;
	json_text(w, "signature", signature->text);
	json_text(w, "signature_kind", signature->kind);
	json_text(w, "algorithm", signature->algorithm);
	json_texts(w, "hashes", signature->hashes, signature->hash_count);
	json_text(w, "raw_hash", signature->raw_hash);
}

static void add_missing(struct json_writer *w, const struct report *report)
{
	json_open_array(w, "missing");
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].needs_dsym)
			json_uuid(w, NULL, &report->images[i].uuid);
	json_close(w);
}

void json_add_event(struct json_writer *w, const struct report *report,
                    const char *timestamp)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.event/1");
	json_text(w, "@timestamp", timestamp);
	json_add_input(w, report);
	add_subject(w, report);
	add_time(w, report->date_time);
	if (report->explanation)
		add_verdict(w, report->explanation);
	json_add_signature(w, report->signature);
	add_missing(w, report);
	json_bool(w, "truncated", report->truncated);
	json_close(w);
	json_finish(w);
}

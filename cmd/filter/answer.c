// SPDX-License-Identifier: MIT
#include "cmd/filter/answer.h"

#include "cmd/run/redaction.h"
#include "cmd/run/reports.h"
#include "formatters/report/json/event.h"
#include "lib/base/intern.h"
#include "lib/base/workflow.h"
#include "lib/model/redact/text.h"
#include "lib/text/json/writer.h"

static const struct {
	const char *name;
	const char *status; ///< of an answer without documents
} reasons[] = {
	[ANSWER_EMPTY] = { "E-empty", "rejected" },
	[ANSWER_ENVELOPE] = { "E-envelope", "rejected" },
	[ANSWER_NOT_REPORT] = { "E-not-report", "rejected" },
	[ANSWER_DAMAGED] = { "E-damaged", "rejected" },
	[ANSWER_SIZE] = { "E-size", "rejected" },
	[ANSWER_DOCUMENTS] = { "E-documents", "rejected" },
	[ANSWER_TIME] = { "E-time", "failed" },
	[ANSWER_CRASH] = { "E-crash", "failed" },
	[ANSWER_SHORTAGE] = { "E-shortage", "failed" },
	[ANSWER_FRAMING] = { "E-framing", "rejected" },
};

const char *answer_format(enum answer_shape shape)
{
	static const char *const formats[] = {
		[ANSWER_EVENT] = "event", [ANSWER_SLIM] = "jsonl",
		[ANSWER_FULL] = "jsonl",  [ANSWER_BOTH] = "event",
		[ANSWER_IPS] = "ips",     [ANSWER_TEXT] = "text",
		[ANSWER_HASH] = "event",  [ANSWER_HTML] = "html",
		[ANSWER_ANY] = "event",
	};

	return formats[shape];
}

bool answer_shape_find(struct text name, enum answer_shape *ret)
{
	static const struct {
		const char *name;
		enum answer_shape shape;
	} shapes[] = {
		{ "\"event\"", ANSWER_EVENT }, { "\"full\"", ANSWER_FULL },
		{ "\"ips\"", ANSWER_IPS },     { "\"text\"", ANSWER_TEXT },
		{ "\"hash\"", ANSWER_HASH },   { "\"html\"", ANSWER_HTML },
	};

	if (!name.data) {
		*ret = ANSWER_EVENT;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (text_is(name, shapes[i].name)) {
			*ret = shapes[i].shape;
			return true;
		}
	return false;
}

const char *answer_reason_name(enum answer_reason reason)
{
	return reasons[reason].name;
}

/** The result of a frame, for the members before its documents. */
struct outcome {
	enum answer_reason reason;
	const char *message; ///< NULL: none
	size_t documents;
	bool misses_symbols;
	struct arena arena;
};

static enum answer_reason reason_of(enum error_code code)
{
	switch (code) {
	case ERROR_UNSUPPORTED:
		return ANSWER_NOT_REPORT;
	case ERROR_LIMIT:
		return ANSWER_SIZE;
	case ERROR_SHORTAGE:
		return ANSWER_SHORTAGE;
	default:
		return ANSWER_DAMAGED;
	}
}

static void set_reason(struct outcome *outcome, enum answer_reason reason,
                       const char *message)
{
	if (outcome->reason)
		return;
	outcome->reason = reason;
	outcome->message =
	        message && redaction()
	                ? redact_message(redaction(), message, &outcome->arena)
	                : message;
}

/** Set the reason from the first failure among notes. */
static void look_at_notes(struct outcome *outcome, enum answer_reason reason,
                          const struct notice *notes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct notice *note = &notes[i];

		if (note->kind != NOTICE_FAILURE)
			continue;
		set_reason(outcome, reason,
		           note->place ? arena_printf(&outcome->arena, "%s: %s",
		                                      note->place, note->text)
		                       : note->text);
	}
}

static void look_at_report(struct outcome *outcome, const struct report *report)
{
	enum answer_reason reason = report->is_limited ? ANSWER_SIZE
	                                               : ANSWER_DAMAGED;

	look_at_notes(outcome, reason, report->notes, report->note_count);
	if (report->truncated || report->unread || report->is_limited)
		set_reason(outcome, reason, NULL);
	for (size_t i = 0; i < report->image_count; i++)
		outcome->misses_symbols |= report->images[i].needs_dsym;
}

static void look_at_entry(struct outcome *outcome,
                          const struct batch_entry *entry)
{
	SCOPED(str_release) struct str text = { 0 };

	if (entry->err && !text_trim(entry->content).size) {
		set_reason(outcome, ANSWER_EMPTY, NULL);
	} else if (entry->err) {
		str_add_text(&text, error_reason(entry->err, entry->name));
		set_reason(outcome, reason_of(error_code(entry->err)),
		           arena_text(&outcome->arena, str_text(&text)));
	}
	for (const struct report *r = entry->reports; r; r = r->next) {
		if (outcome->documents == ANSWER_DOCUMENTS_MAX) {
			set_reason(outcome, ANSWER_DOCUMENTS, NULL);
			break;
		}
		look_at_report(outcome, r);
		outcome->documents++;
	}
	look_at_notes(outcome, ANSWER_DAMAGED, entry->notes, entry->note_count);
}

static const char *status_of(const struct outcome *outcome)
{
	if (outcome->reason)
		return outcome->documents ? "partial"
		                          : reasons[outcome->reason].status;
	return outcome->misses_symbols ? "missing" : "ok";
}

static void add_status(struct json_writer *w, const struct outcome *outcome)
{
	json_text(w, "status", status_of(outcome));
	json_text(w, "reason", reasons[outcome->reason].name);
	json_text(w, "message", outcome->message);
}

/** Each UUID once, in the order of the documents. */
static void add_missing(struct json_writer *w, const struct report *reports,
                        size_t count)
{
	SCOPED(intern_release) struct intern known = { 0 };

	json_open_array(w, "missing");
	for (const struct report *r = reports; count--; r = r->next)
		for (size_t i = 0; i < r->image_count; i++) {
			const struct uuid *uuid = &r->images[i].uuid;

			if (r->images[i].needs_dsym && !uuid_is_zero(uuid) &&
			    intern_add_new(&known, uuid_key(uuid)))
				json_uuid(w, NULL, uuid);
		}
	json_close(w);
}

/** Text may be printed in a job of CI, as that of other commands. */
static void add_text(struct json_writer *w, struct text text)
{
	SCOPED(str_release) struct str safe = { 0 };
	struct workflow state = { .line = WORKFLOW_BLANK };

	workflow_add(&state, &safe, text);
	json_text(w, NULL, str_cstr(&safe));
}

static void add_document(struct json_writer *w, const struct report_run *run,
                         enum answer_shape shape, const struct report *report,
                         struct out *text)
{
	if (shape == ANSWER_HASH) {
		json_open_object(w, NULL);
		json_add_signature(w, report->signature);
		json_close(w);
		return;
	}
	formatter_find(answer_format(shape))
	        ->report(report, &run->documents.options, text);
	if (shape == ANSWER_IPS || shape == ANSWER_TEXT || shape == ANSWER_HTML)
		add_text(w, str_text(out_str(text)));
	else
		str_add_text(json_writer_start(w, NULL, 0),
		             text_trim_right(str_text(out_str(text))));
	str_clear(out_str(text));
}

static void add_documents(struct json_writer *w, const char *name,
                          const struct report_run *run, enum answer_shape shape,
                          const struct report *reports, size_t count)
{
	struct out *text = out_memory();

	json_open_array(w, name);
	for (const struct report *r = reports; count--; r = r->next)
		add_document(w, run, shape, r, text);
	json_close(w);
	out_abandon(text);
}

enum answer_reason answer_add(const struct report_run *run,
                              enum answer_shape shape,
                              const struct batch_entry *entry, struct str *out)
{
	struct out *body = out_memory();
	struct json_writer writer = json_writer_compact(body);
	const struct report *reports = entry->reports;
	struct outcome outcome = { 0 };
	size_t count;

	look_at_entry(&outcome, entry);
	count = outcome.documents;
	json_open_object(&writer, NULL);
	add_status(&writer, &outcome);
	add_missing(&writer, reports, count);
	add_documents(&writer, "documents", run,
	              shape == ANSWER_BOTH ? ANSWER_EVENT : shape, reports,
	              count);
	if (shape == ANSWER_BOTH)
		add_documents(&writer, "reports", run, ANSWER_FULL, reports,
		              count);
	json_close(&writer);
	str_add_text(out, str_text(out_str(body)));
	arena_release(&outcome.arena);
	out_abandon(body);
	return outcome.reason;
}

void answer_add_refusal(enum answer_reason reason, const char *message,
                        struct str *out)
{
	struct out *body = out_memory();
	struct json_writer writer = json_writer_compact(body);
	const struct outcome outcome = { .reason = reason, .message = message };

	json_open_object(&writer, NULL);
	add_status(&writer, &outcome);
	add_missing(&writer, NULL, 0);
	json_open_array(&writer, "documents");
	json_close(&writer);
	json_close(&writer);
	str_add_text(out, str_text(out_str(body)));
	out_abandon(body);
}

static void add_part(struct str *out, const char *name, struct text part)
{
	str_addf(out, ",\"%s\":", name);
	if (part.data)
		str_add_text(out, part);
	else
		str_add(out, "null");
}

void answer_add_whole(const struct frame_envelope *envelope, struct text body,
                      struct str *out)
{
	str_add(out, "{\"schema\":\"apmtool.answer/1\"");
	add_part(out, "id", envelope->id);
	if (envelope->meta.data)
		add_part(out, "meta", envelope->meta);
	str_add_char(out, ',');
	// Skip its opening brace.
	str_add_text(out, text_after(body, 1));
}

// SPDX-License-Identifier: MIT
#include "formatters/report/json/report.h"

#include "formatters/report/json/jetsam.h"
#include "formatters/report/json/stacks.h"
#include "lib/base/timestamp.h"

static void add_process_ref(struct json_writer *w, const char *key,
                            const struct report_process_ref *process)
{
	if (!process->name && !process->has_pid)
		return;
	json_open_object(w, key);
	json_text(w, "name", process->name);
	if (process->has_pid)
		json_number(w, "pid", process->pid);
	json_close(w);
}

static void add_process(struct json_writer *w, const struct report *report)
{
	json_open_object(w, "process");
	json_text(w, "name", report->process.name);
	if (report->process.has_pid)
		json_number(w, "pid", report->process.pid);
	json_text(w, "path", report->path);
	json_text(w, "identifier", report->identifier);
	json_text(w, "version", report->version);
	json_text(w, "build", report->build);
	json_text(w, "code_type", report->code_type);
	json_bool(w, "translated", report->translated);
	json_text(w, "role", report->role);
	add_process_ref(w, "parent", &report->parent);
	add_process_ref(w, "responsible", &report->responsible);
	json_text(w, "coalition", report->coalition);
	json_text(w, "user_id", report->user_id);
	json_close(w);
}

static void add_system(struct json_writer *w, const struct report *report)
{
	json_open_object(w, "device");
	json_text(w, "model", report->hardware_model);
	json_close(w);
	json_open_object(w, "os");
	json_text(w, "version", report->os_version);
	json_text(w, "build", report->os_build);
	json_text(w, "release_type", report->release_type);
	if (report->platform)
		json_signed(w, "platform", report->platform);
	json_close(w);
}

static void add_exception(struct json_writer *w,
                          const struct report_exception *exception)
{
	if (!exception->type && !exception->signal && !exception->codes)
		return;
	json_open_object(w, "exception");
	json_text(w, "type", exception->type);
	json_text(w, "signal", exception->signal);
	json_text(w, "subtype", exception->subtype);
	json_text(w, "codes", exception->codes);
	json_text(w, "message", exception->message);
	json_text(w, "note", exception->note);
	json_close(w);
}

static void add_termination(struct json_writer *w,
                            const struct report_termination *termination)
{
	if (!termination->namespace_name && !termination->verbatim &&
	    !termination->reason_count && !termination->detail_count &&
	    !termination->by.name)
		return;
	json_open_object(w, "termination");
	json_text(w, "namespace", termination->namespace_name);
	// A guard's code uses all 64 bits.
	if (termination->has_code)
		json_address(w, "code", termination->code);
	json_text(w, "indicator", termination->indicator);
	json_texts(w, "reasons", termination->reasons,
	           termination->reason_count);
	json_texts(w, "details", termination->details,
	           termination->detail_count);
	add_process_ref(w, "by", &termination->by);
	json_text(w, "text", termination->verbatim);
	json_close(w);
}

static void add_thrown(struct json_writer *w,
                       const struct report_thrown *thrown)
{
	if (!thrown->name && !thrown->reason && !thrown->class_name)
		return;
	json_open_object(w, "thrown");
	json_text(w, "name", thrown->name);
	json_text(w, "reason", thrown->reason);
	json_text(w, "class", thrown->class_name);
	json_text(w, "kind", thrown->kind);
	json_close(w);
}

static void add_images(struct json_writer *w, const struct report *report)
{
	json_open_array(w, "images");
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];
		char kind[] = { image->kind, '\0' };

		json_open_object(w, NULL);
		json_number(w, "index", i);
		json_text(w, "name", image->name);
		json_text(w, "bundle_id", image->bundle_id);
		json_text(w, "version", image->version);
		json_text(w, "build", image->build);
		json_text(w, "arch", image->arch);
		json_uuid(w, "uuid", &image->uuid);
		json_address(w, "base", image->base);
		json_number(w, "size", report_image_size(image));
		json_text(w, "path", image->path);
		json_text(w, "kind", image->kind ? kind : NULL);
		json_bool(w, "app", report_image_is_app(report, image));
		json_text(w, "symbols", image->symbols);
		json_uuid(w, "symbols_uuid", &image->symbols_uuid);
		json_close(w);
	}
	json_close(w);
}

/** Text that is in no other member, so that none of a text report is lost. */
static void add_other_text(struct json_writer *w, const struct report *report)
{
	SCOPED(str_release) struct str text = { 0 };
	struct report_passage passage;
	bool is_open = false;

	for (size_t at = 0; report_next_passage(report, &at, &passage);) {
		if (!is_open)
			json_open_array(w, "other_text");
		is_open = true;
		str_clear(&text);
		for (size_t i = 0; i < passage.count; i++) {
			if (i)
				str_add_char(&text, '\n');
			str_add(&text, passage.lines[i].text);
		}
		json_open_object(w, NULL);
		json_number(w, "line", passage.number);
		json_text(w, "text", str_cstr(&text));
		json_close(w);
	}
	if (is_open)
		json_close(w);
}

/**
 * Sections, header lines and notes are lists, not objects: labels may repeat,
 * and their order matters.
 */
static void add_rest(struct json_writer *w, const struct report *report)
{
	json_open_array(w, "sections");
	for (size_t i = 0; i < report->section_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "label", report->sections[i].label);
		json_text(w, "text", report->sections[i].text);
		json_close(w);
	}
	json_close(w);
	add_other_text(w, report);
	json_open_array(w, "header");
	for (size_t i = 0; i < report->field_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "label", report->fields[i].label);
		json_text(w, "value", report->fields[i].value);
		json_close(w);
	}
	json_close(w);
	json_open_array(w, "notes");
	for (size_t i = 0; i < report->note_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "place", report->notes[i].place);
		json_text(w, "text", report->notes[i].text);
		json_close(w);
	}
	json_close(w);
}

/** A date as printed, and also in ISO 8601 if its time zone is known. */
static void add_date(struct json_writer *w, const char *key,
                     const char *iso_key, const char *date)
{
	SCOPED(str_release) struct str iso = { 0 };

	json_text(w, key, date);
	if (date && timestamp_add_iso(text_from(date), &iso))
		json_text(w, iso_key, str_cstr(&iso));
}

void json_add_input(struct json_writer *w, const struct report *report)
{
	if (!report->input)
		return;
	json_text(w, "input", report->file ? report->file : report->input);
	json_text(w, "member", report->member);
	json_number(w, "input_index", report->input_index);
}

void json_add_report(struct json_writer *w, const struct report *report)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.report/1");
	json_add_input(w, report);
	json_text(w, "form", report->format);
	json_text(w, "kind", report->kind);
	json_text(w, "bug_type", report->bug_type);
	json_text(w, "origin", report->origin);
	json_bool(w, "truncated", report->truncated);
	json_text(w, "incident", report->incident);
	json_text(w, "reporter_key", report->reporter_key);
	json_text(w, "report_version", report->report_version);
	add_date(w, "date_time", "date_time_iso", report->date_time);
	add_date(w, "launch_time", "launch_time_iso", report->launch_time);
	add_process(w, report);
	add_system(w, report);
	add_exception(w, &report->exception);
	add_termination(w, &report->termination);
	add_thrown(w, &report->thrown);
	if (report->has_triggered_thread)
		json_number(w, "triggered_thread", report->triggered_thread);
	json_add_backtraces(w, report);
	json_add_threads(w, report);
	json_add_trees(w, report);
	if (report->jetsam_answer)
		json_add_jetsam(w, report->jetsam, report->jetsam_answer);
	add_images(w, report);
	add_rest(w, report);
	json_close(w);
	json_finish(w);
}

static const char *code_name(enum error_code code)
{
	switch (code) {
	case ERROR_OS:
		return "os";
	case ERROR_FORMAT:
		return "format";
	case ERROR_UNSUPPORTED:
		return "unsupported";
	case ERROR_NOT_FOUND:
		return "not_found";
	case ERROR_LIMIT:
		return "limit";
	case ERROR_CONFIG:
		return "config";
	case ERROR_USAGE:
		return "usage";
	case ERROR_SHORTAGE:
		return "shortage";
	}
	return "unknown";
}

void json_add_failure(struct json_writer *w, const char *input,
                      const struct error *err)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.error/1");
	json_text(w, "input", input);
	json_open_object(w, "error");
	json_text(w, "code", code_name(error_code(err)));
	json_text(w, "message", error_message(err));
	json_close(w);
	json_close(w);
	json_finish(w);
}

void json_failure_line(const char *input, const struct error *err,
                       struct out *out)
{
	struct json_writer writer = json_writer_compact(out);

	json_add_failure(&writer, input, err);
}

// SPDX-License-Identifier: MIT
#include "parsers/text/log_head.h"

#include "lib/base/number.h"
#include "lib/darwin/bug_types.h"
#include "parsers/text/bracket.h"

#include <string.h>

#define LABEL_MAX 40

struct report_process_ref log_head_process(struct text value,
                                           struct arena *arena)
{
	struct report_process_ref process = { 0 };
	size_t open = text_find_char(value, '[');
	size_t close = text_find_char(value, ']');

	if (open != TEXT_NOWHERE && close != TEXT_NOWHERE && open < close &&
	    number_decimal(text_after(text_first(value, close), open + 1),
	                   &process.pid)) {
		process.has_pid = true;
		value = text_first(value, open);
	}
	process.name = arena_text(arena, text_trim(value));
	return process;
}

/** Labels of facts. */
static const struct {
	const char *label;
	size_t offset;
} facts[] = {
	{ "Incident Identifier", offsetof(struct report, incident) },
	{ "CrashReporter Key", offsetof(struct report, reporter_key) },
	{ "Anonymous UUID", offsetof(struct report, reporter_key) },
	{ "Hardware Model", offsetof(struct report, hardware_model) },
	{ "Hardware model", offsetof(struct report, hardware_model) },
	{ "Date/Time", offsetof(struct report, date_time) },
	{ "Date", offsetof(struct report, date_time) },
	{ "Launch Time", offsetof(struct report, launch_time) },
	{ "Report Version", offsetof(struct report, report_version) },
	{ "Report Kind", offsetof(struct report, kind) },
	{ "Command", offsetof(struct report, process.name) },
	{ "Path", offsetof(struct report, path) },
	{ "Identifier", offsetof(struct report, identifier) },
	{ "Code Type", offsetof(struct report, code_type) },
	{ "Architecture", offsetof(struct report, code_type) },
	{ "Exception Code", offsetof(struct report, exception.codes) },
};

static void read_fact(struct report *report, struct arena *arena,
                      const char *label, struct text value)
{
	const char **target;

	if (!strcmp(label, "Process") && !report->process.name)
		report->process = log_head_process(value, arena);
	else if ((!strcmp(label, "Parent") ||
	          !strcmp(label, "Parent Process")) &&
	         !report->parent.name)
		report->parent = log_head_process(value, arena);
	else if (!strcmp(label, "PID") && !report->process.has_pid)
		report->process.has_pid =
		        number_decimal(value, &report->process.pid);
	else if (!strcmp(label, "Version") && !report->version)
		text_bracket_version(value, report, arena);
	else if (!strcmp(label, "OS Version") && !report->os_version)
		text_bracket_os_version(value, report, arena);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (strcmp(label, facts[i].label) != 0)
			continue;
		target = (const char **)(void *)((char *)report +
		                                 facts[i].offset);
		if (!*target)
			*target = arena_text(arena, value);
	}
}

bool log_head_label(struct text line, struct text *label, struct text *value)
{
	size_t colon = text_find_char(text_first(line, LABEL_MAX), ':');
	struct text name;

	// The header line of an `.ips` file is another's to read.
	if (colon == TEXT_NOWHERE || text_is_space(line.data[0]) ||
	    line.data[0] == '{')
		return false;
	name = text_first(line, colon);
	*value = text_trim(text_after(line, colon + 1));
	if (!value->size || text_find_char(name, '(') != TEXT_NOWHERE)
		return false;
	*label = name;
	return true;
}

void log_head_line(struct text line, struct report *report, struct arena *arena)
{
	struct text name;
	struct text value;
	const char *label;

	if (report->field_count == LOG_HEAD_FIELDS_MAX ||
	    !log_head_label(line, &name, &value))
		return;
	label = arena_text(arena, name);
	report_add_field(report, arena, label, arena_text(arena, value));
	read_fact(report, arena, label, value);
}

const char *log_head_kind(struct report *report, const char *what,
                          struct arena *arena)
{
	const struct bug_type *type = bug_type_find(report->bug_type);

	if (type && type->body != BUG_BODY_CRASH)
		what = type->what;
	report->kind = bug_type_bare(what);
	if (!report->bug_type)
		return what;
	return type ? arena_printf(arena, "%s (bug_type %s)", what,
	                           report->bug_type)
	            : bug_type_describe(report->bug_type, arena);
}

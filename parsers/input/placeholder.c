// SPDX-License-Identifier: MIT
#include "parsers/input/placeholder.h"

#include <string.h>

/** Marks alone: question marks, brackets, and the word before a build. */
static bool is_placeholder(const char *value)
{
	struct text rest = text_from(value);
	struct text word;
	bool has_marks = false;

	while (text_next_word(&rest, &word)) {
		text_take(&word, "(");
		if (text_is(word, "Build"))
			continue;
		if (!text_take(&word, "???") ||
		    (word.size && !text_is(word, ")")))
			return false;
		has_marks = true;
	}
	return has_marks;
}

static void drop(const char **value)
{
	if (*value && is_placeholder(*value))
		*value = NULL;
}

static void drop_in_header(struct report *report)
{
	const char **values[] = {
		&report->incident,       &report->reporter_key,
		&report->hardware_model, &report->process.name,
		&report->path,           &report->identifier,
		&report->version,        &report->build,
		&report->code_type,      &report->role,
		&report->parent.name,    &report->responsible.name,
		&report->coalition,      &report->user_id,
		&report->date_time,      &report->launch_time,
		&report->os_version,     &report->os_build,
		&report->release_type,   &report->termination.by.name,
	};

	const bool had_version = report->version != NULL;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		drop(values[i]);
	// PLCrashReporter's text has this in all reports.
	if (text_same(report->reporter_key, "TODO"))
		report->reporter_key = NULL;
	// `??? (2.1)` in an app without another version. If a report only has
	// the build, as MetricKit's do, it stays the build.
	if (had_version && !report->version) {
		report->version = report->build;
		report->build = NULL;
	}
}

void placeholder_drop(struct report *report)
{
	for (; report; report = report->next)
		drop_in_header(report);
}

// SPDX-License-Identifier: MIT
#include "formatters/report/ips/ips.h"
#include "formatters/report/text/frames.h"

#include "lib/base/number.h"
#include "lib/base/str.h"

#include <string.h>

/** Types of a text block. */
enum shape {
	SHAPE_TEXT,  ///< one text
	SHAPE_LINES, ///< an array, a text a line
	SHAPE_IMAGES ///< an object of such arrays, by image
};

struct section_key {
	const char *label;
	const char *key;
	enum shape shape;
};

/** Its counters have keys of their own. */
#define MODIFICATIONS "External Modification Summary"

static const struct section_key section_keys[] = {
	{ "VM Region Info", "vmRegionInfo", SHAPE_TEXT },
	{ "Dyld Error Message", "dyldMessages", SHAPE_LINES },
	{ "Application Specific Information", "asi", SHAPE_IMAGES },
	{ "Application Specific Signatures", "asiSignatures", SHAPE_LINES },
	{ "Kernel Triage", "ktriageinfo", SHAPE_TEXT },
	{ "VM Region Summary", "vmSummary", SHAPE_TEXT },
	{ "Error Formulating Crash Report", "reportNotes", SHAPE_LINES },
	{ "Filtered log messages", "filteredLog", SHAPE_LINES },
	{ "Diagnostic Output", "diagnosticOutput", SHAPE_TEXT },
};

static void add_lines(struct json_writer *w, const char *key, const char *text)
{
	struct text rest = text_from(text);
	struct text line;

	json_open_array(w, key);
	while (text_next_line(&rest, &line))
		ips_add_text(w, NULL, line);
	json_close(w);
}

static void add_section(struct json_writer *w, const struct report *report,
                        const struct section_key *key, const char *text)
{
	switch (key->shape) {
	case SHAPE_TEXT:
		json_text(w, key->key, text);
		break;
	case SHAPE_LINES:
		add_lines(w, key->key, text);
		break;
	case SHAPE_IMAGES:
		json_open_object(w, key->key);
		// Text reports do not name the image of a text.
		json_open_array(w, "???");
		for (size_t i = 0; i < report->section_count; i++)
			if (!strcmp(report->sections[i].label, key->label))
				json_text(w, NULL, report->sections[i].text);
		json_close(w);
		json_close(w);
		break;
	}
}

/** A group of counters and how Apple's text words it. */
struct modifier {
	const char *key;
	const char *label;
};

static const struct modifier modifiers[] = {
	{ "caller", "Calls made by this process" },
	{ "system", "Calls made by all processes on this machine" },
	{ "targeted", "Calls made by other processes targeting this process" },
};

/** The counters below the group's line, up to the next group. */
static void add_counters(struct json_writer *w, const struct modifier *group,
                         const char *text)
{
	struct text rest = text_from(text);
	struct text line;
	bool inside = false;

	json_open_object(w, group->key);
	while (text_next_line(&rest, &line)) {
		size_t colon;
		uint64_t count;

		line = text_trim(line);
		colon = text_find_char(line, ':');
		if (colon == TEXT_NOWHERE)
			continue;
		if (colon + 1 == line.size)
			inside = text_is(text_first(line, colon), group->label);
		else if (inside &&
		         number_decimal(text_trim(text_after(line, colon + 1)),
		                        &count)) {
			SCOPED(str_release) struct str name = { 0 };

			str_add_text(&name, text_first(line, colon));
			json_number(w, str_cstr(&name), count);
		}
	}
	json_close(w);
}

static void add_modifications(struct json_writer *w, const char *text)
{
	if (!text)
		return;
	json_open_object(w, "extMods");
	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++)
		if (strstr(text, modifiers[i].label))
			add_counters(w, &modifiers[i], text);
	json_close(w);
}

/** Finished text, as Apple's systems keep it. */
static void add_app_backtraces(struct json_writer *w,
                               const struct report *report)
{
	if (!report->app_backtrace_count)
		return;
	json_open_array(w, "asiBacktraces");
	for (size_t i = 0; i < report->app_backtrace_count; i++) {
		SCOPED(str_release) struct str lines = { 0 };

		crash_text_stack_lines(report, report->app_backtraces[i],
		                       &lines);
		ips_add_text(w, NULL, text_trim_right(str_text(&lines)));
	}
	json_close(w);
}

void ips_add_sections(struct json_writer *w, const struct report *report)
{
	for (size_t i = 0; i < ARRAY_SIZE(section_keys); i++) {
		const char *text =
		        report_section(report, section_keys[i].label);

		if (text)
			add_section(w, report, &section_keys[i], text);
	}
	add_modifications(w, report_section(report, MODIFICATIONS));
	add_app_backtraces(w, report);
}

/**
 * Does the format have a key for it? For duplicate labels, only for the first.
 */
static bool holds_section(const struct report *report,
                          const struct report_section *section)
{
	const char *first = report_section(report, section->label);

	for (size_t i = 0; i < ARRAY_SIZE(section_keys); i++)
		if (!strcmp(section->label, section_keys[i].label))
			return section_keys[i].shape == SHAPE_IMAGES ||
			       section->text == first;
	return !strcmp(section->label, MODIFICATIONS) && section->text == first;
}

bool ips_holds_text(const struct report *report)
{
	struct report_passage passage;
	size_t at = 0;

	for (size_t i = 0; i < report->section_count; i++)
		if (!holds_section(report, &report->sections[i]))
			return false;
	return !report_next_passage(report, &at, &passage);
}

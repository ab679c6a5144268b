// SPDX-License-Identifier: MIT
#include "formatters/report/text/parts.h"

#include "lib/base/utf8.h"

#include <string.h>

void crash_text_block(const char *text, struct out *out)
{
	SCOPED(str_release) struct str safe = { 0 };
	struct text rest = text_from(text);
	struct text line;

	while (text_next_line(&rest, &line)) {
		utf8_add_visible(&safe, line);
		str_add_char(&safe, '\n');
	}
	out_add_bytes(out, str_cstr(&safe), safe.size);
}

/** Prefix of the labels that KSCrash's text has after `EOF`. */
#define EXTRA "Extra Information: "

struct section_rule {
	const char *label;
	enum section_place place;
	bool ends_empty; ///< its text brings an empty line along
	bool macos_only; ///< Report Version 104 leaves it out
};

static const struct section_rule section_rules[] = {
	{ "VM Region Info", SECTION_ELSEWHERE, false, false },
	{ "Application Specific Information", SECTION_ELSEWHERE, false, false },
	{ "Application Specific Signatures", SECTION_BEFORE_THREADS, true,
	  false },
	{ "Kernel Triage", SECTION_BEFORE_THREADS, true, false },
	{ "External Modification Summary", SECTION_AFTER_IMAGES, false, true },
	{ "VM Region Summary", SECTION_LAST, false, true },
	{ "Error Formulating Crash Report", SECTION_LAST, false, false },
	{ "Filtered log messages", SECTION_LAST, false, false },
	{ "Diagnostic Output", SECTION_LAST, false, false },
};

static const struct section_rule *rule_of(const char *label)
{
	// `Thread 0 instruction stream`
	static const struct section_rule stream = {
		.place = SECTION_AFTER_STATE,
	};
	static const struct section_rule extra = { .place = SECTION_EXTRA };
	static const struct section_rule other = {
		.place = SECTION_BEFORE_THREADS,
	};

	if (text_starts(text_from(label), EXTRA))
		return &extra;
	for (size_t i = 0; i < ARRAY_SIZE(section_rules); i++)
		if (!strcmp(section_rules[i].label, label))
			return &section_rules[i];
	return text_ends(text_from(label), " instruction stream") ? &stream
	                                                          : &other;
}

void crash_text_sections(const struct report *report, enum section_place place,
                         bool macos, struct out *out)
{
	for (size_t i = 0; i < report->section_count; i++) {
		const struct report_section *section = &report->sections[i];
		const struct section_rule *rule = rule_of(section->label);

		if (rule->place != place || (rule->macos_only && !macos))
			continue;
		out_add(out, "\n");
		out_add_visible(out, section->label);
		out_add(out, ":\n");
		crash_text_block(section->text, out);
		if (rule->ends_empty)
			out_add(out, "\n");
	}
}

void crash_text_extra(const struct report *report, struct out *out)
{
	const char *before = "\nExtra Information:\n";

	for (size_t i = 0; i < report->section_count; i++) {
		const struct report_section *section = &report->sections[i];
		struct text title = text_from(section->label);

		if (!text_take(&title, EXTRA))
			continue;
		out_add(out, before);
		out_add(out, "\n");
		out_add_visible(out, section->label + strlen(EXTRA));
		// A diagnosis is a sentence: it begins on the same line.
		out_add(out, text_ends(title, "Diagnosis") ? ": " : ":\n");
		crash_text_block(section->text, out);
		before = "";
	}
}

/**
 * The line that readers recognize an exception by. Apple's translation drops it
 * if the program did not print it.
 */
static void add_thrown(const struct report_thrown *thrown, struct out *out)
{
	if (thrown->name) {
		out_add(out, "*** Terminating app due to uncaught exception '");
		out_add_visible(out, thrown->name);
		out_add(out, "'");
		if (thrown->reason) {
			out_add(out, ", reason: '");
			out_add_visible(out, thrown->reason);
			out_add(out, "'");
		}
	} else {
		out_add(out, "terminating with uncaught exception of type ");
		out_add_visible(out, thrown->class_name ? thrown->class_name
		                                        : "unknown");
		if (thrown->reason) {
			out_add(out, ": ");
			out_add_visible(out, thrown->reason);
		}
	}
	out_add(out, "\n");
}

void crash_text_app_information(const struct report *report, struct out *out)
{
	const struct report_thrown *thrown = &report->thrown;
	const char *text =
	        report_section(report, "Application Specific Information");
	bool needs_thrown =
	        (thrown->name || thrown->class_name || thrown->reason) &&
	        !(text && strstr(text, "uncaught exception"));

	if (!text && !needs_thrown)
		return;
	out_add(out, "\nApplication Specific Information:\n");
	if (needs_thrown)
		add_thrown(thrown, out);
	if (text)
		crash_text_block(text, out);
	out_add(out, "\n");
}

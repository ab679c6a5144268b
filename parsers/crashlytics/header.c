// SPDX-License-Identifier: MIT
#include "lib/darwin/platforms.h"
#include "parsers/crashlytics/reader.h"
#include "parsers/text/bracket.h"

#include <stddef.h>

// Longer text before a colon is not a label.
#define LABEL_MAX 40

/** The line without the mark of a fact, which web pages take for a heading. */
static struct text without_mark(struct text line, bool *ret_marked)
{
	line = text_trim(line);
	*ret_marked = text_take(&line, "#");
	while (text_take(&line, "#"))
		;
	return text_trim_left(line);
}

bool crashlytics_is_title(struct text line)
{
	bool marked;

	return text_starts(without_mark(line, &marked), "Crashlytics - ");
}

static const char *keep(struct crashlytics_reader *reader, struct text value)
{
	return arena_text(reader->text.arena, value);
}

/** The identifier of the app; in older texts, its name. */
static void read_application(struct crashlytics_reader *reader,
                             struct text value)
{
	struct report *report = reader->text.report;
	bool is_id = text_find_char(value, '.') != TEXT_NOWHERE &&
	             text_find_char(value, ' ') == TEXT_NOWHERE;

	if (is_id && !report->identifier)
		report->identifier = keep(reader, value);
	else if (!is_id && !report->process.name)
		report->process.name = keep(reader, value);
}

static void read_version(struct crashlytics_reader *reader, struct text value)
{
	if (!text_is(value, "N/A"))
		text_bracket_version(value, reader->text.report,
		                     reader->text.arena);
}

static void read_os(struct crashlytics_reader *reader, struct text value)
{
	text_bracket_os_version(value, reader->text.report, reader->text.arena);
}

/** `apple` names the reporter, not the system. */
static void read_platform(struct crashlytics_reader *reader, struct text value)
{
	static const struct {
		const char *name;
		enum darwin_platform platform;
	} platforms[] = {
		{ "ios", DARWIN_PLATFORM_IOS },
		{ "ipados", DARWIN_PLATFORM_IOS },
		{ "tvos", DARWIN_PLATFORM_TVOS },
		{ "watchos", DARWIN_PLATFORM_WATCHOS },
		{ "visionos", DARWIN_PLATFORM_VISIONOS },
		{ "macos", DARWIN_PLATFORM_MACOS },
		{ "osx", DARWIN_PLATFORM_MACOS },
		{ "mac", DARWIN_PLATFORM_MACOS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(platforms); i++)
		if (text_is_nocase(value, platforms[i].name))
			reader->text.report->platform =
			        (int)platforms[i].platform;
}

typedef void (*read_value)(struct crashlytics_reader *reader,
                           struct text value);

/** Of a fact that has no other use than as a field. */
#define NO_STRING ((size_t)-1)

static const struct {
	const char *label;
	size_t offset; ///< of a string of the report, or NO_STRING
	read_value read;
} labels[] = {
	{ "Application", NO_STRING, read_application },
	{ "Bundle Identifier", offsetof(struct report, identifier), NULL },
	{ "Platform", NO_STRING, read_platform },
	{ "Version", NO_STRING, read_version },
	{ "OS Version", NO_STRING, read_os },
	{ "Device", offsetof(struct report, hardware_model), NULL },
	{ "Date", offsetof(struct report, date_time), NULL },
	{ "Organization", NO_STRING, NULL },
	{ "Issue", NO_STRING, NULL },
	{ "Issue #", NO_STRING, NULL },
	{ "Issue ID", NO_STRING, NULL },
	{ "Session", NO_STRING, NULL },
	{ "Session ID", NO_STRING, NULL },
	{ "RAM Free", NO_STRING, NULL },
	{ "Disk Free", NO_STRING, NULL },
};

static bool find_label(struct text label, size_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		if (!text_is(label, labels[i].label))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

static void read_known(struct crashlytics_reader *reader, size_t index,
                       struct text value)
{
	const char **string;

	if (labels[index].read)
		labels[index].read(reader, value);
	if (labels[index].offset == NO_STRING)
		return;
	string = (const char **)(void *)((char *)reader->text.report +
	                                 labels[index].offset);
	if (!*string)
		*string = keep(reader, value);
}

/** `Label: value`; false for other lines. */
static bool split_fact(struct text line, struct text *label, struct text *value)
{
	size_t colon = text_find_char(line, ':');

	if (colon == TEXT_NOWHERE || !colon || colon > LABEL_MAX)
		return false;
	*label = text_first(line, colon);
	*value = text_trim(text_after(line, colon + 1));
	return true;
}

bool crashlytics_fact(struct crashlytics_reader *reader, struct text line)
{
	struct text label;
	struct text value;
	bool is_known;
	bool marked;
	size_t index;

	if (!crashlytics_is_title(line)) {
		if (!split_fact(without_mark(line, &marked), &label, &value))
			return false;
		is_known = find_label(label, &index);
		// Headings of a page are copied without their marks.
		if (!marked && !is_known)
			return false;
		report_add_field(reader->text.report, reader->text.arena,
		                 keep(reader, label), keep(reader, value));
		if (is_known && value.size)
			read_known(reader, index, value);
	}
	line_reader_keep(&reader->text, line.data);
	return true;
}

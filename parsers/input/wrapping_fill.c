// SPDX-License-Identifier: MIT
#include "parsers/input/wrapping.h"

#include "lib/base/str.h"
#include "lib/text/json/json.h"
#include "lib/text/json/pull.h"
#include "parsers/json/date.h"
#include "parsers/json/lines.h"
#include "parsers/json/shape.h"

#include <string.h>

/** The fact from this envelope or an outer one; or empty. */
static struct text fact_of(const struct wrapping *wrapping,
                           enum wrapping_fact fact)
{
	while (wrapping && !wrapping->facts[fact].size)
		wrapping = wrapping->outer;
	return wrapping ? wrapping->facts[fact] : TEXT_NONE;
}

/** A text, or a number as written; NULL for others. */
static const char *text_of(const struct wrapping *wrapping,
                           enum wrapping_fact fact, struct arena *arena)
{
	struct text json = fact_of(wrapping, fact);
	SCOPED(json_pull_drop)
	struct json_pull *pull = json.size ? json_pull_new(json, 0) : NULL;
	const struct json_event *event = pull ? json_pull_next(pull) : NULL;

	if (!event ||
	    (event->type != JSON_EVENT_TEXT &&
	     event->type != JSON_EVENT_NUMBER) ||
	    !event->text.size)
		return NULL;
	return arena_text(arena, event->text);
}

static void fill_text(const struct wrapping *wrapping, enum wrapping_fact fact,
                      const char **field, struct arena *arena)
{
	if (!*field || !**field) {
		const char *text = text_of(wrapping, fact, arena);

		if (text)
			*field = text;
	}
}

/** `iOS 17.2`; only the number if the system is unknown. */
static const char *os_of(const struct wrapping *wrapping, struct arena *arena)
{
	const char *name = text_of(wrapping, WRAPPING_OS_NAME, arena);
	const char *version = text_of(wrapping, WRAPPING_OS_VERSION, arena);

	return version && name && text_is_digit(*version)
	               ? arena_printf(arena, "%s %s", name, version)
	               : version;
}

static const char *date_of(const struct wrapping *wrapping, struct arena *arena)
{
	static const enum wrapping_fact facts[] = { WRAPPING_CRASH_TIME,
		                                    WRAPPING_TIME };

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *text = text_of(wrapping, facts[i], arena);
		const char *date =
		        text ? json_date_of_text(text_from(text), arena) : NULL;

		if (date)
			return date;
	}
	return NULL;
}

static void fill_field(const struct wrapping *wrapping, enum wrapping_fact fact,
                       const char *label, struct report *report,
                       struct arena *arena)
{
	const char *text = text_of(wrapping, fact, arena);

	if (text && !report_field(report, label))
		report_add_field(report, arena, label, text);
}

/** Keep the app's own data unchanged. */
static void fill_section(const struct wrapping *wrapping,
                         enum wrapping_fact fact, const char *label,
                         struct report *report, struct arena *arena)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(str_release) struct str text = { 0 };
	struct text json = fact_of(wrapping, fact);
	size_t used;

	if (!json.size || report_section(report, label))
		return;
	err = json_salvage(json, &used, &doc);
	if (err)
		return;
	if (cJSON_GetStringValue(json_root(doc)))
		str_add(&text, cJSON_GetStringValue(json_root(doc)));
	else
		json_lines_add(&text, json_root(doc));
	json_lines_section(report, arena, label, &text);
}

static void fill(const struct wrapping *wrapping, struct report *report,
                 struct arena *arena)
{
	fill_text(wrapping, WRAPPING_MODEL, &report->hardware_model, arena);
	fill_text(wrapping, WRAPPING_APP_VERSION, &report->version, arena);
	if (!report->os_version)
		report->os_version = os_of(wrapping, arena);
	if (!report->date_time)
		report->date_time = date_of(wrapping, arena);
	fill_field(wrapping, WRAPPING_SESSION, "Session ID", report, arena);
	fill_field(wrapping, WRAPPING_MONITOR, "Monitor Type", report, arena);
	fill_section(wrapping, WRAPPING_CRASH_TIME,
	             "Extra Information: crashTime", report, arena);
	fill_section(wrapping, WRAPPING_EXCEPTION,
	             "Extra Information: userException", report, arena);
	fill_section(wrapping, WRAPPING_CUSTOM, "Extra Information: custom",
	             report, arena);
}

void wrapping_fill(const struct wrapping *wrapping, struct report *report,
                   struct arena *arena)
{
	for (; report; report = report->next)
		fill(wrapping, report, arena);
}

/** Members of samples (apmtool-formats(5)), and their sources. */
static const struct {
	enum wrapping_fact fact;
	const char *member;
} members[] = {
	{ WRAPPING_SESSION, "session" },    { WRAPPING_MODEL, "device" },
	{ WRAPPING_OS_VERSION, "os" },      { WRAPPING_APP_VERSION, "app" },
	{ WRAPPING_IMAGES, "dyld_images" },
};

/** The last of duplicate members wins: those of the document follow. */
static bool is_wanted(struct text fact, enum wrapping_fact which,
                      uint64_t names)
{
	return fact.size &&
	       !(which == WRAPPING_IMAGES && names & JSON_HAS(DYLD_IMAGES));
}

struct text wrapping_compose(const struct wrapping *wrapping, struct text in,
                             struct arena *arena)
{
	struct text rest = text_trim_left(in);
	uint64_t names = json_shape(rest).names;
	SCOPED(str_release) struct str out = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		struct text fact = fact_of(wrapping, members[i].fact);

		if (!is_wanted(fact, members[i].fact, names))
			continue;
		str_addf(&out, "%c\"%s\":", out.size ? ',' : '{',
		         members[i].member);
		str_add_text(&out, fact);
	}
	if (!out.size)
		return in;
	if (text_take(&rest, "{")) {
		rest = text_trim_left(rest);
		str_add(&out, text_starts(rest, "}") ? "" : ",");
		str_add_text(&out, rest);
	} else {
		str_add(&out, ",\"nodes\":");
		str_add_text(&out, rest);
		str_add_char(&out, '}');
	}
	return text_from(arena_text(arena, str_text(&out)));
}

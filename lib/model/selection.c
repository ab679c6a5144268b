// SPDX-License-Identifier: MIT
#include "lib/model/selection.h"

#include "lib/base/timestamp.h"
#include "lib/darwin/products.h"
#include "lib/model/app_name.h"
#include "lib/model/jetsam.h"
#include "lib/model/launch.h"
#include "lib/model/session.h"

#include <string.h>

static const char *const keys[SELECTION_KEYS] = {
	[SELECTION_APP] = "app=",   [SELECTION_VERSION] = "version=",
	[SELECTION_OS] = "os=",     [SELECTION_DEVICE] = "device=",
	[SELECTION_KIND] = "kind=", [SELECTION_AT_LAUNCH] = "at_launch=",
};

static const char *const kind_names[SAMPLE_KINDS] = {
	[SAMPLE_KIND_STALL] = "hang",      [SAMPLE_KIND_CPU] = "cpu",
	[SAMPLE_KIND_DISK] = "disk",       [SAMPLE_KIND_LAUNCH] = "launch",
	[SAMPLE_KIND_WAKEUPS] = "wakeups",
};

/** Kinds of reports without samples. */
#define CRASH  "crash"
#define JETSAM "jetsam"
#define MEMORY "memory"
#define PANIC  "panic"
#define OTHER  "other"

// Options

static bool is_kind(struct text value)
{
	static const char *const others[] = { CRASH, JETSAM, MEMORY, PANIC,
		                              OTHER };

	for (size_t i = 0; i < ARRAY_SIZE(kind_names); i++)
		if (kind_names[i] && text_is(value, kind_names[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (text_is(value, others[i]))
			return true;
	return false;
}

/** The key at the start of @p text; or SELECTION_KEYS. */
static enum selection_key key_of(struct text text)
{
	enum selection_key key = SELECTION_APP;

	while (key < SELECTION_KEYS && !text_starts(text, keys[key]))
		key++;
	return key;
}

/** Up to the comma before the next key. */
static size_t term_size(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] == ',' &&
		    key_of(text_after(text, i + 1)) < SELECTION_KEYS)
			return i;
	return text.size;
}

static struct error *check_value(enum selection_key key, struct text value)
{
	const char *expected = NULL;

	if (!value.size)
		expected = "a value";
	else if (key == SELECTION_KIND && !is_kind(value))
		expected = "crash, hang, cpu, disk, launch, jetsam, memory, "
		           "panic or other";
	else if (key == SELECTION_AT_LAUNCH && !text_is(value, "yes") &&
	         !text_is(value, "no"))
		expected = "yes or no";
	if (!expected)
		return NULL;
	return error_new(ERROR_USAGE,
	                 "option '--where': expected %s after '%s', found "
	                 "'%.*s'",
	                 expected, keys[key], TEXT_ARGS(value));
}

struct error *selection_add(struct selection *selection, const char *terms,
                            struct arena *arena)
{
	struct text rest = text_from(terms);
	struct error *err = NULL;

	do {
		enum selection_key key = key_of(rest);
		size_t size = term_size(rest);
		struct text value;

		if (key == SELECTION_KEYS)
			return error_new(ERROR_USAGE,
			                 "option '--where': expected app=, "
			                 "version=, os=, device=, kind= or "
			                 "at_launch=, found '%.*s'",
			                 TEXT_ARGS(text_first(rest, size)));
		value = text_after(text_first(rest, size), strlen(keys[key]));
		err = check_value(key, value);
		if (err)
			return err;
		ARENA_GROW(arena, selection->terms, selection->count,
		           selection->cap);
		selection->terms[selection->count++] =
		        (struct selection_term){ key, value };
		selection->keys |= 1U << key;
		rest = text_after(rest, size + (size < rest.size));
	} while (rest.size);
	return NULL;
}

/** A time with its zone, or without it, or without seconds, or a day. */
static struct error *read_date(const char *option, const char *date,
                               int64_t *ret_first, int64_t *ret_last)
{
	struct text text = text_from(date);
	static const struct {
		const char *rest; ///< completes it to a time with its zone
		int64_t ms;       ///< parsed time
	} forms[] = {
		{ "", 1000 },
		{ " +0000", 1000 },
		{ ":00 +0000", 60000 },
		{ " 00:00:00 +0000", 86400000 },
	};
	char whole[64];

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct text all;

		if (text.size + strlen(forms[i].rest) >= sizeof(whole))
			break;
		snprintf(whole, sizeof(whole), "%s%s", date, forms[i].rest);
		all = text_from(whole);
		if (!timestamp_parse(all, ret_first))
			continue;
		*ret_last = *ret_first;
		if (text_find_char(all, '.') == TEXT_NOWHERE)
			*ret_last += forms[i].ms - 1;
		return NULL;
	}
	return error_new(ERROR_USAGE,
	                 "option '%s': expected a day or a time, as "
	                 "2026-01-31 or 2026-01-31T09:08:07Z, found '%s'",
	                 option, date);
}

struct error *selection_set_since(struct selection *selection, const char *date)
{
	int64_t last;
	struct error *err =
	        read_date("--since", date, &selection->since_ms, &last);

	selection->has_since = !err;
	return err;
}

struct error *selection_set_until(struct selection *selection, const char *date)
{
	int64_t first;
	struct error *err =
	        read_date("--until", date, &first, &selection->until_ms);

	selection->has_until = !err;
	return err;
}

bool selection_is_active(const struct selection *selection)
{
	return selection->count || selection->has_since || selection->has_until;
}

// Values

/** @p pattern fits, without regard to case; each `*` in it is any text. */
static bool fits(struct text pattern, struct text value)
{
	size_t star = TEXT_NOWHERE, at = 0, i = 0, begin = 0;

	while (i < value.size) {
		char c = at < pattern.size ? pattern.data[at] : '\0';

		if (at < pattern.size && c == '*') {
			star = at++;
			begin = i;
		} else if (at < pattern.size &&
		           text_is_nocase(text_first(text_after(value, i), 1),
		                          (char[]){ c, '\0' })) {
			at++;
			i++;
		} else if (star != TEXT_NOWHERE) {
			at = star + 1;
			i = ++begin;
		} else {
			return false;
		}
	}
	while (at < pattern.size && pattern.data[at] == '*')
		at++;
	return at == pattern.size;
}

static bool fits_text(struct text pattern, const char *value)
{
	return value && fits(pattern, text_from(value));
}

/** Values of a report for the conditions. */
struct facts {
	const char *names[2];
	struct text version;
	struct text build;
	const char *os;
	const char *device;
	const char *kind;
	const struct jetsam *jetsam; ///< its killed processes are apps, too
	enum at_launch at_launch;
};

static bool fits_app(const struct facts *facts, struct text value)
{
	const struct jetsam *jetsam = facts->jetsam;

	for (size_t i = 0; i < ARRAY_SIZE(facts->names); i++)
		if (fits_text(value, facts->names[i]))
			return true;
	for (size_t i = 0; jetsam && i < jetsam->process_count; i++)
		if (jetsam->processes[i].reason &&
		    fits_text(value, jetsam->processes[i].name))
			return true;
	return false;
}

/** `2.1`, its build `210`, or both, `2.1 (210)`. */
static bool fits_version(const struct facts *facts, struct text value)
{
	SCOPED(str_release) struct str both = { 0 };

	if (facts->version.size && fits(value, facts->version))
		return true;
	if (facts->build.size && fits(value, facts->build))
		return true;
	if (!facts->version.size || !facts->build.size)
		return false;
	str_add_text(&both, facts->version);
	str_add(&both, " (");
	str_add_text(&both, facts->build);
	str_add(&both, ")");
	return fits(value, str_text(&both));
}

/** `17.2` is `17.2` and `17.2.1`. */
static bool fits_number(struct text value, struct text number)
{
	struct text head = text_first(number, value.size);

	return fits(value, number) ||
	       (value.size < number.size && number.data[value.size] == '.' &&
	        text_equal(head, value));
}

/** Without an older name of the system, or an `OS` at the end. */
static struct text system_name(struct text name)
{
	name = text_trim(name);
	return text_is_nocase(name, "iPhone OS") ? text_from("iOS") : name;
}

static bool same_nocase(struct text a, struct text b)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add_text(&text, b);
	return text_is_nocase(a, str_cstr(&text));
}

static size_t find_digit(struct text text)
{
	size_t i = 0;

	while (i < text.size && !text_is_digit(text.data[i]))
		i++;
	return i;
}

/** `iPhone OS 17.2 (21C62)` by its number, its build, or its name with it. */
static bool fits_system(const struct facts *facts, struct text value)
{
	struct text all = text_from(facts->os ? facts->os : "");
	size_t open = text_find_char(all, '(');
	struct text build =
	        text_after(all, open == TEXT_NOWHERE ? all.size : open + 1);
	struct text head = text_first(all, open);
	size_t digit = find_digit(head);
	struct text name = text_first(head, digit);
	struct text number = text_trim(text_after(head, digit));
	size_t asked = find_digit(value);

	build = text_first(build, text_find_char(build, ')'));
	number = text_first(number, text_find_char(number, ' '));
	if (!all.size)
		return false;
	if (fits(value, all) || (build.size && fits(value, build)) ||
	    (number.size && fits_number(value, number)))
		return true;
	if (!text_trim(text_first(value, asked)).size ||
	    !same_nocase(system_name(text_first(value, asked)),
	                 system_name(name)))
		return false;
	return asked == value.size ||
	       (number.size && fits_number(text_after(value, asked), number));
}

/** By id or by model name. */
static bool fits_device(const struct facts *facts, struct text value)
{
	return facts->device &&
	       (fits_text(value, facts->device) ||
	        fits_text(value, darwin_model_name(facts->device)));
}

static bool fits_term(const struct facts *facts,
                      const struct selection_term *term)
{
	switch (term->key) {
	case SELECTION_APP:
		return fits_app(facts, term->value);
	case SELECTION_VERSION:
		return fits_version(facts, term->value);
	case SELECTION_OS:
		return fits_system(facts, term->value);
	case SELECTION_DEVICE:
		return fits_device(facts, term->value);
	case SELECTION_KIND:
		return text_is(term->value, facts->kind);
	case SELECTION_AT_LAUNCH:
		return facts->at_launch == (text_is(term->value, "yes")
		                                    ? AT_LAUNCH_YES
		                                    : AT_LAUNCH_NO);
	case SELECTION_KEYS:
		break;
	}
	return false;
}

static bool fits_all(const struct selection *selection,
                     const struct facts *facts)
{
	unsigned matched = 0;

	for (size_t i = 0; i < selection->count; i++)
		if (fits_term(facts, &selection->terms[i]))
			matched |= 1U << selection->terms[i].key;
	return matched == selection->keys;
}

// Reports

const char *selection_kind(const struct report *report)
{
	struct text kind = text_from(report->kind ? report->kind : "");

	if (report->jetsam)
		return JETSAM;
	if (report_is_memory_record(report))
		return MEMORY;
	if (report->sample_kind && kind_names[report->sample_kind])
		return kind_names[report->sample_kind];
	if (text_find(kind, "panic") != TEXT_NOWHERE)
		return PANIC;
	return kind.size ? OTHER : CRASH;
}

static struct text text_or_none(const char *text)
{
	return text ? text_from(text) : TEXT_NONE;
}

static bool fits_date(const struct selection *selection, const char *date)
{
	int64_t ms;

	if (!selection->has_since && !selection->has_until)
		return true;
	return date && session_time(date, &ms) &&
	       (!selection->has_since || ms >= selection->since_ms) &&
	       (!selection->has_until || ms <= selection->until_ms);
}

bool selection_misses_date(const struct selection *selection,
                           const struct report *report)
{
	int64_t ms;

	return (selection->has_since || selection->has_until) &&
	       !(report->date_time && session_time(report->date_time, &ms));
}

bool selection_takes(const struct selection *selection,
                     const struct report *report)
{
	struct facts facts = {
		.names = { report->identifier, report->process.name },
		.version = text_or_none(report->version),
		.build = text_or_none(report->build),
		.os = report->os_version,
		.device = report->hardware_model,
		.kind = selection_kind(report),
		.jetsam = report->jetsam,
	};

	if (!fits_date(selection, report->date_time))
		return false;
	if (selection->keys & 1U << SELECTION_AT_LAUNCH)
		facts.at_launch = report_at_launch(report);
	return fits_all(selection, &facts);
}

bool selection_takes_sample(const struct selection *selection,
                            const struct selection_sample *report)
{
	struct text app = text_or_none(report->app);
	struct text name = app_name_of(app);
	struct text rest = text_trim(text_after(app, name.size));
	size_t open = text_find_char(rest, '(');
	SCOPED(str_release) struct str short_name = { 0 };
	struct facts facts = {
		.names = { report->app },
		.version = text_trim(text_first(rest, open)),
		.os = report->os,
		.device = report->device,
		.kind = kind_names[report->kind] ? kind_names[report->kind]
		                                 : OTHER,
	};

	if (!fits_date(selection, report->date))
		return false;
	if (open != TEXT_NOWHERE) {
		facts.build = text_after(rest, open + 1);
		facts.build = text_first(facts.build,
		                         text_find_char(facts.build, ')'));
	}
	str_add_text(&short_name, name);
	if (name.size)
		facts.names[1] = str_cstr(&short_name);
	return fits_all(selection, &facts);
}

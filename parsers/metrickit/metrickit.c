// SPDX-License-Identifier: MIT
#include "parsers/metrickit/reader.h"

#include "lib/base/base64.h"
#include "lib/base/str.h"
#include "parsers/reader.h"

#include <stdlib.h>
#include <string.h>

// Keys that identify a payload precede its long parts.
#define SNIFF_BYTES ((size_t)256 << 10)

// Diagnostics

static void begin_diagnostic(struct metrickit_reader *r,
                             struct metrickit_diagnostic *d)
{
	SCOPED(str_release) struct str path = { 0 };

	d->report = report_new(r->arena);
	d->report->format = metrickit_reader.name;
	str_add(&path, r->source.prefix);
	json_pull_path(r->source.pull, &path);
	if (path.size)
		d->report->origin = arena_text(r->arena, str_text(&path));
	d->outer_notes = r->notes;
	r->notes = (struct json_reader){
		.report = d->report,
		.arena = r->arena,
		.whole = "payload",
	};
	r->at = d;
}

/** Has @p report its date or range from a level further in? */
static bool has_time(const struct report *report)
{
	return report_field(report, "Range Begin") || report->date_time;
}

/** The payload's time range applies to its reports. */
static void add_range(struct metrickit_reader *r,
                      const struct metrickit_diagnostic *d,
                      struct report *report)
{
	if (has_time(report))
		return;
	if (d->range_begin && d->range_end &&
	    strcmp(d->range_begin, d->range_end) != 0) {
		report_add_field(report, r->arena, "Range Begin",
		                 d->range_begin);
		report_add_field(report, r->arena, "Range End", d->range_end);
	} else {
		report->date_time = d->range_end ? d->range_end
		                                 : d->range_begin;
	}
}

static void link_report(struct metrickit_reader *r, struct report *report)
{
	if (r->last)
		r->last->next = report;
	else
		r->first = report;
	r->last = report;
	r->report_count++;
}

static void move_notes(struct metrickit_reader *r, const struct report *from,
                       struct report *to)
{
	for (size_t i = 0; i < from->note_count; i++)
		report_add_note(to, r->arena, from->notes[i].place,
		                from->notes[i].text);
}

/** Build the report, unless it was only an object around others. */
static void end_diagnostic(struct metrickit_reader *r,
                           struct metrickit_diagnostic *outer,
                           struct report *before)
{
	struct metrickit_diagnostic *d = r->at;

	if (d->kind || d->has_tree || d->has_facts) {
		metrickit_finish_facts(r);
		metrickit_build(r);
		link_report(r, d->report);
	} else {
		move_notes(r, d->report, outer->report);
	}
	for (struct report *report = before ? before->next : r->first; report;
	     report = report->next)
		add_range(r, d, report);
	free(d->frames);
	for (size_t i = 0; i < d->stack_count; i++)
		calltree_release(&d->stacks[i].calls);
	free(d->stacks);
	free(d->binaries);
	r->notes = d->outer_notes;
	r->at = outer;
}

// Levels above the frames. Each member reader consumes its whole value.

static void read_members(struct metrickit_reader *r);

/** Read the open object; an outer level if it has no kind. */
static void read_diagnostic(struct metrickit_reader *r,
                            const struct metrickit_kind *kind)
{
	struct metrickit_diagnostic d = { .kind = kind };
	struct metrickit_diagnostic *outer = r->at;
	struct report *before = r->last;
	size_t first_measure = r->measure_count;

	if (r->report_count == METRICKIT_DIAGNOSTICS_MAX) {
		json_source_note(&r->source, NULL,
		                 "only the first %d were read",
		                 METRICKIT_DIAGNOSTICS_MAX);
		json_pull_skip(r->source.pull);
		return;
	}
	begin_diagnostic(r, &d);
	read_members(r);
	metrickit_read_measures(r, first_measure);
	end_diagnostic(r, outer, before);
}

/** Read the open array, or object. */
static void read_diagnostics(struct metrickit_reader *r,
                             const struct metrickit_kind *kind)
{
	const struct json_event *event = json_pull_next(r->source.pull);

	if (event->type == JSON_EVENT_OBJECT) {
		read_diagnostic(r, kind);
		return;
	}
	if (event->type != JSON_EVENT_ARRAY) {
		json_source_unexpected(&r->source, event, "an array");
		return;
	}
	while ((event = json_pull_next(r->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		if (event->type == JSON_EVENT_OBJECT)
			read_diagnostic(r, kind);
		else
			json_source_unexpected(&r->source, event, "an object");
	}
}

static bool is_json(struct text text)
{
	return text_starts(text, "{") || text_starts(text, "[");
}

/** Add notes about the current document to the diagnostic. */
static void note_document(struct metrickit_reader *r)
{
	for (size_t i = 0; i < json_pull_repair_count(r->source.pull); i++) {
		struct json_repair repair = json_pull_repair(r->source.pull, i);

		report_add_note(r->at->report, r->arena,
		                arena_printf(r->arena, "%soffset 0x%zx",
		                             r->source.prefix, repair.offset),
		                repair.text);
	}
	json_source_end(&r->source, "payload", "the payload");
}

/** Deeper levels are lost. */
static void note_depth(struct metrickit_reader *r)
{
	r->source.reader->report->truncated = true;
	json_source_note(&r->source, NULL, "nested too deeply");
}

/** JSON in the text of a member, perhaps in Base64. */
static void read_nested(struct metrickit_reader *r, struct text text,
                        void (*read)(struct metrickit_reader *r))
{
	SCOPED(str_release) struct str decoded = { 0 };
	SCOPED(str_release) struct str prefix = { 0 };
	struct json_pull *outer = r->source.pull;
	const char *outer_prefix = r->source.prefix;

	text = text_trim(text);
	if (!is_json(text) && base64_decode(text, &decoded))
		text = text_trim(str_text(&decoded));
	if (!is_json(text)) {
		json_source_note(&r->source, NULL,
		                 "expected JSON, or JSON in Base64, as text");
		return;
	}
	if (r->level == METRICKIT_LEVELS_MAX) {
		note_depth(r);
		return;
	}
	str_add(&prefix, r->source.prefix);
	json_pull_path(r->source.pull, &prefix);
	str_add(&prefix, ": ");
	r->source.prefix = arena_text(r->arena, str_text(&prefix));
	r->source.pull = json_pull_new(text, JSON_PULL_REPAIR);
	r->level++;
	read(r);
	r->level--;
	note_document(r);
	json_pull_free(r->source.pull);
	r->source.pull = outer;
	r->source.prefix = outer_prefix;
}

/** An object that belongs to the current diagnostic. */
static void read_inner(struct metrickit_reader *r)
{
	const struct json_event *event = json_pull_next(r->source.pull);

	if (event->type == JSON_EVENT_OBJECT)
		read_members(r);
	else if (event->type == JSON_EVENT_TEXT)
		read_nested(r, event->text, read_inner);
	else
		json_source_unexpected(&r->source, event, "an object");
}

static void read_tree(struct metrickit_reader *r)
{
	r->at->has_tree = true;
	read_inner(r);
}

static void read_metadata(struct metrickit_reader *r)
{
	r->at->has_facts = true;
	read_inner(r);
}

/** One payload, or several in an array. */
static void read_payload(struct metrickit_reader *r)
{
	read_diagnostics(r, NULL);
}

static void read_wrapped(struct metrickit_reader *r)
{
	const struct json_event *event = json_pull_next(r->source.pull);

	if (event->type == JSON_EVENT_TEXT)
		read_nested(r, event->text, read_payload);
	else if (event->type == JSON_EVENT_OBJECT)
		read_diagnostic(r, NULL);
	else
		json_source_unexpected(&r->source, event, "an object");
}

static void read_per_thread(struct metrickit_reader *r)
{
	r->at->has_per_thread = json_take_bool(&r->source, &r->at->per_thread);
}

static void read_range_begin(struct metrickit_reader *r)
{
	r->at->range_begin = json_take_text(&r->source);
}

static void read_range_end(struct metrickit_reader *r)
{
	r->at->range_end = json_take_text(&r->source);
}

static const struct {
	const char *key;
	void (*read)(struct metrickit_reader *r);
	bool metrickit_only; ///< its presence makes an object ours
} members[] = {
	{ "callStackTree", read_tree, true },
	{ "callStacks", metrickit_read_stacks, true },
	{ "callStackThreads", metrickit_read_stacks, true },
	{ "callStackPerThread", read_per_thread, false },
	{ "binaryInfo", metrickit_read_binaries, false },
	{ "diagnosticMetaData", read_metadata, false },
	{ "metaData", read_metadata, false },
	{ "metadata", read_metadata, false },
	{ "payload", read_wrapped, false },
	{ "timeStampBegin", read_range_begin, false },
	{ "timeStampEnd", read_range_end, false },
};

static void read_member(struct metrickit_reader *r, const char *key)
{
	const struct metrickit_kind *kind = metrickit_kind_of(key, r->arena);

	if (r->level == METRICKIT_LEVELS_MAX) {
		note_depth(r);
		json_pull_skip(r->source.pull);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (!strcmp(members[i].key, key)) {
			members[i].read(r);
			return;
		}
	}
	if (kind)
		read_diagnostics(r, kind);
	else
		metrickit_read_fact(r, key);
}

/** Read the members of the open object to its end. */
static void read_members(struct metrickit_reader *r)
{
	const struct json_event *event;

	r->level++;
	while ((event = json_pull_next(r->source.pull))->type ==
	       JSON_EVENT_NAME) {
		struct metrickit_name name = metrickit_name(event);

		read_member(r, name.text);
	}
	r->level--;
}

// The whole input

/** Is that key one that only MetricKit has? */
static bool is_metrickit_only(struct text key)
{
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].metrickit_only && text_is(key, members[i].key))
			return true;
	return metrickit_is_kind(key);
}

/** Has the outermost object, or the one in `payload`, such a key? */
static bool sniff_json(struct text in, bool wrapped)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_first(in, SNIFF_BYTES), 0);
	SCOPED(str_release) struct str decoded = { 0 };
	const struct json_event *event;
	bool in_payload = false;

	while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE) {
		if (event->type == JSON_EVENT_TEXT && in_payload && !wrapped) {
			if (is_json(event->text))
				return sniff_json(event->text, true);
			return base64_decode(event->text, &decoded) &&
			       sniff_json(str_text(&decoded), true);
		}
		if (event->type != JSON_EVENT_NAME)
			continue;
		if (is_metrickit_only(event->text))
			return true;
		in_payload = text_is(event->text, "payload");
		if (!in_payload)
			json_pull_skip(pull);
	}
	return false;
}

/** The JSON itself: the whole export may be Base64. */
static struct text undress(struct text in, struct str *decoded)
{
	in = text_trim(in);
	if (is_json(in) || !base64_decode(in, decoded))
		return in;
	return text_trim(str_text(decoded));
}

static bool metrickit_sniff(const struct envelope *in)
{
	SCOPED(str_release) struct str decoded = { 0 };
	struct text text = undress(in->text, &decoded);

	return is_json(text) && sniff_json(text, false);
}

static struct error *metrickit_read(const struct envelope *in,
                                    struct sink *sink)
{
	struct arena *arena = sink->arena;
	SCOPED(str_release) struct str decoded = { 0 };
	// Has the notes that belong to no diagnostic.
	struct metrickit_diagnostic root = { .report = report_new(arena) };
	struct metrickit_reader reader = { .arena = arena, .at = &root };
	const struct report *whole = root.report;

	reader.notes = (struct json_reader){
		.report = root.report,
		.arena = arena,
		.whole = "payload",
	};
	reader.source = (struct json_source){
		.pull = json_pull_new(undress(in->text, &decoded),
		                      JSON_PULL_REPAIR),
		.reader = &reader.notes,
		.prefix = "",
	};
	read_payload(&reader);
	metrickit_finish_measures(&reader);
	note_document(&reader);
	json_pull_free(reader.source.pull);
	if (!reader.first && whole->note_count)
		return error_new(ERROR_FORMAT, "%s: %s", whole->notes[0].place,
		                 whole->notes[0].text);
	if (!reader.first)
		return error_new(ERROR_NOT_FOUND,
		                 "a MetricKit payload without diagnostics");
	reader.last->truncated |= whole->truncated;
	move_notes(&reader, whole, reader.last);
	sink_report(sink, reader.first);
	return NULL;
}

const struct reader metrickit_reader = {
	.name = "metrickit",
	.summary = "MetricKit's diagnostic payloads (JSON)",
	.yields = YIELDS_REPORTS,
	.sniff = metrickit_sniff,
	.read = metrickit_read,
};

// SPDX-License-Identifier: MIT
/*
 * Parts of a JetsamEvent as people paste them: for example entries of its list
 * of processes, with or without the page size, with `...` or comments between
 * (apmtool-formats(5)). Missing values are unknown.
 */
#include "parsers/jetsam/clean.h"
#include "parsers/jetsam/jetsam.h"
#include "parsers/jetsam/json.h"
#include "parsers/reader.h"

#include <string.h>

/** Is there a member with this name? */
static bool has_member(struct text in, const char *quoted)
{
	size_t at = text_find(in, quoted);

	return at != TEXT_NOWHERE &&
	       text_starts(text_trim_left(
	                           text_after(in, at + text_from(quoted).size)),
	                   ":");
}

static bool fragment_sniff(const struct envelope *in)
{
	return has_member(in->text, "\"rpages\"") &&
	       has_member(in->text, "\"name\"");
}

/** From the first member on, with a brace added if the object lost its own. */
static struct text open_first(struct text in, struct arena *arena)
{
	size_t quote = text_find_char(in, '"');
	size_t brace = text_find_char(in, '{');
	char *out;

	if (quote > brace)
		return text_after(in, brace);
	in = text_after(in, quote);
	out = arena_take(arena, in.size + 2);
	out[0] = '{';
	memcpy(out + 1, in.data, in.size);
	out[in.size + 1] = '\0';
	return (struct text){ .data = out, .size = in.size + 1 };
}

static bool has_named_process(const struct jetsam *jetsam)
{
	for (size_t i = 0; i < jetsam->process_count; i++)
		if (jetsam->processes[i].name)
			return true;
	return false;
}

static struct error *fragment_read(const struct envelope *in, struct sink *sink)
{
	struct json_reader reader = { .arena = sink->arena };
	struct json_place root = JSON_PLACE_ROOT(&reader);
	struct report *report = jetsam_report_new(sink->arena, "jetsam");

	reader.report = report;
	report->truncated = true;
	report->jetsam->part = JETSAM_EXCERPT;
	jetsam_read_pieces(
	        &root,
	        open_first(jetsam_clean(in->text, sink->arena), sink->arena));
	if (!has_named_process(report->jetsam))
		return error_new(
		        ERROR_FORMAT,
		        "no process of the excerpt has a name and pages");
	sink_report(sink, report);
	return NULL;
}

const struct reader jetsam_fragment_reader = {
	.name = "jetsam-excerpt",
	.summary = "excerpts of jetsam logs: entries of processes",
	.yields = YIELDS_JETSAM,
	.sniff = fragment_sniff,
	.read = fragment_read,
};

// SPDX-License-Identifier: MIT
#include "parsers/members.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/text/archive.h"
#include "lib/text/zip.h"
#include "parsers/input/decode.h"
#include "parsers/input/skipped.h"

#include <string.h>

struct members {
	struct archive_budget budget;
	member_read read;
	struct sink *sink;
	struct arena *arena;
	const char *name;  ///< of the current file
	size_t count;      ///< of the archive's files
	size_t read_count; ///< files read, at least in part
	size_t left_count; ///< files not reached
	struct report *first;
	struct report *last;
	struct skipped skipped;
	bool has_lost_report; ///< one that cannot be unpacked, by its name
};

static void members_release(struct members *members)
{
	skipped_release(&members->skipped);
}

/** Add the file's name to its notes. */
static void add_reports(struct members *members, struct report *report)
{
	const char *name = members->name;

	if (members->last)
		members->last->next = report;
	else
		members->first = report;
	for (; report; report = report->next) {
		report->member = name;
		for (size_t i = 0; i < report->note_count; i++)
			report->notes[i].place =
			        arena_printf(members->arena, "%s: %s", name,
			                     report->notes[i].place);
		members->last = report;
	}
}

/** Is it the name of a report? */
static bool is_report_name(struct text name)
{
	return text_ends(name, ".crash") || text_ends(name, ".ips");
}

/** @param failed  It could not be read. */
static void take_failure(struct members *members,
                         const struct archive_file *file, struct error *err,
                         bool failed)
{
	const char *name = members->name;
	bool is_report = is_report_name(file->name);
	enum skipped_weight weight = SKIPPED_QUIETLY;

	// Files other than reports are skipped, unless their name is a
	// report's.
	if (failed)
		weight = SKIPPED_FAILED;
	else if (error_code(err) != ERROR_UNSUPPORTED || is_report)
		weight = SKIPPED_NOTED;
	members->has_lost_report |= failed && is_report;
	if (!members->last)
		err = error_prefix(err, "%s", name);
	skipped_add(&members->skipped, members->last, name, err, weight);
}

/** Is it compressed more often than supported? It may contain reports. */
static bool is_packed_again(struct bytes in)
{
	struct inflater *inflater;
	uint8_t head[4];
	struct bytes unpacked = { .data = head };

	if (archive_is(in))
		return true;
	if (!gzip_is(in))
		return false;
	inflater = inflater_new_gzip(in);
	error_free(inflater_read(inflater, head, sizeof(head), &unpacked.size));
	inflater_free(inflater);
	return zip_is(unpacked) || gzip_is(unpacked);
}

static void read_member(struct members *members, struct archive_file *file)
{
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	size_t left_bytes;
	struct sink one = sink_part(members->sink);
	struct error *err = archive_unpack(file, &unpacked);
	bool failed = err;

	one.member = members->name = archive_file_name(file, members->arena);
	left_bytes = (size_t)members->budget.left_bytes;
	if (!err)
		err = members->read(unpacked.bytes, &left_bytes, &one);
	members->budget.left_bytes = left_bytes;
	if (err) {
		failed |= error_code(err) == ERROR_LIMIT ||
		          is_packed_again(unpacked.bytes);
		if (unpacked.fault)
			err = error_prefix(err, "%s", unpacked.fault);
		take_failure(members, file, err, failed || unpacked.fault);
		return;
	}
	members->read_count++;
	if (unpacked.fault && !one.first) {
		take_failure(members, file,
		             error_new(ERROR_FORMAT, "%s", unpacked.fault),
		             true);
		return;
	}
	if (unpacked.fault) {
		report_add_failure(one.first, members->arena,
		                   archive_kind_name(&members->budget),
		                   unpacked.fault);
		one.first->truncated = true;
	}
	add_reports(members, one.first);
}

/** `._a.crash`: macOS' metadata of `a.crash` in an archive. */
static bool is_attributes(struct text name)
{
	size_t slash = text_find_last_char(name, '/');

	return text_starts(slash == TEXT_NOWHERE ? name
	                                         : text_after(name, slash + 1),
	                   "._");
}

/** Size of a text's head without NUL bytes. */
#define LOOK_BYTES 1024

/**
 * Is a file of a tar archive certainly not a report? A sysdiagnose has
 * gigabytes of databases and traces, which are not worth reading.
 */
static bool is_binary(struct archive_file *file)
{
	uint8_t data[LOOK_BYTES];
	struct bytes head = { .data = data };
	struct text text;

	if (is_report_name(file->name))
		return false;
	error_free(archive_peek(file, 0, data, sizeof(data), &head.size));
	text = bytes_text(head);
	return text_find_char(text, '\0') != TEXT_NOWHERE &&
	       !decode_needs_all(head) && !text_starts(text, "plcrash") &&
	       !text_starts(text, "bplist00");
}

/** An archive_visit. */
static struct error *visit_member(struct archive_file *file, void *context)
{
	struct members *members = context;

	members->count = file->count;
	if (is_attributes(file->name) ||
	    (members->budget.is_tar && is_binary(file)))
		return NULL;
	members->left_count += !members->budget.left_bytes ||
	                       !report_left_to_read(members->arena);
	if (!members->left_count)
		read_member(members, file);
	return NULL;
}

/** The limit that earlier files have used up. */
static const char *too_much(const struct members *members)
{
	struct arena *arena = members->arena;

	if (!members->budget.left_bytes)
		return arena_printf(
		        arena, "unpack to %s",
		        limit_size(members->budget.limit_bytes).text);
	return arena_printf(arena, "have %zu lines or frames%s",
	                    limit_get(LIMIT_LINES), limit_hint(LIMIT_LINES));
}

static void note_rest(struct members *members, size_t count)
{
	struct arena *arena = members->arena;

	if (count)
		report_add_failure(members->last, arena,
		                   archive_kind_name(&members->budget),
		                   arena_printf(arena,
		                                "%zu file%s %s not read: those "
		                                "before %s %s",
		                                count, text_plural(count),
		                                count == 1 ? "was" : "were",
		                                count == 1 ? "it" : "them",
		                                too_much(members)));
	members->last->truncated |= count || members->budget.too_large;
}

/**
 * The reason if nothing was read. As in a directory, other files are skipped; a
 * report that cannot be decompressed is not.
 */
static struct error *take_reason(struct members *members)
{
	struct error *err = skipped_take(&members->skipped);

	if (!err)
		return error_new(ERROR_UNSUPPORTED, "none looks like a report");
	return members->has_lost_report ? decode_failure(err) : err;
}

/** Deliver notes about lost files, if no report can have them. */
static void give_lost(const struct members *members)
{
	const struct skipped *skipped = &members->skipped;
	size_t count = members->left_count + members->budget.too_large;

	if (skipped->waiting)
		sink_notice(members->sink, NOTICE_FAILURE, NULL,
		            skipped_text(skipped));
	if (count)
		sink_notice(members->sink, NOTICE_FAILURE, NULL,
		            arena_printf(members->arena,
		                         "%zu file%s %s not read: the others "
		                         "%s",
		                         count, text_plural(count),
		                         count == 1 ? "was" : "were",
		                         too_much(members)));
}

/** End an archive that is damaged; keeps what was read. */
static void end_early(struct members *members, struct error *err)
{
	report_add_failure(members->last, members->arena,
	                   archive_kind_name(&members->budget),
	                   arena_strdup(members->arena, error_message(err)));
	members->last->truncated = true;
	error_free(err);
}

struct error *members_read(struct bytes in, size_t limit_bytes,
                           member_read read, struct sink *sink)
{
	SCOPED(members_release)
	struct members members = {
		.budget = archive_budget(LIMIT_UNPACKED, limit_bytes),
		.read = read,
		.sink = sink,
		.arena = sink->arena,
		.skipped = { .arena = sink->arena },
	};
	struct error *err =
	        archive_walk_bytes(in, &members.budget, visit_member, &members);

	if (err && members.first)
		end_early(&members, err);
	else if (err)
		return err;
	if (!members.read_count)
		return error_prefix(take_reason(&members),
		                    "a %s archive of %zu file%s without a "
		                    "report",
		                    archive_kind_name(&members.budget),
		                    members.count, text_plural(members.count));
	if (!members.first) {
		give_lost(&members);
		return NULL;
	}
	skipped_note(&members.skipped, members.first,
	             archive_kind_name(&members.budget));
	note_rest(&members, members.left_count);
	sink_report(sink, members.first);
	return NULL;
}

#include "parsers/archive.h"

#include "lib/text/zip.h"

#include <stdbool.h>

/** Files that cannot be read, among others that can: so many are listed. */
#define FAILURES_LISTED 20

struct archive_reading {
	struct zip zip;
	archive_read_file read;
	struct arena *arena;
	size_t left_bytes; ///< that may still be unpacked
	struct report *first;
	struct report *last;
	bool ended; ///< no more may be unpacked
	/** Of a file before the first report: what there is to say of it. */
	struct error *error;
	bool error_noted; ///< it is worth a note of that report
	size_t failed;
};

static void archive_release(struct archive_reading *reading)
{
	zip_release(&reading->zip);
	error_free(reading->error);
}

static const char *member_name(const struct archive_reading *reading,
                               size_t index)
{
	return arena_text(reading->arena, reading->zip.files[index].name);
}

/** Its notes say of which file they are. */
static void add_reports(struct archive_reading *reading, struct report *report,
                        const char *name)
{
	if (reading->last)
		reading->last->next = report;
	else
		reading->first = report;
	for (; report; report = report->next) {
		report->member = name;
		for (size_t i = 0; i < report->note_count; i++)
			report->notes[i].place =
			        arena_printf(reading->arena, "%s: %s", name,
			                     report->notes[i].place);
		reading->last = report;
	}
}

static struct error *read_member(struct archive_reading *reading, size_t index)
{
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	struct report *report = NULL;
	struct error *err = zip_unpack(&reading->zip, index,
	                               reading->left_bytes, &unpacked);

	// A limit is that of the archive, whatever file reaches it.
	reading->ended = err && error_code(err) == ERROR_LIMIT;
	if (err)
		return err;
	reading->left_bytes -= unpacked.bytes.size;
	if (zip_is(unpacked.bytes))
		return error_new(ERROR_UNSUPPORTED,
		                 "a zip archive inside a zip archive: unpack "
		                 "it first");
	err = reading->read(unpacked.bytes, reading->arena, &report);
	if (err)
		return err;
	if (unpacked.fault) {
		report_add_note(report, reading->arena, "zip", unpacked.fault);
		report->truncated = true;
	}
	add_reports(reading, report, member_name(reading, index));
	return NULL;
}

/** Is this the name of a report, whatever is in it? */
static bool is_report_name(struct text name)
{
	return text_ends(name, ".crash") || text_ends(name, ".ips");
}

/** Files that are no reports are passed over, unless they look like one. */
static bool is_noted(const struct archive_reading *reading, size_t index,
                     const struct error *err)
{
	const struct zip_file *file = &reading->zip.files[index];

	return error_code(err) != ERROR_UNSUPPORTED || file->encrypted ||
	       is_report_name(file->name);
}

static void note_failure(struct archive_reading *reading, size_t index,
                         const struct error *err)
{
	const char *name = member_name(reading, index);

	if (reading->failed++ < FAILURES_LISTED)
		report_add_note(reading->last, reading->arena, name,
		                arena_printf(reading->arena, "left out: %s",
		                             error_message(err)));
	else if (reading->failed == FAILURES_LISTED + 1)
		report_add_note(reading->last, reading->arena, name,
		                "more is left out and not listed");
}

/** Before the first report: of these, one is kept to be noted there. */
static void keep_failure(struct archive_reading *reading, size_t index,
                         struct error *err, bool noted)
{
	if (reading->error && (reading->error_noted || !noted)) {
		error_free(err);
		return;
	}
	error_free(reading->error);
	reading->error = error_prefix(err, "%s", member_name(reading, index));
	reading->error_noted = noted;
}

static void take_failure(struct archive_reading *reading, size_t index,
                         struct error *err)
{
	bool noted = is_noted(reading, index, err);

	if (!reading->first) {
		keep_failure(reading, index, err, noted);
		return;
	}
	if (noted)
		note_failure(reading, index, err);
	error_free(err);
}

static void note_first(struct archive_reading *reading)
{
	if (reading->error_noted)
		report_add_note(reading->first, reading->arena, "zip",
		                arena_printf(reading->arena, "left out: %s",
		                             error_message(reading->error)));
}

struct error *archive_read(struct bytes in, size_t limit_bytes,
                           archive_read_file read, struct arena *arena,
                           struct report **ret)
{
	SCOPED(archive_release)
	struct archive_reading reading = { .read = read,
		                           .arena = arena,
		                           .left_bytes = limit_bytes };
	struct error *err = zip_open(in, &reading.zip);

	if (err)
		return err;
	for (size_t i = 0; i < reading.zip.count && !reading.ended; i++) {
		err = read_member(&reading, i);
		if (err)
			take_failure(&reading, i, err);
	}
	if (!reading.first) {
		err = reading.error;
		reading.error = NULL;
		return error_prefix(err,
		                    "a zip archive of %zu files without a "
		                    "report",
		                    reading.zip.count);
	}
	note_first(&reading);
	*ret = reading.first;
	return NULL;
}

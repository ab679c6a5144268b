#include "parsers/archive.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/text/packed.h"
#include "parsers/input/decode.h"
#include "parsers/input/skipped.h"

#include <string.h>

struct archive_reading {
	struct archive_files files;
	archive_read_file read;
	struct sink *sink;
	struct arena *arena;
	size_t read_count; ///< files of which something was read
	struct report *first;
	struct report *last;
	struct skipped skipped;
	bool has_lost_report; ///< one that cannot be unpacked, by its name
};

struct error *archive_files_open(struct bytes in, struct archive_files *files)
{
	files->left_bytes = files->limit_bytes;
	return zip_open(in, &files->zip);
}

const char *archive_file_name(const struct archive_files *files, size_t index,
                              struct arena *arena)
{
	struct text name =
	        text_first(files->zip.files[index].name, ARCHIVE_NAME_MAX + 1);
	const char *whole = arena_text(arena, name);
	const char *number;

	if (name.size <= ARCHIVE_NAME_MAX)
		return whole;
	// Two that begin alike are two.
	number = arena_printf(arena, " (file %zu)", index + 1);
	return arena_printf(
	        arena, "%s%s",
	        arena_abridge(arena, whole, ARCHIVE_NAME_MAX - strlen(number)),
	        number);
}

struct error *archive_files_refuse_large(struct archive_files *files)
{
	files->too_large++;
	return limit_error(files->limit,
	                   "the files of a zip archive unpack to more than %s "
	                   "together",
	                   limit_size(files->limit_bytes).text);
}

/** Files that say that they are too large cost nothing of what is left. */
static struct error *unpack(struct archive_files *files, size_t index,
                            struct gzip *ret)
{
	struct error *err;

	if (files->zip.files[index].size_bytes > files->left_bytes)
		return archive_files_refuse_large(files);
	err = zip_unpack(&files->zip, index, files->left_bytes, ret);
	files->left_bytes =
	        number_difference(files->left_bytes, ret->made_bytes);
	if (!err || error_code(err) != ERROR_LIMIT || files->left_bytes)
		return err;
	error_free(err);
	return archive_files_refuse_large(files);
}

struct error *archive_files_unpack(struct archive_files *files, size_t index,
                                   struct gzip *ret)
{
	struct error *err = unpack(files, index, ret);

	if (!err && zip_is(ret->bytes))
		err = error_new(ERROR_UNSUPPORTED,
		                "a zip archive inside a zip archive: unpack "
		                "it first");
	return err;
}

void archive_files_release(struct archive_files *files)
{
	zip_release(&files->zip);
}

static void archive_release(struct archive_reading *reading)
{
	archive_files_release(&reading->files);
	skipped_release(&reading->skipped);
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

/** Is this the name of a report, whatever is in it? */
static bool is_report_name(struct text name)
{
	return text_ends(name, ".crash") || text_ends(name, ".ips");
}

/** @param failed  It could not be read, whatever it is. */
static void take_failure(struct archive_reading *reading, size_t index,
                         struct error *err, bool failed)
{
	const char *name =
	        archive_file_name(&reading->files, index, reading->arena);
	bool is_report = is_report_name(reading->files.zip.files[index].name);
	enum skipped_weight weight = SKIPPED_QUIETLY;

	// Files that are no reports are passed over, unless they look like one.
	if (failed)
		weight = SKIPPED_FAILED;
	else if (error_code(err) != ERROR_UNSUPPORTED || is_report)
		weight = SKIPPED_NOTED;
	reading->has_lost_report |= failed && is_report;
	if (!reading->last)
		err = error_prefix(err, "%s", name);
	skipped_add(&reading->skipped, reading->last, name, err, weight);
}

/** Is it packed once more than is looked into? It may hold reports. */
static bool is_packed_again(struct bytes in)
{
	struct inflater *inflater;
	uint8_t head[4];
	struct bytes unpacked = { .data = head };

	if (packed_is(in))
		return true;
	if (!gzip_is(in))
		return false;
	inflater = inflater_new_gzip(in);
	error_free(inflater_read(inflater, head, sizeof(head), &unpacked.size));
	inflater_free(inflater);
	return zip_is(unpacked) || gzip_is(unpacked);
}

static void read_member(struct archive_reading *reading, size_t index)
{
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	struct sink one = sink_part(reading->sink);
	struct error *err =
	        archive_files_unpack(&reading->files, index, &unpacked);
	bool failed = err;

	if (!err)
		err = reading->read(unpacked.bytes, &reading->files.left_bytes,
		                    &one);
	if (err) {
		failed |= error_code(err) == ERROR_LIMIT ||
		          is_packed_again(unpacked.bytes);
		if (unpacked.fault)
			err = error_prefix(err, "%s", unpacked.fault);
		take_failure(reading, index, err, failed || unpacked.fault);
		return;
	}
	reading->read_count++;
	if (unpacked.fault && one.first) {
		report_add_failure(one.first, reading->arena, "zip",
		                   unpacked.fault);
		one.first->truncated = true;
	}
	add_reports(reading, one.first,
	            archive_file_name(&reading->files, index, reading->arena));
}

/** @return How many files it did not come to. */
static size_t read_members(struct archive_reading *reading)
{
	size_t i = 0;

	for (; i < reading->files.zip.count && reading->files.left_bytes &&
	       report_left_to_read(reading->arena);
	     i++)
		read_member(reading, i);
	return reading->files.zip.count - i;
}

/** What those before have so much of that the others are not read. */
static const char *too_much(const struct archive_reading *reading)
{
	struct arena *arena = reading->arena;

	if (!reading->files.left_bytes)
		return arena_printf(
		        arena, "unpack to %s",
		        limit_size(reading->files.limit_bytes).text);
	return arena_printf(arena, "have %zu lines or frames%s",
	                    limit_get(LIMIT_LINES), limit_hint(LIMIT_LINES));
}

static void note_rest(struct archive_reading *reading, size_t count)
{
	struct arena *arena = reading->arena;

	if (count)
		report_add_failure(reading->last, arena, "zip",
		                   arena_printf(arena,
		                                "%zu file%s %s not read: those "
		                                "before %s %s",
		                                count, text_plural(count),
		                                count == 1 ? "was" : "were",
		                                count == 1 ? "it" : "them",
		                                too_much(reading)));
	reading->last->truncated |= count || reading->files.too_large;
}

/**
 * Why nothing was read. In a directory, other files are passed over; a report
 * that cannot be unpacked is none of them.
 */
static struct error *take_reason(struct archive_reading *reading)
{
	struct error *err = skipped_take(&reading->skipped);

	return reading->has_lost_report ? decode_failure(err) : err;
}

struct error *archive_read(struct bytes in, size_t limit_bytes,
                           archive_read_file read, struct sink *sink)
{
	SCOPED(archive_release)
	struct archive_reading reading = {
		.read = read,
		.sink = sink,
		.arena = sink->arena,
		.files = { .limit = LIMIT_UNPACKED,
		           .limit_bytes = limit_bytes },
		.skipped = { .arena = sink->arena },
	};
	struct error *err = archive_files_open(in, &reading.files);
	size_t count;

	if (err)
		return err;
	count = read_members(&reading);
	if (!reading.read_count)
		return error_prefix(take_reason(&reading),
		                    "a zip archive of %zu files without a "
		                    "report",
		                    reading.files.zip.count);
	if (!reading.first)
		return NULL;
	skipped_note(&reading.skipped, reading.first, "zip");
	note_rest(&reading, count);
	sink_report(sink, reading.first);
	return NULL;
}

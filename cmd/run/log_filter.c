// SPDX-License-Identifier: MIT
#include "cmd/run/log_filter.h"

#include "cmd/run/lines.h"
#include "cmd/run/log_counts.h"
#include "cmd/run/log_lines.h"
#include "cmd/run/log_places.h"
#include "cmd/run/missing_symbols.h"
#include "cmd/run/source.h"
#include "parsers/reader.h"
#include "parsers/text/log_line.h"
#include "parsers/text/log_mark.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** Max bytes of a read; bounds memory. */
#define BLOCK_BYTES_READ ((size_t)256 << 10)

static struct error *take_stream(struct log_filter *filter,
                                 struct source *source)
{
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = source,
		               .at_once = true,
		               .block_bytes = BLOCK_BYTES_READ,
		               .longest = LOG_LINE_MAX_BYTES };
	size_t line;

	while (lines_next(&lines, &block, &line)) {
		bool was_in_line = filter->in_line;

		if (!was_in_line && lines_broken(&lines, &block)) {
			filter->in_line = true;
			was_in_line = true;
		}
		log_lines_take(filter, str_text(&block));
		if (!filter->learns)
			out_flush(filter->out);
	}
	return source_take_error(source);
}

/** Forget the previous log. */
static void begin_log(struct log_filter *filter)
{
	filter->at = 0;
	filter->pid = 0;
	filter->has_list = false;
	str_clear(&filter->pid_text);
	filter->in_line = false;
	filter->after_thread = false;
	filter->next_at = 0;
	filter->next_index = 0;
	filter->shift = 0;
}

/** Can it be read twice? Devices and files of /proc have no size. */
static bool is_regular(const struct source *source, off_t *ret_at)
{
	struct stat info;

	*ret_at = lseek(source->fd, 0, SEEK_CUR);
	return !fstat(source->fd, &info) && S_ISREG(info.st_mode) &&
	       info.st_size > 0 && *ret_at >= 0;
}

/** Read the images of the whole file. */
static struct error *learn(struct log_filter *filter, struct source *source,
                           off_t at)
{
	struct error *err;

	filter->images.keeps_all = true;
	filter->learns = true;
	err = take_stream(filter, source);
	filter->learns = false;
	filter->is_full |= filter->images.is_full;
	log_images_rewind(&filter->images);
	begin_log(filter);
	filter->replays = true;
	if (!err && lseek(source->fd, at, SEEK_SET) < 0)
		err = error_new(ERROR_OS, "cannot read '%s' twice",
		                source->name);
	return err;
}

/** A stream is read once: images listed after a frame come too late. */
static void note_late_list(const struct log_filter *filter,
                           struct log_nowhere *frames)
{
	frames->is_late |=
	        !filter->replays && filter->has_list && frames->count &&
	        log_images_has_name(&filter->images, str_text(&frames->first));
}

static void end_log(struct log_filter *filter)
{
	note_late_list(filter, &filter->no_image);
	note_late_list(filter, &filter->no_uuid);
	filter->images.keeps_all = false;
	filter->replays = false;
	log_images_release(&filter->images);
	symbol_bases_release(&filter->bases);
}

struct error *log_filter_run(struct log_filter *filter, const char *path)
{
	SCOPED(source_release) struct source source = { 0 };
	struct error *err = source_open(&source, path);
	off_t at;

	if (err)
		return err;
	begin_log(filter);
	if (is_regular(&source, &at)) {
		struct source again = { .name = source.name, .fd = source.fd };

		err = learn(filter, &source, at);
		source.fd = 0;
		source_release(&source);
		source = again;
	}
	if (!err)
		err = take_stream(filter, &source);
	end_log(filter);
	return err;
}

// --images

static void add_text_images(struct log_filter *filter, struct text in)
{
	struct text rest = in;
	struct text line;
	enum log_mark mark;

	while (text_next_line(&rest, &line)) {
		struct log_line found;

		if (log_line_find(line, 0, &mark) == line.size)
			continue;
		log_line_read(line, &found);
		if (found.kind == LOG_LINE_IMAGE)
			log_places_add(filter, &filter->given, &found.image,
			               (uint64_t)(line.data - in.data));
	}
}

static void add_report_images(struct log_filter *filter,
                              const struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];
		struct log_image given = {
			.uuid = image->uuid,
			.has_base = image->base != 0,
			.base = image->base,
			.size = image->size,
			.name = text_from(image->name ? image->name : ""),
			.path = text_from(image->path ? image->path : ""),
		};

		if (image->bundle_id)
			given.other_name = text_from(image->bundle_id);
		if (!uuid_is_zero(&image->uuid) && given.name.size)
			log_places_add(filter, &filter->given, &given, i);
	}
}

struct error *log_filter_add_images(struct log_filter *filter, const char *path)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct sink sink = { .arena = &arena,
		             .takes = YIELDS_ANY_REPORT,
		             .wants = YIELDS_REPORTS };
	size_t before = filter->given.image_count;
	struct bytes in;
	struct error *err = source_open_all(&source, path, &in);

	if (err)
		return err;
	filter->given.keeps_all = true;
	add_text_images(filter, bytes_text(in));
	if (filter->given.image_count > before)
		return NULL;
	error_free(read_input(in, &sink));
	for (const struct report *report = sink.first; report;
	     report = report->next)
		add_report_images(filter, report);
	if (filter->given.image_count > before)
		return NULL;
	return error_new(ERROR_FORMAT,
	                 "%s: expected a report or a list of images with "
	                 "their UUIDs, found none",
	                 path);
}

// The end

void log_filter_notice(struct log_filter *filter, const struct notices *notices)
{
	if (filter->is_full)
		notice_warn(notices, NULL,
		            "the log lists more images than can be kept (%zu): "
		            "frames after these have no names",
		            LOG_IMAGES_MAX);
	log_counts_notice(filter, notices);
	missing_symbols_notice(notices, &filter->missing,
	                       symbol_store_index(filter->search->store),
	                       false);
}

void log_filter_release(struct log_filter *filter)
{
	filter->given.keeps_all = false;
	log_images_release(&filter->given);
	log_images_release(&filter->images);
	symbol_bases_release(&filter->bases);
	missing_symbols_release(&filter->missing);
	str_release(&filter->no_image.first);
	str_release(&filter->no_uuid.first);
	str_release(&filter->pid_text);
	arena_release(&filter->arena);
	free(filter->frames);
	filter->frames = NULL;
}

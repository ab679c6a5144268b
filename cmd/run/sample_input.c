// SPDX-License-Identifier: MIT
#include "cmd/run/sample_input.h"

#include "cmd/run/sample_block.h"
#include "cmd/run/source.h"
#include "lib/analysis/lag/stacks.h"
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/text/archive.h"
#include "lib/text/zip.h"
#include "parsers/reader.h"

/** Max length of a line of JSON Lines or collapsed stacks. */
#define LINE_BYTES_MAX ((size_t)1 << 30)
/** Max size of input that is decoded as a whole. */
#define DECODED_BYTES_MAX ((size_t)4 << 30)

/** Try these first; samples in reports come later. */
#define SAMPLES (YIELDS_SAMPLES | YIELDS_STACKS)

static void read_block(struct sample_block *block)
{
	struct lag_reader *reader = &block->reader;
	struct sink sink = { .takes = SAMPLES, .samples = reader };
	struct error *err = reader_read_lines(block->run->format,
	                                      str_text(&block->text),
	                                      block->first_line, &sink);

	if (err)
		reader->failed(block->first_line, err, reader->context);
}

static void read_lines(struct sample_run *run, struct source *source)
{
	bool is_json = run->format->streams == STREAMS_LINES;
	// In JSON, a lone CR is white space.
	SCOPED(lines_release)
	struct lines lines = { .source = source,
		               .longest = LINE_BYTES_MAX,
		               .ends_at_cr = !is_json };
	bool keeps_order = run->options.wants_order &&
	                   (is_json || run->options.lists_samples);
	unsigned jobs = run->run.jobs;

	// Collapsed stacks are one report: jobs share it, but only sums may not
	// depend on that.
	run->in_parts |= !is_json;
	run->options.takes_parts = !is_json;
	if (!is_json && (run->options.wants_hangs || run->options.max_nodes))
		jobs = 1;
	// So may the order of samples.
	sample_blocks_keep_order(run, keeps_order);
	if (keeps_order)
		jobs = 1;
	sample_lines_read(run, &lines, jobs, read_block);
}

/**
 * Add the samples of a report, if it has any; crashes have none.
 *
 * @param arena  Released before the samples are added, which are copies,
 *               because a million calls need much memory. NULL: it has other
 *               reports.
 */
static void add_stacks(struct sample_run *run, struct report *report,
                       struct arena *arena, size_t *found)
{
	struct sample_block *block = &run->blocks[0];
	struct lag_report *lag = &block->reader.report;

	if (arena && report->tree_count)
		report_forget_lines(report, arena);
	if (lag_stacks_add(report, run->settings->threads, lag)) {
		if (arena)
			arena_release(arena);
		calltree_end(&lag->profile.stacks);
		sample_block_take(lag, block);
		(*found)++;
	}
	lag_report_clear(lag);
}

/** Why an input has no samples. */
static struct error *fail_without(const struct report *reports, size_t crashes,
                                  struct arena *arena)
{
	struct found found;

	for (const struct report *r = reports; r; r = r->next)
		if (lag_stacks_unclear(r))
			return error_new(ERROR_UNSUPPORTED,
			                 "unclear which samples count: %s; "
			                 "--threads all counts all",
			                 lag_stacks_unclear(r));
	for (const struct report *r = reports; r; r = r->next)
		if (r->is_limited)
			return error_new(
			        ERROR_LIMIT,
			        "no samples in the part that was read");
	if (!crashes)
		return error_new(ERROR_UNSUPPORTED,
		                 "has no samples and no stacks");
	found = found_report(reports, arena);
	return found_refuse(&found, YIELDS_SAMPLES);
}

/**
 * The kind of a report's samples. Dumps of a monitor may look like crashes;
 * only the user knows.
 */
static enum sample_kind kind_of(const struct sample_run *run,
                                struct report *report)
{
	static const enum sample_kind kinds[] = { SAMPLE_KIND_STALL,
		                                  SAMPLE_KIND_CPU };
	enum sample_kind kind = lag_stacks_kind(report);

	if (kind == SAMPLE_KIND_NONE && run->settings->has_as && !report->kind)
		kind = report->sample_kind = kinds[run->settings->as];
	return kind;
}

/** Read reports with stacks: crash-like ones, or sampled trees. */
static struct error *read_reports(struct sample_run *run, struct source *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct sink sink = { .arena = &arena,
		             .takes = SAMPLES | YIELDS_ANY_REPORT,
		             .wants = YIELDS_SAMPLES,
		             .samples = &run->blocks[0].reader };
	struct report *next;
	struct bytes bytes;
	struct error *err = source_read_all(source, &bytes);
	size_t found = 0;
	size_t crashes = 0;

	// The error names the input; source_blame() must not repeat it.
	if (err) {
		source->failure = err;
		return NULL;
	}
	err = read_input(bytes, &sink);
	if (err)
		return err;
	source_forget(source);
	for (struct report *r = sink.first; r; r = next) {
		next = r->next;
		// Lost parts of a report do not affect the samples.
		run_print_notes(&run->run, source->name, r->notes,
		                r->note_count, true);
		if (kind_of(run, r) == SAMPLE_KIND_NONE)
			crashes++;
		else
			add_stacks(run, r, next ? NULL : &arena, &found);
	}
	// Samples inside an envelope have been taken during reading.
	if (!found && !run->blocks[0].reports)
		return fail_without(sink.first, crashes, &arena);
	if (crashes && !run->settings->run.quiet)
		notice_warn(run->run.notices, source->name,
		            "%zu report%s without samples, such as "
		            "crashes, %s not counted",
		            crashes, text_plural(crashes),
		            crashes == 1 ? "is" : "are");
	return NULL;
}

/** Count malformed lines of collapsed stacks, which are missing in the sum. */
static void count_bad_lines(struct sample_run *run, const char *name)
{
	size_t count = 0;

	for (unsigned i = 0; i < run->block_count; i++) {
		count += run->blocks[i].reader.bad_lines;
		run->blocks[i].reader.bad_lines = 0;
	}
	run->failed_reports += count;
	if (count)
		notice_fail(run->run.notices, name,
		            "%zu line%s skipped: no stack and its count", count,
		            count == 1 ? " is" : "s are");
}

/** Deliver the reports that readers still hold. */
static void end_input(struct sample_run *run)
{
	const char *name = run->blocks[0].reader.report.input;

	for (unsigned i = 0; i < run->block_count; i++)
		lag_reader_end(&run->blocks[i].reader);
	sample_lines_finish(run, name);
	if (run->options.takes_parts) {
		notice_progress_end(run->run.notices);
		sample_notes_print_parts(run, name);
		for (unsigned i = 0; i < run->block_count; i++)
			lag_builder_clear_hangs(&run->blocks[i].builder);
	}
	count_bad_lines(run, name);
}

static struct error *read_format(struct sample_run *run, struct source *source);

/** Read an image list as text, then the samples that it belongs to. */
static struct error *read_with_images(struct sample_run *run,
                                      struct source *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_images images = { 0 };
	struct text head = source_peek(source, LAG_HEAD_BYTES);
	struct text rest = head;
	struct error *err = lag_images_read(&rest, &arena, &images);

	if (!err && !text_trim(rest).size)
		err = error_new(ERROR_UNSUPPORTED,
		                "an image list without samples: pass it with "
		                "--images");
	if (err)
		return err;
	sample_notes_print_images(run, source->name, &images);
	source_skip(source, head.size - rest.size);
	sample_blocks_use_images(run, &images);
	err = read_format(run, source);
	end_input(run);
	sample_blocks_use_images(run, &run->images);
	return err;
}

/** Read documents into the first block, which delivers from time to time. */
static struct error *read_documents(struct sample_run *run,
                                    struct source *source)
{
	struct lag_reader *reader = &run->blocks[0].reader;
	struct sink sink = { .takes = SAMPLES, .samples = reader };
	struct error *err;

	reader->visit = sample_block_take;
	err = reader_read_feed(run->format, source_read, source, &sink);
	reader->visit = sample_block_visit;
	return err;
}

/** As read_documents(), with a reader that needs the whole input. */
static struct error *read_at_once(struct sample_run *run, struct source *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_reader *reader = &run->blocks[0].reader;
	struct sink sink = { .arena = &arena,
		             .takes = SAMPLES,
		             .wants = YIELDS_SAMPLES,
		             .samples = reader };
	struct bytes bytes;
	struct error *err = source_read_all(source, &bytes);

	if (err) {
		source->failure = err;
		return NULL;
	}
	reader->visit = sample_block_take;
	err = read_input(bytes, &sink);
	reader->visit = sample_block_visit;
	return err;
}

static struct error *read_format(struct sample_run *run, struct source *source)
{
	run->format =
	        reader_of_head(source_peek(source, READER_HEAD_BYTES), SAMPLES);
	if (!run->format)
		return read_reports(run, source);
	if (run->format == &lag_images_reader)
		return read_with_images(run, source);
	if (run->format->streams == STREAMS_DOCUMENTS)
		return read_documents(run, source);
	if (!reader_streams_lines(run->format->streams))
		return read_at_once(run, source);
	read_lines(run, source);
	return NULL;
}

/** An unreadable input is an error, not empty. */
static struct error *decode_source(struct source *source, size_t limit_bytes)
{
	struct error *err = source_decode(source, limit_bytes);

	if (!err && !source_peek(source, 1).size)
		err = source_take_error(source);
	return err;
}

/** Read one input to its end, and deliver its results. */
static struct error *read_source(struct sample_run *run, struct source *source)
{
	size_t before = run->reports + run->failed_reports + run->skipped;
	struct error *err;

	sample_blocks_begin_input(run, source->name);
	err = read_format(run, source);
	end_input(run);
	run->options.takes_parts = false;
	if (!err && run->reports + run->failed_reports + run->skipped == before)
		err = error_new(ERROR_UNSUPPORTED, "no samples found");
	if (source->decoded.note && !run->settings->run.quiet)
		notice_warn(run->run.notices, source->name, "%s",
		            source->decoded.note);
	err = err ? source_blame(source, err) : source_take_error(source);
	notice_progress_end(run->run.notices);
	sample_notes_print_rest(run, source->name);
	return err;
}

/** Number of unread files of an archive, and the error of the first. */
struct unread {
	size_t count;
	struct error *first;
};

/** The files of an archive as they are read. */
struct sample_archive {
	struct sample_run *run;
	const char *name;
	struct archive_budget budget;
	size_t count;            ///< files
	struct unread others;    ///< of other kinds; skipped, as in a directory
	struct unread too_large; ///< over the limit of all files together
};

static void archive_release(struct sample_archive *archive)
{
	error_free(archive->others.first);
	error_free(archive->too_large.first);
}

/** @param err  Taken. */
static void add_unread(struct unread *unread, struct error *err)
{
	unread->count++;
	error_keep_first(&unread->first, err);
}

/** Decode further compression of a file of an archive, with the same limit. */
static struct error *decode_member(struct archive_budget *budget,
                                   const struct gzip *unpacked,
                                   struct source *source)
{
	struct error *err;

	source_open_bytes(source, source->name, unpacked->bytes);
	err = decode_source(source, (size_t)budget->left_bytes);
	if (unpacked->fault)
		source->decoded.fault = unpacked->fault;
	budget->left_bytes = number_difference(budget->left_bytes,
	                                       source->decoded.made_bytes);
	if (!err || error_code(err) != ERROR_LIMIT || budget->left_bytes)
		return err;
	error_free(err);
	return error_prefix(archive_refuse_large(budget), "%s", source->name);
}

/** Read a file of an archive as an input, and count it. */
static void take_member(struct sample_archive *archive,
                        struct archive_file *file)
{
	struct sample_run *run = archive->run;
	struct archive_budget *budget = &archive->budget;
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	SCOPED(source_release)
	struct source source = {
		.name = arena_printf(&run->arena, "%s: %s", archive->name,
		                     archive_file_name(file, &run->arena)),
	};
	size_t before = run->reports;
	size_t too_large = budget->too_large;
	struct error *err = error_prefix(archive_unpack(file, &unpacked), "%s",
	                                 source.name);
	bool failed = err && !archive_is(unpacked.bytes);

	if (!err)
		err = decode_member(budget, &unpacked, &source);
	if (budget->too_large > too_large) {
		add_unread(&archive->too_large, err);
		return;
	}
	if (!err)
		err = read_source(run, &source);
	if (run->reports == before &&
	    run_passes_over(!failed && !unpacked.fault, err)) {
		add_unread(&archive->others, err);
		return;
	}
	run_count(&run->run, source.name, err);
	error_free(err);
}

/** An archive_visit. */
static struct error *visit_member(struct archive_file *file, void *context)
{
	struct sample_archive *archive = context;

	archive->count = file->count;
	// The budget is used up: skip the rest.
	if (!archive->budget.left_bytes && archive->too_large.count)
		archive->too_large.count++;
	else
		take_member(archive, file);
	return NULL;
}

/** `2 of 3 files are not read, such as b.json: …` */
static struct error *describe_unread(const struct sample_archive *archive,
                                     const struct unread *unread)
{
	struct text why = error_reason(unread->first, archive->name);

	return error_new(error_code(unread->first),
	                 "%s: %zu of %zu files %s not read%s %.*s",
	                 archive->name, unread->count, archive->count,
	                 unread->count == 1 ? "is" : "are",
	                 unread->count == 1 ? ":" : ", such as",
	                 TEXT_ARGS(why));
}

/** Warn of unread files of an archive. */
static struct error *pass_over_members(const struct sample_archive *archive)
{
	const struct unread *others = &archive->others;
	struct text why = error_reason(others->first, archive->name);
	SCOPED(error_drop) struct error *err = NULL;

	if (others->count == archive->count)
		return error_new(error_code(others->first),
		                 "%s: a %s archive of %zu file%s without "
		                 "samples: %.*s",
		                 archive->name,
		                 archive_kind_name(&archive->budget),
		                 others->count, text_plural(others->count),
		                 TEXT_ARGS(why));
	err = describe_unread(archive, others);
	if (!archive->run->settings->run.quiet)
		notice_warn_error(archive->run->run.notices, archive->name,
		                  err);
	return NULL;
}

/** Read the files of an archive; an error if none has samples. */
static struct error *take_archive(struct sample_run *run,
                                  const struct source *source)
{
	struct bytes in = source->decoded.bytes;
	SCOPED(archive_release)
	struct sample_archive archive = {
		.run = run,
		.name = source->name,
		.budget = archive_budget(LIMIT_PACKED_SAMPLES,
		                         source_unpacked_max(in.size)),
	};
	struct error *err =
	        archive_walk_bytes(in, &archive.budget, visit_member, &archive);

	if (err)
		return err;
	if (archive.others.count)
		err = pass_over_members(&archive);
	if (!err && archive.too_large.count)
		err = describe_unread(&archive, &archive.too_large);
	return err;
}

void sample_input_take(const struct input *input, void *context)
{
	SCOPED(source_release) struct source source = { 0 };
	struct sample_run *run = context;
	SCOPED(error_drop) struct error *err = NULL;
	size_t before = run->reports;
	bool is_archive;

	err = source_open(&source, input->path);
	if (!err)
		err = decode_source(&source, DECODED_BYTES_MAX);
	is_archive = source.decoded.is_archive;
	if (!err)
		err = is_archive ? take_archive(run, &source)
		                 : read_source(run, &source);
	notice_progress_end(run->run.notices);
	if (run->reports == before &&
	    run_passes_over(input->from_directory, err))
		run_pass_over(&run->run, input->path, err);
	else if (err || !is_archive)
		run_count(&run->run, input->path, err);
}

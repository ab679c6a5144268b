#include "cmd/run/samples.h"

#include "cmd/run/sample_source.h"
#include "lib/analysis/lag/stacks.h"
#include "lib/base/file.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/parallel.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"

#include <stdlib.h>
#include <string.h>

/** A piece that one job reads: whole lines, and small enough for its cache. */
#define BLOCK_BYTES ((size_t)2 << 20)
/** Longest line of JSON Lines or collapsed stacks. */
#define LINE_BYTES_MAX ((size_t)1 << 30)
/** Stalls that are kept before they are handed on. */
#define STALLS_KEPT 1024
/** Failed reports of an input that are told one by one. */
#define FAILURES_TOLD 20
/** Reports of an input whose notes are told. */
#define REPORTS_NOTED 50

/** A report that could not be read. */
struct failure {
	size_t line;
	struct error *err;
};

/** What one job works with. */
struct sample_slot {
	struct sample_run *run;
	struct lag_folder folder;
	struct lag_reader reader;
	struct str block;
	size_t first_line;
	struct str next_block; ///< read while the other is worked on
	size_t next_line;
	struct failure failures[FAILURES_TOLD];
	size_t failure_count; ///< may exceed FAILURES_TOLD
	size_t reports;       ///< since the last flush
};

// Settings

static enum exit_status read_rules(struct sample_run *run)
{
	SCOPED(file_release) struct file_data file = { 0 };
	const char *path = run->settings->rules;
	struct error *err;

	if (!path)
		return EXIT_DONE;
	err = file_read(path, FILE_REPORT_LIMIT_BYTES, &file);
	if (!err)
		err = lag_rules_parse(bytes_text(file.bytes), path,
		                      &run->rules);
	if (err)
		return command_refuse(err);
	run->options.rules = &run->rules;
	return EXIT_DONE;
}

/** What could not be read of an image list: told once, not of each report. */
static void warn_of_images(const struct sample_run *run, const char *path,
                           const struct lag_images *images)
{
	for (size_t i = 0; i < images->note_count && !run->settings->quiet; i++)
		command_warn("%s: %s: %s", path, images->notes[i].place,
		             images->notes[i].text);
}

static enum exit_status read_images(struct sample_run *run)
{
	SCOPED(file_release) struct file_data file = { 0 };
	const char *path = run->settings->images;
	const char *note = NULL;
	struct error *err;
	struct text text;

	if (!path)
		return EXIT_DONE;
	err = file_read(path, FILE_REPORT_LIMIT_BYTES, &file);
	if (!err) {
		text = parser_decode(file.bytes, &run->arena, &note);
		err = error_prefix(
		        lag_images_read(&text, &run->arena, &run->images), "%s",
		        path);
	}
	if (err)
		return command_refuse(err);
	if (note && !run->settings->quiet)
		command_warn("%s: all lines: %s", path, note);
	warn_of_images(run, path, &run->images);
	return EXIT_DONE;
}

static enum exit_status open_store(struct sample_run *run)
{
	const struct symbol_paths *paths = &run->settings->paths;
	enum exit_status status;

	if (!paths->dsym.count && !paths->symbols.count &&
	    !paths->bcsymbolmap.count && !run->config->dsym_count)
		return EXIT_DONE;
	run->store = symbol_store_new(run->jobs);
	status = symbols_add_paths(run->store, paths, run->config);
	run->options.has_store = true;
	return status;
}

static void visit(struct lag_report *report, void *context);
static void failed(size_t line, struct error *err, void *context);

static void make_slots(struct sample_run *run)
{
	run->options.config = run->config;
	run->options.max_nodes = run->settings->max_nodes;
	for (size_t i = 0; i < ARRAY_SIZE(run->options.seeds); i++)
		if (!run->options.seeds[i])
			run->options.seeds[i] = hash_seed();
	run->slots = mem_zalloc(run->jobs, sizeof(*run->slots));
	for (unsigned i = 0; i < run->jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		slot->run = run;
		lag_folder_init(&slot->folder, &run->options);
		lag_reader_init(&slot->reader, &slot->folder.names, visit,
		                failed, slot);
		if (run->images.count)
			slot->reader.images = &run->images;
	}
}

enum exit_status sample_run_init(struct sample_run *run,
                                 const struct command_line *line,
                                 const struct sample_settings *settings)
{
	enum exit_status status;

	run->settings = settings;
	run->config = line->config;
	run->jobs = settings->jobs ? settings->jobs : line->config->jobs;
	if (!run->jobs)
		run->jobs = symbol_default_jobs();
	run->progress = progress_begin(settings->quiet);
	status = read_rules(run);
	if (status == EXIT_DONE)
		status = read_images(run);
	if (status == EXIT_DONE)
		status = inputs_gather(line, settings->output, &run->inputs);
	if (status == EXIT_DONE)
		status = open_store(run);
	if (status != EXIT_DONE)
		return status;
	run->tried = run->failed = run->inputs.failed;
	make_slots(run);
	return command_open_output(settings->output, &run->out);
}

enum exit_status sample_run_again(struct sample_run *run,
                                  const struct command_line *line)
{
	enum exit_status status;

	inputs_release(&run->inputs);
	run->inputs = (struct inputs){ 0 };
	status = inputs_gather(line, run->settings->output, &run->inputs);
	run->tried = run->failed = run->inputs.failed;
	run->reports = run->failed_reports = 0;
	run->in_parts = false;
	return status;
}

void sample_run_release(struct sample_run *run)
{
	for (unsigned i = 0; run->slots && i < run->jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		lag_reader_release(&slot->reader);
		lag_folder_release(&slot->folder);
		str_release(&slot->block);
		str_release(&slot->next_block);
	}
	free(run->slots);
	symbol_store_free(run->store);
	lag_rules_release(&run->rules);
	arena_release(&run->arena);
	inputs_release(&run->inputs);
	out_abandon(run->out);
}

// What comes of a piece

static void print_notes(struct sample_run *run, const struct lag_stall *stall)
{
	SCOPED(str_release) struct str place = { 0 };

	if (run->settings->quiet || !stall->note_count)
		return;
	// A fleet makes the same mistake a million times.
	if (run->reports_noted++ >= REPORTS_NOTED)
		return;
	str_add(&place, stall->input);
	if (stall->line > 1)
		str_addf(&place, ":%zu", stall->line);
	if (stall->id)
		str_addf(&place, ": report '%s'", stall->id);
	for (size_t i = 0; i < stall->note_count; i++)
		command_warn("%s: %s: %s", str_cstr(&place),
		             stall->notes[i].place, stall->notes[i].text);
	if (stall->more_notes)
		command_warn("%s: %zu more", str_cstr(&place),
		             stall->more_notes);
}

/** A note of a part of a report, by its line. */
struct part_note {
	uint64_t line; ///< 0: it is of none
	const struct lag_note *note;
};

static int compare_part_notes(const void *a, const void *b)
{
	const struct part_note *left = a;
	const struct part_note *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	// Of one line, they stand in their order in one array.
	return (left->note > right->note) - (left->note < right->note);
}

static struct part_note part_note(const struct lag_note *note)
{
	struct text place = text_from(note->place);
	struct part_note ret = { .note = note };

	if (text_take(&place, "line "))
		number_decimal(place, &ret.line);
	return ret;
}

/** The notes of a report that several jobs read, as if one had. */
static void print_part_notes(const struct sample_run *run, const char *path)
{
	SCOPED(mem_drop)
	struct part_note *notes =
	        mem_zalloc((size_t)run->jobs * LAG_NOTES, sizeof(*notes));
	size_t count = 0;
	size_t more = 0;

	if (run->settings->quiet)
		return;
	for (unsigned i = 0; i < run->jobs; i++) {
		const struct lag_folder *folder = &run->slots[i].folder;

		// Each has one part at most.
		if (!folder->stall_count)
			continue;
		more += folder->stalls->more_notes;
		for (size_t k = 0; k < folder->stalls->note_count; k++)
			notes[count++] = part_note(&folder->stalls->notes[k]);
	}
	qsort(notes, count, sizeof(*notes), compare_part_notes);
	for (size_t i = 0; i < count && i < LAG_NOTES; i++)
		command_warn("%s: %s: %s", path, notes[i].note->place,
		             notes[i].note->text);
	if (count > LAG_NOTES)
		more += count - LAG_NOTES;
	if (more)
		command_warn("%s: %zu more", path, more);
}

static void print_failures(struct sample_slot *slot, const char *path)
{
	struct sample_run *run = slot->run;

	for (size_t i = 0; i < slot->failure_count && i < FAILURES_TOLD; i++) {
		struct error *err = error_prefix(slot->failures[i].err,
		                                 "%s:%zu", path,
		                                 slot->failures[i].line);

		if (run->failures_told < FAILURES_TOLD) {
			command_error(err);
			run->failures_told++;
		}
		error_free(err);
	}
	run->failed_reports += slot->failure_count;
	run->failures_of_input += slot->failure_count;
	slot->failure_count = 0;
}

/** What was not told of an input, because it was too much. */
static void print_rest(struct sample_run *run, const char *path)
{
	if (run->reports_noted > REPORTS_NOTED)
		command_warn("%s: %zu more reports have notes", path,
		             run->reports_noted - REPORTS_NOTED);
	if (run->failures_of_input > run->failures_told)
		command_warn("%s: %zu more reports could not be read", path,
		             run->failures_of_input - run->failures_told);
	run->reports_noted = 0;
	run->failures_told = 0;
	run->failures_of_input = 0;
}

/** Hand on what one slot has, and forget it. */
static void flush_slot(struct sample_slot *slot, const char *path)
{
	struct sample_run *run = slot->run;
	struct lag_folder *folder = &slot->folder;

	progress_clear(&run->progress);
	for (size_t i = 0; i < folder->stall_count && !run->reads_parts; i++)
		print_notes(run, &folder->stalls[i]);
	print_failures(slot, path);
	if (run->merge)
		run->merge(folder, run->context);
	run->reports += slot->reports;
	slot->reports = 0;
	lag_folder_clear_stalls(folder);
}

static void finish_slot(size_t index, void *context)
{
	struct sample_run *run = context;

	lag_folder_finish(&run->slots[index].folder);
}

/** Name, finish and hand on the first @p count slots, in their order. */
static void flush(struct sample_run *run, size_t count, const char *path)
{
	struct lag_folder **folders;

	if (run->store) {
		folders = mem_zalloc(count, sizeof(struct lag_folder *));
		for (size_t i = 0; i < count; i++)
			folders[i] = &run->slots[i].folder;
		lag_fold_name(folders, count, run->store);
		free(folders);
		parallel_each(count, run->jobs, finish_slot, run);
	}
	if (run->reads_parts)
		print_part_notes(run, path);
	for (size_t i = 0; i < count; i++)
		flush_slot(&run->slots[i], path);
	progress_update(&run->progress, run->reports, 0, "reports");
}

static void visit(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;

	slot->reports++;
	lag_folder_add(&slot->folder, report);
}

static void failed(size_t line, struct error *err, void *context)
{
	struct sample_slot *slot = context;

	if (slot->failure_count < FAILURES_TOLD)
		slot->failures[slot->failure_count] =
		        (struct failure){ .line = line, .err = err };
	else
		error_free(err);
	slot->failure_count++;
}

/** As visit(), where one slot reads on and on. */
static void visit_and_flush(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;
	const char *path = report->input;

	visit(report, context);
	if (slot->folder.stall_count + slot->reports >= STALLS_KEPT ||
	    slot->folder.waiting_nodes >= LAG_FOLD_WAITING_NODES)
		flush(slot->run, 1, path);
}

// Lines

/** Reads whole lines off a source. */
struct line_feed {
	struct sample_source *source;
	bool ends_at_cr; ///< lines may end with a lone CR (formats.md, rule 2)
	struct str rest; ///< the beginning of a line
	size_t line;     ///< of what comes next, from 1
	bool ended;
};

static size_t count_lines(struct text text)
{
	size_t count = 0;
	const char *at = text.data;
	const char *end = text.data + text.size;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		count++;
	}
	return count;
}

/**
 * Make LF of the lone CR that end lines from @p from on. One at the very end
 * may have its LF in what follows.
 */
static void end_lines(struct str *block, size_t from)
{
	char *at = block->data + from;
	char *end = block->data + block->size;

	while (at < end && (at = memchr(at, '\r', (size_t)(end - at)))) {
		if (at + 1 < end && at[1] != '\n')
			*at = '\n';
		at++;
	}
}

/** Read on until @p block has as much as it should, or all. */
static void fill(struct line_feed *feed, struct str *block, size_t size)
{
	block->data = mem_grow(block->data, &block->cap, size + 1, 1);
	while (block->size < size && !feed->ended) {
		size_t from = block->size - !!block->size;
		size_t got = sample_source_read(feed->source,
		                                block->data + block->size,
		                                size - block->size);

		block->size += got;
		feed->ended = !got;
		if (feed->ends_at_cr)
			end_lines(block, from);
	}
	block->data[block->size] = '\0';
}

/** The next whole lines; false at the end. */
static bool next_block(struct line_feed *feed, struct str *block,
                       size_t *ret_line)
{
	size_t wanted = BLOCK_BYTES;
	size_t end = TEXT_NOWHERE;

	str_clear(block);
	str_add_text(block, str_text(&feed->rest));
	str_clear(&feed->rest);
	while (!feed->ended && end == TEXT_NOWHERE &&
	       block->size <= LINE_BYTES_MAX) {
		fill(feed, block, wanted);
		end = text_find_last_char(str_text(block), '\n');
		wanted = 2 * block->size;
	}
	*ret_line = feed->line;
	if (!feed->ended && end != TEXT_NOWHERE) {
		str_add_text(&feed->rest, text_after(str_text(block), end + 1));
		block->size = end + 1;
	}
	feed->line += count_lines(str_text(block));
	return block->size > 0;
}

static void read_lines(struct sample_slot *slot)
{
	lag_read_lines(&slot->reader, str_text(&slot->block), slot->first_line);
}

static void read_collapsed(struct sample_slot *slot)
{
	lag_read_collapsed(&slot->reader, str_text(&slot->block),
	                   slot->first_line);
}

/** A round: pieces that are worked on while the next are read. */
struct round {
	struct sample_run *run;
	struct line_feed *feed;
	unsigned jobs;
	size_t next_count;
	void (*read)(struct sample_slot *slot);
};

static void read_next(struct round *round)
{
	struct sample_slot *slots = round->run->slots;
	size_t count = 0;

	while (count < round->jobs &&
	       next_block(round->feed, &slots[count].next_block,
	                  &slots[count].next_line))
		count++;
	round->next_count = count;
}

static void do_piece(size_t index, void *context)
{
	struct round *round = context;

	if (!index)
		read_next(round);
	else
		round->read(&round->run->slots[index - 1]);
}

static void take_next(struct sample_slot *slot)
{
	struct str block = slot->block;

	slot->block = slot->next_block;
	slot->next_block = block;
	slot->first_line = slot->next_line;
}

/** Read pieces, @p jobs at once, and hand on what comes of them. */
static void read_blocks(struct sample_run *run, struct sample_source *source,
                        unsigned jobs, void (*read)(struct sample_slot *slot))
{
	struct line_feed feed = {
		.source = source,
		.line = 1,
		// In JSON, it is a blank.
		.ends_at_cr = read == read_collapsed,
	};
	struct round round = {
		.run = run, .feed = &feed, .jobs = jobs, .read = read
	};
	size_t count;

	read_next(&round);
	while ((count = round.next_count)) {
		for (size_t i = 0; i < count; i++)
			take_next(&run->slots[i]);
		parallel_each(count + 1, jobs, do_piece, &round);
		flush(run, count, source->path);
	}
	str_release(&feed.rest);
}

/** The slots' readers hand out what they have kept back. */
static void end_readers(struct sample_run *run)
{
	for (unsigned i = 0; i < run->jobs; i++)
		lag_reader_end(&run->slots[i].reader);
	flush(run, run->jobs, run->slots[0].reader.report.input);
}

// Documents and reports

static struct error *read_documents(struct sample_run *run,
                                    struct sample_source *source)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull =
	        json_pull_new_feed(sample_source_read, source, 0);
	struct lag_reader *reader = &run->slots[0].reader;
	struct error *err;

	reader->visit = visit_and_flush;
	err = lag_read_documents(reader, pull);
	lag_reader_end(reader);
	reader->visit = visit;
	return err;
}

/** All that is left of a source, up to what a report may take. */
static struct error *read_rest(struct sample_source *source, struct str *ret)
{
	size_t got;

	do {
		ret->data = mem_grow(ret->data, &ret->cap,
		                     ret->size + BLOCK_BYTES + 1, 1);
		got = sample_source_read(source, ret->data + ret->size,
		                         BLOCK_BYTES);
		ret->size += got;
		if (ret->size > FILE_REPORT_LIMIT_BYTES)
			return error_new(ERROR_LIMIT,
			                 "a report is larger than %zu MB",
			                 FILE_REPORT_LIMIT_BYTES >> 20);
	} while (got);
	return NULL;
}

static void add_stacks(struct sample_run *run, const struct report *report,
                       struct sample_slot *slot, size_t *found)
{
	struct lag_report *lag = &slot->reader.report;

	if (lag_stacks_add(report, run->settings->threads == SAMPLE_THREADS_ALL,
	                   lag)) {
		visit_and_flush(lag, slot);
		(*found)++;
	}
	lag_report_clear(lag);
}

/** An input that is a report: crash-like, or sampled trees. */
static struct error *read_reports(struct sample_run *run,
                                  struct sample_source *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str bytes = { 0 };
	struct report *reports = NULL;
	struct error *err = read_rest(source, &bytes);
	size_t found = 0;

	if (!err)
		err = parser_read(bytes_from_text(str_text(&bytes)), &arena,
		                  &reports);
	if (err)
		return foreign_reword(err, "no samples of a known format: ");
	for (const struct report *r = reports; r; r = r->next)
		add_stacks(run, r, &run->slots[0], &found);
	if (found)
		return NULL;
	return error_new(ERROR_UNSUPPORTED, "has no samples and no stacks");
}

// Inputs

static struct error *read_form(struct sample_run *run,
                               struct sample_source *source);

static void use_images(struct sample_run *run, const struct lag_images *images)
{
	for (unsigned i = 0; i < run->jobs; i++)
		run->slots[i].reader.images = images->count ? images : NULL;
}

/** An image list as text, and the samples it belongs to. */
static struct error *read_with_images(struct sample_run *run,
                                      struct sample_source *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_images images = { 0 };
	struct text head;
	struct text rest;
	struct error *err = sample_source_peek(source, LAG_HEAD_BYTES, &head);

	rest = head;
	if (!err)
		err = lag_images_read(&rest, &arena, &images);
	if (!err && !text_trim(rest).size)
		err = error_new(ERROR_UNSUPPORTED,
		                "an image list without samples: pass it with "
		                "--images");
	if (!err) {
		progress_clear(&run->progress);
		warn_of_images(run, source->path, &images);
		sample_source_skip(source, head.size - rest.size);
		use_images(run, &images);
		err = read_form(run, source);
		end_readers(run);
		use_images(run, &run->images);
	}
	return err;
}

/** Nothing is asked of the tree of a report as such. */
static bool is_sum(const struct lag_fold_options *options)
{
	return !options->wants_stalls && !options->max_nodes;
}

static struct error *read_form(struct sample_run *run,
                               struct sample_source *source)
{
	struct text head;
	struct error *err = sample_source_peek(source, LAG_HEAD_BYTES, &head);

	if (err)
		return err;
	switch (lag_form_of(head)) {
	case LAG_FORM_LINES:
		read_blocks(run, source, run->jobs, read_lines);
		return NULL;
	case LAG_FORM_COLLAPSED:
		// One report: only a sum does not care who read which line.
		run->in_parts = true;
		run->reads_parts = true;
		read_blocks(run, source, is_sum(&run->options) ? run->jobs : 1,
		            read_collapsed);
		return NULL;
	case LAG_FORM_IMAGES:
		return read_with_images(run, source);
	case LAG_FORM_DOCUMENTS:
		return read_documents(run, source);
	case LAG_FORM_NONE:
		break;
	}
	return read_reports(run, source);
}

static struct error *read_source(struct sample_run *run,
                                 struct sample_source *source)
{
	size_t before = run->reports + run->failed_reports;
	struct error *err = sample_source_open(source, source->path);

	if (err)
		return err;
	err = read_form(run, source);
	end_readers(run);
	run->reads_parts = false;
	if (!err && run->reports + run->failed_reports == before)
		err = error_new(ERROR_UNSUPPORTED, "no samples found");
	if (source->note && !run->settings->quiet)
		command_warn("%s: all lines: %s", source->path, source->note);
	if (err)
		return error_prefix(err, "%s", source->path);
	return sample_source_take_error(source);
}

static void read_input(struct sample_run *run, const struct input *input)
{
	SCOPED(sample_source_release)
	struct sample_source source = { .path = input->path };
	SCOPED(error_drop) struct error *err = NULL;
	size_t before = run->reports;

	for (unsigned i = 0; i < run->jobs; i++)
		run->slots[i].reader.report.input = input->path;
	err = read_source(run, &source);
	progress_clear(&run->progress);
	print_rest(run, input->path);
	// A folder may hold other things than reports.
	if (err && input->from_folder && run->reports == before &&
	    error_code(err) == ERROR_UNSUPPORTED)
		return;
	run->tried++;
	if (!err)
		return;
	run->failed++;
	command_error(err);
}

/** Told once, not once a job. */
static void warn_of_rules(const struct sample_run *run)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct lag_rule *first = NULL;
	bool spent = false;

	for (unsigned i = 0; i < run->jobs; i++) {
		const struct lag_folder *folder = &run->slots[i].folder;
		const struct lag_rule *rule = lag_folder_undecided(folder);

		if (rule && (!first || rule < first))
			first = rule;
		spent |= lag_folder_rules_spent(folder);
	}
	if (first)
		command_warn("%s: the rule exceeded the matching limits for "
		             "some functions, which are treated as if no rule "
		             "matched",
		             config_source_text(&first->source, &arena));
	if (spent)
		command_warn("%s: matching took too long: the rules were not "
		             "applied to the remaining functions",
		             run->settings->rules);
}

static enum exit_status status_of(struct sample_run *run)
{
	warn_of_rules(run);
	if (!run->tried)
		command_warn("nothing to read: no report was found");
	if (!run->reports)
		return EXIT_ALL_FAILED;
	return run->failed || run->failed_reports ? EXIT_SOME_FAILED
	                                          : EXIT_DONE;
}

enum exit_status sample_run_all(struct sample_run *run)
{
	for (size_t i = 0; i < run->inputs.count; i++)
		read_input(run, &run->inputs.items[i]);
	return status_of(run);
}

void sample_run_functions(struct sample_run *run,
                          struct profile_functions *functions)
{
	for (unsigned i = 0; i < run->jobs; i++) {
		const struct profile_functions *met =
		        &run->slots[i].folder.functions;

		for (uint32_t k = 0; k < profile_functions_count(met); k++)
			profile_functions_join(functions, met, k);
	}
}

void sample_run_total(struct sample_run *run, struct calltree *tree,
                      struct profile_functions *functions)
{
	bool is_full = false;

	for (unsigned i = 0; i < run->jobs; i++) {
		struct lag_folder *folder = &run->slots[i].folder;

		is_full |= folder->total.full;
		lag_total_join(tree, functions, folder);
	}
	is_full |= tree->full;
	if (is_full)
		command_warn("more than %u different calls: the cost of "
		             "further ones is attributed to their callers",
		             CALLTREE_NODES_MAX);
	// One report keeps its order; else it would tell who read what.
	if (run->reports != 1 || run->in_parts)
		lag_total_sort(tree, functions);
	calltree_sum(tree);
	tree->frames = functions->frames;
	tree->frame_count = profile_functions_count(functions);
}

enum exit_status sample_run_finish(struct sample_run *run,
                                   enum exit_status status)
{
	struct out *out = run->out;

	// With nothing to show, an older output file stays as it was.
	if ((status == EXIT_ALL_FAILED || status == EXIT_USAGE) &&
	    run->settings->output)
		return status;
	run->out = NULL;
	return command_finish(out, status);
}

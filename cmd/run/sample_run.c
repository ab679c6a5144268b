#include "cmd/run/samples.h"

#include "cmd/run/console.h"
#include "cmd/run/missing_symbols.h"
#include "cmd/run/slots.h"
#include "lib/analysis/lag/cells.h"
#include "lib/analysis/lag/stacks.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/darwin/bug_types.h"
#include "lib/model/calltree_before.h"
#include "lib/text/tar.h"
#include "parsers/archive.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"

#include <string.h>

/** Longest line of JSON Lines or collapsed stacks. */
#define LINE_BYTES_MAX ((size_t)1 << 30)
/** What has to be decoded as a whole may grow to this. */
#define DECODED_BYTES_MAX ((size_t)4 << 30)

/** What is accepted, for those whose input is not. */
#define SAMPLE_FORMATS                                                        \
	"lag reports, node lists, address stacks, collapsed stacks, Matrix, " \
	"KSCrash, MetricKit, sample, spindump; see apmtool-formats(5)"

/** It has two sums, of which neither is meant. */
#define DIFFERENCE                                                          \
	"not samples, but the difference of two profiles, with two counts " \
	"on each line: read the profiles themselves"

// Settings

static enum exit_status read_rules(struct sample_run *run)
{
	SCOPED(file_release) struct file_data file = { 0 };
	const char *path = run->settings->rules;
	struct error *err;

	if (!path)
		return EXIT_DONE;
	err = file_read(path, limit_get(LIMIT_REPORT), &file);
	if (!err)
		err = lag_rules_parse(bytes_text(file.bytes), path,
		                      &run->rules);
	if (err)
		return console_refuse(err);
	run->options.rules = &run->rules;
	return EXIT_DONE;
}

static enum exit_status read_known(struct sample_run *run)
{
	struct error *err = lag_rules_parse(text_from(system_symbols_text),
	                                    "system-symbols.yaml", &run->known);

	if (err)
		return console_refuse(err);
	run->options.known = &run->known;
	return EXIT_DONE;
}

static enum exit_status read_images(struct sample_run *run)
{
	SCOPED(source_release) struct source source = { 0 };
	const char *path = run->settings->images;
	struct bytes bytes;
	struct error *err;
	struct text text;

	if (!path)
		return EXIT_DONE;
	err = source_open_all(&source, path, &bytes);
	if (err)
		return console_refuse(err);
	text = bytes_text(bytes);
	err = lag_images_read(&text, &run->arena, &run->images);
	if (err)
		return console_refuse(error_prefix(err, "%s", path));
	if (source.decoded.note && !run->settings->run.quiet)
		console_warn("%s: %s", path, source.decoded.note);
	sample_notes_print_images(run, path, &run->images);
	return EXIT_DONE;
}

static enum exit_status open_store(struct sample_run *run)
{
	const struct symbol_paths *paths = &run->settings->paths;
	bool is_auto = !paths->no_auto && !run->run.config->no_auto;
	unsigned jobs = run->run.jobs;

	// Without any, samples need not wait to be named.
	run->options.has_store = is_auto || run->search.operands.place_count ||
	                         paths->dsym.count || paths->symbols.count ||
	                         paths->bcsymbolmap.count ||
	                         run->run.config->dsym_count ||
	                         symbols_are_indexed(paths, run->run.config);
	if (!run->options.has_store) {
		// It says that nothing was searched.
		run->search.store = symbol_store_new(jobs);
		return EXIT_DONE;
	}
	return symbol_search_open(&run->search, &run->inputs, paths, jobs,
	                          run->settings->run.quiet);
}

enum exit_status sample_run_init(struct sample_run *run,
                                 const struct command_line *line,
                                 const struct sample_settings *settings)
{
	enum exit_status status;

	run->settings = settings;
	run->inputs =
	        symbol_search_split(&run->search, run->all ? run->all : line);
	near_symbols_look_beside(&run->search.near,
	                         run->all ? line : &run->inputs);
	status = run_init(&run->run, run->all ? line : &run->inputs,
	                  &settings->run);
	// Before anything is read: children must not have it.
	if (status == EXIT_DONE)
		status = open_store(run);
	if (status == EXIT_DONE)
		status = read_rules(run);
	if (status == EXIT_DONE)
		status = read_known(run);
	if (status == EXIT_DONE)
		status = read_images(run);
	if (status == EXIT_DONE)
		slots_make(run);
	return status;
}

void sample_run_release(struct sample_run *run)
{
	slots_release(run);
	fingerprints_release(&run->ids);
	symbol_search_release(&run->search);
	lag_rules_release(&run->rules);
	lag_rules_release(&run->known);
	arena_release(&run->arena);
	run_release(&run->run);
}

// What one input holds

static void read_json_lines(struct sample_slot *slot)
{
	lag_read_lines(&slot->reader, str_text(&slot->block), slot->first_line);
}

static void read_collapsed(struct sample_slot *slot)
{
	lag_read_collapsed(&slot->reader, str_text(&slot->block),
	                   slot->first_line);
}

static void read_lines(struct sample_run *run, struct source *source,
                       enum lag_format format)
{
	bool is_json = format == LAG_FORMAT_LINES;
	// In JSON, a lone CR is a blank.
	SCOPED(lines_release)
	struct lines lines = { .source = source,
		               .longest = LINE_BYTES_MAX,
		               .ends_at_cr = !is_json };
	bool keeps_order = run->options.wants_order &&
	                   (is_json || run->options.lists_samples);
	unsigned jobs = run->run.jobs;

	// Collapsed stacks are one report: only a sum does not depend on who
	// reads which line.
	run->in_parts |= !is_json;
	run->options.takes_parts = !is_json;
	if (!is_json && (run->options.wants_hangs || run->options.max_nodes))
		jobs = 1;
	// So are samples in their order.
	slots_keep_order(run, keeps_order);
	if (keeps_order)
		jobs = 1;
	slots_read_lines(run, &lines, jobs,
	                 is_json ? read_json_lines : read_collapsed);
}

/** What is lost of an input is no matter of the samples. */
static void print_failures(struct sample_run *run, const char *name,
                           const struct report *report)
{
	SCOPED(str_release) struct str before = { 0 };

	str_addf(&before, "%s: ", name);
	progress_clear(&run->run.progress);
	for (size_t i = 0; i < report->note_count; i++)
		if (report->notes[i].is_failure)
			run->run.has_failed_part |= console_notes(
			        str_cstr(&before), &report->notes[i], 1, false);
}

/** Take what a report sampled; a crash did not. */
static void add_stacks(struct sample_run *run, const struct report *report,
                       struct sample_slot *slot, size_t *found)
{
	struct lag_report *lag = &slot->reader.report;

	if (lag_stacks_add(report, run->settings->threads, lag)) {
		slot_take(lag, slot);
		(*found)++;
	}
	lag_report_clear(lag);
}

/** Why an input without samples has none. */
static struct error *fail_without(const struct report *reports, size_t crashes)
{
	const char *kind = reports->kind ? reports->kind : "crash report";

	for (const struct report *r = reports; r; r = r->next)
		if (lag_stacks_unclear(r))
			return error_new(ERROR_UNSUPPORTED,
			                 "not clear whose samples count: %s; "
			                 "--threads all counts all of them",
			                 lag_stacks_unclear(r));
	if (!crashes)
		return error_new(ERROR_UNSUPPORTED,
		                 "has no samples and no stacks");
	if (reports->jetsam)
		return error_new(ERROR_UNSUPPORTED,
		                 "not samples, but a jetsam log, which has no "
		                 "stacks: 'apmtool jetsam' reads it");
	return error_new(ERROR_UNSUPPORTED,
	                 "not samples, but %s%s: its stacks are those of one "
	                 "moment",
	                 bug_type_article(kind), kind);
}

/** An input that is a report: crash-like, or sampled trees. */
static struct error *read_reports(struct sample_run *run, struct source *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *reports = NULL;
	struct bytes bytes;
	struct error *err = source_read_all(source, &bytes);
	size_t found = 0;
	size_t crashes = 0;

	if (!err)
		err = parser_read(bytes, &arena, &reports);
	if (err)
		return foreign_reword(
		        err,
		        "no samples of a known format (" SAMPLE_FORMATS "): ");
	for (const struct report *r = reports; r; r = r->next) {
		print_failures(run, source->name, r);
		if (lag_stacks_kind(r) == SAMPLE_KIND_NONE)
			crashes++;
		else
			add_stacks(run, r, &run->slots[0], &found);
	}
	if (!found)
		return fail_without(reports, crashes);
	if (crashes && !run->settings->run.quiet)
		console_warn("%s: %zu report%s without samples, such as "
		             "crashes, %s not counted",
		             source->name, crashes, text_plural(crashes),
		             crashes == 1 ? "is" : "are");
	return NULL;
}

static struct error *read_format(struct sample_run *run, struct source *source);

/** An image list as text, and the samples it belongs to. */
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
	progress_clear(&run->run.progress);
	sample_notes_print_images(run, source->name, &images);
	source_skip(source, head.size - rest.size);
	slots_use_images(run, &images);
	err = read_format(run, source);
	slots_end_input(run);
	slots_use_images(run, &run->images);
	return err;
}

static struct error *read_format(struct sample_run *run, struct source *source)
{
	struct text head = source_peek(source, LAG_HEAD_BYTES);
	// Its headers end in numbers, as collapsed stacks do.
	enum lag_format format = tar_is(bytes_from_text(head))
	                                 ? LAG_FORMAT_NONE
	                                 : lag_format_of(head);

	switch (format) {
	case LAG_FORMAT_COLLAPSED:
		if (lag_is_difference(head))
			return error_new(ERROR_UNSUPPORTED, DIFFERENCE);
		read_lines(run, source, format);
		return NULL;
	case LAG_FORMAT_LINES:
		read_lines(run, source, format);
		return NULL;
	case LAG_FORMAT_IMAGES:
		return read_with_images(run, source);
	case LAG_FORMAT_DOCUMENTS:
		return slots_read_documents(run, source);
	case LAG_FORMAT_NONE:
		break;
	}
	return read_reports(run, source);
}

/** An input that cannot be read is not merely empty. */
static struct error *decode_source(struct source *source)
{
	struct error *err = source_decode(source, DECODED_BYTES_MAX);

	if (!err && !source_peek(source, 1).size)
		err = source_take_error(source);
	return err;
}

/** Read one input to its end, and hand on what comes of it. */
static struct error *read_source(struct sample_run *run, struct source *source)
{
	size_t before = run->reports + run->failed_reports + run->left_out;
	struct error *err;

	slots_begin_input(run, source->name);
	err = read_format(run, source);
	slots_end_input(run);
	run->options.takes_parts = false;
	if (!err &&
	    run->reports + run->failed_reports + run->left_out == before)
		err = error_new(ERROR_UNSUPPORTED, "no samples found");
	if (source->decoded.note && !run->settings->run.quiet)
		console_warn("%s: %s", source->name, source->decoded.note);
	err = err ? source_blame(source, err) : source_take_error(source);
	progress_clear(&run->run.progress);
	sample_notes_print_rest(run, source->name);
	return err;
}

/**
 * Read a file of an archive, an input of its own, and count it.
 *
 * @return Why it was passed over, as a file of a directory would be.
 */
static struct error *take_member(struct sample_run *run,
                                 struct archive_files *files, size_t index,
                                 const char *name)
{
	SCOPED(gzip_release) struct gzip unpacked = { 0 };
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(error_drop) struct error *failure = NULL;
	size_t before = run->reports;
	struct error *err = archive_files_unpack(files, index, &unpacked);
	bool failed = err && !zip_is(unpacked.bytes);
	size_t made;

	err = error_prefix(err, "%s", name);
	if (!err) {
		source_open_bytes(&source, name, unpacked.bytes);
		err = decode_source(&source);
		source.decoded.fault = unpacked.fault ? unpacked.fault
		                                      : source.decoded.fault;
	}
	made = source.decoded.made_bytes;
	files->left_bytes -= made < files->left_bytes ? made
	                                              : files->left_bytes;
	if (!err)
		err = read_source(run, &source);
	if (run->reports == before && run_passes_over(!failed, err))
		return err;
	failure = err;
	run_count(&run->run, failure);
	return NULL;
}

/** What is not read of an archive: a warning beside what is. */
static struct error *pass_over_members(const struct sample_run *run,
                                       const struct source *source,
                                       size_t count, size_t of,
                                       const struct error *first)
{
	struct text why = text_from(error_message(first));

	if (text_take(&why, source->name))
		text_take(&why, ": ");
	if (count == of)
		return error_new(error_code(first),
		                 "%s: a zip archive of %zu files without "
		                 "samples: %.*s",
		                 source->name, of, TEXT_ARGS(why));
	if (!run->settings->run.quiet)
		console_warn("%s: %zu of %zu files %s not read%s %.*s",
		             source->name, count, of, count == 1 ? "is" : "are",
		             count == 1 ? ":" : ", such as", TEXT_ARGS(why));
	return NULL;
}

/** Read the files of an archive; an error where none has samples. */
static struct error *take_archive(struct sample_run *run,
                                  const struct source *source)
{
	struct bytes in = source->decoded.bytes;
	SCOPED(archive_files_release)
	struct archive_files files = {
		.limit = LIMIT_PACKED_SAMPLES,
		.limit_bytes = source_unpacked_most(in.size),
	};
	SCOPED(error_drop) struct error *first = NULL;
	size_t passed = 0;
	struct error *err = archive_files_open(in, &files);

	for (size_t i = 0; !err && i < files.zip.count; i++) {
		struct text file = files.zip.files[i].name;
		struct error *why = take_member(
		        run, &files, i,
		        arena_printf(&run->arena, "%s: %.*s", source->name,
		                     TEXT_ARGS(file)));

		passed += why != NULL;
		if (first)
			error_free(why);
		else
			first = why;
	}
	if (first)
		err = pass_over_members(run, source, passed, files.zip.count,
		                        first);
	return err;
}

static void take_input(const struct input *input, void *context)
{
	SCOPED(source_release) struct source source = { 0 };
	struct sample_run *run = context;
	SCOPED(error_drop) struct error *err = NULL;
	size_t before = run->reports;
	bool is_archive;

	err = source_open(&source, input->path);
	if (!err)
		err = decode_source(&source);
	is_archive = source.decoded.is_archive;
	if (!err)
		err = is_archive ? take_archive(run, &source)
		                 : read_source(run, &source);
	progress_clear(&run->run.progress);
	if (run->reports == before &&
	    run_passes_over(input->from_directory, err))
		run_pass_over(&run->run, input->path, err);
	else if (err || !is_archive)
		run_count(&run->run, err);
}

enum exit_status sample_run_all(struct sample_run *run)
{
	enum exit_status status;

	run_each(&run->run, take_input, run);
	sample_notes_print_rules(run);
	if (run->same && !run->settings->run.quiet)
		console_warn("%zu report%s the id of an earlier one: not "
		             "counted again",
		             run->same, run->same == 1 ? " has" : "s have");
	status = run_status(&run->run);
	if (!run->reports && run->left_out)
		return console_fail("nothing is of the kind that --kind names: "
		                    "%zu report%s left out",
		                    run->left_out,
		                    run->left_out == 1 ? " is" : "s are");
	if (!run->reports && run->run.tried)
		return EXIT_ALL_FAILED;
	return run->run.failed || run->failed_reports ? EXIT_SOME_FAILED
	                                              : status;
}

void sample_run_functions(struct sample_run *run,
                          struct profile_functions *functions)
{
	slots_end(run);
	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct profile_functions *met =
		        &run->slots[i].builder.functions;

		for (uint32_t k = 0; k < profile_functions_count(met); k++)
			profile_functions_join(functions, met, k);
		profile_functions_release(met);
	}
}

/** What pictures color by, where it is a guess for some functions. */
static void note_evidence(const struct profile_functions *functions)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t guessed = 0;

	for (uint32_t i = 0; i < profile_functions_count(functions); i++)
		guessed += functions->frames[i].evidence <= CALLTREE_BY_SYMBOL;
	if (!guessed)
		return;
	lag_evidence_add(functions, &text);
	console_warn("in-app is decided %s: --rules can say more",
	             str_cstr(&text));
}

enum exit_status sample_run_finish(struct sample_run *run,
                                   enum exit_status status)
{
	SCOPED(missing_symbols_release) struct missing_symbols missing = { 0 };
	SCOPED(fingerprints_release) struct fingerprints seen = { 0 };

	status = symbols_status(run->search.store, run->search.near.quiet,
	                        status);
	if (run->settings->run.quiet)
		return run_finish(&run->run, status);
	// What failed shows nothing.
	if (run->colors_kinds && run->functions && status < EXIT_ALL_FAILED)
		note_evidence(run->functions);
	for (unsigned i = 0; i < run->run.jobs; i++)
		lag_builder_missing(&run->slots[i].builder, &seen, &missing);
	// It does not take --images.
	missing_symbols_print(&missing, symbol_store_index(run->search.store),
	                      !run->images.count);
	return run_finish(&run->run, status);
}

/**
 * What the tree of one reading does not show: that kinds are mixed, for a tree
 * of several is no picture of hangs, or that there is nothing.
 */
static void warn_of_reading(const struct sample_run *run, bool nothing)
{
	size_t stalls = run->kinds[SAMPLE_KIND_STALL];
	size_t others = 0;

	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		others += i == SAMPLE_KIND_STALL ? 0 : run->kinds[i];
	if (run->settings->run.quiet)
		return;
	if (stalls && others)
		console_warn("%zu hang%s and %zu other report%s, such as of "
		             "CPU use, are added up: --kind takes one kind",
		             stalls, text_plural(stalls), others,
		             text_plural(others));
	if (run->reports && nothing)
		console_warn("nothing is left to show: the reports have no "
		             "stacks, or the rules remove all");
}

/** Has nothing been added since the older side, if there is one? */
static bool is_empty(const struct calltree *tree)
{
	if (!tree->before)
		return tree->node_count <= 1;
	return !tree->node_count ||
	       (!tree->nodes->samples && !tree->nodes->cost_us);
}

/** All that was read so far is the older side. */
static void turn_total(struct sample_run *run)
{
	bool nothing = true;

	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct lag_builder *builder = &run->slots[i].builder;

		nothing &= builder->total.node_count <= 1;
		lag_builder_turn(builder);
	}
	warn_of_reading(run, nothing);
}

enum exit_status sample_run_again(struct sample_run *run,
                                  const struct command_line *line)
{
	if (run->options.wants_total)
		turn_total(run);
	run->reports = run->failed_reports = run->left_out = run->same = 0;
	fingerprints_release(&run->ids);
	memset(run->kinds, 0, sizeof(run->kinds));
	run->in_parts = false;
	return run_again(&run->run, line);
}

void sample_run_total(struct sample_run *run, struct calltree *tree,
                      struct profile_functions *functions)
{
	bool is_full = false;

	slots_end(run);
	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct lag_builder *builder = &run->slots[i].builder;

		is_full |= builder->total.full;
		if (!lag_total_take(tree, functions, builder))
			lag_total_join(tree, functions, builder);
		profile_functions_release(&builder->functions);
	}
	run->functions = functions;
	is_full |= tree->full;
	if (is_full)
		console_warn("more than %u different calls: the cost of "
		             "further ones is attributed to their callers",
		             CALLTREE_NODES_MAX);
	// Several jobs may have counted one.
	for (uint32_t i = 0; run->in_parts && i < tree->node_count; i++)
		tree->nodes[i].reports = 0;
	// One report keeps its order; else the order would depend on the jobs.
	if (run->reports != 1 || run->in_parts || run->all)
		lag_total_sort(tree, functions);
	calltree_sum(tree);
	if (tree->before)
		calltree_before_sum(tree->before, tree);
	warn_of_reading(run, is_empty(tree));
	// One slot read all.
	if (run->slots[0].builder.timeline.track_count)
		tree->timeline = &run->slots[0].builder.timeline;
	if (run->slots[0].builder.timeline.is_full && !run->settings->run.quiet)
		console_warn("more than %zu samples: their order is not shown",
		             TIMELINE_SAMPLES_MAX);
	tree->frames = functions->frames;
	tree->frame_count = profile_functions_count(functions);
}

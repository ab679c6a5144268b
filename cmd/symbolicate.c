#include "lib/analysis/symbolicate/symbolicate.h"
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/missing_symbols.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/symbolicate/device_names.h"
#include "lib/analysis/symbolicate/mismatch.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"
#include "lib/darwin/cpu.h"

#include <inttypes.h>
#include <string.h>

struct symbolicate_settings {
	struct symbol_paths symbols;
	struct report_settings reports;
	unsigned form; ///< enum demangle_form
	struct option_list mismatches;
	bool strict;
};

static const struct option options[] = {
	OPT_SYMBOL_PATHS(struct symbolicate_settings, symbols),
	OPT_FORMAT(struct symbolicate_settings, reports.format, SHAPE_REPORT,
	           "text"),
	OPT_DEMANGLE(struct symbolicate_settings, form),
	OPT_DEBUG_INFO(struct symbolicate_settings, symbols.debug_info),
	OPT_REPORTS(struct symbolicate_settings, reports),
	OPT_JOBS(struct symbolicate_settings, reports.run),
	OPT_FLAG(0, "strict", struct symbolicate_settings, strict,
	         "exit with status 1 if app frames have no line because a "
	         "dSYM is missing"),
	OPT_LIST(0, "allow-uuid-mismatch", struct symbolicate_settings,
	         mismatches, "<uuid=file>",
	         "name the image <uuid> with <file>, although it is of "
	         "another build: what it names is marked"),
	OPT_QUIET(struct symbolicate_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool symbolicate samples/demo-mac.crash --dsym samples",
	  "symbolicate with the dSYMs below a directory" },
	{ "apmtool symbolicate --format json samples/demo.ips -d samples",
	  "the same as JSON, for programs" },
	{ "cat samples/demo.ips | apmtool symbolicate -q -",
	  "read standard input; frames that already have a name keep it" },
	{ NULL, NULL },
};

// Enough to see what to do; a line of a terminal holds no more addresses.
#define IMAGES_MAX    3
#define ADDRESSES_MAX 4

/** An image that frames name, and the first addresses in it. */
struct image {
	const char *name;
	uint64_t base;
	uint64_t addresses[ADDRESSES_MAX];
	size_t count;
};

struct images {
	const struct report *report;
	struct image items[IMAGES_MAX];
	size_t count;
};

static struct image *find_image(struct images *images, const char *name,
                                uint64_t base)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].base == base)
			return &images->items[i];
	if (images->count == IMAGES_MAX)
		return NULL;
	images->items[images->count] =
	        (struct image){ .name = name, .base = base };
	return &images->items[images->count++];
}

static void add_address(struct image *image, uint64_t address)
{
	for (size_t i = 0; i < image->count; i++)
		if (image->addresses[i] == address)
			return;
	if (image->count < ADDRESSES_MAX)
		image->addresses[image->count++] = address;
}

static void add_images(struct report_stack *stack, void *context)
{
	struct images *images = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];
		struct image *image;
		uint64_t base;

		if (frame->call_count || !frame->image_name ||
		    !report_frame_base(images->report, frame, &base))
			continue;
		image = find_image(images, frame->image_name, base);
		if (image)
			add_address(image, frame->address);
	}
}

/** NULL: the report does not say. */
static const char *arch_of(const char *code_type)
{
	const char *arch = darwin_arch_of_code_type(code_type);

	if (arch && darwin_arch_is_name(text_from(arch)))
		return arch;
	// It may be arm64e as well, but apps rarely are.
	return code_type && !strcmp(code_type, "ARM-64") ? "arm64" : NULL;
}

/** @param arch  May be NULL. */
static void add_atos(struct str *text, const struct image *image,
                     const char *arch)
{
	str_add(text, "  apmtool atos -o <dSYM of ");
	utf8_add_visible(text, text_from(image->name));
	str_add(text, ">");
	if (arch)
		str_addf(text, " -arch %s", arch);
	str_addf(text, " -l 0x%" PRIx64, image->base);
	for (size_t i = 0; i < image->count; i++)
		str_addf(text, " 0x%" PRIx64, image->addresses[i]);
	str_add_char(text, '\n');
}

/**
 * Warn of a report that lists no images: a truncated one, or a pasted part of
 * one. Its frames cannot be looked up, as their build is unknown. But a frame
 * that gives the load address itself (`0x100f00000 + 51500`) can be looked up
 * by hand: the warning has a line of `apmtool atos` for each of the first
 * images.
 */
static void warn_without_images(struct report *report)
{
	SCOPED(str_release) struct str text = { 0 };
	struct images images = { .report = report };

	if (report->image_count)
		return;
	report_each_stack(report, add_images, &images);
	if (!images.count)
		return;
	for (size_t i = 0; i < images.count; i++)
		add_atos(&text, &images.items[i], arch_of(report->code_type));
	notice_give(&console,
	            &(struct notice){
	                    .kind = NOTICE_WARNING,
	                    .place = report->input ? report->input : "-",
	                    .text = "no list of images, so no dSYM can be "
	                            "matched. Look up each image's frames",
	                    .next = str_cstr(&text),
	            });
}

/** What the frames of all reports are named with, and what was missing. */
struct naming {
	const struct report_run *run;
	struct symbol_search search;
	struct mismatches mismatches;
	struct missing_symbols missing;
	bool quiet;
};

static void naming_release(struct naming *naming)
{
	symbol_search_release(&naming->search);
	mismatches_release(&naming->mismatches);
	missing_symbols_release(&naming->missing);
}

static void name_frames(struct report *const *reports, size_t count,
                        struct arena *arena, void *context)
{
	struct naming *naming = context;
	struct symbolicate_result result;

	for (size_t i = 0; i < count && !naming->quiet; i++)
		warn_without_images(reports[i]);
	symbol_search_begin(&naming->search, reports, count);
	symbol_store_foresee(naming->search.store,
	                     report_run_batches_left(naming->run));
	device_names_demangle(reports, count, naming->search.form, arena);
	mismatches_apply(&naming->mismatches, reports, count,
	                 naming->search.store, arena);
	symbolicate(reports, count, naming->search.store, naming->search.form,
	            arena, &result);
	missing_symbols_add(&naming->missing, &result, MISSING_LINES);
}

static enum exit_status open_mismatches(struct mismatches *mismatches,
                                        const struct option_list *given)
{
	for (size_t i = 0; i < given->count; i++) {
		struct error *err = mismatches_add(mismatches, given->items[i]);

		if (err)
			return notice_refuse(&console, err);
	}
	return EXIT_DONE;
}

/** A file that was asked for and not used is no success. */
static enum exit_status report_refusals(const struct mismatches *mismatches,
                                        enum exit_status status)
{
	for (size_t i = 0; i < mismatches->count; i++) {
		const char *refusal = mismatch_refusal(&mismatches->items[i]);
		SCOPED(error_drop) struct error *err = NULL;

		if (!refusal)
			continue;
		err = error_new(ERROR_NOT_FOUND,
		                "'%s' was not used by --allow-uuid-mismatch: "
		                "%s",
		                mismatches->items[i].path, refusal);
		notice_error(&console, NULL, err);
		if (status == EXIT_DONE)
			status = EXIT_ANSWER_NO;
	}
	return status;
}

static enum exit_status symbolicate_run(const struct command_line *line)
{
	const struct symbolicate_settings *settings = line->settings;
	SCOPED(naming_release)
	struct naming naming = {
		.search = { .form = settings->form },
		.quiet = settings->reports.run.quiet,
	};
	SCOPED(report_run_release)
	struct report_run run = { .hook = name_frames,
		                  .context = &naming,
		                  .can_use_directory = true };
	const struct command_line reports =
	        symbol_search_split(&naming.search, line);
	enum exit_status status =
	        report_run_init(&run, &reports, &settings->reports);

	naming.run = &run;
	if (status == EXIT_DONE)
		status = symbol_search_open(
		        &naming.search, &reports, &settings->symbols,
		        run_jobs(line, &settings->reports.run), naming.quiet);
	if (status == EXIT_DONE)
		status = open_mismatches(&naming.mismatches,
		                         &settings->mismatches);
	if (status != EXIT_DONE)
		return status;
	status = report_run_all(&run);
	if (!settings->reports.run.quiet)
		missing_symbols_notice(&console, &naming.missing,
		                       symbol_store_index(naming.search.store),
		                       true);
	if (status == EXIT_DONE && settings->strict && naming.missing.count)
		status = EXIT_ANSWER_NO;
	status = symbols_status(&console, naming.search.store,
	                        naming.search.near.quiet,
	                        report_refusals(&naming.mismatches, status));
	return report_run_finish(&run, status);
}

const struct command symbolicate_command = {
	.name = "symbolicate",
	.summary = "add function names, files and lines to crash reports",
	.operands = "[<report>...]",
	.description =
	        "Prints each report with its frames symbolicated: function, "
	        "offset, file and line, and a frame of its own for each "
	        "inlined call. Reads Apple's text (.crash) and JSON (.ips) "
	        "reports, KSCrash, PLCrashReporter and MetricKit; the format "
	        "is detected from the content (see apmtool-formats(5)). "
	        "Directories are searched recursively; `-` is standard "
	        "input.\n\nA dSYM is used only for the image with the same "
	        "UUID. Colon-separated paths in APMTOOL_DSYM_PATH are "
	        "searched after those of --dsym. A dSYM, Mach-O file or "
	        "archive among the operands is searched as well. Without "
	        "any for an image of the app, dSYMs beside the reports and "
	        "below the current directory are used.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct symbolicate_settings),
	.uses_config = true,
	.run = symbolicate_run,
};

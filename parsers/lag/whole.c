#include "lib/text/json/pull.h"
#include "parsers/lag/lag.h"

/** An image list as text, and the samples that it belongs to. */
static struct error *read_with_images(struct lag_reader *reader, struct text in,
                                      struct arena *arena,
                                      struct lag_images *images)
{
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	struct error *err = lag_images_read(&in, arena, images);

	if (err)
		return err;
	reader->images = images;
	pull = json_pull_new(in, 0);
	return lag_read_documents(reader, pull);
}

static struct error *read_documents(struct lag_reader *reader, struct text in)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);

	return lag_read_documents(reader, pull);
}

struct error *lag_read_whole(struct text in, struct intern *names,
                             lag_visit visit, lag_failed failed, void *context)
{
	SCOPED(lag_reader_release) struct lag_reader reader = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_images images = { 0 };
	struct error *err = NULL;

	lag_reader_init(&reader, names, visit, failed, context);
	switch (lag_format_of(text_first(in, LAG_HEAD_BYTES))) {
	case LAG_FORMAT_LINES:
		lag_read_lines(&reader, in, 1);
		break;
	case LAG_FORMAT_COLLAPSED:
		lag_read_collapsed(&reader, in, 1);
		break;
	case LAG_FORMAT_IMAGES:
		err = read_with_images(&reader, in, &arena, &images);
		break;
	case LAG_FORMAT_DOCUMENTS:
		err = read_documents(&reader, in);
		break;
	case LAG_FORMAT_NONE:
		err = error_new(ERROR_UNSUPPORTED,
		                "no samples of a known format");
		break;
	}
	lag_reader_end(&reader);
	return err;
}

bool lag_format_has_images(enum lag_format format)
{
	return format == LAG_FORMAT_LINES || format == LAG_FORMAT_DOCUMENTS ||
	       format == LAG_FORMAT_IMAGES;
}

// As reports

/** What lag reports become. */
struct reports {
	struct arena *arena;
	struct report *first;
	struct report *last;
	struct error *failed; ///< the first; NULL: none
	size_t failed_line;   ///< 0: of no line
};

static void add_image(struct reports *reports, struct report *report,
                      const struct profile_image *from, const char *arch)
{
	struct report_image *to = report_add_image(report, reports->arena);

	to->base = from->base;
	to->size = from->size;
	to->uuid = from->uuid;
	to->name = arena_strdup(reports->arena, from->name);
	to->path = from->path ? arena_strdup(reports->arena, from->path) : NULL;
	to->arch = arch;
	to->own = from->own;
}

static void add_frames(struct reports *reports, struct report *report,
                       const struct profile *profile)
{
	struct report_thread *thread =
	        report_add_thread(report, reports->arena);

	for (size_t i = 0; i < profile->frames.count; i++) {
		const struct profile_frame *from = &profile->frames.items[i];
		struct report_frame *to;

		if (!from->has_offset)
			continue;
		to = report_add_frame(&thread->stack, reports->arena);
		to->image = from->placed;
		to->address = from->address;
		to->image_offset = from->address -
		                   profile->images.items[from->placed].base;
		to->is_pc = from->is_pc;
	}
	// Of no frame it is known to be the innermost one.
	thread->stack.all_return_addresses = true;
}

static void take_report(struct lag_report *from, void *context)
{
	struct reports *reports = context;
	struct arena *arena = reports->arena;
	struct report *report = report_new(arena);
	const char *arch = arena_strdup(arena, from->arch);

	lag_report_place(from);
	report->format = "lag";
	report->kind = "hang report";
	report->process.name = arena_strdup(arena, from->app);
	report->path = arena_strdup(arena, from->app_path);
	report->os_version = arena_strdup(arena, from->os);
	report->platform = from->platform;
	for (size_t i = 0; i < from->profile.images.count; i++)
		add_image(reports, report, &from->profile.images.items[i],
		          arch);
	add_frames(reports, report, &from->profile);
	if (reports->last)
		reports->last->next = report;
	else
		reports->first = report;
	reports->last = report;
}

static void fail_report(size_t line, struct error *err, void *context)
{
	struct reports *reports = context;

	if (reports->failed) {
		error_free(err);
		return;
	}
	reports->failed = err;
	reports->failed_line = line;
}

/** Why reading ended, or a line failed; NULL: all was read. */
static struct error *take_error(struct reports *reports, struct error *err)
{
	if (err) {
		error_free(reports->failed);
		reports->failed_line = 0;
	}
	return err ? err : reports->failed;
}

struct error *lag_read_reports(struct text in, struct arena *arena,
                               struct report **ret)
{
	SCOPED(intern_release) struct intern names = { 0 };
	struct reports reports = { .arena = arena };
	struct error *err =
	        lag_read_whole(in, &names, take_report, fail_report, &reports);
	const char *place = "report";

	err = take_error(&reports, err);
	if (reports.failed_line)
		place = report_line_place(arena, reports.failed_line);
	if (!reports.first && reports.failed_line)
		return error_prefix(err, "%s", place);
	if (!reports.first)
		return err ? err
		           : error_new(ERROR_UNSUPPORTED, "no samples found");
	// A damaged rest does not discard what was read.
	if (err) {
		reports.last->truncated = true;
		report_add_failure(reports.last, arena, place,
		                   arena_strdup(arena, error_message(err)));
		error_free(err);
	}
	*ret = reports.first;
	return NULL;
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/missing_symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** In the order of cells; columns without a title are for programs. */
enum missing_column {
	COLUMN_STATUS,
	COLUMN_IMAGE,
	COLUMN_APP,
	COLUMN_ARCH,
	COLUMN_UUID,
	COLUMN_BUNDLE_ID,
	COLUMN_VERSION,
	COLUMN_BUILD,
	COLUMN_FRAMES,
	COLUMN_REPORTS,
	COLUMN_PATH,
	COLUMN_NEAREST_PATH,
	COLUMN_NEAREST_UUID,
	COLUMN_NEAREST_VERSION,
	COLUMN_NEAREST_BUILD,
	COLUMN_LEVEL,
	COLUMN_FILE,
	COLUMN_TITLE,
	COLUMN_MESSAGE,
	COLUMN_COUNT,
};

static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_STATUS] = { "status", "status", TABLE_TEXT },
	[COLUMN_IMAGE] = { "image", "image", TABLE_NAME },
	[COLUMN_APP] = { "app", "app", TABLE_BOOL },
	[COLUMN_ARCH] = { "arch", "arch", TABLE_TEXT },
	[COLUMN_UUID] = { "uuid", "UUID", TABLE_TEXT },
	[COLUMN_BUNDLE_ID] = { "bundle_id", NULL, TABLE_TEXT },
	[COLUMN_VERSION] = { "version", "version", TABLE_TEXT },
	[COLUMN_BUILD] = { "build", "build", TABLE_TEXT },
	[COLUMN_FRAMES] = { "frames", "frames", TABLE_NUMBER },
	[COLUMN_REPORTS] = { "reports", "reports", TABLE_NUMBER },
	[COLUMN_PATH] = { "path", NULL, TABLE_TEXT },
	[COLUMN_NEAREST_PATH] = { "nearest_path", NULL, TABLE_TEXT },
	[COLUMN_NEAREST_UUID] = { "nearest_uuid", NULL, TABLE_TEXT },
	[COLUMN_NEAREST_VERSION] = { "nearest_version", NULL, TABLE_TEXT },
	[COLUMN_NEAREST_BUILD] = { "nearest_build", NULL, TABLE_TEXT },
	[COLUMN_LEVEL] = { "level", NULL, TABLE_TEXT },
	[COLUMN_FILE] = { "file", NULL, TABLE_TEXT },
	[COLUMN_TITLE] = { "title", NULL, TABLE_TEXT },
	[COLUMN_MESSAGE] = { "message", "symbols", TABLE_PROSE },
};

static const struct table_rule rules[] = {
	{ NULL, "An image whose dSYM is missing",
	  "Frames of the app's code have no function, file and line without "
	  "the dSYM of exactly this build.",
	  "Give the directory that holds the dSYM to --dsym, or an archive "
	  "of this build." },
	{ 0 },
};

static const char *const spare[] = {
	"message", "version", "build", "reports", "app", "arch", "frames", NULL,
};

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/** Most important first; a total order. */
static int compare_images(const void *a, const void *b)
{
	const struct missing_image *x = a;
	const struct missing_image *y = b;
	bool x_lacks = x->status != MISSING_FOUND;
	bool y_lacks = y->status != MISSING_FOUND;
	int order;

	if (x->is_app != y->is_app)
		return x->is_app ? -1 : 1;
	if (x_lacks != y_lacks)
		return x_lacks ? -1 : 1;
	if (x->frame_count != y->frame_count)
		return x->frame_count > y->frame_count ? -1 : 1;
	order = compare_text(x->name, y->name);
	return order ? order : uuid_compare(&x->uuid, &y->uuid);
}

void missing_symbols_sort(struct missing_symbols *images)
{
	if (images->count)
		qsort(images->images, images->count, sizeof(*images->images),
		      compare_images);
}

/** Does an app image have only a symbol table? */
static bool has_symbols_only(const struct missing_symbols *images)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->images[i].is_app &&
		    images->images[i].status == MISSING_SYMBOLS_ONLY)
			return true;
	return false;
}

static const char *describe_app(struct missing_symbols *images)
{
	size_t total, missing;

	missing_symbols_count_app(images, &total, &missing);
	if (!total)
		return "no image of the app has frames";
	if (total == 1)
		return missing ? "the only app image has no dSYM"
		               : "the only app image has its dSYM";
	if (missing)
		return arena_printf(
		        &images->arena, "%zu of %zu app images %s no %s",
		        missing, total, missing == 1 ? "has" : "have",
		        has_symbols_only(images) ? "debug information"
		                                 : "symbols");
	return arena_printf(&images->arena,
	                    "all %zu app images have their dSYM", total);
}

/** System symbols are rarely available, and rarely missed. */
static bool is_of_system(const struct missing_image *image)
{
	return !image->is_app && image->is_system &&
	       image->status == MISSING_ABSENT;
}

static size_t count_system(const struct missing_symbols *images)
{
	size_t count = 0;

	for (size_t i = 0; i < images->count; i++)
		count += is_of_system(&images->images[i]);
	return count;
}

/** @param omitted  Images that have no row. */
static const char *make_summary(struct missing_symbols *images, size_t omitted)
{
	const char *app = describe_app(images);

	if (!omitted)
		return app;
	return arena_printf(&images->arena,
	                    "%s; %zu image%s of the system %s not listed "
	                    "(--all lists %s)",
	                    app, omitted, omitted == 1 ? "" : "s",
	                    omitted == 1 ? "is" : "are",
	                    omitted == 1 ? "it" : "them");
}

static const char *uuid_text(const struct uuid *uuid, struct arena *arena)
{
	char text[UUID_TEXT_SIZE];

	if (uuid_is_zero(uuid))
		return NULL;
	return arena_strdup(arena, uuid_format(uuid, text));
}

/** Images of the app must have their symbols; a broken file is worth a word. */
static const char *level_of(const struct missing_image *image)
{
	if (image->status == MISSING_FOUND)
		return NULL;
	if (image->is_app)
		return "error";
	return image->status >= MISSING_UNREADABLE ? "warning" : NULL;
}

static const char *make_title(const struct missing_image *image,
                              struct arena *arena)
{
	static const char *const what[] = {
		[MISSING_FOUND] = "dSYM found",
		[MISSING_SYMBOLS_ONLY] = "only a symbol table",
		[MISSING_ABSENT] = "no dSYM",
		[MISSING_WRONG_UUID] = "dSYM of another build",
		[MISSING_UNREADABLE] = "unreadable dSYM",
		[MISSING_MALFORMED] = "damaged dSYM",
	};
	char uuid[UUID_TEXT_SIZE];

	return arena_printf(arena, "%s for %s (%s) %s", what[image->status],
	                    image->name ? image->name : "?",
	                    image->arch ? image->arch : "?",
	                    uuid_is_zero(&image->uuid)
	                            ? "without a UUID"
	                            : uuid_format(&image->uuid, uuid));
}

static void fill_row(struct table_cell *row, const struct missing_image *image,
                     struct arena *arena)
{
	SCOPED(str_release) struct str message = { 0 };

	missing_image_describe(image, &message);
	table_set_text(&row[COLUMN_STATUS], missing_status_name(image->status));
	table_set_text(&row[COLUMN_IMAGE], image->name);
	table_set_number(&row[COLUMN_APP], image->is_app);
	table_set_text(&row[COLUMN_ARCH], image->arch);
	table_set_text(&row[COLUMN_UUID], uuid_text(&image->uuid, arena));
	table_set_text(&row[COLUMN_BUNDLE_ID], image->bundle_id);
	table_set_text(&row[COLUMN_VERSION], image->version);
	table_set_text(&row[COLUMN_BUILD], image->build);
	table_set_number(&row[COLUMN_FRAMES], image->frame_count);
	table_set_number(&row[COLUMN_REPORTS], image->report_count);
	table_set_text(
	        &row[image->status == MISSING_WRONG_UUID ? COLUMN_NEAREST_PATH
	                                                 : COLUMN_PATH],
	        image->path);
	table_set_text(&row[COLUMN_NEAREST_UUID],
	               uuid_text(&image->nearest_uuid, arena));
	table_set_text(&row[COLUMN_NEAREST_VERSION], image->nearest_version);
	table_set_text(&row[COLUMN_NEAREST_BUILD], image->nearest_build);
	table_set_text(&row[COLUMN_LEVEL], level_of(image));
	table_set_text(&row[COLUMN_FILE], image->input);
	table_set_text(&row[COLUMN_TITLE], make_title(image, arena));
	table_set_text(&row[COLUMN_MESSAGE],
	               arena_text(arena, str_text(&message)));
}

struct table *missing_symbols_table(struct missing_symbols *images,
                                    bool counts_system)
{
	struct arena *arena = &images->arena;
	struct table *table = arena_alloc(arena, sizeof(*table));
	size_t total, missing, omitted;

	missing_symbols_count_app(images, &total, &missing);
	omitted = counts_system && total ? count_system(images) : 0;
	*table = (struct table){
		.name = "missing-symbols",
		.summary = make_summary(images, omitted),
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.spare = spare,
		.rules = rules,
	};
	missing_symbols_sort(images);
	for (size_t i = 0; i < images->count; i++)
		if (!omitted || !is_of_system(&images->images[i]))
			fill_row(table_add_row(table, arena),
			         &images->images[i], arena);
	return table;
}

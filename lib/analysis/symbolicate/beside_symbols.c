// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/beside_symbols.h"

#include "lib/base/file.h"
#include "lib/base/text.h"
#include "lib/symbols/file.h"

#include <string.h>
#include <unistd.h>

static void drop_index(struct uuid_index **index)
{
	uuid_index_free(*index);
}

/** The directory of a file, with its slash; empty: the working directory. */
static struct text directory_of(const char *path)
{
	struct text text = text_from(path);
	size_t slash = text_find_last_char(text, '/');

	return slash == TEXT_NOWHERE ? TEXT_NONE : text_first(text, slash + 1);
}

/** A name from a report must not lead out of the directory. */
static bool is_file_name(const char *name)
{
	return name && name[0] && name[0] != '.' && !strchr(name, '/');
}

/**
 * Would these files give names and lines? Not those already used, or
 * unreadable.
 *
 * @param ret_readable  At least one is readable.
 */
static bool has_lines(const struct missing_image *image,
                      const struct uuid_entry *entries, size_t count,
                      bool *ret_readable)
{
	bool found = false;

	*ret_readable = false;
	for (size_t i = 0; i < count && !found; i++) {
		struct symbol_file *file = NULL;
		struct error *err = NULL;

		if (image->path && file_is_same(image->path, entries[i].path))
			continue;
		err = symbol_file_open(&entries[i], &file);
		*ret_readable = *ret_readable || !err;
		found = !err && symbol_file_has_debug_info(file);
		symbol_file_close(file);
		error_free(err);
	}
	return found;
}

/** Examine @p path; true if it has the symbols of @p image. */
static bool take_beside(struct missing_image *image, const char *path,
                        struct file_budget *budget)
{
	SCOPED(drop_index) struct uuid_index *index = uuid_index_new();
	SCOPED(error_drop)
	struct error *err = uuid_index_add_found(index, path, budget);
	const struct uuid_entry *entries;
	bool is_readable;
	size_t count;

	if (err)
		return false;
	entries = uuid_index_find(index, &image->uuid, &count);
	if (count) {
		image->beside_matches =
		        has_lines(image, entries, count, &is_readable);
		image->beside_is_stripped = is_readable &&
		                            !image->beside_matches;
		if (is_readable)
			image->beside = path;
		return image->beside_matches;
	}
	entries = uuid_index_all(index, &count);
	for (size_t i = 0; i < count && !image->beside; i++)
		if (!uuid_is_zero(&entries[i].uuid) &&
		    uuid_entry_has_arch(&entries[i], image->arch))
			image->beside = path;
	return false;
}

static void find_beside(struct missing_image *image, struct arena *arena,
                        struct file_budget *budget)
{
	static const char *const endings[] = {
		".dSYM",       ".app.dSYM", ".framework.dSYM",
		".appex.dSYM", ".DSYM",     ".app.DSYM",
		".dsym",       ".app.dsym", "",
	};
	struct text directory = directory_of(image->input);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		const char *path = arena_printf(arena, "%s%s%s",
		                                arena_text(arena, directory),
		                                image->name, endings[i]);

		// A directory without an extension may be a whole project.
		if (access(path, R_OK) ||
		    (!endings[i][0] && file_is_directory(path)))
			continue;
		if (take_beside(image, path, budget))
			return;
	}
}

void beside_symbols_find(struct missing_symbols *images)
{
	struct file_budget budget = FILE_BUDGET;
	size_t tried = 0;

	for (size_t i = 0; i < images->count && tried < BESIDE_IMAGES_MAX;
	     i++) {
		struct missing_image *image = &images->images[i];

		if (!image->is_app || image->status == MISSING_FOUND ||
		    image->status == MISSING_SYMBOLS_ONLY || !image->input ||
		    uuid_is_zero(&image->uuid) || !is_file_name(image->name))
			continue;
		find_beside(image, &images->arena, &budget);
		tried++;
	}
}

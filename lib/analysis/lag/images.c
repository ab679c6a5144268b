// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/images.h"

#include "lib/analysis/symbolicate/in_app.h"
#include "lib/analysis/symbolicate/missing_symbols.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/model/app_image.h"

#include <stdlib.h>

void lag_build_images_release(struct lag_build_images *images)
{
	arena_release(&images->arena);
	intern_release(&images->ids);
	free(images->items);
	*images = (struct lag_build_images){ 0 };
}

/** The kind of an image, by the config's rules and by app directories. */
static enum calltree_kind kind_of(const struct config *config,
                                  const struct lag_report *report,
                                  const struct profile_image *image)
{
	const struct app_process process = {
		.name = report->app,
		.path = report->app_path,
		.platform = report->platform,
	};
	struct app_image judged = {
		.name = image->name,
		.path = image->path,
		.own = image->own,
	};
	const struct in_app_image asked = {
		.name = image->name,
		.path = image->path,
	};
	size_t undecided;

	if (config)
		judged.rule = in_app_judge(config, &asked, &undecided);
	return app_image_is_own(&judged, &process) ? CALLTREE_APP
	                                           : CALLTREE_SYSTEM;
}

/** Append a path without the installation's own directory. */
static void add_path(struct text path, struct str *out)
{
	while (path.size) {
		struct text part = text_first(path, text_find_char(path, '/'));
		struct uuid uuid;

		if (!uuid_parse(part, &uuid))
			str_add_text(out, part);
		str_add_char(out, '/');
		path = text_after(path, part.size + 1);
	}
}

/** Count a report with frames in the image; differing values become NULL. */
static void count_report(struct lag_build_image *image,
                         const struct lag_report *report)
{
	image->report_count++;
	if (!text_same(image->os, report->os))
		image->os = NULL;
	if (!text_same(image->input, report->input))
		image->input = NULL;
}

uint32_t lag_build_images_add(struct lag_build_images *images,
                              const struct lag_report *report,
                              const struct profile_image *image)
{
	SCOPED(str_release) struct str identity = { 0 };
	enum calltree_kind kind = kind_of(images->config, report, image);
	uint32_t count = images->ids.count;
	uint32_t number;

	str_add_char(&identity, kind == CALLTREE_APP ? 'a' : 's');
	str_add_bytes(&identity, &image->uuid, sizeof(image->uuid));
	str_add(&identity, image->name);
	if (images->has_paths && image->path) {
		str_add_char(&identity, '\0');
		add_path(text_from(image->path), &identity);
	}
	number = intern_add(&images->ids, str_text(&identity));
	if (number < count) {
		count_report(&images->items[number], report);
		return number;
	}
	MEM_GROW(images->items, number, images->cap);
	images->items[number] = (struct lag_build_image){
		.name = arena_strdup(&images->arena, image->name),
		.path = image->path ? arena_strdup(&images->arena, image->path)
		                    : NULL,
		.uuid = image->uuid,
		.kind = kind,
		.arch = arena_strdup(&images->arena, report->arch),
		.os = arena_strdup(&images->arena, report->os),
		.input = arena_strdup(&images->arena, report->input),
		.report_count = 1,
	};
	return number;
}

void lag_build_images_found(struct lag_build_images *images, uint32_t number,
                            const struct symbol_image *found)
{
	struct lag_build_image *image = &images->items[number];

	if (image->is_asked &&
	    (missing_is_damage(&image->found) || !missing_is_damage(found)))
		return;
	image->is_asked = true;
	image->found = *found;
	image->found.path = arena_strdup(&images->arena, found->path);
	image->found.reason = arena_strdup(&images->arena, found->reason);
	image->found.arch = arena_strdup(&images->arena, found->arch);
}

// SPDX-License-Identifier: MIT
#include "parsers/lag/lag.h"

static void add_image(struct report *report, struct arena *arena,
                      const struct profile_image *from, const char *arch)
{
	struct report_image *to = report_add_image(report, arena);

	to->base = from->base;
	to->size = from->size;
	to->uuid = from->uuid;
	to->name = arena_strdup(arena, from->name);
	to->path = from->path ? arena_strdup(arena, from->path) : NULL;
	to->arch = arch;
	to->own = from->own;
}

static void add_frames(struct report *report, struct arena *arena,
                       const struct profile *profile)
{
	struct report_thread *thread = report_add_thread(report, arena);

	for (size_t i = 0; i < profile->frames.count; i++) {
		const struct profile_frame *from = &profile->frames.items[i];
		struct report_frame *to;

		if (!from->has_offset)
			continue;
		to = report_add_frame(&thread->stack, arena);
		to->image = from->placed;
		to->address = from->address;
		to->image_offset = from->address -
		                   profile->images.items[from->placed].base;
		to->is_pc = from->is_pc;
	}
	// Of no frame it is known to be the innermost one.
	thread->stack.all_return_addresses = true;
}

struct report *lag_as_report(struct lag_report *from, struct arena *arena)
{
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
		add_image(report, arena, &from->profile.images.items[i], arch);
	add_frames(report, arena, &from->profile);
	return report;
}

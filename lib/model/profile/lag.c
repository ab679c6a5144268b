// SPDX-License-Identifier: MIT
#include "lib/model/profile/lag.h"

#include <inttypes.h>

void lag_report_init(struct lag_report *report, struct intern *strings)
{
	*report = (struct lag_report){ .kind = SAMPLE_KIND_STALL };
	profile_init(&report->profile, strings);
}

void lag_report_clear(struct lag_report *report)
{
	arena_clear(&report->arena);
	profile_clear(&report->profile);
	*report = (struct lag_report){
		.profile = report->profile,
		.arena = report->arena,
		.input = report->input,
		.kind = SAMPLE_KIND_STALL,
	};
}

void lag_report_release(struct lag_report *report)
{
	arena_release(&report->arena);
	profile_release(&report->profile);
	*report = (struct lag_report){ 0 };
}

/** Noted once: frames outside of all images cannot be symbolicated. */
static void note_outside(struct lag_report *report)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	uint64_t first = 0;
	size_t count = 0;
	bool has_map = false;

	for (size_t i = 0; i < report->profile.images.count; i++)
		has_map |= report->profile.images.items[i].base != 0;
	for (size_t i = 0; i < report->profile.frames.count && has_map; i++) {
		const struct profile_frame *frame =
		        &report->profile.frames.items[i];

		// A frame with an image name belongs to an unlisted image.
		if (!frame->address || frame->placed != PROFILE_NO_IMAGE ||
		    frame->image != INTERN_NONE)
			continue;
		if (!count++)
			first = frame->address;
	}
	if (count)
		lag_report_note(
		        report, "dyld_images",
		        count == 1 ? arena_printf(&arena,
		                                  "a frame lies outside all "
		                                  "images, at 0x%" PRIx64,
		                                  first)
		                   : arena_printf(
		                             &arena,
		                             "%zu frames lie outside all "
		                             "images, the first at 0x%" PRIx64,
		                             count, first));
}

void lag_report_place(struct lag_report *report)
{
	profile_place(&report->profile, pointer_signing_of(report->arch));
	note_outside(report);
}

void lag_report_note(struct lag_report *report, const char *place,
                     const char *text)
{
	if (!report->notes)
		report->notes = arena_array(&report->arena, LAG_NOTES,
		                            sizeof(*report->notes));
	if (report->note_count < LAG_NOTES)
		report->notes[report->note_count] = (struct notice){
			.place = arena_strdup(&report->arena, place),
			.text = arena_strdup(&report->arena, text),
		};
	report->note_count++;
}

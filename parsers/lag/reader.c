// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"

#include <stdlib.h>

void lag_reader_init(struct lag_reader *reader, struct intern *names,
                     lag_visit visit, lag_failed failed, void *context)
{
	*reader = (struct lag_reader){
		.visit = visit,
		.failed = failed,
		.context = context,
	};
	lag_report_init(&reader->report, names);
}

void lag_reader_end(struct lag_reader *reader)
{
	// The next input's stacks do not go on from here.
	lag_prefix_free(reader->prefix);
	reader->prefix = NULL;
	free((char *)reader->line.data);
	reader->line = (struct text){ 0 };
	if (reader->pending)
		lag_reader_hand_out(reader, &reader->report);
	reader->pending = false;
}

void lag_reader_release(struct lag_reader *reader)
{
	lag_report_release(&reader->report);
	free(reader->stack);
	lag_prefix_free(reader->prefix);
	free((char *)reader->line.data);
	*reader = (struct lag_reader){ 0 };
}

/** The images of a list that outlives the report. */
static void use_images(struct lag_report *report,
                       const struct lag_images *images)
{
	for (size_t i = 0; i < images->count; i++)
		*profile_images_add(&report->profile.images) = images->items[i];
	if (!report->arch)
		report->arch = images->arch;
}

void lag_reader_hand_out(struct lag_reader *reader, struct lag_report *report)
{
	if (reader->images && !report->profile.images.count)
		use_images(report, reader->images);
	calltree_end(&report->profile.stacks);
	reader->visit(report, reader->context);
	lag_report_clear(report);
}

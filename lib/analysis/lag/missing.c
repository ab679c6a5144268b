// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/fold_state.h"

#include <stdlib.h>

/** Same conditions as missing_symbols_add() for a report. */
static bool is_within(const struct lag_build_image *image,
                      enum missing_scope scope)
{
	if (image->kind != CALLTREE_APP)
		return false;
	return scope == MISSING_DAMAGED ? missing_is_damage(&image->found)
	                                : symbolicate_needs_dsym(&image->found);
}

void lag_builder_missing(const struct lag_builder *builder,
                         enum missing_scope scope, struct fingerprints *seen,
                         struct missing_symbols *missing)
{
	const struct lag_places *places = &builder->state->places;
	struct lag_lineless *counts = lag_places_lineless(places, seen);

	for (uint32_t i = 0; i < places->images.ids.count; i++) {
		const struct lag_build_image *from = &places->images.items[i];
		const struct report report = {
			.input = from->input,
			.os_version = from->os,
		};
		const struct report_image image = {
			.name = from->name,
			.path = from->path,
			.uuid = from->uuid,
			.arch = from->arch,
			.app_rule = APP_RULE_OWN,
		};

		if (counts[i].any && is_within(from, scope))
			missing_symbols_add_image(missing, &report, &image,
			                          &from->found, counts[i].new,
			                          from->report_count);
	}
	free(counts);
}

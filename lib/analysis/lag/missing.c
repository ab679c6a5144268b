#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/fold_state.h"

#include <stdlib.h>

/** As missing_symbols_add() with MISSING_LINES would have it of a report. */
static bool needs_dsym(const struct lag_build_image *image)
{
	return image->kind == CALLTREE_APP &&
	       (image->found.status != SYMBOL_FILE_FOUND ||
	        !image->found.has_debug_info || image->found.bad_unit_count);
}

void lag_builder_missing(const struct lag_builder *builder,
                         struct fingerprints *seen,
                         struct missing_symbols *missing)
{
	const struct lag_sites *sites = &builder->state->sites;
	struct lag_lineless *counts = lag_sites_lineless(sites, seen);

	for (uint32_t i = 0; i < sites->images.ids.count; i++) {
		const struct lag_build_image *from = &sites->images.items[i];
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

		if (counts[i].any && needs_dsym(from))
			missing_symbols_add_image(missing, &report, &image,
			                          &from->found, counts[i].new,
			                          from->report_count);
	}
	free(counts);
}

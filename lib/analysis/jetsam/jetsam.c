// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/jetsam.h"

#include "lib/analysis/jetsam/steps.h"
#include "lib/base/units.h"
#include "lib/darwin/products.h"

/** A collected limit disagrees if it differs by more than 1 in 100. */
#define REFERENCE_TOLERANCE 100

bool jetsam_disagrees(const struct jetsam_victim *victim,
                      const struct jetsam_reference *reference)
{
	uint64_t collected = reference->limit_bytes;
	uint64_t own = victim->limit_bytes.value;
	uint64_t off = own > collected ? own - collected : collected - own;

	// The table is about foreground apps; helpers have other limits.
	return reference->device && victim->limit_bytes.known &&
	       victim->app_state == JETSAM_APP_STATE_FOREGROUND &&
	       off > own / REFERENCE_TOLERANCE;
}

static const char *mib_text(struct arena *arena, uint64_t bytes)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, bytes, UNITS_MIB);
	return arena_text(arena, str_text(&text));
}

static void look_up_limit(struct jetsam_answer *answer,
                          const struct limits *limits, struct arena *arena)
{
	const struct limit *limit = limits ? limits_find(limits, answer->model)
	                                   : NULL;

	if (!limit)
		return;
	answer->reference = (struct jetsam_reference){
		.device = limit->device,
		.limit_bytes = limit->limit_bytes,
		.limit_mib = mib_text(arena, limit->limit_bytes),
		.ram_mib = mib_text(arena, limit->ram_bytes),
		.percent =
		        units_share(limit->limit_bytes, limit->ram_bytes, 100),
		.os = limit->os,
		.source = limits->source,
	};
	for (size_t i = 0; i < answer->victim_count; i++)
		if (jetsam_disagrees(&answer->victims[i], &answer->reference))
			answer->reference.disagrees = true;
}

const struct jetsam_answer *jetsam_analyse(struct report *report,
                                           struct arena *arena,
                                           const struct jetsam_view *view)
{
	struct jetsam_answer *answer = arena_alloc(arena, sizeof(*answer));
	struct jetsam_work work = { .report = report,
		                    .answer = answer,
		                    .arena = arena };

	*answer = (struct jetsam_answer){
		.model = darwin_model_name(report->hardware_model),
	};
	jetsam_convert_units(&work);
	jetsam_place_processes(&work);
	jetsam_list_memory(&work);
	jetsam_find_victims(&work);
	jetsam_order_kills(&work);
	jetsam_rank(&work, view->top, view->sort);
	jetsam_sum_coalitions(&work);
	look_up_limit(answer, view->limits, arena);
	jetsam_judge(&work);
	report->jetsam_answer = answer;
	return answer;
}

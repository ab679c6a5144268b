// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/in_app.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/config/pattern.h"

#include <string.h>

/**
 * Work of rules on an image: a share of a match's steps for each byte they
 * examine, and for each rule the cost of a glob on a short text.
 */
#define STEPS_SHARE    ((size_t)160 << 10)
#define STEPS_PER_RULE 4

static size_t most_work(const struct config *config,
                        const struct in_app_image *image)
{
	const char *const values[] = { image->name, image->path,
		                       image->bundle_id };
	size_t bytes = 0;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		bytes += values[i] ? strlen(values[i]) : 0;
	return config->rule_count * STEPS_PER_RULE +
	       bytes * limit_get(LIMIT_PATTERN_STEPS) / STEPS_SHARE;
}

enum app_rule in_app_judge(const struct config *config,
                           const struct in_app_image *image,
                           size_t *ret_undecided)
{
	size_t work = most_work(config, image);

	for (size_t i = 0; i < config->rule_count; i++) {
		const struct config_rule *rule = &config->rules[i];
		const struct config_property properties[] = {
			{ &rule->image, image->name },
			{ &rule->path, image->path },
			{ &rule->bundle, image->bundle_id },
		};

		switch (config_match_all(properties, ARRAY_SIZE(properties),
		                         &work)) {
		case REGEX_YES:
			return rule->is_app ? APP_RULE_OWN : APP_RULE_FOREIGN;
		case REGEX_NO:
			break;
		case REGEX_UNDECIDED:
			// A later rule must not win because this one is slow.
			*ret_undecided = i;
			return APP_RULE_NONE;
		}
	}
	return APP_RULE_NONE;
}

/** Noted once per report: the rule will take too long for many images. */
static void note_undecided(const struct config_rule *rule,
                           struct report *report, struct arena *arena)
{
	report_add_note(report, arena,
	                arena_printf(arena, "in-app rule %s",
	                             config_source_text(&rule->source, arena)),
	                arena_printf(arena,
	                             "exceeds the matching limits for some "
	                             "images, which are treated as if no rule "
	                             "matched%s",
	                             limit_hint(LIMIT_PATTERN_STEPS)));
}

void in_app_apply(const struct config *config, struct report *report,
                  struct arena *arena)
{
	SCOPED(mem_drop)
	bool *noted = mem_zalloc(config->rule_count, sizeof(*noted));

	if (!config->rule_count)
		return;
	for (size_t i = 0; i < report->image_count; i++) {
		struct report_image *image = &report->images[i];
		const struct in_app_image judged = { .name = image->name,
			                             .path = image->path,
			                             .bundle_id =
			                                     image->bundle_id };
		size_t undecided = config->rule_count;

		image->app_rule = in_app_judge(config, &judged, &undecided);
		if (undecided == config->rule_count || noted[undecided])
			continue;
		noted[undecided] = true;
		note_undecided(&config->rules[undecided], report, arena);
	}
}

#include "lib/analysis/symbolicate/in_app.h"

#include "lib/base/mem.h"
#include "lib/config/pattern.h"

/**
 * Work that all rules may do on one report, a second at worst. Ten rules on
 * 500 images take a tenth of it.
 */
#define WORK_MAX (4 * REGEX_WORK_MAX)

/** The rules at work on one report. */
struct judging {
	const struct config *config;
	struct report *report;
	struct arena *arena;
	size_t work;
	bool *told; ///< by rule: that it could not be decided
};

static enum regex_answer match_rule(const struct config_rule *rule,
                                    const struct report_image *image,
                                    size_t *work)
{
	const struct config_property properties[] = {
		{ &rule->image, image->name },
		{ &rule->path, image->path },
		{ &rule->bundle, image->bundle_id },
	};

	return config_match_all(properties, ARRAY_SIZE(properties), work);
}

/** Said once a report: the rule will be too costly for many images. */
static void tell_undecided(struct judging *j, size_t rule)
{
	const struct config_source *source = &j->config->rules[rule].source;

	if (j->told[rule])
		return;
	j->told[rule] = true;
	report_add_note(j->report, j->arena,
	                arena_printf(j->arena, "in-app rule %s",
	                             config_source_text(source, j->arena)),
	                "exceeds the matching limits for some images, which "
	                "are treated as if no rule matched");
}

static enum report_app judge(struct judging *j,
                             const struct report_image *image)
{
	for (size_t i = 0; i < j->config->rule_count; i++) {
		const struct config_rule *rule = &j->config->rules[i];

		switch (match_rule(rule, image, &j->work)) {
		case REGEX_YES:
			return rule->is_app ? REPORT_APP_YES : REPORT_APP_NO;
		case REGEX_NO:
			break;
		case REGEX_UNDECIDED:
			// A later rule must not win because this one is slow.
			tell_undecided(j, i);
			return REPORT_APP_UNKNOWN;
		}
	}
	return REPORT_APP_UNKNOWN;
}

void in_app_apply(const struct config *config, struct report *report,
                  struct arena *arena)
{
	SCOPED(mem_drop)
	bool *told = mem_zalloc(config->rule_count, sizeof(*told));
	struct judging judging = {
		.config = config,
		.report = report,
		.arena = arena,
		.work = WORK_MAX,
		.told = told,
	};

	if (!config->rule_count)
		return;
	for (size_t i = 0; i < report->image_count; i++)
		report->images[i].app_rule =
		        judge(&judging, &report->images[i]);
}

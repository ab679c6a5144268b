#include "lib/config/lag_rules.h"

#include "lib/config/pattern.h"
#include "lib/text/yaml.h"

/** Work on one frame. Twenty rules on a long symbol take a hundredth. */
#define WORK_MAX (REGEX_WORK_MAX / 16)

/** Work of one rule on one frame that is not worth counting. */
#define WORK_FREE 64

static const char *const known_fields[] = { "rules", NULL };
static const char *const known_rule_fields[] = { "image", "path", "symbol",
	                                         "action", NULL };
static const char *const action_names[] = {
	[LAG_RULE_BUSINESS] = "business",
	[LAG_RULE_SYSTEM] = "system",
	[LAG_RULE_IGNORE] = "ignore",
	[LAG_RULE_CUT_BELOW] = "cut-below",
	NULL,
};

static struct error *read_patterns(const struct yml *node,
                                   struct lag_rules *rules,
                                   struct lag_rule *rule)
{
	struct error *err;

	if ((err = config_pattern_read(node, "image", &rule->image)) ||
	    (err = config_pattern_read(node, "path", &rule->path)) ||
	    (err = config_pattern_read(node, "symbol", &rule->symbol)))
		return err;
	if (!rule->image.text && !rule->path.text && !rule->symbol.text)
		return yml_error(node, "expected image, path or symbol");
	rules->has_paths |= rule->path.text != NULL;
	return NULL;
}

static struct error *read_rule(const struct yml *item, struct lag_rules *rules)
{
	const struct yml *action = yml_field(item, "action");
	unsigned choice;
	struct lag_rule *rule;
	struct error *err;

	if ((err = yml_known_fields(item, known_rule_fields)))
		return err;
	// Counted before it is complete: what it compiled is released so.
	ARENA_GROW(&rules->arena, rules->rules, rules->count, rules->cap);
	rule = &rules->rules[rules->count++];
	rule->source = (struct config_source){
		.origin = CONFIG_NAMED,
		.name = item->file,
		.line = item->line,
	};
	if ((err = read_patterns(item, rules, rule)))
		return err;
	if (!action)
		return yml_error(item, "expected action: business, system, "
		                       "ignore or cut-below");
	if ((err = yml_choice(action, action_names, &choice)))
		return err;
	rule->action = choice;
	return NULL;
}

static struct error *read_file(struct text in, const char *name,
                               struct lag_rules *rules)
{
	const struct yml *root;
	const struct yml *list;
	struct error *err = yml_parse(in, name, &rules->arena, &root);

	if (err || (err = yml_known_fields(root, known_fields)))
		return err;
	list = yml_field(root, "rules");
	if (!list)
		return NULL;
	err = yml_list(list);
	for (const struct yml *at = list->first; !err && at; at = at->next) {
		if (rules->count == LAG_RULES_MAX)
			return yml_error(at, "rules: more than %d items",
			                 LAG_RULES_MAX);
		err = read_rule(at, rules);
	}
	return err;
}

struct error *lag_rules_parse(struct text in, const char *name,
                              struct lag_rules *ret)
{
	struct lag_rules rules = { 0 };
	struct error *err = read_file(in, name, &rules);

	if (err)
		lag_rules_release(&rules);
	else
		*ret = rules;
	return err;
}

void lag_rules_release(struct lag_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		regex_free(rules->rules[i].image.regex);
		regex_free(rules->rules[i].path.regex);
		regex_free(rules->rules[i].symbol.regex);
	}
	arena_release(&rules->arena);
	*rules = (struct lag_rules){ 0 };
}

/** The first rule that matches, or is too costly to decide. */
static const struct lag_rule *find(const struct lag_rules *rules,
                                   const struct lag_rule_subject *subject,
                                   size_t *work, enum regex_answer *ret)
{
	*ret = REGEX_NO;
	for (size_t i = 0; i < rules->count; i++) {
		const struct lag_rule *rule = &rules->rules[i];
		const struct config_property properties[] = {
			{ &rule->image, subject->image },
			{ &rule->path, subject->path },
			{ &rule->symbol, subject->symbol },
		};

		*ret = config_match_all(properties, ARRAY_SIZE(properties),
		                        work);
		if (*ret != REGEX_NO)
			return rule;
	}
	return NULL;
}

/** Charge for a call that took longer than most. */
static void charge(size_t *budget, size_t work, size_t rule_count)
{
	size_t free_work = rule_count * WORK_FREE;

	if (work > free_work)
		*budget -= work - free_work < *budget ? work - free_work
		                                      : *budget;
}

const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      size_t *budget,
                                      const struct lag_rule **ret_undecided)
{
	const struct lag_rule *rule;
	enum regex_answer answer;
	size_t work = WORK_MAX;

	*ret_undecided = NULL;
	if (!*budget)
		return NULL;
	rule = find(rules, subject, &work, &answer);
	charge(budget, WORK_MAX - work, rules->count);
	if (answer != REGEX_UNDECIDED)
		return rule;
	*ret_undecided = rule;
	return NULL;
}

// SPDX-License-Identifier: MIT
#include "lib/config/lag_rules.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/config/pattern.h"
#include "lib/text/yaml.h"

#include <string.h>

/** Work on one frame. Twenty rules on a long symbol take a hundredth. */
static size_t most_work(void)
{
	return limit_get(LIMIT_PATTERN_STEPS) / 16;
}

/**
 * Work on one frame that is free: one step for each rule, and these for each
 * byte of the symbol.
 */
#define STEPS_PER_BYTE 4

size_t lag_rules_budget(void)
{
	return 4 * limit_get(LIMIT_PATTERN_STEPS);
}

static const char *const known_fields[] = { "rules", NULL };
static const char *const known_rule_fields[] = { "image", "path", "symbol",
	                                         "action", NULL };
static const char *const known_crash_fields[] = {
	"image",  "path",   "symbol", "action",  "pattern",    "position",
	"when",   "skip",   "cause",  "meaning", "confidence", "sentence",
	"advice", "source", "file",   NULL,
};

const struct lag_rules_words lag_rules_of_samples = {
	.actions = {
		[LAG_RULE_BUSINESS] = "business",
		[LAG_RULE_SYSTEM] = "system",
		[LAG_RULE_IGNORE] = "ignore",
		[LAG_RULE_CUT_BELOW] = "cut-below",
	},
};

const struct lag_rules_words lag_rules_of_crashes = {
	.actions = {
		[LAG_RULE_BUSINESS] = "in-app",
		[LAG_RULE_SYSTEM] = "system",
		[LAG_RULE_IGNORE] = "irrelevant",
		[LAG_RULE_PREFIX] = "prefix",
		[LAG_RULE_THROW] = "throw",
		[LAG_RULE_HANDLER] = "handler",
		[LAG_RULE_THREAD_BASE] = "thread-base",
	},
	.has_bare_pattern = true,
	.has_meanings = true,
};

const char *lag_rule_action_name(const struct lag_rules_words *words,
                                 const struct lag_rule *rule)
{
	return rule->action == LAG_RULE_MEANS ? "meaning"
	                                      : words->actions[rule->action];
}

/** `pattern`, a regular expression without a mark. */
static struct error *read_bare_pattern(const struct yml *node,
                                       struct config_pattern *ret)
{
	const struct yml *pattern = yml_field(node, "pattern");
	struct error *err;

	if (!pattern)
		return NULL;
	if (ret->text)
		return yml_error(pattern, "'symbol' and 'pattern' are both "
		                          "about the function's name");
	if ((err = yml_text(pattern, &ret->text)))
		return err;
	err = regex_compile(text_from(ret->text), &ret->regex);
	return error_prefix(err, "%s:%u:%u", pattern->file, pattern->line,
	                    pattern->column);
}

static struct error *read_patterns(const struct yml *node,
                                   const struct lag_rules_words *words,
                                   struct lag_rules *rules,
                                   struct lag_rule *rule)
{
	struct error *err;

	if ((err = config_pattern_read(node, "image", &rule->image)) ||
	    (err = config_pattern_read(node, "path", &rule->path)) ||
	    (err = config_pattern_read(node, "symbol", &rule->symbol)) ||
	    (words->has_meanings &&
	     (err = config_pattern_read(node, "file", &rule->file))) ||
	    (err = read_bare_pattern(node, &rule->symbol)))
		return err;
	if (!rule->image.text && !rule->path.text && !rule->symbol.text &&
	    !rule->file.text)
		return yml_error(node, "expected image, path%s",
		                 words->has_bare_pattern ? ", symbol, pattern "
		                                           "or file"
		                                         : " or symbol");
	rules->has_paths |= rule->path.text != NULL;
	rules->has_files |= rule->file.text != NULL;
	return NULL;
}

/** `expected action: business, system, ignore or cut-below` */
static struct error *refuse_no_action(const struct yml *item,
                                      const char *const *names)
{
	SCOPED(str_release) struct str text = { 0 };

	for (; *names; names++)
		str_addf(&text, "%s%s",
		         !text.size ? ""
		         : names[1] ? ", "
		                    : " or ",
		         *names);
	return yml_error(item, "expected action: %s", str_cstr(&text));
}

/** The actions that files of a kind have, in a list that ends with NULL. */
static struct error *read_action(const struct yml *item,
                                 const struct lag_rules_words *words,
                                 enum lag_rule_action *ret)
{
	const struct yml *action = yml_field(item, "action");
	const char *names[LAG_RULE_ACTIONS + 1];
	enum lag_rule_action actions[LAG_RULE_ACTIONS];
	size_t count = 0;
	unsigned choice;
	struct error *err;

	for (unsigned i = 0; i < LAG_RULE_ACTIONS; i++) {
		if (!words->actions[i])
			continue;
		names[count] = words->actions[i];
		actions[count++] = (enum lag_rule_action)i;
	}
	names[count] = NULL;
	if (!action)
		return refuse_no_action(item, names);
	if ((err = yml_choice(action, names, &choice)))
		return err;
	*ret = actions[choice];
	return NULL;
}

// What a frame means

static const char *const position_words[] = {
	[FRAME_POSITION_INNERMOST] = "innermost",
	[FRAME_POSITION_TOP] = "top",
	[FRAME_POSITION_THROWER] = "under-thrower",
	[FRAME_POSITION_ANYWHERE] = "anywhere",
	NULL,
};
static const char *const when_words[] = {
	[FRAME_WHEN_STOP] = "stop",
	[FRAME_WHEN_ACCESS] = "access",
	[FRAME_WHEN_ANY] = "any",
	NULL,
};
static const char *const confidence_words[] = { "possible", "likely", "certain",
	                                        NULL };

static struct error *read_word(const struct yml *item, const char *name,
                               const char *const *words, unsigned *ret)
{
	const struct yml *node = yml_field(item, name);

	return node ? yml_choice(node, words, ret) : NULL;
}

static struct error *read_line(const struct yml *item, const char *name,
                               const char **ret)
{
	const struct yml *node = yml_field(item, name);

	return node ? yml_text(node, ret) : NULL;
}

/** `meaning`, `cause` and `sentence` belong together. */
static struct error *read_meaning(const struct yml *item,
                                  struct lag_rules *rules,
                                  struct lag_rule *rule)
{
	struct frame_meaning meaning = { 0 };
	unsigned position = FRAME_POSITION_INNERMOST, when = FRAME_WHEN_STOP;
	unsigned confidence = 2;
	struct error *err;

	if ((err = read_line(item, "meaning", &meaning.meaning)) ||
	    (err = read_line(item, "cause", &meaning.cause)) ||
	    (err = read_line(item, "sentence", &meaning.sentence)) ||
	    (err = read_line(item, "advice", &meaning.advice)) ||
	    (err = read_line(item, "source", &meaning.source)) ||
	    (err = read_word(item, "position", position_words, &position)) ||
	    (err = read_word(item, "when", when_words, &when)) ||
	    (err = read_word(item, "confidence", confidence_words,
	                     &confidence)))
		return err;
	if (!meaning.meaning && !meaning.cause && !meaning.sentence)
		return NULL;
	if (!meaning.meaning || !meaning.cause || !meaning.sentence)
		return yml_error(item, "expected meaning, cause and sentence "
		                       "together");
	meaning.position = (enum frame_position)position;
	meaning.when = (enum frame_when)when;
	meaning.confidence = confidence;
	rule->meaning = arena_alloc(&rules->arena, sizeof(*rule->meaning));
	*rule->meaning = meaning;
	return NULL;
}

static struct error *read_skip(const struct yml *item, struct lag_rule *rule)
{
	const struct yml *skip = yml_field(item, "skip");

	// What raises, handles or only passes on is not where it failed.
	rule->skip = rule->action == LAG_RULE_THROW ||
	             rule->action == LAG_RULE_HANDLER ||
	             rule->action == LAG_RULE_THREAD_BASE;
	return skip ? yml_bool(skip, &rule->skip) : NULL;
}

static struct error *read_crash_fields(const struct yml *item,
                                       struct lag_rules *rules,
                                       struct lag_rule *rule)
{
	struct error *err = read_meaning(item, rules, rule);

	if (err)
		return err;
	if (!yml_field(item, "action") &&
	    (rule->meaning || yml_field(item, "skip")))
		rule->action = LAG_RULE_MEANS;
	else if ((err = read_action(item, &lag_rules_of_crashes,
	                            &rule->action)))
		return err;
	return read_skip(item, rule);
}

static struct error *read_rule(const struct yml *item,
                               const struct lag_rules_words *words,
                               struct lag_rules *rules)
{
	struct lag_rule *rule;
	struct error *err = yml_known_fields(item, words->has_meanings
	                                                   ? known_crash_fields
	                                                   : known_rule_fields);

	if (err)
		return err;
	// Counted before it is complete: what it compiled is released so.
	ARENA_GROW(&rules->arena, rules->rules, rules->count, rules->cap);
	rule = &rules->rules[rules->count++];
	rule->source = (struct config_source){
		.origin = CONFIG_NAMED,
		.name = item->file,
		.line = item->line,
	};
	if ((err = read_patterns(item, words, rules, rule)))
		return err;
	if (words->has_meanings)
		return read_crash_fields(item, rules, rule);
	return read_action(item, words, &rule->action);
}

static struct error *read_file(struct text in, const char *name,
                               const struct lag_rules_words *words,
                               struct lag_rules *rules)
{
	size_t before = rules->count;
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
		if (rules->count - before == LAG_RULES_MAX)
			return yml_error(at, "rules: more than %d items",
			                 LAG_RULES_MAX);
		err = read_rule(at, words, rules);
	}
	return err;
}

static void release_rule(struct lag_rule *rule)
{
	regex_free(rule->image.regex);
	regex_free(rule->path.regex);
	regex_free(rule->symbol.regex);
	regex_free(rule->file.regex);
}

struct error *lag_rules_add(struct text in, const char *name,
                            const struct lag_rules_words *words,
                            struct lag_rules *rules)
{
	size_t before = rules->count;
	struct error *err = read_file(in, name, words, rules);

	while (err && rules->count > before)
		release_rule(&rules->rules[--rules->count]);
	return err;
}

struct error *lag_rules_parse(struct text in, const char *name,
                              struct lag_rules *ret)
{
	struct lag_rules rules = { 0 };
	struct error *err =
	        lag_rules_add(in, name, &lag_rules_of_samples, &rules);

	if (err)
		lag_rules_release(&rules);
	else
		*ret = rules;
	return err;
}

void lag_rules_release(struct lag_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		release_rule(&rules->rules[i]);
	arena_release(&rules->arena);
	*rules = (struct lag_rules){ 0 };
}

static enum regex_answer match(const struct lag_rule *rule,
                               const struct lag_rule_subject *subject,
                               size_t *work)
{
	const struct config_property properties[] = {
		{ &rule->image, subject->image },
		{ &rule->path, subject->path },
		{ &rule->symbol, subject->symbol },
		{ &rule->file, subject->file },
	};

	return config_match_all(properties, ARRAY_SIZE(properties), work);
}

/** Charge for a call that took longer than most. */
static void charge(size_t *budget, size_t work, size_t rule_count,
                   const struct lag_rule_subject *subject)
{
	size_t size = subject->symbol ? strlen(subject->symbol) : 0;

	*budget = number_difference(
	        *budget,
	        number_difference(work, rule_count + STEPS_PER_BYTE * size));
}

bool lag_rule_matches(const struct lag_rule *rule,
                      const struct lag_rule_subject *subject, size_t *budget)
{
	const size_t most = most_work();
	size_t work = most;
	bool found;

	if (!*budget)
		return false;
	found = match(rule, subject, &work) == REGEX_YES;
	charge(budget, most - work, 1, &(struct lag_rule_subject){ 0 });
	return found;
}

static bool is_meant(const struct lag_rule *rule, unsigned positions,
                     bool is_access)
{
	const struct frame_meaning *meaning = rule->meaning;

	return meaning && (positions & 1u << meaning->position) &&
	       (meaning->when == FRAME_WHEN_ANY ||
	        (meaning->when == FRAME_WHEN_ACCESS) == is_access);
}

size_t lag_rules_find_meaning(const struct lag_rules *rules, unsigned positions,
                              bool is_access, size_t most,
                              const struct lag_rule_subject *subject,
                              size_t *budget)
{
	const size_t most_work_steps = most_work();
	size_t work = most_work_steps;
	enum regex_answer answer = REGEX_NO;
	size_t i = 0;

	for (; *budget && i < most; i++) {
		if (!is_meant(&rules->rules[i], positions, is_access))
			continue;
		answer = match(&rules->rules[i], subject, &work);
		if (answer != REGEX_NO)
			break;
	}
	charge(budget, most_work_steps - work, most, subject);
	// Too costly to decide: a later one must not win.
	return answer == REGEX_YES ? i : most;
}

/** The first rule that matches, or is too costly to decide. */
static const struct lag_rule *find(const struct lag_rules *rules,
                                   unsigned actions,
                                   const struct lag_rule_subject *subject,
                                   size_t *work, enum regex_answer *ret)
{
	*ret = REGEX_NO;
	for (size_t i = 0; i < rules->count; i++) {
		const struct lag_rule *rule = &rules->rules[i];

		if (!(actions & LAG_RULES_OF(rule->action)))
			continue;
		*ret = match(rule, subject, work);
		if (*ret != REGEX_NO)
			return rule;
	}
	return NULL;
}

const struct lag_rule *lag_rules_find_of(const struct lag_rules *rules,
                                         unsigned actions,
                                         const struct lag_rule_subject *subject,
                                         size_t *budget,
                                         const struct lag_rule **ret_undecided)
{
	const struct lag_rule *rule;
	enum regex_answer answer;
	const size_t most = most_work();
	size_t work = most;

	*ret_undecided = NULL;
	if (!*budget)
		return NULL;
	rule = find(rules, actions, subject, &work, &answer);
	charge(budget, most - work, rules->count, subject);
	if (answer != REGEX_UNDECIDED)
		return rule;
	*ret_undecided = rule;
	return NULL;
}

const struct lag_rule *lag_rules_find_skip(
        const struct lag_rules *rules, const struct lag_rule_subject *subject,
        size_t *budget)
{
	const struct lag_rule *undecided;
	const struct lag_rule *rule = lag_rules_find_of(
	        rules,
	        LAG_RULES_ALL & ~LAG_RULES_OF(LAG_RULE_BUSINESS) &
	                ~LAG_RULES_OF(LAG_RULE_SYSTEM),
	        subject, budget, &undecided);

	return rule && rule->skip ? rule : NULL;
}

const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      size_t *budget,
                                      const struct lag_rule **ret_undecided)
{
	return lag_rules_find_of(rules, LAG_RULES_ALL, subject, budget,
	                         ret_undecided);
}

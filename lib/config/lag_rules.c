// SPDX-License-Identifier: MIT
#include "lib/config/lag_rules.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/config/pattern.h"
#include "lib/text/yaml.h"

#include <string.h>

/** Max work on one frame. Twenty rules on a long symbol take a hundredth. */
static size_t most_work(void)
{
	return limit_get(LIMIT_PATTERN_STEPS) / 16;
}

/**
 * Free work on one frame: one step per rule, and this number per byte of the
 * symbol.
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
	err = config_pattern_compile(pattern, text_from(ret->text),
	                             &ret->regex);
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

// Meanings of frames

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

	// Functions that raise, handle or pass on errors are not the cause.
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
	// Counted first, so that its regexes are freed on errors.
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

static struct error *read_list(const struct yml *list,
                               const struct lag_rules_words *words,
                               struct lag_rules *rules)
{
	size_t before = rules->count;
	struct error *err = yml_list(list);

	for (const struct yml *at = list->first; !err && at; at = at->next) {
		if (rules->count - before == LAG_RULES_MAX)
			return yml_error(at, "rules: more than %d items",
			                 LAG_RULES_MAX);
		err = read_rule(at, words, rules);
	}
	return err;
}

static struct error *read_file(struct text in, const char *name,
                               const struct lag_rules_words *words,
                               struct lag_rules *rules)
{
	const struct yml *root;
	const struct yml *list;
	struct error *err = yml_parse(in, name, &rules->arena, &root);

	if (err || (err = yml_known_fields(root, known_fields)))
		return err;
	list = yml_field(root, "rules");
	return list ? read_list(list, words, rules) : NULL;
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

struct error *lag_rules_add_meanings(struct lag_rules *rules)
{
	return read_list(yml_of_rows(frame_meanings_rows, frame_meanings_count,
	                             "frame-meanings.yaml", &rules->arena),
	                 &lag_rules_of_crashes, rules);
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

static enum regex_answer match_rule(const struct lag_rule *rule,
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

/** Charge the budget for a slow call. */
static void charge(size_t *budget, size_t work, size_t rule_count,
                   const struct lag_rule_subject *subject)
{
	size_t size = subject->symbol ? strlen(subject->symbol) : 0;

	*budget = number_difference(
	        *budget,
	        number_difference(work, rule_count + STEPS_PER_BYTE * size));
}

const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      size_t *budget,
                                      const struct lag_rule **ret_undecided)
{
	enum regex_answer answer = REGEX_NO;
	const size_t max = most_work();
	size_t work = max;
	size_t i = 0;

	*ret_undecided = NULL;
	if (!*budget)
		return NULL;
	for (; i < rules->count; i++) {
		answer = match_rule(&rules->rules[i], subject, &work);
		if (answer != REGEX_NO)
			break;
	}
	charge(budget, max - work, rules->count, subject);
	if (answer == REGEX_UNDECIDED)
		*ret_undecided = &rules->rules[i];
	return answer == REGEX_YES ? &rules->rules[i] : NULL;
}

// All that match

bool lag_rules_match(const struct lag_rules *rules,
                     const struct lag_rule_subject *subject, size_t *budget,
                     struct arena *arena, struct lag_matches *ret)
{
	const size_t max = most_work();
	struct text symbol = text_from(subject->symbol ? subject->symbol : "");
	struct lag_match *items = NULL;
	size_t count = 0, cap = 0, spent = 0;

	for (size_t i = 0; i < rules->count && spent < *budget; i++) {
		const struct regex *regex = rules->rules[i].symbol.regex;
		size_t work = max;
		enum regex_answer answer;

		if (regex && !regex_may_match(regex, symbol))
			continue;
		answer = match_rule(&rules->rules[i], subject, &work);
		spent += max - work;
		if (answer == REGEX_NO)
			continue;
		ARENA_GROW(arena, items, count, cap);
		items[count++] = (struct lag_match){
			.rule = &rules->rules[i],
			.is_undecided = answer == REGEX_UNDECIDED,
		};
	}
	if (spent >= *budget) {
		*budget = 0;
		*ret = (struct lag_matches){ .items = NULL };
		return false;
	}
	*ret = (struct lag_matches){ .items = items, .count = count };
	charge(budget, spent, rules->count, subject);
	return true;
}

const struct lag_rule *lag_matches_find(const struct lag_matches *matches,
                                        unsigned actions,
                                        const struct lag_rule **ret_undecided)
{
	*ret_undecided = NULL;
	for (size_t i = 0; i < matches->count; i++) {
		const struct lag_match *match = &matches->items[i];

		if (!(actions & LAG_RULES_OF(match->rule->action)))
			continue;
		if (!match->is_undecided)
			return match->rule;
		*ret_undecided = match->rule;
		break;
	}
	return NULL;
}

static bool is_meant(const struct lag_rule *rule, unsigned positions,
                     bool is_access)
{
	const struct frame_meaning *meaning = rule->meaning;

	return meaning && (positions & 1u << meaning->position) &&
	       (meaning->when == FRAME_WHEN_ANY ||
	        (meaning->when == FRAME_WHEN_ACCESS) == is_access);
}

const struct lag_rule *lag_matches_find_meaning(
        const struct lag_matches *matches, unsigned positions, bool is_access)
{
	for (size_t i = 0; i < matches->count; i++) {
		const struct lag_match *match = &matches->items[i];

		if (is_meant(match->rule, positions, is_access))
			return match->is_undecided ? NULL : match->rule;
	}
	return NULL;
}

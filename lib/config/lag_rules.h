// SPDX-License-Identifier: MIT
/**
 * The user's rules on frames, of samples and of crashes: whose code they are,
 * and which are left out. A YAML file, untrusted as the config is
 * (lib/config/config.h), with the same patterns; apmtool-rules(5) describes it.
 *
 *     rules:
 *       - image: VendorKit
 *         action: system
 *       - symbol: regex:^-\[Demo(Log|Trace)
 *         action: ignore
 */
#ifndef APMTOOL_LIB_CONFIG_LAG_RULES_H
#define APMTOOL_LIB_CONFIG_LAG_RULES_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/config/config.h"
#include "lib/text/yaml.h"

#include <stdbool.h>
#include <stddef.h>

/** Most rules of a file; what exceeds it is an ERROR_CONFIG. */
#define LAG_RULES_MAX 1000

enum lag_rule_action {
	LAG_RULE_BUSINESS,  ///< the app's own code
	LAG_RULE_SYSTEM,    ///< not the app's own
	LAG_RULE_IGNORE,    ///< the frame is left out of every stack
	LAG_RULE_CUT_BELOW, ///< what the frame calls is left out
	// Of crashes only, for their signatures:
	LAG_RULE_PREFIX,      ///< says too little alone: the next one counts
	LAG_RULE_THROW,       ///< it raises: it and what it calls are left out
	LAG_RULE_HANDLER,     ///< the same of what handles a signal
	LAG_RULE_THREAD_BASE, ///< it and what called it are left out
	LAG_RULE_MEANS,       ///< no action: it only has a meaning
	LAG_RULE_ACTIONS,
};

/** A set of actions, a bit each. */
#define LAG_RULES_OF(action) (1u << (action))
#define LAG_RULES_ALL        (LAG_RULES_OF(LAG_RULE_ACTIONS) - 1)

/** Where in the stack a frame must be to mean something. */
enum frame_position {
	FRAME_POSITION_INNERMOST, ///< before the code that failed
	FRAME_POSITION_TOP,       ///< the very innermost one
	FRAME_POSITION_THROWER,   ///< called objc_exception_throw()
	FRAME_POSITION_ANYWHERE,
};

/** What kind of end a frame explains. */
enum frame_when {
	FRAME_WHEN_STOP,   ///< the process stopped itself: abort, trap
	FRAME_WHEN_ACCESS, ///< it accessed memory that it must not
	FRAME_WHEN_ANY,
};

/** Why a process ended, if this frame is on its stack. */
struct frame_meaning {
	const char *meaning;  ///< what the frame says, in a few words
	const char *cause;    ///< the word of a cause: explain checks it
	const char *sentence; ///< completes "PROCESS …"
	const char *advice;   ///< NULL: none
	const char *source;   ///< of the fact; NULL: not said
	unsigned confidence;  ///< 0 possible, 1 likely, 2 certain
	enum frame_position position;
	enum frame_when when;
};

/** Decides for the frames that match all of its patterns. */
struct lag_rule {
	struct config_pattern image;  ///< name
	struct config_pattern path;   ///< without a leading `/private`
	struct config_pattern symbol; ///< demangled
	struct config_pattern file;   ///< of the source: its path, or its name
	enum lag_rule_action action;
	struct frame_meaning *meaning; ///< NULL: none
	bool skip;                     ///< never the frame to look at first
	struct config_source source;   ///< file and line
};

/** The rules for functions of Apple's systems: data/system-symbols.yaml. */
extern const char system_symbols_text[];
/** Those for crashes: data/frame-meanings.yaml. */
extern const struct yml_row frame_meanings_rows[];
extern const size_t frame_meanings_count;

/** What a file of rules may say. */
struct lag_rules_words {
	/** Names by action; those without one are not in such files. */
	const char *actions[LAG_RULE_ACTIONS + 1];
	/** `pattern: X` may stand for `symbol: regex:X`. */
	bool has_bare_pattern;
	/** A rule may say what its frames mean (struct frame_meaning). */
	bool has_meanings;
};

extern const struct lag_rules_words lag_rules_of_samples;
extern const struct lag_rules_words lag_rules_of_crashes;

/** All zeros is no rules. */
struct lag_rules {
	struct arena arena;
	struct lag_rule *rules; ///< the first that matches decides
	size_t count;
	size_t cap;
	bool has_paths; ///< some rule asks for the path
	bool has_files; ///< some rule asks for the source file
};

/**
 * Read a file.
 *
 * @param name  How messages call it; copied.
 * @param ret   Set after success only; what it held before is not released.
 * @return An ERROR_CONFIG or ERROR_LIMIT with the place in the file.
 */
MUST_CHECK struct error *lag_rules_parse(struct text in, const char *name,
                                         struct lag_rules *ret);
/**
 * The same for any kind of file: its rules come after those that are there,
 * which stay after an error, too.
 */
MUST_CHECK struct error *lag_rules_add(struct text in, const char *name,
                                       const struct lag_rules_words *words,
                                       struct lag_rules *rules);
/** The same for data/frame-meanings.yaml, which is built in. */
MUST_CHECK struct error *lag_rules_add_meanings(struct lag_rules *rules);
void lag_rules_release(struct lag_rules *rules);

/**
 * What rules may take of a run, however many functions there are: about a
 * second. `--limit pattern-steps` changes it.
 */
size_t lag_rules_budget(void);

/** What is known of a frame; NULL: that is not. */
struct lag_rule_subject {
	const char *image;
	const char *path;
	const char *symbol;
	const char *file;
};

/**
 * The first rule that matches; NULL: none does. A property that is not known
 * matches no pattern.
 *
 * One call takes 30 ms at worst. A rule that is too costly to decide ends the
 * search without a result, as in the config: a later one must not win because
 * this one is slow.
 *
 * @param budget         In and out: what calls that take long may take all
 *                       together, lag_rules_budget() at first. Once it is
 *                       spent, none is found.
 * @param ret_undecided  Set to such a rule, which is worth a warning; NULL
 *                       where there was none.
 */
const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      size_t *budget,
                                      const struct lag_rule **ret_undecided);

/** A rule that matches a function. */
struct lag_match {
	const struct lag_rule *rule;
	bool is_undecided; ///< it is too costly to decide
};

/** All rules that match a function, in their order. */
struct lag_matches {
	const struct lag_match *items;
	size_t count;
};

/**
 * Find all rules that match: to be asked once for each function, however often
 * it comes. Each rule may take as long as a call of lag_rules_find().
 *
 * @param budget  As lag_rules_find() has it.
 * @param ret     In the arena.
 * @return False where the budget is spent, before or now.
 */
bool lag_rules_match(const struct lag_rules *rules,
                     const struct lag_rule_subject *subject, size_t *budget,
                     struct arena *arena, struct lag_matches *ret);

/**
 * The first one with one of these actions, LAG_RULES_OF() them, or NULL. One
 * that is undecided ends the search, as in lag_rules_find().
 */
const struct lag_rule *lag_matches_find(const struct lag_matches *matches,
                                        unsigned actions,
                                        const struct lag_rule **ret_undecided);

/**
 * The first one whose frames mean something at one of these positions and at
 * such an end; NULL: no rule, or one before it is undecided.
 *
 * @param positions  1 << enum frame_position, of those that are the frame's.
 */
const struct lag_rule *lag_matches_find_meaning(
        const struct lag_matches *matches, unsigned positions, bool is_access);

/** The name of a rule's action in files of its kind. */
const char *lag_rule_action_name(const struct lag_rules_words *words,
                                 const struct lag_rule *rule);

#endif

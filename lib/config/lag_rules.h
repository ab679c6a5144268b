// SPDX-License-Identifier: MIT
/**
 * Rules on frames of samples and crashes: whose code they are, and which are
 * removed. A YAML file, untrusted like the config (lib/config/config.h), with
 * the same patterns; see apmtool-rules(5).
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

/** Max rules of a file; more are an ERROR_CONFIG. */
#define LAG_RULES_MAX 1000

enum lag_rule_action {
	LAG_RULE_BUSINESS,  ///< the app's own code
	LAG_RULE_SYSTEM,    ///< not the app's code
	LAG_RULE_IGNORE,    ///< remove the frame from every stack
	LAG_RULE_CUT_BELOW, ///< remove the frame's callees
	// Only for signatures of crashes:
	LAG_RULE_PREFIX,  ///< too general alone: the next frame counts, too
	LAG_RULE_THROW,   ///< raises an exception: remove it and its callees
	LAG_RULE_HANDLER, ///< handles a signal: remove it and its callees
	LAG_RULE_THREAD_BASE, ///< remove it and its callers
	LAG_RULE_MEANS,       ///< no action, only a meaning
	LAG_RULE_ACTIONS,
};

/** A set of actions, one bit each. */
#define LAG_RULES_OF(action) (1u << (action))
#define LAG_RULES_ALL        (LAG_RULES_OF(LAG_RULE_ACTIONS) - 1)

/** Where in the stack a frame has its meaning. */
enum frame_position {
	FRAME_POSITION_INNERMOST, ///< before the failing code
	FRAME_POSITION_TOP,       ///< innermost frame
	FRAME_POSITION_THROWER,   ///< caller of objc_exception_throw()
	FRAME_POSITION_ANYWHERE,
};

/** Kinds of ends that a frame explains. */
enum frame_when {
	FRAME_WHEN_STOP,   ///< the process stopped itself: abort, trap
	FRAME_WHEN_ACCESS, ///< invalid memory access
	FRAME_WHEN_ANY,
};

/** Why a process ended, if this frame is on its stack. */
struct frame_meaning {
	const char *meaning;  ///< a few words about the frame
	const char *cause;    ///< name of a cause, checked by explain
	const char *sentence; ///< completes "PROCESS …"
	const char *advice;   ///< or NULL
	const char *source;   ///< of the fact; or NULL
	unsigned confidence;  ///< 0 possible, 1 likely, 2 certain
	enum frame_position position;
	enum frame_when when;
};

/** Applies to frames that match all of its patterns. */
struct lag_rule {
	struct config_pattern image;  ///< name
	struct config_pattern path;   ///< without a leading `/private`
	struct config_pattern symbol; ///< demangled
	struct config_pattern file;   ///< path or name of the source file
	enum lag_rule_action action;
	struct frame_meaning *meaning; ///< or NULL
	bool skip;                     ///< never the frame to look at first
	struct config_source source;   ///< file and line
};

/** Rules for functions of Apple's systems: data/system-symbols.yaml. */
extern const char system_symbols_text[];
/** Rules for crashes: data/frame-meanings.yaml. */
extern const struct yml_row frame_meanings_rows[];
extern const size_t frame_meanings_count;

/** Syntax of a kind of rules file. */
struct lag_rules_words {
	/** Names by action; NULL for actions that such files do not have. */
	const char *actions[LAG_RULE_ACTIONS + 1];
	/** `pattern: X` is an alias for `symbol: regex:X`. */
	bool has_bare_pattern;
	/** Rules may have meanings (struct frame_meaning). */
	bool has_meanings;
};

extern const struct lag_rules_words lag_rules_of_samples;
extern const struct lag_rules_words lag_rules_of_crashes;

/** All zeros: no rules. */
struct lag_rules {
	struct arena arena;
	struct lag_rule *rules; ///< the first match wins
	size_t count;
	size_t cap;
	bool has_paths; ///< some rule needs the path
	bool has_files; ///< some rule needs the source file
};

/**
 * Read a file.
 *
 * @param name  For messages; copied.
 * @param ret   Set on success only; its previous contents are not released.
 * @return An ERROR_CONFIG or ERROR_LIMIT with the place in the file.
 */
MUST_CHECK struct error *lag_rules_parse(struct text in, const char *name,
                                         struct lag_rules *ret);
/**
 * As lag_rules_parse() for any kind of file: appends to @p rules, which keep
 * their previous rules on errors.
 */
MUST_CHECK struct error *lag_rules_add(struct text in, const char *name,
                                       const struct lag_rules_words *words,
                                       struct lag_rules *rules);
/** Append data/frame-meanings.yaml, which is built in. */
MUST_CHECK struct error *lag_rules_add_meanings(struct lag_rules *rules);
void lag_rules_release(struct lag_rules *rules);

/**
 * Total budget for matching in a run, about a second for any number of
 * functions. `--limit pattern-steps` changes it.
 */
size_t lag_rules_budget(void);

/** Known properties of a frame; or NULL. */
struct lag_rule_subject {
	const char *image;
	const char *path;
	const char *symbol;
	const char *file;
};

/**
 * The first rule that matches; or NULL. Unknown properties match no pattern.
 *
 * A call takes at most 30 ms. A rule that exceeds this ends the search without
 * a result, as in the config: a later rule must not win because this one is
 * slow.
 *
 * @param budget         In and out: total for slow calls, initially
 *                lag_rules_budget(). When it is used up, no rule is found.
 * @param ret_undecided  Set to a rule that took too long, for a warning; or
 *     NULL.
 */
const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      size_t *budget,
                                      const struct lag_rule **ret_undecided);

/** A rule that matches a function. */
struct lag_match {
	const struct lag_rule *rule;
	bool is_undecided; ///< it took too long to decide
};

/** All rules that match a function, in order. */
struct lag_matches {
	const struct lag_match *items;
	size_t count;
};

/**
 * Find all rules that match. Call it once for each function. Each rule may take
 * as long as a call of lag_rules_find().
 *
 * @param budget  As for lag_rules_find().
 * @param ret     In the arena.
 * @return False if the budget is used up.
 */
bool lag_rules_match(const struct lag_rules *rules,
                     const struct lag_rule_subject *subject, size_t *budget,
                     struct arena *arena, struct lag_matches *ret);

/**
 * The first match with one of these actions (LAG_RULES_OF()), or NULL. An
 * undecided match ends the search, as in lag_rules_find().
 */
const struct lag_rule *lag_matches_find(const struct lag_matches *matches,
                                        unsigned actions,
                                        const struct lag_rule **ret_undecided);

/**
 * The first match with a meaning at one of these positions and for this kind of
 * end; NULL if there is none, or an earlier one is undecided.
 *
 * @param positions  1 << enum frame_position, for those of the frame.
 */
const struct lag_rule *lag_matches_find_meaning(
        const struct lag_matches *matches, unsigned positions, bool is_access);

/** The name of a rule's action in its kind of file. */
const char *lag_rule_action_name(const struct lag_rules_words *words,
                                 const struct lag_rule *rule);

#endif

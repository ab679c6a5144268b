/**
 * The user's rules on frames of samples: whose code they are, and which are
 * left out. A YAML file, untrusted as the config is (lib/config/config.h), with
 * the same patterns; apmtool-rules(5) describes it.
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

#include <stdbool.h>
#include <stddef.h>

/** Most rules of a file; what exceeds it is an ERROR_CONFIG. */
#define LAG_RULES_MAX 1000

enum lag_rule_action {
	LAG_RULE_BUSINESS,  ///< the app's own code
	LAG_RULE_SYSTEM,    ///< not the app's own
	LAG_RULE_IGNORE,    ///< the frame is left out of every stack
	LAG_RULE_CUT_BELOW, ///< what the frame calls is left out
};

/** Decides for the frames that match all of its patterns. */
struct lag_rule {
	struct config_pattern image;  ///< name
	struct config_pattern path;   ///< without a leading `/private`
	struct config_pattern symbol; ///< demangled
	enum lag_rule_action action;
	struct config_source source; ///< file and line
};

/** The rules for functions of Apple's systems: data/system-symbols.yaml. */
extern const char system_symbols_text[];

/** All zeros is no rules. */
struct lag_rules {
	struct arena arena;
	struct lag_rule *rules; ///< the first that matches decides
	size_t count;
	size_t cap;
	bool has_paths; ///< some rule asks for the path
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
void lag_rules_release(struct lag_rules *rules);

/** Half a minute at worst, however many functions there are. */
#define LAG_RULES_BUDGET ((size_t)640 << 20)

/** What is known of a frame; NULL: that is not. */
struct lag_rule_subject {
	const char *image;
	const char *path;
	const char *symbol;
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
 *                       together, LAG_RULES_BUDGET at first. Once it is spent,
 *                       none is found.
 * @param ret_undecided  Set to such a rule, which is worth a warning; NULL
 *                       where there was none.
 */
const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      size_t *budget,
                                      const struct lag_rule **ret_undecided);

#endif

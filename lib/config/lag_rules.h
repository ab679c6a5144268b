/**
 * The user's rules on frames of samples: whose code they are, and which are
 * left out. A YAML file, read as the config is (lib/config/config.h), never
 * run; apmtool-rules(5) describes it.
 */
#ifndef APMTOOL_LIB_CONFIG_LAG_RULES_H
#define APMTOOL_LIB_CONFIG_LAG_RULES_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/config/config.h"

#include <stddef.h>

#define LAG_RULES_MAX 1000

enum lag_rule_action {
	LAG_RULE_BUSINESS,  ///< the app's own code
	LAG_RULE_SYSTEM,    ///< not the app's own
	LAG_RULE_IGNORE,    ///< the frame is left out of every stack
	LAG_RULE_CUT_BELOW, ///< what the frame calls is left out
};

/** Decides for the frames that match all of its patterns. */
struct lag_rule {
	struct config_pattern image;
	struct config_pattern path; ///< without a leading `/private`
	struct config_pattern symbol;
	enum lag_rule_action action;
	struct config_source source; ///< file and line
};

/** All zeros is no rules. */
struct lag_rules {
	struct arena arena;
	struct lag_rule *rules; ///< the first that matches decides
	size_t count;
	size_t cap;
};

/** @param name  How messages call the file; copied. */
MUST_CHECK struct error *lag_rules_parse(struct text in, const char *name,
                                         struct lag_rules *ret);
void lag_rules_release(struct lag_rules *rules);

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
 * @param ret_undecided  Set to a rule that was too costly to decide, and was
 *                       passed over; NULL where there was none.
 */
const struct lag_rule *lag_rules_find(const struct lag_rules *rules,
                                      const struct lag_rule_subject *subject,
                                      const struct lag_rule **ret_undecided);

#endif

// SPDX-License-Identifier: MIT
#include "lib/config/lag_rules.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct lag_rule_subject subjects[] = {
		{ "Demo", "/private/var/Demo.app/Demo", "-[Demo load:]",
		  "/src/Demo.m" },
		{ .symbol = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" },
		{ 0 },
	};
	struct text in = { .data = (const char *)data, .size = size };
	struct arena arena = { 0 };
	struct lag_matches matches;
	struct lag_rules rules = { 0 };
	struct error *err = lag_rules_parse(in, "rules.yaml", &rules);
	const struct lag_rule *undecided;
	size_t budget = lag_rules_budget();

	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++)
		lag_rules_find(&rules, &subjects[i], &budget, &undecided);
	error_free(err);
	// The same as rules for crashes, which may say what frames mean.
	err = lag_rules_add(in, "rules.yaml", &lag_rules_of_crashes, &rules);
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++) {
		lag_rules_match(&rules, &subjects[i], &budget, &arena,
		                &matches);
		lag_matches_find_meaning(&matches, ~0U, false);
	}
	arena_release(&arena);
	error_free(err);
	lag_rules_release(&rules);
	return 0;
}

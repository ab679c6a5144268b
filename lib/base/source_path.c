// SPDX-License-Identifier: MIT
#include "lib/base/source_path.h"

#include <stddef.h>

struct rule {
	struct text old; ///< without slashes at its end
	struct text new; ///< NEW of the rule
	bool takes_away; ///< NEW is empty: remove the beginning, even the root
};

static struct arena memory;
static struct rule *rules;
static size_t count;
static size_t cap;

bool source_path_is_rule(struct text rule)
{
	size_t at = text_find_char(rule, '=');

	return at && at < rule.size;
}

static struct text without_slashes(struct text path)
{
	while (path.size && path.data[path.size - 1] == '/')
		path.size--;
	return path;
}

void source_path_add_rule(struct text rule)
{
	struct text all = text_from(arena_text(&memory, rule));
	size_t at = text_find_char(all, '=');
	struct text new = text_after(all, at + 1);

	ARENA_GROW(&memory, rules, count, cap);
	rules[count++] = (struct rule){
		.old = without_slashes(text_first(all, at)),
		.new = without_slashes(new),
		.takes_away = !new.size,
	};
}

bool source_path_has_rules(void)
{
	return count != 0;
}

/** The rest of @p path after OLD, `/…`; false without a match. */
static bool match(const struct rule *rule, struct text path, struct text *ret)
{
	struct text start = text_first(path, rule->old.size);

	*ret = text_after(path, rule->old.size);
	return text_equal(start, rule->old) && text_starts(*ret, "/");
}

const char *source_path(const char *path, struct arena *arena)
{
	for (size_t i = 0; path && i < count; i++) {
		const struct rule *rule = &rules[i];
		struct text rest;

		if (!match(rule, text_from(path), &rest))
			continue;
		while (rule->takes_away && text_starts(rest, "/"))
			rest = text_after(rest, 1);
		if (!rest.size)
			return path;
		return arena_printf(arena, "%.*s%.*s", (int)rule->new.size,
		                    rule->new.data, (int)rest.size, rest.data);
	}
	return path;
}

void source_path_release(void)
{
	arena_release(&memory);
	rules = NULL;
	count = cap = 0;
}

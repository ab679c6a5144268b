// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/calls.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** A known bare symbol; has a call, unless a rule drops it. */
struct lag_bare {
	bool known;
	bool dropped;
	struct lag_call call;
};

void lag_call_table_init(struct lag_call_table *table, struct intern *names,
                         struct profile_functions *functions)
{
	*table = (struct lag_call_table){
		.names = names,
		.functions = functions,
		.rule_budget = lag_rules_budget(),
		.known_budget = lag_rules_budget(),
	};
}

void lag_call_table_release(struct lag_call_table *table)
{
	arena_release(&table->arena);
	free(table->items);
	free(table->bare[CALLTREE_APP]);
	free(table->bare[CALLTREE_SYSTEM]);
	*table = (struct lag_call_table){ 0 };
}

void lag_call_table_forget(struct lag_call_table *table)
{
	struct lag_call_table empty = *table;

	empty.arena = (struct arena){ 0 };
	empty.items = NULL;
	empty.count = empty.cap = 0;
	memset(empty.bare, 0, sizeof(empty.bare));
	memset(empty.bare_cap, 0, sizeof(empty.bare_cap));
	lag_call_table_release(table);
	*table = empty;
}

/** Set the kind where the user's rules do not. */
static void judge_kind(struct lag_call_table *table,
                       const struct lag_rule_subject *subject,
                       struct profile_place *place)
{
	const struct lag_rule *undecided = NULL;

	place->evidence = subject->image ? CALLTREE_BY_IMAGE
	                                 : CALLTREE_BY_DEFAULT;
	if (subject->image || !subject->symbol || !table->known ||
	    !lag_rules_find(table->known, subject, &table->known_budget,
	                    &undecided))
		return;
	place->kind = CALLTREE_SYSTEM;
	place->evidence = CALLTREE_BY_SYMBOL;
}

/** Is the function dropped by a rule? Else sets its kind and @p ret_cut. */
static bool is_dropped(struct lag_call_table *table,
                       struct profile_place *place, const char *path,
                       bool *ret_cut)
{
	const struct lag_rule_subject subject = {
		.image = place->image,
		.path = path,
		.symbol = place->symbol,
	};
	const struct lag_rule *undecided = NULL;
	const struct lag_rule *rule = NULL;

	*ret_cut = false;
	if (table->rules)
		rule = lag_rules_find(table->rules, &subject,
		                      &table->rule_budget, &undecided);
	// The reported rule must not depend on the order of functions.
	if (undecided && (!table->undecided || undecided < table->undecided))
		table->undecided = undecided;
	if (rule && (rule->action == LAG_RULE_BUSINESS ||
	             rule->action == LAG_RULE_SYSTEM)) {
		place->kind = rule->action == LAG_RULE_BUSINESS
		                      ? CALLTREE_APP
		                      : CALLTREE_SYSTEM;
		place->evidence = CALLTREE_BY_RULE;
	} else {
		judge_kind(table, &subject, place);
	}
	if (!rule)
		return false;
	*ret_cut = rule->action == LAG_RULE_CUT_BELOW;
	return rule->action == LAG_RULE_IGNORE;
}

void lag_call_add(struct lag_call_table *table, struct profile_place *place,
                  const char *mangled, const char *path)
{
	struct lag_call call = { 0 };

	if (is_dropped(table, place, path, &call.cut))
		return;
	place->symbol = demangle_again(place->symbol, mangled, table->form,
	                               &table->arena);
	call.function = profile_functions_add(table->functions, place);
	MEM_GROW(table->items, table->count, table->cap);
	table->items[table->count++] = call;
}

// Bare symbols

const char *lag_call_readable(struct lag_call_table *table, const char *symbol)
{
	if (!demangle_knows(text_from(symbol)))
		return symbol;
	return demangle_printed(text_from(symbol), DEMANGLE_SHORT,
	                        &table->arena);
}

static struct lag_bare judge_bare(struct lag_call_table *table, uint32_t name,
                                  enum calltree_kind kind)
{
	const char *symbol = intern_cstr(table->names, name);
	struct profile_place place = {
		.symbol = lag_call_readable(table, symbol),
		.kind = kind,
	};
	struct lag_bare bare = { .known = true };

	bare.dropped = is_dropped(table, &place, NULL, &bare.call.cut);
	place.symbol = demangle_again(place.symbol, symbol, table->form,
	                              &table->arena);
	if (!bare.dropped)
		bare.call.function =
		        profile_functions_add(table->functions, &place);
	return bare;
}

struct lag_calls lag_call_bare(struct lag_call_table *table, uint32_t name,
                               enum calltree_kind kind)
{
	struct lag_bare *bare;

	table->bare[kind] = mem_grow_zeroed(table->bare[kind],
	                                    &table->bare_cap[kind],
	                                    (size_t)name + 1, sizeof(*bare));
	bare = &table->bare[kind][name];
	if (!bare->known)
		*bare = judge_bare(table, name, kind);
	return (struct lag_calls){ .items = &bare->call,
		                   .count = !bare->dropped };
}

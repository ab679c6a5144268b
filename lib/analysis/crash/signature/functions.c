// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/functions.h"

#include "lib/analysis/crash/signature/name.h"
#include "lib/base/mem.h"

#include <stdlib.h>

/** Max cached functions; then the cache is emptied. */
#define FUNCTIONS_MAX 50000

void crash_functions_begin(struct crash_functions *functions)
{
	if (functions->keys.count < FUNCTIONS_MAX)
		return;
	intern_release(&functions->keys);
	functions->keys = (struct intern){ 0 };
	arena_clear(&functions->arena);
}

static const char *name_of(struct crash_functions *functions,
                           const char *symbol)
{
	SCOPED(str_release) struct str name = { 0 };

	if (!symbol || signature_is_unnamed(text_from(symbol)))
		return NULL;
	if (functions->algorithm == SIGNATURE_INNERMOST2 ||
	    functions->algorithm == SIGNATURE_INNERMOST4)
		return arena_strdup(&functions->arena, symbol);
	signature_name_add(text_from(symbol),
	                   functions->algorithm == SIGNATURE_SOCORRO
	                           ? SIGNATURE_STYLE_SOCORRO
	                           : SIGNATURE_STYLE_APM,
	                   &name);
	return arena_text(&functions->arena, str_text(&name));
}

static void add_part(struct str *key, const char *part)
{
	if (part)
		str_add(key, part);
	str_add_char(key, '\n');
}

const struct crash_function *crash_functions_find(
        struct crash_functions *functions, const char *image, const char *path,
        const struct report_call *call)
{
	const struct lag_rules *rules = functions->rules;
	const char *file = !call || !rules->has_files ? NULL
	                   : call->path               ? call->path
	                                              : call->file;
	const char *symbol = call ? call->symbol : NULL;
	struct str *key = &functions->key;
	size_t before = functions->keys.count;
	struct crash_function *function;
	uint32_t number;

	if (!rules->has_paths)
		path = NULL;
	str_clear(key);
	add_part(key, image);
	add_part(key, path);
	add_part(key, file);
	add_part(key, symbol);
	number = intern_add(&functions->keys, str_text(key));
	if (number == before) {
		functions->items = mem_grow(functions->items, &functions->cap,
		                            before + 1,
		                            sizeof(*functions->items));
		functions->items[number] = (struct crash_function){
			.name = name_of(functions, symbol),
		};
	}
	function = &functions->items[number];
	if (!function->is_matched) {
		const struct lag_rule_subject subject = {
			.image = image,
			.path = path,
			.symbol = function->name,
			.file = file,
		};

		function->is_matched =
		        lag_rules_match(rules, &subject, &functions->budget,
		                        &functions->arena, &function->matches);
	}
	return function;
}

void crash_functions_release(struct crash_functions *functions)
{
	free(functions->items);
	str_release(&functions->key);
	intern_release(&functions->keys);
	arena_release(&functions->arena);
}

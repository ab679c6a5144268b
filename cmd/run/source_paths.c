// SPDX-License-Identifier: MIT
#include "cmd/run/source_paths.h"

#include "lib/base/source_path.h"
#include "lib/config/config.h"

static struct error *add_options(const struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct text rule = text_from(list->items[i]);

		if (!source_path_is_rule(rule))
			return error_new(ERROR_USAGE,
			                 "option '--path-map': expected "
			                 "OLD=NEW, found '%s'",
			                 list->items[i]);
		source_path_add_rule(rule);
	}
	return NULL;
}

struct error *source_paths_begin(const struct option *options,
                                 const struct command_line *line)
{
	const struct option *option = option_find(options, "path-map");
	struct error *err;

	if (!option)
		return NULL;
	err = add_options(option_value(option, line->settings));
	for (size_t i = 0; !err && i < line->config->path_rule_count; i++)
		source_path_add_rule(
		        text_from(line->config->path_rules[i].text));
	return err;
}

void source_paths_end(void)
{
	source_path_release();
}

// SPDX-License-Identifier: MIT
#include "lib/config/pattern.h"

/** Marks a pattern as a regular expression; without it, it is a glob. */
#define REGEX_MARK "regex:"

/**
 * Refuse a regular expression without its prefix: as a glob it would match
 * nothing.
 */
static struct error *refuse_bare_regex(struct text glob)
{
	if (!text_starts(glob, "^") &&
	    text_find_char(glob, '\\') == TEXT_NOWHERE)
		return NULL;
	return error_new(ERROR_CONFIG,
	                 "a glob cannot start with '^' or contain '\\'; a "
	                 "regular expression starts with '" REGEX_MARK "'");
}

struct error *config_pattern_compile(const struct yml *node, struct text text,
                                     struct regex **ret)
{
	if (!node->is_built_in)
		return regex_compile(text, ret);
	*ret = regex_compile_later(text);
	return NULL;
}

struct error *config_pattern_read(const struct yml *rule, const char *name,
                                  struct config_pattern *ret)
{
	const struct yml *node = yml_field(rule, name);
	struct text text;
	struct error *err;

	if (!node)
		return NULL;
	if ((err = yml_text(node, &ret->text)))
		return err;
	text = text_from(ret->text);
	if (text_take(&text, REGEX_MARK))
		err = config_pattern_compile(node, text, &ret->regex);
	else if (!(err = refuse_bare_regex(text)))
		err = regex_compile_glob(text, &ret->regex);
	return error_prefix(err, "%s:%u:%u: %s", node->file, node->line,
	                    node->column, name);
}

static enum regex_answer match(const struct config_property *property,
                               size_t *work)
{
	struct text text;

	if (!property->pattern->text)
		return REGEX_YES;
	if (!property->value)
		return REGEX_NO;
	text = text_from(property->value);
	// Both names mean the same file on a device.
	if (text_starts(text, "/private/"))
		text = text_after(text, sizeof("/private") - 1);
	return regex_match(property->pattern->regex, text, work);
}

enum regex_answer config_match_all(const struct config_property *properties,
                                   size_t count, size_t *work)
{
	enum regex_answer answer = REGEX_YES;

	for (size_t i = 0; i < count; i++) {
		enum regex_answer part = match(&properties[i], work);

		if (part == REGEX_NO)
			return REGEX_NO;
		if (part == REGEX_UNDECIDED)
			answer = REGEX_UNDECIDED;
	}
	return answer;
}

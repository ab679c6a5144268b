// SPDX-License-Identifier: MIT
#include "lib/cli/options.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/nearest.h"
#include "lib/base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Max long names of a table, or choices of an option. */
#define NAMES_MAX 64

struct parse {
	const struct option *options;
	void *settings;
	char **argv;
	int argc;
	int next; ///< index of the argument to look at next
	size_t operand_count;
};

/** They are in no command's table, as `--help` is not. */
static const struct option common_options[] = {
	{ .kind = OPTION_LIMIT,
	  .name = "limit",
	  .has_offset = SIZE_MAX,
	  .value = "<name>=<value>",
	  .help = "change one of the limits that 'apmtool doctor' lists" },
	OPT_END,
};

const struct option *option_next(const struct option *options,
                                 const struct option *previous)
{
	const struct option *next = previous ? previous + 1 : options;

	if (next && next->kind != OPTION_END)
		return next;
	return next == &common_options[ARRAY_SIZE(common_options) - 1]
	               ? NULL
	               : common_options;
}

const struct option *option_find(const struct option *options, const char *name)
{
	while (options->kind != OPTION_END &&
	       !(options->name && !strcmp(options->name, name)))
		options++;
	return options->kind == OPTION_END ? NULL : options;
}

const void *option_value(const struct option *option, const void *settings)
{
	return (const char *)settings + option->offset;
}

static void *field(const struct parse *parse, size_t offset)
{
	return (char *)parse->settings + offset;
}

/** `--dsym`, `-arch` or `-o`, as a person would type it. */
static const char *spell(const struct option *option, struct str *out)
{
	str_clear(out);
	if (option->name)
		str_addf(out, "%s%s", option->single_dash ? "-" : "--",
		         option->name);
	else
		str_addf(out, "-%c", option->letter);
	return str_cstr(out);
}

static const struct option *find_long(const struct option *options,
                                      struct text name, bool single_dash)
{
	const struct option *option = NULL;

	while ((option = option_next(options, option)))
		if (option->name && option->single_dash == single_dash &&
		    (text_is(name, option->name) ||
		     (option->also && text_is(name, option->also))))
			break;
	return option;
}

static const struct option *find_letter(const struct option *options,
                                        char letter)
{
	for (; options->kind != OPTION_END; options++)
		if (options->letter == letter)
			return options;
	return NULL;
}

/**
 * The long name closest to @p word, with its dashes; false if none is close.
 */
static bool spell_near(const struct option *options, struct text word,
                       struct str *out)
{
	// The two that all commands know without a row in their table.
	const char *names[NAMES_MAX + 1] = { "help", "version" };
	SCOPED(str_release) struct str typed = { 0 };
	const struct option *option = NULL;
	const char *near;
	size_t count = 2;

	while ((option = option_next(options, option)))
		if (option->name && count < NAMES_MAX)
			names[count++] = option->name;
	str_add_text(&typed, word);
	near = nearest_word(str_cstr(&typed), names);
	if (!near)
		return false;
	while ((option = option_next(options, option)) && option->name != near)
		;
	if (option)
		spell(option, out);
	else
		str_addf(out, "--%s", near);
	return true;
}

/**
 * @param shown  The unknown option as typed: `--dsim`.
 * @param word   Its name, to compare: `dsim`.
 */
static struct error *unknown_option(const struct parse *parse,
                                    struct text shown, struct text word)
{
	SCOPED(str_release) struct str near = { 0 };

	if (!spell_near(parse->options, word, &near))
		return error_new(ERROR_USAGE, "unknown option '%.*s'",
		                 TEXT_ARGS(shown));
	return error_new(ERROR_USAGE,
	                 "unknown option '%.*s'; did you mean '%s'?",
	                 TEXT_ARGS(shown), str_cstr(&near));
}

/** The next name other than the default, which belongs to the option. */
static const char *next_name(const struct option *option, size_t *index)
{
	const char *name;

	do
		name = option->names->at(option->set, (*index)++);
	while (name && !strcmp(name, option->first));
	return name;
}

void option_add_value(const struct option *option, struct str *out)
{
	const char *name;
	size_t index = 0;

	str_add(out,
	        option->kind == OPTION_NAME ? option->first : option->value);
	while (option->kind == OPTION_NAME &&
	       (name = next_name(option, &index)))
		str_addf(out, "|%s", name);
}

static struct error *bad_choice(const struct option *option,
                                const char *spelled, const char *value)
{
	SCOPED(str_release) struct str names = { 0 };
	SCOPED(str_release) struct str listed = { 0 };
	const char *candidates[NAMES_MAX + 1] = { 0 };
	const char *near;
	size_t count = 0;

	// Split `text|json` into strings and a list for people.
	option_add_value(option, &names);
	for (char *at = names.data; at && count < NAMES_MAX;) {
		char *bar = strchr(at, '|');

		if (bar)
			*bar = '\0';
		candidates[count++] = at;
		str_addf(&listed, "%s%s",
		         count == 1 ? ""
		         : bar      ? ", "
		                    : " or ",
		         at);
		at = bar ? bar + 1 : NULL;
	}
	near = nearest_word(value, candidates);
	if (!near)
		return error_new(ERROR_USAGE,
		                 "option '%s': expected %s, found '%s'",
		                 spelled, str_cstr(&listed), value);
	return error_new(
	        ERROR_USAGE,
	        "option '%s': expected %s, found '%s'; did you mean '%s'?",
	        spelled, str_cstr(&listed), value, near);
}

static bool choice_index(const struct option *option, const char *value,
                         unsigned *ret)
{
	struct text rest = text_from(option->value);

	for (unsigned i = 0;; i++) {
		size_t bar = text_find_char(rest, '|');

		if (text_is(text_first(rest, bar), value)) {
			*ret = i;
			return true;
		}
		if (bar == TEXT_NOWHERE)
			return false;
		rest = text_after(rest, bar + 1);
	}
}

/** Store the table's name, which outlives the argument. */
static struct error *store_name(const struct option *option,
                                const char *spelled, const char *value,
                                const char **ret)
{
	const char *name;

	for (size_t i = 0; (name = option->names->at(option->set, i)); i++) {
		if (strcmp(name, value) != 0)
			continue;
		*ret = name;
		return NULL;
	}
	return bad_choice(option, spelled, value);
}

static struct error *bad_value(const char *spelled, const char *expected,
                               const char *value)
{
	return error_new(ERROR_USAGE, "option '%s': expected %s, found '%s'",
	                 spelled, expected, value);
}

/** Digits alone: it is a number, but not one that we can count to. */
static bool is_too_large(const char *value)
{
	uint64_t number;

	return *value && !value[strspn(value, "0123456789")] &&
	       (!number_decimal(text_from(value), &number) ||
	        number > UINT32_MAX);
}

static struct error *bad_number(const struct option *option,
                                const char *spelled, const char *value)
{
	SCOPED(str_release) struct str expected = { 0 };

	if (option->max)
		str_addf(&expected, "%sa number from %u to %u",
		         option->or_zero ? "0 or " : "", option->min,
		         option->max);
	else if (option->min && is_too_large(value))
		str_addf(&expected, "a number from %u to %" PRIu32, option->min,
		         UINT32_MAX);
	else if (option->min)
		str_addf(&expected, "a number, at least %u", option->min);
	else
		str_add(&expected, "a number");
	return bad_value(spelled, str_cstr(&expected), value);
}

/** Store @p value, which is NULL only for flags. */
static struct error *store(struct parse *parse, const struct option *option,
                           const char *spelled, const char *value)
{
	void *at = field(parse, option->offset);
	struct option_list *list = at;
	struct error *err = NULL;
	uint64_t number;

	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		break;
	case OPTION_TEXT:
		*(const char **)at = value;
		break;
	case OPTION_LIST:
		MEM_GROW(list->items, list->count, list->cap);
		list->items[list->count++] = value;
		break;
	case OPTION_HEX:
		if (!number_hex(text_from(value), at))
			return bad_value(spelled, "a hexadecimal number",
			                 value);
		break;
	case OPTION_UINT:
		if (!number_decimal(text_from(value), &number) ||
		    (number < option->min && (number || !option->or_zero)) ||
		    number > (option->max ? option->max : UINT32_MAX))
			return bad_number(option, spelled, value);
		*(unsigned *)at = (unsigned)number;
		break;
	case OPTION_CHOICE:
		if (!choice_index(option, value, at))
			return bad_choice(option, spelled, value);
		break;
	case OPTION_NAME:
		err = store_name(option, spelled, value, at);
		break;
	case OPTION_LIMIT:
		err = error_prefix(limit_set_text(text_from(value)),
		                   "option '%s'", spelled);
		break;
	case OPTION_END:
		break;
	}
	if (err)
		return err;
	if (option->has_offset != SIZE_MAX)
		*(bool *)field(parse, option->has_offset) = true;
	return NULL;
}

/** Store the value: @p attached, or the next argument. */
static struct error *take_value(struct parse *parse,
                                const struct option *option,
                                const char *spelled, const char *attached)
{
	if (!attached && parse->next < parse->argc)
		attached = parse->argv[parse->next++];
	if (!attached) {
		SCOPED(str_release) struct str values = { 0 };

		option_add_value(option, &values);
		return error_new(ERROR_USAGE, "option '%s' needs a value, %s",
		                 spelled, str_cstr(&values));
	}
	return store(parse, option, spelled, attached);
}

/**
 * @param word    As typed, without a value.
 * @param equals  An attached value; or NULL.
 */
static struct error *take_long(struct parse *parse, const struct option *option,
                               struct text word, const char *equals)
{
	SCOPED(str_release) struct str spelled = { 0 };

	str_add_text(&spelled, word);
	if (option->kind != OPTION_FLAG)
		return take_value(parse, option, str_cstr(&spelled),
		                  equals ? equals + 1 : NULL);
	if (equals)
		return error_new(ERROR_USAGE, "option '%s' takes no value",
		                 str_cstr(&spelled));
	return store(parse, option, str_cstr(&spelled), NULL);
}

static struct error *parse_long(struct parse *parse, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct text word = text_from(arg);
	const struct option *option;
	struct text name;

	if (equals)
		word = text_first(word, (size_t)(equals - arg));
	name = text_after(word, 2);
	option = find_long(parse->options, name, false);
	if (!option)
		option = find_long(parse->options, name, true);
	return option ? take_long(parse, option, word, equals)
	              : unknown_option(parse, word, name);
}

/** One argument of letters: `-i`, `-ofile`, `-is 0x10`. */
static struct error *parse_letters(struct parse *parse, const char *arg)
{
	for (const char *at = arg + 1; *at; at++) {
		const struct option *option = find_letter(parse->options, *at);
		char spelled[] = { '-', *at, '\0' };
		struct error *err;

		// `-dsim` is rather a mistyped `--dsym` than four letters.
		if (!option && at == arg + 1 && at[1])
			return unknown_option(parse, text_from(arg),
			                      text_from(arg + 1));
		if (!option)
			return error_new(ERROR_USAGE, "unknown option '%s'",
			                 spelled);
		if (option->kind != OPTION_FLAG)
			return take_value(parse, option, spelled,
			                  at[1] ? at + 1 : NULL);
		if ((err = store(parse, option, spelled, NULL)))
			return err;
	}
	return NULL;
}

static struct error *parse_single_dash(struct parse *parse, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct text word = text_from(arg);
	const struct option *option;

	if (equals)
		word = text_first(word, (size_t)(equals - arg));
	option = find_long(parse->options, text_after(word, 1), true);
	return option ? take_long(parse, option, word, equals)
	              : parse_letters(parse, arg);
}

/** Set the default of names that were not given. */
static void set_names(const struct parse *parse)
{
	for (const struct option *o = parse->options; o->kind != OPTION_END;
	     o++) {
		const char **at = field(parse, o->offset);

		if (o->kind == OPTION_NAME && !*at)
			*at = o->first;
	}
}

struct error *options_parse(const struct option *options, int argc, char **argv,
                            void *settings, size_t *ret_operand_count)
{
	struct parse parse = {
		.options = options,
		.settings = settings,
		.argc = argc,
		.argv = argv,
	};
	bool operands_only = false;
	struct error *err = NULL;

	set_names(&parse);
	while (!err && parse.next < argc) {
		char *arg = argv[parse.next++];

		// An operand's new place is never after its old one.
		if (operands_only || arg[0] != '-' || !arg[1])
			argv[parse.operand_count++] = arg;
		else if (!strcmp(arg, "--"))
			operands_only = true;
		else if (arg[1] == '-')
			err = parse_long(&parse, arg);
		else
			err = parse_single_dash(&parse, arg);
	}
	if (err)
		return err;
	*ret_operand_count = parse.operand_count;
	return NULL;
}

void options_release(const struct option *options, void *settings)
{
	for (; options->kind != OPTION_END; options++) {
		struct option_list *list;

		if (options->kind != OPTION_LIST)
			continue;
		list = (void *)((char *)settings + options->offset);
		free(list->items);
		*list = (struct option_list){ 0 };
	}
}

bool options_ask(const char *name, int argc, char *const *argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], name))
			return true;
	return false;
}

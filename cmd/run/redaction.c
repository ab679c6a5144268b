// SPDX-License-Identifier: MIT
#include "cmd/run/redaction.h"

#include "lib/base/file.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#define KEY_BYTES_MAX ((size_t)1 << 20)

/** A process has one run. */
static struct redactor redactor;
static bool is_on;
static bool is_exposed;

/** Is the option's value `<path>`, `<file>` or `<dir>`? */
static bool takes_path(const struct option *option)
{
	return option->value && (!strcmp(option->value, "<path>") ||
	                         !strcmp(option->value, "<file>") ||
	                         !strcmp(option->value, "<samples>"));
}

static void know_paths(const struct option *options,
                       const struct command_line *line)
{
	for (size_t i = 0; i < line->operand_count; i++)
		redactor_know(&redactor, line->operands[i]);
	for (; options->kind != OPTION_END; options++) {
		const void *value = option_value(options, line->settings);
		const struct option_list *list = value;
		const char *text;

		if (!takes_path(options))
			continue;
		for (size_t i = 0;
		     options->kind == OPTION_LIST && i < list->count; i++)
			redactor_know(&redactor, list->items[i]);
		text = options->kind == OPTION_TEXT
		               ? *(const char *const *)value
		               : NULL;
		if (text)
			redactor_know(&redactor, text);
	}
	redactor_sort(&redactor);
}

static bool is_uniform(struct text key)
{
	for (size_t i = 1; i < key.size; i++)
		if (key.data[i] != key.data[0])
			return false;
	return true;
}

/** The key must not be next to the reports. */
static struct error *check_inputs(const struct command_line *line,
                                  const struct stat *key, const char *path)
{
	struct stat info;

	for (size_t i = 0; i < line->operand_count; i++)
		if (!stat(line->operands[i], &info) &&
		    info.st_dev == key->st_dev && info.st_ino == key->st_ino)
			return error_new(ERROR_USAGE,
			                 "key '%s': expected a secret, found "
			                 "an input",
			                 path);
	return NULL;
}

/** Read a regular file only: a pipe may give another key next time. */
static struct error *read_key(const char *path, const struct command_line *line)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct stat info = { 0 };
	struct error *err;

	if (!stat(path, &info) && !S_ISREG(info.st_mode))
		return error_new(ERROR_USAGE,
		                 "key '%s': expected a regular file", path);
	if (info.st_ino && (err = check_inputs(line, &info, path)))
		return err;
	err = file_read(path, KEY_BYTES_MAX, &file);
	if (!err && file.bytes.size < REDACT_KEY_BYTES_MIN)
		err = error_new(ERROR_FORMAT,
		                "key '%s': expected at least %d bytes, found "
		                "%zu",
		                path, REDACT_KEY_BYTES_MIN, file.bytes.size);
	if (!err && is_uniform(bytes_text(file.bytes)))
		err = error_new(
		        ERROR_USAGE,
		        "key '%s': expected a secret, found one repeated byte",
		        path);
	if (err)
		return err;
	is_exposed = info.st_mode & (S_IRGRP | S_IROTH);
	redactor_init_key(&redactor, bytes_text(file.bytes));
	return NULL;
}

struct error *redaction_begin(const struct option *options,
                              const struct command_line *line)
{
	const struct option *option = option_find(options, "redact");
	const struct redact_settings *settings;
	struct error *err = NULL;

	if (!option)
		return NULL;
	settings = option_value(option, line->settings);
	if (!settings->is_on && !settings->key)
		return NULL;
	if (settings->key)
		err = read_key(settings->key, line);
	else if (!redactor_init(&redactor))
		err = error_new(ERROR_SHORTAGE,
		                "the system has no random numbers for "
		                "pseudonyms: give a key with --redact-key");
	if (err)
		return err;
	is_on = true;
	know_paths(options, line);
	return NULL;
}

const struct redactor *redaction(void)
{
	return is_on ? &redactor : NULL;
}

bool redaction_is_exposed(void)
{
	return is_exposed;
}

void redaction_keep_process(const char *name)
{
	redactor.app = name;
}

void redaction_end(void)
{
	is_on = false;
	redactor_release(&redactor);
	redactor = (struct redactor){ 0 };
}

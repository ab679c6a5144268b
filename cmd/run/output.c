// SPDX-License-Identifier: MIT
#include "cmd/run/output.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/config/config.h"
#include "lib/symbols/index/uuid_index.h"
#include "lib/text/plist/plist.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Descriptions of bundles are smaller. */
#define PLIST_BYTES_MAX ((size_t)1 << 20)

/** The text of an option; NULL: it has none, or is of another kind. */
static const char *text_of(const struct option *options, const char *name,
                           const struct command_line *line)
{
	const struct option *option = option_find(options, name);

	return option && option->kind == OPTION_TEXT
	               ? *(const char *const *)option_value(option,
	                                                    line->settings)
	               : NULL;
}

/** Is @p output a file to read in some option? */
static bool is_value(const struct option *option,
                     const struct command_line *line, const char *output)
{
	const struct option_list *list = option_value(option, line->settings);
	const char *text;

	if (option->kind == OPTION_TEXT) {
		text = *(const char *const *)option_value(option,
		                                          line->settings);
		return text && text != output && file_is_same(output, text);
	}
	for (size_t i = 0; option->kind == OPTION_LIST && i < list->count; i++)
		if (file_is_same(output, list->items[i]))
			return true;
	return false;
}

/** A page of an earlier run is not a source file. */
static bool is_page(const char *path)
{
	static const char begin[] = "<!DOCTYPE html>";
	char head[sizeof(begin) - 1];
	size_t size = 0;
	struct error *err = file_peek(path, 0, head, sizeof(head), &size);

	error_free(err);
	return !err && text_is((struct text){ head, size }, begin);
}

/** Is it a source file below --source-root? */
static bool is_source(const struct option *options,
                      const struct command_line *line, const char *output)
{
	const char *root = text_of(options, "source-root", line);
	SCOPED(mem_drop) char *real = root ? realpath(root, NULL) : NULL;
	SCOPED(mem_drop) char *file = realpath(output, NULL);
	size_t size = real ? strlen(real) : 0;

	if (!real || !file || is_page(output))
		return false;
	// Only the root of the file system ends with a slash.
	size -= real[size - 1] == '/';
	return !strncmp(real, file, size) && file[size] == '/';
}

static bool is_configured(const struct config *config, const char *output)
{
	for (size_t i = 0; i < config->dsym_count; i++)
		if (file_is_same(output, config->dsym[i].path))
			return true;
	for (size_t i = 0; i < config->file_count; i++)
		if (file_is_same(output, config->files[i].path))
			return true;
	return false;
}

/** Is it named by a UUID? A link to it may have another name. */
static bool is_symbol_map(const char *path)
{
	static const char begin[] = "BCSymbolMap Version:";
	char head[sizeof(begin) - 1];
	size_t size = 0;
	struct error *err = file_peek(path, 0, head, sizeof(head), &size);

	error_free(err);
	return !err && text_is((struct text){ head, size }, begin);
}

/** Is it a Mach-O file, an archive with some, or a BCSymbolMap? */
static bool holds_symbols(const char *path)
{
	struct uuid_index *index;
	struct error *err;

	if (is_symbol_map(path))
		return true;
	index = uuid_index_new();
	err = uuid_index_add(index, path);

	if (err) {
		error_free(err);
		err = uuid_index_add_maps(index, path);
	}
	uuid_index_free(index);
	if (!err)
		return true;
	error_free(err);
	return false;
}

/** Is standard input redirected from it? */
static bool is_stdin(const struct stat *output)
{
	struct stat input;

	return !fstat(0, &input) && input.st_dev == output->st_dev &&
	       input.st_ino == output->st_ino;
}

/** Does it describe a bundle next to its binary, and is read with it? */
static bool is_property_list(const char *path)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct plist *list;
	struct error *err = file_read(path, PLIST_BYTES_MAX, &file);

	if (!err)
		err = plist_parse(file.bytes, &arena, &list);
	error_free(err);
	return !err;
}

/** Is it in the cache, which runs read? */
static bool is_cached(const struct config *config, const char *path)
{
	SCOPED(mem_drop) char *real = realpath(path, NULL);
	char *name = real ? strrchr(real, '/') : NULL;
	struct stat found;
	struct stat cache;

	if (!name || !config->cache || stat(config->cache, &cache))
		return false;
	*name = '\0';
	return !stat(*real ? real : "/", &found) &&
	       found.st_dev == cache.st_dev && found.st_ino == cache.st_ino;
}

static enum exit_status check_path(const struct option *options,
                                   const struct command_line *line,
                                   const char *output)
{
	struct stat info;

	// A missing file, or one that cannot be replaced, is fine.
	if (!output || !strcmp(output, "-") || stat(output, &info) ||
	    !S_ISREG(info.st_mode) || !info.st_size)
		return EXIT_DONE;
	if (is_source(options, line, output))
		return notice_usage(line->notices,
		                    "output '%s' is also an input: it is below "
		                    "--source-root",
		                    output);
	for (; options->kind != OPTION_END; options++)
		if (is_value(options, line, output))
			return notice_usage(line->notices,
			                    "output '%s' is also an input",
			                    output);
	if (is_stdin(&info) || is_configured(line->config, output))
		return notice_usage(line->notices,
		                    "output '%s' is also an input", output);
	if (holds_symbols(output))
		return notice_usage(line->notices,
		                    "output '%s' holds symbols: it is not "
		                    "overwritten",
		                    output);
	if (is_cached(line->config, output))
		return notice_usage(line->notices,
		                    "output '%s' belongs to the cache: it is "
		                    "not overwritten",
		                    output);
	if (is_property_list(output))
		return notice_usage(line->notices,
		                    "output '%s' is a property list, as "
		                    "bundles have: it is not overwritten",
		                    output);
	return EXIT_DONE;
}

enum exit_status output_check(const struct option *options,
                              const struct command_line *line)
{
	enum exit_status status =
	        check_path(options, line, text_of(options, "output", line));

	// That of `symbolicate` is no file.
	return status == EXIT_DONE ? check_path(options, line,
	                                        text_of(options, "log", line))
	                           : status;
}

enum exit_status output_open(const struct notices *notices, const char *path,
                             struct out **ret)
{
	SCOPED(error_drop) struct error *err = out_open(path, ret);

	if (!err)
		return EXIT_DONE;
	notice_error(notices, NULL, err);
	return EXIT_ENVIRONMENT;
}

enum exit_status output_finish(const struct notices *notices, struct out *out,
                               enum exit_status status)
{
	SCOPED(error_drop) struct error *err = out_close(out);

	if (!err)
		return status;
	notice_error(notices, NULL, err);
	return EXIT_ENVIRONMENT;
}

enum exit_status output_print(const struct notices *notices,
                              const struct str *text)
{
	struct out *out;
	enum exit_status status = output_open(notices, NULL, &out);

	if (status != EXIT_DONE)
		return status;
	out_add_bytes(out, str_cstr(text), text->size);
	return output_finish(notices, out, EXIT_DONE);
}

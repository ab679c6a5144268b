#include "cmd/run/output_check.h"

#include "cmd/run/console.h"
#include "lib/base/file.h"
#include "lib/config/config.h"
#include "lib/symbols/uuid_index.h"

#include <string.h>
#include <sys/stat.h>

static const void *member(const struct option *option,
                          const struct command_line *line)
{
	return (const char *)line->settings + option->offset;
}

static const char *output_of(const struct option *options,
                             const struct command_line *line)
{
	for (; options->kind != OPTION_END; options++)
		if (options->kind == OPTION_TEXT && options->name &&
		    !strcmp(options->name, "output"))
			return *(const char *const *)member(options, line);
	return NULL;
}

/** Does an option name @p output as a file to read? */
static bool is_value(const struct option *option,
                     const struct command_line *line, const char *output)
{
	const struct option_list *list = member(option, line);
	const char *text;

	if (option->kind == OPTION_TEXT) {
		text = *(const char *const *)member(option, line);
		return text && text != output && file_is_same(output, text);
	}
	for (size_t i = 0; option->kind == OPTION_LIST && i < list->count; i++)
		if (file_is_same(output, list->items[i]))
			return true;
	return false;
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

/** A Mach-O file, an archive with some, or a BCSymbolMap. */
static bool holds_symbols(const char *path)
{
	struct uuid_index *index = uuid_index_new();
	struct error *err = uuid_index_add(index, path);

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

enum exit_status output_check(const struct option *options,
                              const struct command_line *line)
{
	const char *output = output_of(options, line);
	struct stat info;

	// What is not there, or cannot be replaced, takes no place.
	if (!output || stat(output, &info) || !S_ISREG(info.st_mode) ||
	    !info.st_size)
		return EXIT_DONE;
	for (; options->kind != OPTION_END; options++)
		if (is_value(options, line, output))
			return console_usage("output '%s' is also an input",
			                     output);
	if (is_configured(line->config, output))
		return console_usage("output '%s' is also an input", output);
	if (holds_symbols(output))
		return console_usage("output '%s' holds symbols: it is not "
		                     "overwritten",
		                     output);
	return EXIT_DONE;
}

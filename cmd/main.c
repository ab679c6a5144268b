// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/progress.h"
#include "cmd/run/output.h"
#include "cmd/run/redaction.h"
#include "cmd/run/source_paths.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/process.h"
#include "lib/symbols/debug_worker.h"
#include "lib/symbols/worker/spawner.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {
#define COMMAND(name) &name##_command,
#include "cmd/commands.def"
#undef COMMAND
	NULL,
};

static enum exit_status check_operands(const struct command *command,
                                       const struct command_line *line)
{
	if (!command->operands && line->operand_count)
		return notice_refuse(&console,
		                     error_new(ERROR_USAGE,
		                               "unexpected operand '%s'",
		                               line->operands[0]));
	if (command->operands && command->operands[0] != '[' &&
	    !line->operand_count)
		return notice_refuse(&console, error_new(ERROR_USAGE,
		                                         "missing operand: %s",
		                                         command->operands));
	return EXIT_DONE;
}

/**
 * Read the config files, and run the command if they are valid.
 *
 * @param topic  In and out: command whose --help a usage error mentions.
 */
static enum exit_status run_configured(const struct command *command,
                                       struct command_line *line,
                                       const char **topic)
{
	SCOPED(config_release) struct config config = { 0 };
	struct error *err = NULL;
	enum exit_status status;

	if (command->uses_config)
		err = config_load(line->places, &config);
	if (err) {
		*topic = config_command.name;
		return notice_refuse(&console, err);
	}
	for (size_t i = 0; i < config.warning_count; i++)
		notice_warn(&console, NULL, "%s", config.warnings[i]);
	config_apply_limits(&config);
	line->config = &config;
	if ((err = source_paths_begin(command_options(command), line)))
		return notice_refuse(&console, err);
	status = output_check(command_options(command), line);
	return status == EXIT_DONE ? command->run(line) : status;
}

static enum exit_status run(const struct command *command, int argc,
                            char **argv)
{
	const struct option *options = command_options(command);
	SCOPED(mem_drop)
	void *settings = mem_zalloc(1, command->settings_size);
	struct command_line line = { .settings = settings };
	struct config_places places;
	const char *topic = command->name;
	enum exit_status status;
	struct error *err;

	if (command->defaults)
		memcpy(settings, command->defaults, command->settings_size);
	err = options_parse(options, argc, argv, settings, &line.operand_count);
	line.operands = (const char *const *)argv;
	console_describe(&line, &places);
	// A piped log may be read for hours.
	if (command->is_filter)
		console_keep();
	else if (line.operand_count)
		console_keep_for_end();
	progress_begin();
	status = err ? notice_refuse(&console, err)
	             : check_operands(command, &line);
	// From here on, output is redacted.
	if (status == EXIT_DONE && (err = redaction_begin(options, &line)))
		status = notice_refuse(&console, err);
	if (status == EXIT_DONE && redaction_is_exposed())
		notice_warn(&console, NULL,
		            "other users can read the key of --redact-key and "
		            "resolve pseudonyms: chmod 600 prevents that");
	if (status == EXIT_DONE)
		status = run_configured(command, &line, &topic);
	console_end();
	redaction_end();
	source_paths_end();
	options_release(options, settings);
	if (status == EXIT_USAGE)
		fprintf(stderr, "see 'apmtool %s --help'\n", topic);
	return status;
}

/** @param command  NULL: the program, on one screen or whole. */
static enum exit_status print_help(const struct command *command, bool is_whole)
{
	SCOPED(str_release) struct str text = { 0 };

	if (command)
		command_describe(command, console_width(), &text);
	else if (is_whole)
		command_describe_all(commands, console_width(), &text);
	else
		command_list(commands, console_width(), &text);
	return output_print(&console, &text);
}

/** Reject a first argument other than a command, `--help` or `--version`. */
static enum exit_status refuse(const char *word)
{
	struct error *err;

	if (word[0] == '-')
		err = error_new(ERROR_USAGE,
		                "expected a command before option '%s'", word);
	else if (!access(word, F_OK))
		err = error_new(
		        ERROR_USAGE, "'%s' is a %s: apmtool explain %s", word,
		        file_is_directory(word) ? "directory" : "file", word);
	else
		err = command_unknown(commands, word);
	notice_refuse(&console, err);
	fputs("see 'apmtool --help'\n", stderr);
	return EXIT_USAGE;
}

static enum exit_status dispatch(int argc, char **argv)
{
	const struct command *command = command_find(commands, argv[0]);

	// An unknown command is reported whatever follows it.
	if (!command && argv[0][0] != '-')
		return refuse(argv[0]);
	if (options_ask("--help", argc, argv))
		return print_help(command, true);
	if (options_ask("-h", argc, argv))
		return print_help(command, false);
	if (options_ask("--version", argc, argv))
		return run(&version_command, 0, NULL);
	return command ? run(command, argc - 1, argv + 1) : refuse(argv[0]);
}

int main(int argc, char **argv)
{
	SCOPED(str_release) struct str text = { 0 };

	mem_keep_freed();
	if (spawner_is_asked(argc ? argv[0] : NULL))
		spawner_serve(&debug_worker_jobs);
	process_open_standard_files();
	// A parent may have ignored them. SIGPIPE: a reader that left is not an
	// error. SIGCHLD: ids of children that are not waited for are reused.
	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	// A file at its size limit, maybe the cache's, is a failed write, and
	// must not end the process.
	signal(SIGXFSZ, SIG_IGN);
	if (argc > 1)
		return (int)dispatch(argc - 1, argv + 1);
	command_list(commands, console_width(), &text);
	fputs(str_cstr(&text), stderr);
	return EXIT_USAGE;
}

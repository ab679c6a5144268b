// SPDX-License-Identifier: MIT
/**
 * `apmtool-server`: answers reports and names frames over HTTP.
 */
#include "cmd/server/http.h"
#include "cmd/server/serve.h"
#include "lib/answers/program.h"
#include "lib/base/parallel.h"
#include "lib/base/process.h"
#include "lib/base/utf8.h"
#include "lib/cli/command.h"
#include "lib/cli/options.h"

#include <stdio.h>
#include <string.h>

extern const char apmtool_commit[];

#define PROGRAM      "apmtool-server"
#define HELP_COLUMNS 80

#define LISTEN "127.0.0.1:3021"

#define TIME_LIMIT_S     30
#define TIME_LIMIT_S_MAX 3600
#define JOBS_MAX         256
#define QUEUE_MAX        4096

/** Unanswered requests for each filter. */
#define QUEUE_PER_JOB 2

static const struct option options[] = {
	OPT_TEXT('l', "listen", struct server_settings, listen, "<address>",
	         "listen on <host:port> or unix:<path>, by default " LISTEN),
	OPT_LIST('d', "dsym", struct server_settings, dsym, "<path>",
	         "search <path> for symbols"),
	OPT_LIST(0, "symbols", struct server_settings, symbols, "<path>",
	         "search <path> for symbols of the system, too"),
	OPT_LIST(0, "store", struct server_settings, store, "<dir>",
	         "look up UUIDs in the symbol store <dir>"),
	OPT_LIST(0, "host", struct server_settings, hosts, "<name>",
	         "accept requests for the host <name>, too"),
	OPT_LIST(0, "origin", struct server_settings, origins, "<url>",
	         "let pages of <url> look up names, too"),
	OPT_FLAG(0, "redact", struct server_settings, redact,
	         "replace people, devices and hosts by pseudonyms"),
	OPT_TEXT(0, "redact-key", struct server_settings, redact_key, "<file>",
	         "make pseudonyms with the key in <file>"),
	OPT_UINT(0, "time-limit", struct server_settings, time_limit_s, 1,
	         TIME_LIMIT_S_MAX, "<seconds>",
	         "give up on a report after <seconds>, 30 by default"),
	OPT_UINT(0, "queue", struct server_settings, queue, 1, QUEUE_MAX,
	         "<count>", "refuse more than <count> unanswered requests"),
	OPT_UINT('j', "jobs", struct server_settings, jobs, 1, JOBS_MAX,
	         "<count>",
	         "run <count> filters, by default one per processor"),
	OPT_END,
};

static void print_line(const char *line)
{
	SCOPED(str_release) struct str visible = { 0 };

	utf8_add_visible(&visible, text_from(line));
	fprintf(stderr, PROGRAM ": %s\n", str_cstr(&visible));
}

static enum exit_status print_help(void)
{
	SCOPED(str_release) struct str text = { 0 };

	usage_synopsis(PROGRAM, options, NULL, HELP_COLUMNS, &text);
	str_add(&text, "\nAnswers reports and names frames over HTTP: POST "
	               "/report, /hash and /symbolicate/v5.\n\n");
	usage_options(options, HELP_COLUMNS, &text);
	fputs(str_cstr(&text), stdout);
	return fflush(stdout) ? EXIT_ENVIRONMENT : EXIT_DONE;
}

static enum exit_status print_version(void)
{
	printf(PROGRAM " " APMTOOL_VERSION "\ncommit %s\nlibmicrohttpd %s\n",
	       apmtool_commit, http_version());
	return fflush(stdout) ? EXIT_ENVIRONMENT : EXIT_DONE;
}

static enum exit_status run(int argc, char **argv)
{
	struct server_settings chosen = {
		.listen = LISTEN,
		.time_limit_s = TIME_LIMIT_S,
		.commit = apmtool_commit,
		.log = print_line,
	};
	SCOPED(str_release) struct str program = { 0 };
	enum exit_status status = EXIT_DONE;
	size_t operand_count;
	struct error *err =
	        options_parse(options, argc, argv, &chosen, &operand_count);

	if (!err && operand_count)
		err = error_new(ERROR_USAGE, "unexpected operand '%s'",
		                argv[0]);
	if (!chosen.jobs)
		chosen.jobs = parallel_processors();
	if (!chosen.queue)
		chosen.queue = QUEUE_PER_JOB * chosen.jobs;
	if (!err)
		err = filter_program_find(apmtool_commit, &program);
	chosen.program = str_cstr(&program);
	if (!err)
		err = server_run(&chosen);
	if (err) {
		status = error_code(err) == ERROR_USAGE ? EXIT_USAGE
		                                        : EXIT_ENVIRONMENT;
		print_line(error_message(err));
		error_free(err);
	}
	if (status == EXIT_USAGE)
		fputs("see '" PROGRAM " --help'\n", stderr);
	options_release(options, &chosen);
	return status;
}

int main(int argc, char **argv)
{
	process_open_standard_files();
	if (argc)
		argc--, argv++;
	if (options_ask("--help", argc, argv) || options_ask("-h", argc, argv))
		return (int)print_help();
	if (options_ask("--version", argc, argv))
		return (int)print_version();
	return (int)run(argc, argv);
}

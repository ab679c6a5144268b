// SPDX-License-Identifier: MIT
/**
 * `apmtool-worker`: answers the reports of a Kafka topic.
 */
#include "cmd/worker/hook.h"
#include "cmd/worker/log.h"
#include "cmd/worker/work.h"
#include "lib/answers/program.h"
#include "lib/base/mem.h"
#include "lib/base/parallel.h"
#include "lib/base/process.h"
#include "lib/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char apmtool_commit[];

#define PROGRAM      "apmtool-worker"
#define HELP_COLUMNS 80

#define TIME_LIMIT_S     10
#define TIME_LIMIT_S_MAX 3600
#define JOBS_MAX         256

static const struct option options[] = {
	OPT_TEXT('c', "config", struct worker_options, config, "<file>",
	         "read settings from <file> (YAML)"),
	OPT_TEXT(0, "kafka-conf", struct worker_options, kafka_conf, "<file>",
	         "read properties of librdkafka, secrets too, from <file>"),
	OPT_TEXT('b', "brokers", struct worker_options, brokers, "<list>",
	         "connect to these brokers first: host:port,…"),
	OPT_TEXT('g', "group", struct worker_options, group, "<name>",
	         "share the topic with workers of this group (apmtool)"),
	OPT_LIST('d', "dsym", struct worker_options, dsym, "<path>",
	         "search <path> for symbols"),
	OPT_LIST(0, "store", struct worker_options, store, "<dir>",
	         "look up UUIDs in the symbol store <dir>"),
	OPT_CHOICE(0, "id", struct worker_options, id, WORKER_IDS,
	           "report id: header, else incident id; or always a hash"),
	OPT_FLAG(0, "exactly-once", struct worker_options, exactly_once,
	         "deliver in transactions"),
	OPT_TEXT(0, "slot", struct worker_options, slot, "<name>",
	         "name of this worker in its group, for --exactly-once"),
	OPT_FLAG(0, "redrive", struct worker_options, redrive,
	         "repeat the reports that wait for symbols, and end"),
	OPT_FLAG(0, "until-end", struct worker_options, until_end,
	         "end at the end of the topic"),
	OPT_UINT(0, "max-messages", struct worker_options, messages_max, 1, 0,
	         "<count>", "end after <count> messages"),
	OPT_UINT(0, "time-limit", struct worker_options, time_limit_s, 2,
	         TIME_LIMIT_S_MAX, "<seconds>",
	         "give up on a message after <seconds>, 10 by default"),
	OPT_TEXT(0, "status", struct worker_options, status, "<file>",
	         "keep counts in <file>, for Prometheus"),
	OPT_FLAG(0, "redact", struct worker_options, redact,
	         "replace people, devices and hosts by pseudonyms"),
	OPT_TEXT(0, "redact-key", struct worker_options, redact_key, "<file>",
	         "make pseudonyms with the key in <file>"),
	OPT_UINT('j', "jobs", struct worker_options, jobs, 1, JOBS_MAX,
	         "<count>",
	         "run <count> filters, by default one per processor"),
	OPT_END,
};

static enum exit_status print_help(void)
{
	SCOPED(str_release) struct str text = { 0 };

	usage_synopsis(PROGRAM, options, NULL, HELP_COLUMNS, &text);
	str_add(&text, "\nReads reports from a Kafka topic, runs 'apmtool "
	               "filter' on them, and delivers events.\n\n");
	usage_options(options, HELP_COLUMNS, &text);
	fputs(str_cstr(&text), stdout);
	return fflush(stdout) ? EXIT_ENVIRONMENT : EXIT_DONE;
}

static enum exit_status print_version(void)
{
	printf(PROGRAM " " APMTOOL_VERSION "\ncommit %s\nlibrdkafka %s\n",
	       apmtool_commit, rd_kafka_version_str());
	return fflush(stdout) ? EXIT_ENVIRONMENT : EXIT_DONE;
}

static enum exit_status run(int argc, char **argv)
{
	struct worker_options chosen = { .time_limit_s = TIME_LIMIT_S };
	SCOPED(str_release) struct str program = { 0 };
	struct worker worker = { 0 };
	enum exit_status status;
	size_t operand_count;
	struct error *err =
	        options_parse(options, argc, argv, &chosen, &operand_count);

	if (!err && operand_count)
		err = error_new(ERROR_USAGE, "unexpected operand '%s'",
		                argv[0]);
	if (!chosen.jobs)
		chosen.jobs = parallel_processors();
	if (!err)
		err = worker_settings_read(&chosen, &worker.settings);
	if (!err)
		err = filter_program_find(apmtool_commit, &program);
	if (err) {
		status = worker_refuse(err);
	} else {
		hook_begin(getenv("APMTOOL_WORKER_HOOK"));
		worker.program = str_cstr(&program);
		worker.is_transactional = chosen.exactly_once;
		status = worker_run(&worker);
	}
	if (status == EXIT_USAGE)
		fputs("see '" PROGRAM " --help'\n", stderr);
	worker_settings_release(&worker.settings);
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

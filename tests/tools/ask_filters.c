// SPDX-License-Identifier: MIT
/**
 * Frames to children `apmtool filter`, for tests/check_answers.py:
 *
 *     ask_filters CHILDREN [OPTION...] <FRAMES >ANSWERS
 *
 * Frames are preceded by their length (u32) and lines of answers, as they come,
 * by the number of the frame. `find` alone checks the apmtool beside it.
 */
#include "lib/answers/answer.h"
#include "lib/answers/pool.h"
#include "lib/answers/program.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/text/framing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char apmtool_commit[];

#define FLIGHTS_MAX 1000
#define READ_BYTES  ((size_t)64 << 10)

struct flight {
	struct filter_question question; ///< the first
	size_t number;
};

static void print(void *context, struct filter_question *question,
                  struct text text)
{
	struct flight *flight = (struct flight *)question;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct filter_answer answer;
	struct error *err = filter_answer_read(text, &arena, &answer);

	(void)context;
	if (err) {
		fprintf(stderr, "%zu: %s: %.*s\n", flight->number,
		        error_message(err), TEXT_ARGS(text));
		exit(1);
	}
	printf("%zu %s %s %zu %zu", flight->number,
	       filter_status_name(answer.status),
	       answer.reason ? answer.reason : "-", answer.document_count,
	       answer.missing_count);
	for (size_t i = 0; i < answer.document_count; i++)
		printf(" %.*s", TEXT_ARGS(answer.documents[i].id));
	printf(" %.*s\n", TEXT_ARGS(text));
	fflush(stdout);
	free((char *)flight->question.frame.data);
	free(flight);
}

static void ask(struct filter_pool *pool, struct text frame, size_t number)
{
	struct flight *flight = mem_zalloc(1, sizeof(*flight));
	char *copy = mem_alloc(frame.size + 1);

	if (frame.size)
		memcpy(copy, frame.data, frame.size);
	flight->question.frame = (struct text){ copy, frame.size };
	flight->number = number;
	filter_pool_ask(pool, &flight->question);
}

static struct error *pass(struct filter_pool *pool)
{
	SCOPED(mem_drop) char *room = mem_alloc(READ_BYTES);
	struct framing_reader reader = { .framing = FRAMING_U32,
		                         .limit_bytes = SIZE_MAX };
	size_t count = filter_pool_events(pool);
	SCOPED(mem_drop)
	struct pollfd *events = mem_zalloc(count + 1, sizeof(*events));
	struct error *err = filter_pool_start(pool);
	size_t number = 0;

	while (!err && !(reader.has_ended && !filter_pool_count(pool))) {
		bool reads = !reader.has_ended &&
		             filter_pool_count(pool) < FLIGHTS_MAX;
		struct text frame;

		filter_pool_watch(pool, events);
		events[count] =
		        (struct pollfd){ .fd = reads ? STDIN_FILENO : -1,
			                 .events = POLLIN };
		poll(events, (nfds_t)count + 1, filter_pool_wait_ms(pool));
		err = filter_pool_serve(pool, events);
		if (err || !events[count].revents)
			continue;
		framing_give(&reader, room,
		             (size_t)read(STDIN_FILENO, room, READ_BYTES));
		while (framing_next(&reader, &frame) == FRAMING_WHOLE)
			ask(pool, frame, number++);
		err = filter_pool_serve(pool, NULL);
	}
	framing_release(&reader);
	return err;
}

int main(int argc, char **argv)
{
	SCOPED(str_release) struct str program = { 0 };
	SCOPED(filter_pool_drop) struct filter_pool *pool = NULL;
	struct error *err = filter_program_find(apmtool_commit, &program);
	uint64_t children = 1;

	signal(SIGPIPE, SIG_IGN);
	if (!err && argc > 1 && strcmp(argv[1], "find")) {
		struct filter_pool_settings settings = {
			.program = str_cstr(&program),
			.options = (const char *const *)argv + 2,
			.silence_s = 5,
			.answered = print,
		};

		if (!number_decimal(text_from(argv[1]), &children))
			return 2;
		settings.children = (size_t)children;
		pool = filter_pool_new(&settings);
		err = pass(pool);
		fprintf(stderr, "lost %zu\n", filter_pool_losses(pool));
	}
	if (err)
		fprintf(stderr, "%s\n", error_message(err));
	return err ? 1 : 0;
}

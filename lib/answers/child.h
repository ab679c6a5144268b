// SPDX-License-Identifier: MIT
/**
 * Within lib/answers: a program that is executed with pipes for its standard
 * input and output, and one that is `apmtool filter`.
 */
#ifndef APMTOOL_LIB_ANSWERS_CHILD_H
#define APMTOOL_LIB_ANSWERS_CHILD_H

#include "lib/answers/question.h"
#include "lib/base/error.h"
#include "lib/text/framing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** The ends that are ours. */
struct child_pipes {
	int to;
	int from;
};

/** Execute @p path; its standard error is ours. */
MUST_CHECK struct error *child_execute(const char *path, char *const *arguments,
                                       struct child_pipes *ret_pipes,
                                       pid_t *ret_pid);

/** All zeros is one that does not run. */
struct filter_child {
	pid_t pid; ///< 0: it does not run
	struct child_pipes pipes;
	struct framing_reader answers;

	struct filter_question *first; ///< without an answer, in order
	struct filter_question *last;
	struct filter_question *unsent; ///< the first not sent as a whole
	size_t sent_bytes;              ///< of it, its length included
	size_t count;                   ///< of those without an answer
	size_t bytes;                   ///< of their frames

	/** An empty question: its answer shows that the child has begun. */
	struct filter_question greeting;
	bool is_ready;
	bool is_old;           ///< to be replaced once it has answered
	bool is_alone;         ///< with a frame that others were lost with
	int64_t busy_until_ms; ///< killed then
	int64_t start_at_ms;   ///< of one that does not run
};

/** Give it a question, to be sent by filter_child_send(). */
void filter_child_add(struct filter_child *child,
                      struct filter_question *question);

/** Send as much as the pipe takes. */
void filter_child_send(struct filter_child *child);

/** Take the first of its questions, which has its answer. */
struct filter_question *filter_child_take(struct filter_child *child);

#endif

// SPDX-License-Identifier: MIT
/**
 * Within lib/answers: a child process with pipes for its standard input and
 * output, and a child `apmtool filter` with its questions.
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

/** Our ends of the pipes. */
struct child_pipes {
	int to;
	int from;
};

/** Execute @p path; the child shares our standard error. */
MUST_CHECK struct error *child_execute(const char *path, char *const *arguments,
                                       struct child_pipes *ret_pipes,
                                       pid_t *ret_pid);

/** All zeros: does not run. */
struct filter_child {
	pid_t pid; ///< 0: does not run
	struct child_pipes pipes;
	struct framing_reader answers;

	struct filter_question *first; ///< without an answer, in order
	struct filter_question *last;
	struct filter_question *unsent; ///< the first not completely sent
	size_t sent_bytes;              ///< of `unsent`, with its length
	size_t count;                   ///< of questions without an answer
	size_t bytes;                   ///< of their frames

	/** An empty question: its answer shows that the child is ready. */
	struct filter_question greeting;
	bool is_ready;
	bool is_old;           ///< to be replaced after its answers
	bool is_alone;         ///< gets no questions beyond a suspect one
	int64_t busy_until_ms; ///< when to kill it
	int64_t start_at_ms;   ///< when to start it, if it does not run
};

/** Queue a question for filter_child_send(). */
void filter_child_add(struct filter_child *child,
                      struct filter_question *question);

/** Send as much as the pipe takes. */
void filter_child_send(struct filter_child *child);

/** Remove the first question, whose answer has come. */
struct filter_question *filter_child_take(struct filter_child *child);

#endif

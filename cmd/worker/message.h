// SPDX-License-Identifier: MIT
/**
 * Unfinished messages of the raw topic, by partition, in the order of their
 * offsets. The offset of the first unfinished message of a partition may be
 * committed.
 */
#ifndef APMTOOL_CMD_WORKER_MESSAGE_H
#define APMTOOL_CMD_WORKER_MESSAGE_H

#include "cmd/worker/kafka.h"
#include "lib/answers/question.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum message_state {
	MESSAGE_ASKED,    ///< waits for answers
	MESSAGE_ANSWERED, ///< has all answers; nothing is sent yet
	MESSAGE_SENT,     ///< waits for deliveries
	MESSAGE_DONE,
};

enum report_shape { REPORT_NONE, REPORT_FULL, REPORT_SLIM, REPORT_OMITTED };

struct message {
	struct filter_question event_question;
	struct filter_question slim_question;
	struct str event_answer; ///< with full reports, if requested
	struct str slim_answer;
	struct str hash; ///< of its value, in hex; empty until it is needed
	rd_kafka_message_t *raw;
	size_t bytes; ///< counted for it in partitions.bytes

	struct partition *partition; ///< NULL: revoked
	struct message *next;        ///< in its partition, or in `taken_away`
	enum message_state state;
	enum report_shape report;
	unsigned asked;      ///< questions without an answer
	unsigned deliveries; ///< sent and not yet delivered
	unsigned shortages;  ///< answers with E-shortage
	unsigned attempt;    ///< of --redrive; 0: first processing
	const char *known;   ///< UUIDs missing at the last attempt; or NULL
	bool is_oversized;   ///< its event is too large for the topic
	bool dead_is_bare;   ///< its dead letter is too large: omit the value
	bool is_waiting;     ///< for symbols
};

struct partition {
	char *topic;
	int32_t number;
	struct message *first; ///< the first unfinished one
	struct message *last;
	struct message *unsent; ///< for transactions: the first not sent
	int64_t next;           ///< offset to commit; -1: none yet
	int64_t committed;      ///< -1: not by this worker
	bool at_end;
};

struct partitions {
	struct message *taken_away; ///< of revoked partitions, unfinished
	struct partition **all;
	size_t count;
	size_t cap;
	size_t messages; ///< unfinished, `taken_away` included
	size_t bytes;
};

struct partition *partitions_add(struct partitions *partitions,
                                 const char *topic, int32_t number);
/** NULL: it is not assigned. */
struct partition *partitions_find(const struct partitions *partitions,
                                  const char *topic, int32_t number);
/**
 * Remove a revoked partition. Messages that wait for an answer or a delivery
 * are freed when it comes.
 *
 * @return How many messages were unfinished.
 */
size_t partitions_remove(struct partitions *partitions,
                         struct partition *partition);
/** Whether fewer than 1,000 messages and 64 MB of them are unfinished. */
bool partitions_have_room(const struct partitions *partitions);
/** Remove all partitions. */
void partitions_clear(struct partitions *partitions);
/** Call it once no message waits for an answer or a delivery. */
void partitions_release(struct partitions *partitions);

/** Takes ownership of @p raw. */
struct message *message_new(struct partitions *partitions,
                            struct partition *partition,
                            rd_kafka_message_t *raw);
struct text message_value(const struct message *message);
/** Count bytes that are held for it: of an answer. */
void message_hold(struct partitions *partitions, struct message *message,
                  size_t bytes);

/** Mark as done; free the finished messages at the start of its partition. */
void message_finish(struct partitions *partitions, struct message *message);

/**
 * Free a message that waits for nothing more, if its partition was revoked.
 *
 * @return Whether the partition was revoked.
 */
bool message_is_dropped(struct partitions *partitions, struct message *message);

#endif

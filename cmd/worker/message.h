// SPDX-License-Identifier: MIT
/**
 * Messages of the raw topic between their arrival and their last delivery, in
 * the order of their offsets, by partition. What may be committed of a
 * partition is the offset of its first unfinished message.
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
	MESSAGE_ASKED,    ///< an answer is awaited
	MESSAGE_ANSWERED, ///< it has all, and nothing of it is sent
	MESSAGE_SENT,     ///< deliveries are awaited
	MESSAGE_DONE,
};

/** How a report is given. */
enum report_shape { REPORT_NONE, REPORT_FULL, REPORT_SLIM, REPORT_OMITTED };

struct message {
	struct filter_question event_question;
	struct filter_question slim_question;
	struct str event_answer; ///< with full reports, if they are wanted
	struct str slim_answer;
	rd_kafka_message_t *raw;

	struct partition *partition; ///< NULL: taken away
	struct message *next; ///< in the partition, or of those taken away
	enum message_state state;
	enum report_shape report;
	unsigned asked;      ///< answers that are awaited
	unsigned deliveries; ///< that are awaited
	unsigned shortages;  ///< answers E-shortage
	unsigned attempt;    ///< of --redrive; 0: the first time
	const char *known;   ///< UUIDs that it missed before; or NULL
	bool is_oversized;   ///< its event is too large for the topic
	bool dead_is_bare;   ///< so is the dead letter
	bool is_waiting;     ///< for symbols
};

struct partition {
	char *topic;
	int32_t number;
	struct message
	        *first; ///< unfinished, or finished after one that is not
	struct message *last;
	struct message *unsent; ///< of transactions: the first not sent
	int64_t next;           ///< offset to commit; -1: none yet
	int64_t committed;      ///< -1: none by us
	bool at_end;
};

struct partitions {
	struct message *taken_away; ///< something is awaited of them
	struct partition **all;
	size_t count;
	size_t cap;
	size_t messages; ///< unfinished, of those assigned or not
	size_t bytes;
};

struct partition *partitions_add(struct partitions *partitions,
                                 const char *topic, int32_t number);
/** NULL: it is not assigned. */
struct partition *partitions_find(const struct partitions *partitions,
                                  const char *topic, int32_t number);
/**
 * Take one away. Of its messages, what awaits an answer or a delivery is freed
 * with it.
 *
 * @return How many were unfinished.
 */
size_t partitions_remove(struct partitions *partitions,
                         struct partition *partition);
/** Is there room for one more message? Of a thousand, or 64 MB. */
bool partitions_have_room(const struct partitions *partitions);
/** Take all away. */
void partitions_clear(struct partitions *partitions);
/** Nothing is awaited any more of any message. */
void partitions_release(struct partitions *partitions);

/** Takes @p raw. */
struct message *message_new(struct partitions *partitions,
                            struct partition *partition,
                            rd_kafka_message_t *raw);
struct text message_value(const struct message *message);

/** All is delivered: forget it, and all finished ones at the start. */
void message_finish(struct partitions *partitions, struct message *message);

/** Free one whose partition was taken away, once nothing is awaited. */
bool message_is_dropped(struct partitions *partitions, struct message *message);

#endif

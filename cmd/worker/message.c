// SPDX-License-Identifier: MIT
#include "cmd/worker/message.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Limits for unfinished messages. */
#define MESSAGES_MAX 1000
#define BYTES_MAX    ((size_t)64 << 20)

struct partition *partitions_find(const struct partitions *partitions,
                                  const char *topic, int32_t number)
{
	for (size_t i = 0; i < partitions->count; i++) {
		struct partition *each = partitions->all[i];

		if (each->number == number && !strcmp(each->topic, topic))
			return each;
	}
	return NULL;
}

struct partition *partitions_add(struct partitions *partitions,
                                 const char *topic, int32_t number)
{
	struct partition *partition = mem_zalloc(1, sizeof(*partition));

	partition->topic = mem_strndup(topic, strlen(topic));
	partition->number = number;
	partition->next = partition->committed = -1;
	MEM_GROW(partitions->all, partitions->count, partitions->cap);
	partitions->all[partitions->count++] = partition;
	return partition;
}

static void free_message(struct partitions *partitions, struct message *message)
{
	partitions->messages--;
	partitions->bytes -= message->bytes;
	str_release(&message->event_answer);
	str_release(&message->slim_answer);
	str_release(&message->hash);
	rd_kafka_message_destroy(message->raw);
	free(message);
}

bool message_is_dropped(struct partitions *partitions, struct message *message)
{
	struct message **at = &partitions->taken_away;

	if (message->partition)
		return false;
	if (message->asked || message->deliveries)
		return true;
	while (*at != message)
		at = &(*at)->next;
	*at = message->next;
	free_message(partitions, message);
	return true;
}

size_t partitions_remove(struct partitions *partitions,
                         struct partition *partition)
{
	size_t unfinished = 0;
	struct message *next;

	for (struct message *m = partition->first; m; m = next) {
		next = m->next;
		unfinished += m->state != MESSAGE_DONE;
		m->partition = NULL;
		m->next = partitions->taken_away;
		partitions->taken_away = m;
		message_is_dropped(partitions, m);
	}
	for (size_t i = 0; i < partitions->count; i++)
		if (partitions->all[i] == partition)
			partitions->all[i] =
			        partitions->all[--partitions->count];
	free(partition->topic);
	free(partition);
	return unfinished;
}

bool partitions_have_room(const struct partitions *partitions)
{
	return partitions->messages < MESSAGES_MAX &&
	       partitions->bytes < BYTES_MAX;
}

void partitions_clear(struct partitions *partitions)
{
	while (partitions->count)
		partitions_remove(partitions, partitions->all[0]);
}

void partitions_release(struct partitions *partitions)
{
	struct message *message;

	partitions_clear(partitions);
	while ((message = partitions->taken_away)) {
		partitions->taken_away = message->next;
		free_message(partitions, message);
	}
	free(partitions->all);
	partitions->all = NULL;
	partitions->cap = 0;
}

void message_hold(struct partitions *partitions, struct message *message,
                  size_t bytes)
{
	message->bytes += bytes;
	partitions->bytes += bytes;
}

struct message *message_new(struct partitions *partitions,
                            struct partition *partition,
                            rd_kafka_message_t *raw)
{
	struct message *message = mem_zalloc(1, sizeof(*message));

	message->raw = raw;
	message->partition = partition;
	if (partition->last)
		partition->last->next = message;
	else
		partition->first = message;
	partition->last = message;
	if (!partition->unsent)
		partition->unsent = message;
	if (partition->next < 0)
		partition->next = raw->offset;
	partitions->messages++;
	message_hold(partitions, message, raw->len + raw->key_len);
	return message;
}

struct text message_value(const struct message *message)
{
	return (struct text){ message->raw->payload, message->raw->len };
}

void message_finish(struct partitions *partitions, struct message *message)
{
	struct partition *partition = message->partition;

	message->state = MESSAGE_DONE;
	while ((message = partition->first) && message->state == MESSAGE_DONE) {
		partition->next = message->raw->offset + 1;
		partition->first = message->next;
		if (!partition->first)
			partition->last = NULL;
		if (partition->unsent == message)
			partition->unsent = message->next;
		free_message(partitions, message);
	}
}

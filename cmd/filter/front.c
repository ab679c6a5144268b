// SPDX-License-Identifier: MIT
#include "cmd/filter/front.h"

#include "cmd/run/notices.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/process.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/worker/channel.h"
#include "lib/symbols/worker/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** Unanswered frames, and about how many bytes they may have. */
#define FLIGHTS_MAX      512
#define FLIGHT_BYTES_MAX ((size_t)16 << 20)
/** How often to try to start a reader, and the pause between. */
#define STARTS_MAX     5
#define START_PAUSE_MS 100

#define READ_BYTES ((size_t)256 << 10)

enum flight_state {
	FLIGHT_WAITING,
	FLIGHT_SENT,     ///< or being sent
	FLIGHT_ANSWERED, ///< has its body
};

/** A frame between its arrival and its answer. */
struct flight {
	enum flight_state state;
	char *data; ///< the frame; NULL: it was refused
	size_t size;
	struct frame_envelope envelope; ///< parts of it
	enum answer_shape shape;
	struct str body;
};

struct reader_process {
	pid_t pid; ///< 0: does not run
	int channel;
	size_t answered;       ///< frames, since its start
	int64_t busy_until_ms; ///< deadline of its current frame
	size_t sent_bytes; ///< of the flight that is being sent, head included
	struct str reply;  ///< a reply that is incomplete
};

struct front {
	const struct front_settings *settings;
	const struct notices *notices;
	struct framing_reader framing;
	bool has_ended; ///< no more frames come
	bool is_broken; ///< the framing, so it has ended
	bool cannot_read;

	struct flight *flights; ///< a ring of FLIGHTS_MAX
	size_t first;           ///< the oldest, by number
	size_t end;             ///< past the youngest
	size_t unsent;          ///< none before it has to be sent
	size_t unanswered;      ///< none before it waits for the reader
	size_t sent;            ///< frames that the reader has
	size_t bytes;           ///< of all flights

	struct reader_process reader;
	size_t alone; ///< send frames before this number one at a time
	char *room;   ///< READ_BYTES
};

static struct flight *flight_at(const struct front *front, size_t number)
{
	return &front->flights[number % FLIGHTS_MAX];
}

static void front_release(struct front *front)
{
	for (size_t i = 0; i < FLIGHTS_MAX; i++) {
		free(front->flights[i].data);
		str_release(&front->flights[i].body);
	}
	free(front->flights);
	free(front->room);
	framing_release(&front->framing);
	str_release(&front->reader.reply);
}

// The reader

static NORETURN void become_reader(const struct front *front, int channel,
                                   pid_t parent)
{
	int nothing = open("/dev/null", O_RDWR);
	enum exit_status status;

	child_follow(parent);
	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	close(nothing);
	status = reader_run(front->settings->reader, channel);
	if (status != EXIT_DONE)
		front->settings->reader->give_up();
	exit((int)status);
}

/** Wait until the reader is ready. @return Its status if it ended instead. */
static enum exit_status await_ready(struct reader_process *reader)
{
	struct reader_reply ready;
	int status;

	if (channel_receive(reader->channel, &ready, sizeof(ready),
	                    CHANNEL_NO_DEADLINE) == CHANNEL_ALL &&
	    ready.magic == READER_MAGIC)
		return EXIT_DONE;
	close(reader->channel);
	status = process_wait(reader->pid);
	reader->pid = 0;
	return WIFEXITED(status) && WEXITSTATUS(status)
	               ? (enum exit_status)WEXITSTATUS(status)
	               : EXIT_ENVIRONMENT;
}

static enum exit_status start_reader(struct front *front)
{
	struct reader_process *reader = &front->reader;
	pid_t parent = getpid();
	int ends[2];

	if (!channel_open(ends))
		return EXIT_ENVIRONMENT;
	reader->pid = fork();
	if (reader->pid == 0) {
		close(ends[0]);
		become_reader(front, ends[1], parent);
	}
	close(ends[1]);
	if (reader->pid < 0) {
		close(ends[0]);
		reader->pid = 0;
		return EXIT_ENVIRONMENT;
	}
	reader->channel = ends[0];
	reader->answered = 0;
	reader->sent_bytes = 0;
	str_clear(&reader->reply);
	return await_ready(reader);
}

/** Try again: the system may lack memory, or kill the reader, for a moment. */
static enum exit_status start_patiently(struct front *front)
{
	enum exit_status status = start_reader(front);

	for (int i = 1; status == EXIT_ENVIRONMENT && i < STARTS_MAX; i++) {
		poll(NULL, 0, START_PAUSE_MS);
		status = start_reader(front);
	}
	return status;
}

static void end_reader(struct front *front, bool at_once)
{
	struct reader_process *reader = &front->reader;

	if (!reader->pid)
		return;
	close(reader->channel);
	if (at_once)
		kill(reader->pid, SIGKILL);
	process_wait(reader->pid);
	reader->pid = 0;
}

// Answers

static void log_refusal(const struct front *front, size_t number,
                        enum answer_reason reason, const char *message)
{
	notice_warn(front->notices, NULL, "frame %zu: %s%s%s", number + 1,
	            answer_reason_name(reason), message ? ": " : "",
	            message ? message : "");
}

static void refuse(struct front *front, size_t number,
                   enum answer_reason reason, const char *message)
{
	struct flight *flight = flight_at(front, number);

	log_refusal(front, number, reason, message);
	flight->state = FLIGHT_ANSWERED;
	str_clear(&flight->body);
	answer_add_refusal(reason, message, &flight->body);
}

/** Write the answers that are next in order. */
static void write_answers(struct front *front)
{
	SCOPED(str_release) struct str answer = { 0 };
	size_t before = front->first;

	while (front->first < front->end) {
		struct flight *flight = flight_at(front, front->first);

		if (flight->state != FLIGHT_ANSWERED)
			break;
		str_clear(&answer);
		answer_add_whole(&flight->envelope, str_text(&flight->body),
		                 &answer);
		framing_write(front->settings->framing, str_text(&answer),
		              front->settings->out);
		front->bytes -= flight->size;
		free(flight->data);
		str_release(&flight->body);
		*flight = (struct flight){ 0 };
		front->first++;
	}
	if (front->first > before)
		out_flush(front->settings->out);
}

// The reader's work

/** Start the time of the next frame. */
static void set_deadline(struct front *front)
{
	front->reader.busy_until_ms = timestamp_now_ms() +
	                              (int64_t)front->settings->time_limit_s *
	                                      1000;
}

/**
 * Replace a reader that died or was too slow. If it was new and had one frame,
 * that frame is the cause. Otherwise send all its frames again, one at a time.
 */
static void lose_reader(struct front *front, enum answer_reason reason)
{
	struct reader_process *reader = &front->reader;
	bool was_fresh = !reader->answered;
	size_t sent = front->sent;

	end_reader(front, true);
	notice_warn(front->notices, NULL,
	            reason == ANSWER_TIME ? "the reader is too slow: starting "
	                                    "a new one"
	                                  : "the reader died: starting a new "
	                                    "one");
	for (size_t i = front->first; i < front->end; i++) {
		struct flight *flight = flight_at(front, i);

		if (flight->state != FLIGHT_SENT)
			continue;
		if (sent == 1 && was_fresh) {
			refuse(front, i, reason,
			       reason == ANSWER_TIME
			               ? "reading it took too long"
			               : "it crashes the reader");
			continue;
		}
		flight->state = FLIGHT_WAITING;
		front->alone = i + 1;
	}
	front->sent = 0;
	front->unsent = front->unanswered = front->first;
	reader->sent_bytes = 0;
}

/** The next frame to send; NULL: none may be sent now. */
static struct flight *next_to_send(struct front *front)
{
	// Skip refused frames that were already written.
	if (front->unsent < front->first)
		front->unsent = front->first;
	while (front->unsent < front->end &&
	       flight_at(front, front->unsent)->state == FLIGHT_ANSWERED)
		front->unsent++;
	if (front->unsent == front->end)
		return NULL;
	if (front->sent && !front->reader.sent_bytes &&
	    (front->unsent < front->alone || front->unanswered < front->alone))
		return NULL;
	return flight_at(front, front->unsent);
}

/** Send as much as the channel takes. @return Whether all of it was sent. */
static bool send_some(struct front *front, struct flight *flight)
{
	struct reader_process *reader = &front->reader;
	struct reader_request request = {
		.magic = READER_MAGIC,
		.content = flight->envelope.content,
		.shape = flight->shape,
		.size = flight->envelope.report.size,
	};
	size_t size = sizeof(request) + flight->envelope.report.size;

	if (flight->state == FLIGHT_WAITING && !front->sent++)
		set_deadline(front);
	flight->state = FLIGHT_SENT;
	while (reader->sent_bytes < size) {
		size_t at = reader->sent_bytes;
		struct iovec parts[2] = { { 0 } };
		size_t count = 0;
		ssize_t sent;

		if (at < sizeof(request))
			parts[count++] = (struct iovec){ (char *)&request + at,
				                         sizeof(request) - at };
		at = at > sizeof(request) ? at - sizeof(request) : 0;
		parts[count++] = (struct iovec){
			(char *)flight->envelope.report.data + at,
			flight->envelope.report.size - at
		};
		sent = channel_send_some(reader->channel, parts, count);
		// If the reader has died, reading its answers will show it.
		if (sent < 0)
			return false;
		reader->sent_bytes += (size_t)sent;
	}
	reader->sent_bytes = 0;
	front->unsent++;
	return true;
}

static void send_all(struct front *front)
{
	struct flight *flight;

	while ((flight = next_to_send(front)) && send_some(front, flight))
		continue;
}

/** Whether the bytes so far can be the start of a reply. */
static bool is_reply(struct text received)
{
	uint32_t magic;

	if (received.size < sizeof(magic))
		return true;
	memcpy(&magic, received.data, sizeof(magic));
	return magic == READER_MAGIC;
}

/** Take a reply from the received bytes; false: it is not complete yet. */
static bool take_reply(struct front *front, struct text *received)
{
	struct reader_reply reply;
	struct flight *flight;

	if (!front->sent || received->size < sizeof(reply) ||
	    !is_reply(*received))
		return false;
	memcpy(&reply, received->data, sizeof(reply));
	if (received->size - sizeof(reply) < reply.size)
		return false;
	if (front->unanswered < front->first)
		front->unanswered = front->first;
	while (flight_at(front, front->unanswered)->state != FLIGHT_SENT)
		front->unanswered++;
	flight = flight_at(front, front->unanswered++);
	*received = text_after(*received, sizeof(reply));
	if (reply.reason > ANSWER_NO_REASON && reply.reason < ANSWER_REASONS)
		log_refusal(front, front->unanswered - 1,
		            (enum answer_reason)reply.reason, NULL);
	str_add_text(&flight->body, text_first(*received, (size_t)reply.size));
	*received = text_after(*received, (size_t)reply.size);
	flight->state = FLIGHT_ANSWERED;
	front->reader.answered++;
	front->sent--;
	return true;
}

/** Read replies; false: the reader has died or is broken. */
static bool receive(struct front *front)
{
	struct reader_process *reader = &front->reader;
	struct text received;
	ssize_t got;

	do
		got = read(reader->channel, front->room, READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK;
	if (!got)
		return false;
	set_deadline(front);
	str_add_bytes(&reader->reply, front->room, (size_t)got);
	received = str_text(&reader->reply);
	while (take_reply(front, &received))
		continue;
	// Stray bytes would be taken for the next answer.
	if (received.size && (!front->sent || !is_reply(received)))
		return false;
	memmove(reader->reply.data, received.data, received.size);
	reader->reply.size = received.size;
	return true;
}

// Frames

/** Set the shape: with ANSWER_ANY, the envelope chooses it. */
static struct error *find_shape(const struct front *front,
                                struct flight *flight)
{
	flight->shape = front->settings->reader->shape;
	if (flight->shape == ANSWER_ANY &&
	    !answer_shape_find(flight->envelope.shape, &flight->shape))
		return error_new(ERROR_FORMAT,
		                 "shape: expected " ANSWER_ENVELOPE_SHAPES);
	return NULL;
}

static void add_flight(struct front *front, struct text frame)
{
	struct flight *flight = flight_at(front, front->end);
	SCOPED(error_drop) struct error *err = NULL;
	size_t number = front->end++;

	*flight = (struct flight){ .size = frame.size };
	flight->data = mem_alloc(frame.size + 1);
	memcpy(flight->data, frame.data, frame.size);
	front->bytes += frame.size;
	frame.data = flight->data;
	err = envelope_find(frame, &flight->envelope);
	if (!err)
		err = find_shape(front, flight);
	if (err)
		refuse(front, number, ANSWER_ENVELOPE, error_message(err));
	else if (!text_trim(flight->envelope.report).size)
		refuse(front, number, ANSWER_EMPTY, NULL);
}

static void add_refused(struct front *front, enum answer_reason reason,
                        const char *message)
{
	*flight_at(front, front->end) = (struct flight){ 0 };
	refuse(front, front->end++, reason, message);
}

static void add_too_large(struct front *front)
{
	SCOPED(str_release) struct str message = { 0 };

	str_addf(&message, "the frame is larger than %s",
	         limit_size(limit_get(LIMIT_REPORT)).text);
	add_refused(front, ANSWER_SIZE, str_cstr(&message));
}

static bool has_room(const struct front *front)
{
	return front->end - front->first < FLIGHTS_MAX &&
	       front->bytes < FLIGHT_BYTES_MAX;
}

/** Take frames that were read, while there is room. */
static void take_frames(struct front *front)
{
	while (!front->is_broken && has_room(front)) {
		struct text frame;

		switch (framing_next(&front->framing, &frame)) {
		case FRAMING_MORE:
			front->has_ended |= front->framing.has_ended;
			return;
		case FRAMING_WHOLE:
			add_flight(front, frame);
			break;
		case FRAMING_TOO_LARGE:
			add_too_large(front);
			break;
		case FRAMING_BROKEN:
			add_refused(front, ANSWER_FRAMING,
			            "expected a frame: the rest of the input "
			            "is ignored");
			front->is_broken = front->has_ended = true;
			return;
		}
	}
}

/** Repeat, since frames that are refused at once make room for others. */
static void pass_frames(struct front *front)
{
	size_t before;

	do {
		before = front->end;
		take_frames(front);
		write_answers(front);
	} while (front->end > before);
}

static void read_stream(struct front *front)
{
	ssize_t got;

	do
		got = read(front->settings->input, front->room, READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return;
	if (got < 0) {
		notice_fail(front->notices, "standard input",
		            "cannot be read: %s", strerror(errno));
		front->cannot_read = true;
	}
	framing_give(&front->framing, front->room, got > 0 ? (size_t)got : 0);
}

/** How long to poll(); -1: forever. */
static int wait_ms(const struct front *front)
{
	int64_t left;

	if (!front->sent)
		return -1;
	left = front->reader.busy_until_ms - timestamp_now_ms();
	return left < 0 ? 0 : (int)left;
}

/** Wait for events and handle them. */
static void step(struct front *front)
{
	struct reader_process *reader = &front->reader;
	bool reads = !front->framing.has_ended && has_room(front);
	struct pollfd events[] = {
		{ .fd = reads ? front->settings->input : -1, .events = POLLIN },
		{ .fd = reader->pid ? reader->channel : -1, .events = POLLIN },
	};
	int found;

	if (reader->sent_bytes)
		events[1].events |= POLLOUT;
	found = poll(events, ARRAY_SIZE(events), wait_ms(front));
	if (found < 0)
		return;
	if (events[1].revents && !receive(front))
		lose_reader(front, ANSWER_CRASH);
	else if (!wait_ms(front))
		lose_reader(front, ANSWER_TIME);
	if (events[0].revents)
		read_stream(front);
}

/** Refuse all waiting frames, since no reader can start. */
static void give_up(struct front *front)
{
	for (size_t i = front->first; i < front->end; i++)
		if (flight_at(front, i)->state != FLIGHT_ANSWERED)
			refuse(front, i, ANSWER_SHORTAGE,
			       "the reader cannot be started again");
	write_answers(front);
}

enum exit_status front_run(const struct front_settings *settings)
{
	SCOPED(front_release)
	struct front front = {
		.settings = settings,
		.notices = settings->reader->line->notices,
		.framing = { .framing = settings->framing,
		             .limit_bytes = limit_get(LIMIT_REPORT) },
		.flights = mem_zalloc(FLIGHTS_MAX, sizeof(*front.flights)),
		.room = mem_alloc(READ_BYTES),
	};
	enum exit_status status = start_patiently(&front);

	if (status != EXIT_DONE)
		return status;
	settings->reader->begin();
	for (;;) {
		pass_frames(&front);
		if (front.has_ended && front.first == front.end)
			break;
		if (!front.reader.pid && next_to_send(&front) &&
		    (status = start_patiently(&front)) != EXIT_DONE)
			break;
		if (front.reader.pid)
			send_all(&front);
		step(&front);
	}
	end_reader(&front, status != EXIT_DONE);
	if (status != EXIT_DONE)
		give_up(&front);
	if (status != EXIT_DONE || front.cannot_read)
		return EXIT_ENVIRONMENT;
	return front.is_broken ? EXIT_SOME_FAILED : EXIT_DONE;
}

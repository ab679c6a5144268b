/*
 * A large array of samples, which several jobs read: each reads a piece of it,
 * whole elements from a comma on, while others read theirs. What came of the
 * pieces is folded in their order, so that nothing depends on who read what.
 *
 * Where a piece ends is a guess: where the bytes are that came before the
 * second sample, up to its first name. It is right if the piece turns out to be
 * whole elements, and so was the one before. A piece that is none, or has
 * anything to be noted, is read again by the reader of the whole, and so is all
 * that follows it: places and words of messages are its own.
 */
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/parallel.h"
#include "lib/base/turns.h"

#include <stdlib.h>
#include <string.h>

/** The longest beginning of an element that pieces are cut at. */
#define SIGN_BYTES 128
/** A job that has more names and frames than these forgets them. */
#define NAMES_KEPT ((uint32_t)1 << 16)
/** After a piece was refused, so many are read by one job, at least. */
#define PIECES_ALONE 8
/** An array with so many refusals is read by one job from there on. */
#define REFUSALS_MOST 4

struct sharing {
	struct lag_json *json; ///< of the whole; in the turn to fold
	size_t piece_bytes;
	bool takes_stacks;         ///< elements may be nothing but a stack
	bool leaf_first;           ///< stacks are folded so
	char sign[SIGN_BYTES + 1]; ///< what an element begins with
	struct turns reading;
	// In the turn to read:
	struct str rest; ///< what was read, and belongs to no piece yet
	size_t rest_at;  ///< where that begins
	size_t pieces;
	bool ended; ///< the rest is all there is, or no piece
	struct turns folding;
	// In the turn to fold:
	bool stopped;    ///< at a piece that is read again
	struct str back; ///< from that one on
	struct json_passed passed;
};

/** A sample that was read, and not folded yet. */
struct sample {
	uint64_t cost_us;
	uint32_t frame_count;
	bool has_cost;
};

/** What a job reads with, and what came of its piece. */
struct job {
	struct sharing *sharing;
	struct intern names;
	struct lag_reader reader; ///< of pieces; its report has frames alone
	struct lag_json json;
	struct str piece;
	size_t number;    ///< of the piece
	bool is_guessed;  ///< it ends where an element seems to begin
	uint32_t *frames; ///< of all its samples; numbers are the job's
	size_t frame_count;
	size_t frame_cap;
	struct sample *samples;
	size_t sample_count;
	size_t sample_cap;
	// The job's numbers in the report:
	uint32_t *names_of;
	size_t name_count;
	size_t name_cap;
	uint32_t *frames_of;
	size_t place_count;
	size_t place_cap;
};

// Reading

/** Where the next element seems to begin, that is not the first: or nowhere. */
static size_t find_end(const struct sharing *sharing, struct text piece)
{
	size_t at = text_find_last(piece, sharing->sign);

	return at ? at : TEXT_NOWHERE;
}

static struct text rest_of(const struct sharing *sharing)
{
	return text_after(str_text(&sharing->rest), sharing->rest_at);
}

/** Read on until there is as much as a piece has; false: the input ends. */
static bool read_on(const struct sharing *sharing, struct str *bytes)
{
	struct json_pull *pull = sharing->json->source.pull;
	size_t most = sharing->piece_bytes;
	size_t got = 1;

	// A piece gets a bracket behind its end.
	MEM_ROOM(bytes->data, most + 2, bytes->cap);
	while (bytes->size < most && got) {
		got = json_pull_lend_more(pull, bytes->data + bytes->size,
		                          most - bytes->size);
		bytes->size += got;
	}
	bytes->data[bytes->size] = '\0';
	return got;
}

/** Fill a piece: nothing new is read before the rest is used up. */
static bool fill_piece(struct sharing *sharing, struct str *piece)
{
	struct text first = text_first(rest_of(sharing), sharing->piece_bytes);

	str_clear(piece);
	str_add_text(piece, first);
	sharing->rest_at += first.size;
	return read_on(sharing, piece);
}

/** What is behind the end of a piece is the beginning of the next one. */
static void cut_piece(struct sharing *sharing, struct str *piece, size_t end)
{
	struct text behind = text_after(str_text(piece), end);

	if (sharing->rest_at < sharing->rest.size) {
		sharing->rest_at -= behind.size;
	} else {
		str_clear(&sharing->rest);
		str_add_text(&sharing->rest, behind);
		sharing->rest_at = 0;
	}
	piece->size = end;
	piece->data[end] = '\0';
}

static void read_piece(struct sharing *sharing, struct job *job)
{
	size_t end = TEXT_NOWHERE;

	if (fill_piece(sharing, &job->piece))
		end = find_end(sharing, str_text(&job->piece));
	job->is_guessed = end != TEXT_NOWHERE;
	sharing->ended = !job->is_guessed;
	if (job->is_guessed)
		cut_piece(sharing, &job->piece, end);
}

static bool take_piece(struct job *job)
{
	struct sharing *sharing = job->sharing;
	bool got;

	turns_take(&sharing->reading);
	got = !sharing->ended;
	if (got) {
		read_piece(sharing, job);
		job->number = sharing->pieces++;
	}
	turns_pass(&sharing->reading);
	return got;
}

/** Keep a sample; false: the reader of the whole has to say what it lacks. */
static bool keep_sample(struct job *job, const struct lag_sample *sample)
{
	const struct lag_stack *stack = &job->json.stack;

	if (json_pull_is_closing(job->json.source.pull) || stack->is_nodes ||
	    !sample->has_stack || !stack->count ||
	    job->reader.report.note_count)
		return false;
	MEM_GROW(job->samples, job->sample_count, job->sample_cap);
	job->samples[job->sample_count++] = (struct sample){
		.cost_us = sample->cost_us,
		.frame_count = (uint32_t)stack->count,
		.has_cost = sample->has_cost,
	};
	MEM_ROOM(job->frames, job->frame_count + stack->count, job->frame_cap);
	memcpy(job->frames + job->frame_count, stack->frames,
	       stack->count * sizeof(*job->frames));
	job->frame_count += stack->count;
	return true;
}

static bool read_elements(struct job *job, struct json_pull *pull)
{
	const struct json_event *event = json_pull_next(pull);

	while ((event = json_pull_next(pull))->type != JSON_EVENT_END_ARRAY) {
		struct lag_sample sample;

		if (event->type == JSON_EVENT_OBJECT)
			sample = lag_sample_read(&job->json);
		else if (event->type == JSON_EVENT_ARRAY &&
		         job->sharing->takes_stacks)
			sample = lag_sample_read_bare(&job->json);
		else
			return false;
		if (!keep_sample(job, &sample))
			return false;
	}
	return job->sample_count && !json_pull_is_closing(pull) &&
	       !json_pull_repair_count(pull) &&
	       json_pull_used(pull) == job->piece.size;
}

/** Read a piece as an array of its own; false: it is none. */
static bool read_samples(struct job *job)
{
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	const struct lag_json *whole = job->sharing->json;
	struct str *piece = &job->piece;
	size_t depth = json_pull_depth(whole->source.pull);
	bool good;

	job->frame_count = job->sample_count = 0;
	if (!job->is_guessed || memchr(piece->data, '\0', piece->size))
		return false;
	piece->data[0] = '[';
	str_add_char(piece, ']');
	pull = json_pull_new(str_text(piece), 0);
	json_pull_limit(pull, JSON_PULL_DEPTH + 1 - depth);
	job->json.source.pull = pull;
	good = read_elements(job, pull);
	piece->data[0] = ',';
	piece->data[--piece->size] = '\0';
	return good;
}

// Folding

/** The report's numbers of what the job has met since it folded last. */
static void number_new(struct job *job)
{
	struct profile *profile = &job->sharing->json->report->profile;
	const struct profile_frames *places =
	        &job->reader.report.profile.frames;

	for (; job->name_count < job->names.count; job->name_count++) {
		MEM_GROW(job->names_of, job->name_count, job->name_cap);
		job->names_of[job->name_count] = intern_add(
		        profile->strings, job->names.texts[job->name_count]);
	}
	for (; job->place_count < places->count; job->place_count++) {
		struct profile_frame place = places->items[job->place_count];

		if (place.symbol != INTERN_NONE)
			place.symbol = job->names_of[place.symbol];
		if (place.image != INTERN_NONE)
			place.image = job->names_of[place.image];
		MEM_GROW(job->frames_of, job->place_count, job->place_cap);
		job->frames_of[job->place_count] =
		        profile_frame(profile, &place);
	}
}

static void fold_samples(struct job *job)
{
	struct lag_json *json = job->sharing->json;
	const uint32_t *frames = job->frames;

	number_new(job);
	for (size_t i = 0; i < job->sample_count; i++) {
		const struct sample *from = &job->samples[i];
		const struct lag_sample sample = {
			.has_stack = true,
			.has_cost = from->has_cost,
			.cost_us = from->cost_us,
		};

		for (uint32_t k = 0; k < from->frame_count; k++)
			json->stack.frames[k] =
			        frames[k] < PROFILE_FRAME
			                ? job->names_of[frames[k]]
			                : job->frames_of[frames[k] -
			                                 PROFILE_FRAME];
		frames += from->frame_count;
		json->stack.count = from->frame_count;
		lag_sample_end(json, &sample);
	}
}

static void pass(struct job *job)
{
	struct json_passed *passed = &job->sharing->passed;
	struct text rest = str_text(&job->piece);
	size_t end;

	while ((end = text_find_char(rest, '\n')) != TEXT_NOWHERE) {
		rest = text_after(rest, end + 1);
		passed->lines++;
		passed->line_start = passed->bytes + job->piece.size -
		                     rest.size;
	}
	passed->bytes += job->piece.size;
	passed->elements += job->sample_count;
}

/** Many names come once: a job does not keep what the report has, too. */
static void forget_names(struct job *job)
{
	if (job->names.count + job->reader.report.profile.frames.count <=
	    NAMES_KEPT)
		return;
	profile_clear(&job->reader.report.profile);
	intern_release(&job->names);
	job->names = (struct intern){ 0 };
	job->name_count = job->place_count = 0;
}

/** Fold what came of a piece, after those before it. */
static void hand_on(struct job *job, bool good)
{
	struct sharing *sharing = job->sharing;
	bool stopped;

	turns_wait(&sharing->folding, job->number);
	sharing->stopped |= !good;
	stopped = sharing->stopped;
	if (stopped) {
		str_add_text(&sharing->back, str_text(&job->piece));
	} else {
		fold_samples(job);
		pass(job);
	}
	turns_pass(&sharing->folding);
	if (!stopped) {
		forget_names(job);
		return;
	}
	// None reads on behind a piece that is read again: it would be in vain.
	turns_take(&sharing->reading);
	sharing->ended = true;
	turns_pass(&sharing->reading);
}

static void job_begin(struct job *job, struct sharing *sharing)
{
	*job = (struct job){ .sharing = sharing };
	lag_reader_init(&job->reader, &job->names, NULL, NULL, NULL);
	job->json = lag_json_begin(&job->reader);
	job->json.samples.begun = true;
	job->json.samples.folded_leaf_first = sharing->leaf_first;
}

static void job_end(struct job *job)
{
	job->json.source.pull = NULL;
	lag_json_end(&job->json);
	lag_reader_release(&job->reader);
	intern_release(&job->names);
	str_release(&job->piece);
	free(job->frames);
	free(job->samples);
	free(job->names_of);
	free(job->frames_of);
}

static void read_pieces(size_t index UNUSED, void *context)
{
	struct sharing *sharing = context;
	struct job *job = mem_alloc(sizeof(*job));

	job_begin(job, sharing);
	while (take_piece(job))
		hand_on(job, read_samples(job));
	job_end(job);
	free(job);
}

// The array

/**
 * What the next element begins with, up to its first name or frame: a comma,
 * blanks, brackets; empty where it is something else.
 */
static struct text sign_of(struct text rest)
{
	size_t size = 0;
	size_t end;

	while (size < rest.size && size < SIGN_BYTES &&
	       (text_is_space(rest.data[size]) || rest.data[size] == ',' ||
	        rest.data[size] == '[' || rest.data[size] == '{'))
		size++;
	if (!text_starts(rest, ",") || size < 2 || size == rest.size)
		return TEXT_NONE;
	// Stacks are objects in objects: it is their names that differ.
	if (memchr(rest.data, '{', size) && rest.data[size] == '"') {
		end = text_find_char(text_after(rest, size + 1), '"');
		size = end == TEXT_NOWHERE ? rest.size : size + end + 2;
	}
	return size <= SIGN_BYTES && !memchr(rest.data, '\0', size)
	               ? text_first(rest, size)
	               : TEXT_NONE;
}

/** In which order frames are folded, the first of all samples settles. */
static bool settle_order(struct lag_samples *samples)
{
	if (!samples->begun)
		samples->folded_leaf_first = samples->leaf_first;
	return samples->folded_leaf_first;
}

static void share(struct lag_json *json, struct sharing *sharing)
{
	struct text sign;

	if (!json_pull_lend(json->source.pull, &sharing->rest))
		return;
	sign = sign_of(str_text(&sharing->rest));
	memcpy(sharing->sign, sign.data, sign.size);
	// What is no more than a piece is not shared.
	if (sign.size && read_on(sharing, &sharing->rest)) {
		sharing->leaf_first = settle_order(&json->samples);
		parallel_each(json->reader->jobs, json->reader->jobs,
		              read_pieces, sharing);
	}
	str_add_text(&sharing->back, rest_of(sharing));
	json_pull_return(json->source.pull, str_text(&sharing->back),
	                 &sharing->passed);
}

static size_t piece_bytes(const struct lag_json *json)
{
	return json->reader->share_bytes ? json->reader->share_bytes
	                                 : LAG_SHARE_BYTES;
}

struct lag_share lag_samples_share_begin(const struct lag_json *json)
{
	struct lag_share share = { .at = SIZE_MAX };

	if (json->reader->jobs > 1 && !json->alone)
		share.at = json_pull_used(json->source.pull) +
		           piece_bytes(json);
	return share;
}

void lag_samples_share(struct lag_json *json, bool takes_stacks,
                       struct lag_share *at)
{
	struct sharing sharing = { .json = json,
		                   .piece_bytes = piece_bytes(json),
		                   .takes_stacks = takes_stacks,
		                   .reading = TURNS_INIT,
		                   .folding = TURNS_INIT };
	size_t used = json_pull_used(json->source.pull);
	size_t alone = PIECES_ALONE * sharing.piece_bytes;

	if (used < at->at || used < json->unshared || json->stack.is_nodes)
		return;
	share(json, &sharing);
	// Behind what could not be read so, there may be more.
	used = json_pull_used(json->source.pull);
	json->unshared = used + sharing.back.size;
	at->at = ++at->refusals < REFUSALS_MOST ? used + alone : SIZE_MAX;
	str_release(&sharing.rest);
	str_release(&sharing.back);
	turns_release(&sharing.reading);
	turns_release(&sharing.folding);
}

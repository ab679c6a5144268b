// SPDX-License-Identifier: MIT
#include "parsers/json/shape.h"

#include "lib/base/block.h"

#include <string.h>

/** Meaning of a name here, in addition to its format's parser. */
enum meaning {
	OF_ANY,
	OF_HEADER, ///< two of these make a header
	OF_BODY,
};

static const struct {
	const char *name;
	enum meaning meaning;
} names[] = {
	[JSON_NAME_BUG_TYPE] = { "bug_type", OF_ANY },
	[JSON_NAME_APP_NAME] = { "app_name", OF_HEADER },
	[JSON_NAME_TIMESTAMP] = { "timestamp", OF_HEADER },
	[JSON_NAME_INCIDENT_ID] = { "incident_id", OF_HEADER },
	[JSON_NAME_OS_VERSION] = { "os_version", OF_HEADER },
	[JSON_NAME_THREADS] = { "threads", OF_BODY },
	[JSON_NAME_USED_IMAGES] = { "usedImages", OF_BODY },
	[JSON_NAME_FAULTING_THREAD] = { "faultingThread", OF_BODY },
	[JSON_NAME_PANIC_STRING] = { "panicString", OF_BODY },
	[JSON_NAME_MACOS_PANIC_STRING] = { "macOSPanicString", OF_BODY },
	[JSON_NAME_PROCESS_BY_PID] = { "processByPid", OF_BODY },
	[JSON_NAME_STACKSHOT] = { "stackshot", OF_ANY },
	[JSON_NAME_LARGEST_PROCESS] = { "largestProcess", OF_BODY },
	[JSON_NAME_MEMORY_STATUS] = { "memoryStatus", OF_BODY },
	[JSON_NAME_PROCESSES] = { "processes", OF_ANY },
	[JSON_NAME_TIME_DELTA] = { "timeDelta", OF_ANY },
	[JSON_NAME_CRASH] = { "crash", OF_BODY },
	[JSON_NAME_REPORT] = { "report", OF_BODY },
	[JSON_NAME_RECRASH_REPORT] = { "recrash_report", OF_BODY },
	[JSON_NAME_BINARY_IMAGES] = { "binary_images", OF_ANY },
	[JSON_NAME_APPLE_REPORT] = { "appleReport", OF_BODY },
	[JSON_NAME_CRASH_TIME] = { "crashTime", OF_ANY },
	[JSON_NAME_USER_EXCEPTION] = { "userException", OF_ANY },
	[JSON_NAME_STACK_STRING] = { "stack_string", OF_BODY },
	[JSON_NAME_DUMP_TYPE] = { "dump_type", OF_ANY },
	[JSON_NAME_HEAD] = { "head", OF_ANY },
	[JSON_NAME_CRASH_DIAGNOSTICS] = { "crashDiagnostics", OF_BODY },
	[JSON_NAME_HANG_DIAGNOSTICS] = { "hangDiagnostics", OF_BODY },
	[JSON_NAME_CPU_DIAGNOSTICS] = { "cpuExceptionDiagnostics", OF_BODY },
	[JSON_NAME_DISK_DIAGNOSTICS] = { "diskWriteExceptionDiagnostics",
	                                 OF_BODY },
	[JSON_NAME_LAUNCH_DIAGNOSTICS] = { "appLaunchDiagnostics", OF_BODY },
	[JSON_NAME_CALL_STACK_TREE] = { "callStackTree", OF_BODY },
	[JSON_NAME_CALL_STACK_TREES] = { "callStackTrees", OF_ANY },
	[JSON_NAME_CALL_STACKS] = { "callStacks", OF_BODY },
	[JSON_NAME_DIAGNOSTIC_META_DATA] = { "diagnosticMetaData", OF_ANY },
	[JSON_NAME_SAMPLES] = { "samples", OF_ANY },
	[JSON_NAME_DYLD_IMAGES] = { "dyld_images", OF_ANY },
	[JSON_NAME_STACK] = { "stack", OF_ANY },
	[JSON_NAME_DEPTH] = { "depth", OF_ANY },
	[JSON_NAME_COUNT] = { "count", OF_ANY },
	[JSON_NAME_COST_TIME] = { "costTime", OF_ANY },
	[JSON_NAME_METHOD_ADDRESS] = { "methodAddress", OF_ANY },
	[JSON_NAME_METHOD_ID] = { "methodId", OF_ANY },
	[JSON_NAME_FAULT_ADDRESS] = { "faultAddress", OF_BODY },
	[JSON_NAME_DEBUG_META] = { "debug_meta", OF_BODY },
	[JSON_NAME_EXCEPTION] = { "exception", OF_ANY },
	[JSON_NAME_EVENT] = { "event", OF_ANY },
	[JSON_NAME_EVENTS] = { "events", OF_ANY },
	[JSON_NAME_PAYLOAD_VERSION] = { "payloadVersion", OF_BODY },
	[JSON_NAME_EXCEPTIONS] = { "exceptions", OF_BODY },
	[JSON_NAME_IMAGES_OF_KIT] = { "binaryImages", OF_ANY },
	[JSON_NAME_SCHEMA] = { "$schema", OF_ANY },
	[JSON_NAME_TRACE_EVENTS] = { "traceEvents", OF_ANY },
	[JSON_NAME_NODES] = { "nodes", OF_ANY },
	[JSON_NAME_STACKS] = { "stacks", OF_ANY },
	[JSON_NAME_STACK_TRACE] = { "STACK_TRACE", OF_BODY },
	[JSON_NAME_PAYLOAD] = { "payload", OF_BODY },
	[JSON_NAME_JSON] = { "JSON", OF_BODY },
};

/** @return ARRAY_SIZE(names) if unknown. */
static size_t find_name(struct text name)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(names) && !text_is(name, names[i].name))
		i++;
	return i;
}

#define CHUNK_BYTES BLOCKS_BYTES

/** State of measuring a value. */
struct walk {
	struct text in;
	size_t at;
	size_t depth;
	size_t string_at; ///< start of the last string
	size_t header_names;
	bool in_string;
	bool is_escaped;     ///< the first byte of the next chunk
	bool is_one_of_many; ///< another report may end it
	bool has_ended;
	struct json_shape found;
};

/** A string is a name of the outermost object; @p name includes both quotes. */
static void see_name(struct walk *walk, struct text name)
{
	size_t i = find_name(text_first(text_after(name, 1), name.size - 2));

	if (!walk->found.first_name.size)
		walk->found.first_name = name;
	if (i == ARRAY_SIZE(names))
		return;
	walk->found.names |= UINT64_C(1) << i;
	walk->found.is_body |= names[i].meaning == OF_BODY;
	walk->header_names += names[i].meaning == OF_HEADER;
}

/**
 * Offset after the last non-blank before @p at. Called only at a non-blank, so
 * that no blanks are skipped twice.
 */
static size_t end_before(const struct walk *walk, size_t at)
{
	while (at && text_is_space(walk->in.data[at - 1]))
		at--;
	return at;
}

static char last_before(const struct walk *walk, size_t at)
{
	size_t end = end_before(walk, at);

	return end ? walk->in.data[end - 1] : '\0';
}

/** May a value follow the text before @p at? */
static bool precedes_value(const struct walk *walk, size_t at)
{
	char c = last_before(walk, at);

	return !walk->in_string && (c == '[' || c == ',' || c == ':');
}

/** Does the line that begins here, inside the value, end the value? */
static bool begins_other(const struct walk *walk)
{
	struct text line = text_after(walk->in, walk->at);
	struct text first = walk->found.first_name;

	if (!line.size || (line.data[0] != '{' && line.data[0] != 'I'))
		return false;
	if (text_starts(line, "Incident Identifier:"))
		return true;
	if (line.data[0] != '{')
		return false;
	if (!precedes_value(walk, walk->at))
		return true;
	// JSON Lines: all begin alike, and no report is inside another.
	line = text_after(line, 1);
	return first.size && line.size >= first.size &&
	       !memcmp(line.data, first.data, first.size);
}

/** The significant characters of a chunk, one bit each. */
struct chunk {
	size_t start;
	uint64_t quotes;
	uint64_t backslashes;
	uint64_t openers;
	uint64_t closers;
	uint64_t colons;
	uint64_t line_ends;
	uint64_t inside; ///< inside of strings, including opening quotes
};

static struct chunk look_at(const struct blocks *bytes, size_t start)
{
	// Both kinds of brackets differ in this bit.
	const struct blocks braces = blocks_with(bytes, 0x20);
	struct chunk chunk = { .start = start };

	chunk.quotes = blocks_bits_of(bytes, '"');
	chunk.backslashes = blocks_bits_of(bytes, '\\');
	chunk.openers = blocks_bits_of(&braces, '{');
	chunk.closers = blocks_bits_of(&braces, '}');
	chunk.line_ends = blocks_bits_of_both(bytes, '\n', '\r');
	// Hardly a line begins as begins_other() wants it.
	chunk.line_ends &= (chunk.openers | blocks_bits_of(bytes, 'I')) >> 1 |
	                   UINT64_C(1) << (CHUNK_BYTES - 1);
	return chunk;
}

/** In strings, ignore the character after a backslash. */
static void drop_escaped(struct walk *walk, struct chunk *chunk)
{
	uint64_t bits = chunk->quotes | chunk->backslashes;
	uint64_t escaped = walk->is_escaped;
	bool in_string = walk->in_string;

	walk->is_escaped = false;
	for (; bits; bits &= bits - 1) {
		unsigned i = (unsigned)__builtin_ctzll(bits);

		if (escaped >> i & 1)
			continue;
		if (chunk->quotes >> i & 1)
			in_string = !in_string;
		else if (in_string && i + 1 < CHUNK_BYTES)
			escaped |= UINT64_C(2) << i;
		else
			walk->is_escaped = in_string;
	}
	chunk->quotes &= ~escaped;
	chunk->line_ends &= ~escaped;
}

/** Find strings by their quotes, and characters outside. */
static void find_strings(struct walk *walk, struct chunk *chunk)
{
	uint64_t inside;

	if (chunk->backslashes || walk->is_escaped)
		drop_escaped(walk, chunk);
	inside = blocks_between(chunk->quotes);
	if (walk->in_string)
		inside = ~inside;
	chunk->inside = inside;
	chunk->openers &= ~inside;
	chunk->closers &= ~inside;
	if (!walk->is_one_of_many)
		chunk->line_ends = 0;
}

/** A line ends at bit @p i: the value may have ended with it. */
static void pass_line_end(struct walk *walk, const struct chunk *chunk,
                          unsigned i)
{
	// No line ends in a string, but consoles' logs are raw.
	walk->in_string = chunk->inside >> i & 1;
	walk->at = chunk->start + i + 1;
	walk->has_ended = begins_other(walk);
}

static void pass_colon(struct walk *walk, const struct chunk *chunk, unsigned i)
{
	uint64_t begins = chunk->quotes & chunk->inside &
	                  ((UINT64_C(1) << i) - 1);
	size_t end = end_before(walk, chunk->start + i);
	size_t start = walk->string_at;

	if (begins)
		start = chunk->start + CHUNK_BYTES - 1 -
		        (unsigned)__builtin_clzll(begins);
	if (walk->depth == 1 && walk->in.data[end - 1] == '"')
		see_name(walk,
		         text_first(text_after(walk->in, start), end - start));
}

/** A truncated value ends with any bracket of the text after it. */
static bool closes(struct text in, size_t at)
{
	return in.data[at] == (in.data[0] == '{' ? '}' : ']');
}

/** Process significant characters until the value ends. */
static void pass_marks(struct walk *walk, const struct chunk *chunk)
{
	uint64_t bits = chunk->openers | chunk->closers | chunk->colons |
	                chunk->line_ends;

	for (; bits && !walk->has_ended; bits &= bits - 1) {
		unsigned i = (unsigned)__builtin_ctzll(bits);

		if (chunk->openers >> i & 1) {
			walk->depth++;
		} else if (chunk->colons >> i & 1) {
			pass_colon(walk, chunk, i);
		} else if (chunk->line_ends >> i & 1) {
			pass_line_end(walk, chunk, i);
		} else if (!--walk->depth) {
			walk->at = chunk->start + i + 1;
			walk->has_ended = true;
			walk->found.complete = closes(walk->in, walk->at - 1);
		}
	}
}

static size_t count_bits(uint64_t bits)
{
	size_t count = 0;

	// They are few: faster than a popcount of any word.
	for (; bits; bits &= bits - 1)
		count++;
	return count;
}

static void pass_chunk(struct walk *walk, const char *data)
{
	const struct blocks bytes = blocks_load(data);
	struct chunk chunk = look_at(&bytes, walk->at);
	size_t closers;
	uint64_t begins;

	find_strings(walk, &chunk);
	closers = count_bits(chunk.closers);
	// Far from the outermost object only the depth is of interest.
	if (!chunk.line_ends && walk->depth > closers + 1) {
		walk->depth += count_bits(chunk.openers) - closers;
	} else {
		chunk.colons = blocks_bits_of(&bytes, ':') & ~chunk.inside;
		pass_marks(walk, &chunk);
	}
	if (walk->has_ended)
		return;
	begins = chunk.quotes & chunk.inside;
	if (begins)
		walk->string_at = chunk.start + CHUNK_BYTES - 1 -
		                  (unsigned)__builtin_clzll(begins);
	walk->in_string = chunk.inside >> (CHUNK_BYTES - 1) & 1;
	walk->at = chunk.start + CHUNK_BYTES;
}

static struct json_shape look(struct text in, bool is_one_of_many)
{
	struct walk walk = { .in = in, .is_one_of_many = is_one_of_many };

	walk.has_ended = !text_starts(in, "{") && !text_starts(in, "[");
	while (!walk.has_ended && in.size - walk.at >= CHUNK_BYTES)
		pass_chunk(&walk, in.data + walk.at);
	if (!walk.has_ended) {
		char rest[CHUNK_BYTES] = { 0 };

		if (in.size > walk.at)
			memcpy(rest, in.data + walk.at, in.size - walk.at);
		pass_chunk(&walk, rest);
		if (!walk.has_ended)
			walk.at = in.size;
	}
	walk.found.size = walk.at;
	walk.found.has_header_names = walk.found.names & JSON_HAS(BUG_TYPE) ||
	                              walk.header_names >= 2;
	walk.found.is_header = walk.found.has_header_names &&
	                       !walk.found.is_body;
	return walk.found;
}

struct json_shape json_shape(struct text in)
{
	return look(in, false);
}

struct json_shape json_shape_in_line(struct text in)
{
	return look(in, true);
}

struct json_shape json_shape_known(struct text in,
                                   const struct json_shape_known *known)
{
	// In a complete value, its lines had no effect.
	if (known->data && known->data == in.data &&
	    known->shape.size <= in.size)
		return known->shape;
	return json_shape(in);
}

bool json_shape_is_report(const struct json_shape *shape)
{
	const uint64_t kscrash = JSON_HAS(REPORT) | JSON_HAS(CRASH);
	const uint64_t ips = JSON_HAS(THREADS) | JSON_HAS(USED_IMAGES);
	const uint64_t any = JSON_HAS(BUG_TYPE) | JSON_HAS(CRASH_DIAGNOSTICS) |
	                     JSON_HAS(HANG_DIAGNOSTICS) |
	                     JSON_HAS(CPU_DIAGNOSTICS) |
	                     JSON_HAS(DISK_DIAGNOSTICS) |
	                     JSON_HAS(LAUNCH_DIAGNOSTICS);

	return shape->names & any || (shape->names & kscrash) == kscrash ||
	       (shape->names & ips) == ips;
}

bool json_begins(struct text in)
{
	static const char *const words[] = { "true", "false", "null" };
	bool is_object = text_starts(in, "{");

	if (!is_object && !text_starts(in, "["))
		return false;
	in = text_trim_left(text_after(in, 1));
	if (!in.size || in.data[0] == '"')
		return true;
	if (is_object)
		return in.data[0] == '}';
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_starts(in, words[i]))
			return true;
	if (text_take(&in, "-") || text_is_digit(in.data[0])) {
		// `[10:00:00] …` is a time.
		text_take_digits(&in);
		return !in.size || text_is_space(in.data[0]) ||
		       strchr(",].eE", in.data[0]);
	}
	return in.data[0] && strchr("[{]", in.data[0]);
}

bool json_name_is_of_report(struct text name)
{
	size_t i = find_name(name);

	return i == JSON_NAME_BUG_TYPE ||
	       (i < ARRAY_SIZE(names) && names[i].meaning != OF_ANY);
}

bool json_is_own(struct text in)
{
	static const char *const parts[] = { "{", "\"schema\"", ":",
		                             "\"apmtool." };

	// Several documents may be in an array.
	in = text_trim_left(in);
	text_take(&in, "[");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		in = text_trim_left(in);
		if (!text_take(&in, parts[i]))
			return false;
	}
	return true;
}

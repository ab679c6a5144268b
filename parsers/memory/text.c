// SPDX-License-Identifier: MIT
/*
 * Memory limits in text: footprint and available memory, or the limit itself,
 * in logs of apps; the kernel's list of processes by priority; and Xcode's line
 * for EXC_RESOURCE.
 */
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/darwin/log_prefix.h"
#include "parsers/memory/memory.h"
#include "parsers/reader.h"

/** The format is identified near the start. */
#define LOOK_BYTES ((size_t)64 << 10)

#define HIGH_WATER "RESOURCE_TYPE_MEMORY (limit="

/**
 * Log messages of an app that monitors its memory, in the original spelling.
 */
#define APP_WARNING   "memory warnning:"
#define APP_LIMIT     "memory limit:"
#define APP_AVAILABLE "当前可以使用内存："

/** The text after @p sign in @p line without blanks; or empty. */
static struct text after(struct text line, const char *sign)
{
	size_t at = text_find(line, sign);

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	return text_trim_left(text_after(line, at + text_from(sign).size));
}

/** The digits, perhaps with a fraction, that @p text begins with. */
static struct text number_of(struct text text)
{
	size_t size = 0;

	while (size < text.size && (text_is_digit(text.data[size]) ||
	                            (text.data[size] == '.' && size)))
		size++;
	if (size && text.data[size - 1] == '.')
		size--;
	return text_first(text, size);
}

/** `phys_footprint: 1435.936752 MB`, `"phys_footprint" = 1435.9`. */
static struct text amount_after(struct text line, const char *key)
{
	struct text rest = after(line, key);

	while (rest.size && (rest.data[0] == ':' || rest.data[0] == '=' ||
	                     rest.data[0] == '"' || rest.data[0] == '(' ||
	                     rest.data[0] == ')' || rest.data[0] == ' '))
		rest = text_after(rest, 1);
	return number_of(rest);
}

static bool is_entry(struct text line)
{
	return text_starts(text_trim_left(line), "PID:") &&
	       after(line, "Priority:").size && after(line, "Limit:").size;
}

/** `memory warnning:1210.50MB, memory limit:1400.00MB` */
static bool is_warning(struct text line)
{
	return amount_after(line, APP_WARNING).size &&
	       amount_after(line, APP_LIMIT).size;
}

/** A line with a limit only. */
static bool gives_limit(struct text line)
{
	return is_entry(line) || after(line, HIGH_WATER).size ||
	       is_warning(line) || amount_after(line, APP_AVAILABLE).size;
}

static bool text_sniff(const struct envelope *envelope)
{
	struct text in = text_first(envelope->text, LOOK_BYTES);
	struct text line;
	bool has_footprint = false;
	bool has_available = false;

	while (text_next_line(&in, &line)) {
		has_footprint |= amount_after(line, MEMORY_FOOTPRINT).size > 0;
		has_available |= amount_after(line, MEMORY_AVAILABLE).size > 0;
		if ((has_footprint && has_available) || gives_limit(line))
			return true;
	}
	return false;
}

/** State of a text. */
struct reading {
	struct report *report;
	struct arena *arena;
	size_t line;
	struct text footprint; ///< until the available memory follows
};

static void note(struct reading *r, const char *text)
{
	report_add_note(r->report, r->arena,
	                report_line_place(r->arena, r->line), text);
}

/** `PID:  1107	Priority:10	User Data: 0	Limit:1450	State:…` */
static void read_entry(struct reading *r, struct text line)
{
	struct text limit_text = number_of(after(line, "Limit:"));
	struct text priority = after(line, "Priority:");
	bool is_negative = text_take(&priority, "-");
	struct jetsam_number pid = { 0 };
	struct memory_limit *limit;
	uint64_t mib, band;

	if (text_starts(after(line, "Limit:"), "-"))
		return; // the process has no limit
	pid.known = number_decimal(number_of(after(line, "PID:")), &pid.value);
	priority = number_of(priority);
	if (!pid.known || !number_decimal(priority, &band) || band > 1000 ||
	    !number_decimal(limit_text, &mib) || mib > (uint64_t)1 << 20) {
		if (r->report->note_count < 100)
			note(r, "expected a pid, a priority and a limit in MB");
		return;
	}
	if (!mib)
		return;
	limit = report_add_memory_limit(r->report, r->arena,
	                                MEMORY_EVIDENCE_PRIORITY_LIST);
	limit->bytes = mib * UNITS_MIB;
	limit->pid = pid;
	limit->priority = is_negative ? -(int)band : (int)band;
	limit->has_priority = true;
}

/** The log's prefix has the process. */
static void add_process(struct reading *r, struct text line)
{
	struct report *report = r->report;
	struct memory_limit *limit =
	        &report->memory_limits[report->memory_limit_count - 1];
	struct log_prefix prefix = log_prefix_of(line);

	if (prefix.has_pid)
		limit->pid = (struct jetsam_number){ prefix.pid, true };
	if (prefix.process.size && !report->process.name)
		report->process.name = arena_text(r->arena, prefix.process);
}

/** An app's log message about its own memory. */
static void read_app_line(struct reading *r, struct text line)
{
	struct text available = amount_after(line, APP_AVAILABLE);
	const char *fault;

	if (is_warning(line))
		fault = memory_add_logged(r->report, r->arena,
		                          amount_after(line, APP_WARNING),
		                          amount_after(line, APP_LIMIT));
	else if (available.size)
		fault = memory_add_available(r->report, r->arena, available);
	else
		return;
	if (!fault)
		add_process(r, line);
	else if (r->report->note_count < 100)
		note(r, fault);
}

static void read_line(struct reading *r, struct text line)
{
	struct text footprint = amount_after(line, MEMORY_FOOTPRINT);
	struct text available = amount_after(line, MEMORY_AVAILABLE);
	struct text mark = number_of(after(line, HIGH_WATER));
	const char *fault;
	uint64_t bytes;

	if (is_entry(line)) {
		read_entry(r, line);
		return;
	}
	read_app_line(r, line);
	if (units_read(mark, UNITS_MIB, UINT64_C(1) << 40, &bytes) && bytes)
		report_add_memory_limit(r->report, r->arena,
		                        MEMORY_EVIDENCE_HIGH_WATER)
		        ->bytes = bytes;
	if (footprint.size)
		r->footprint = footprint;
	if (!available.size || !r->footprint.size)
		return;
	fault = memory_add_sum(r->report, r->arena, r->footprint, available);
	if (fault && r->report->note_count < 100)
		note(r, fault);
	r->footprint = TEXT_NONE;
}

/** Does it have a line that read_line() takes a limit from? */
static bool shows_limit(struct text line)
{
	return gives_limit(line) || amount_after(line, MEMORY_AVAILABLE).size;
}

static struct error *text_read(const struct envelope *envelope,
                               struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct reading reading = {
		.report = memory_report_new(arena, memory_text_reader.name),
		.arena = arena,
	};
	struct text in = envelope->text;
	struct text line;

	while (text_next_line(&in, &line)) {
		reading.line++;
		if (shows_limit(line) &&
		    !memory_has_room(reading.report, arena))
			break;
		read_line(&reading, line);
	}
	if (!reading.report->memory_limit_count)
		return error_new(ERROR_FORMAT, "no process has a memory limit");
	sink_report(sink, reading.report);
	return NULL;
}

const struct reader memory_text_reader = {
	.name = "memory-text",
	.summary = "memory limits in logs: footprint and available memory, "
	           "jetsam priority lists, EXC_RESOURCE",
	.yields = YIELDS_MEMORY,
	.sniff = text_sniff,
	.read = text_read,
};

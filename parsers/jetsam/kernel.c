// SPDX-License-Identifier: MIT
/*
 * What the kernel logs of the processes that it kills for their memory, as
 * `log stream`, idevicesyslog and Console.app show it (apmtool-formats(5)). The
 * words are those of bsd/kern/kern_memorystatus.c of Apple's XNU.
 *
 *     memorystatus: Demo [612] exceeded mem limit: ActiveHard 50 MB (fatal)
 *     memorystatus: killing_specific_process pid 612 [Demo]
 *         (per-process-limit 100) 51440KB - memorystatus_available_pages: 9
 *     memorystatus: killing process 612 [Demo] in high band FOREGROUND (100)
 *     Process Demo [612] killed by jetsam reason per-process-limit
 */
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/darwin/log_prefix.h"
#include "parsers/jetsam/jetsam.h"
#include "parsers/reader.h"

#include <string.h>

/** Longer names and reasons are no such lines. */
#define NAME_BYTES_MAX 64
/** Most processes of one log: each line looks for its own among them. */
#define PROCESSES_MAX 1000

#define EXCEEDED " exceeded mem limit: "
#define KILLED   " killed by jetsam reason "

/** What one line says; texts borrow from it. */
struct kernel_line {
	struct text name;
	uint64_t pid;
	struct text reason; ///< empty: not killed, or not said
	uint64_t priority;
	bool has_priority;
	uint64_t footprint_kib;
	bool has_footprint;
	struct text limit_name;
	uint64_t limit_mib;
	bool has_limit;
};

// Lines

static bool take_number(struct text *rest, uint64_t *ret)
{
	return number_decimal(text_take_digits(rest), ret);
}

/** What @p rest has before @p mark, which is taken, too. */
static bool take_until(struct text *rest, const char *mark, struct text *ret)
{
	size_t at = text_find(*rest, mark);

	if (at == TEXT_NOWHERE || !at || at > NAME_BYTES_MAX)
		return false;
	*ret = text_first(*rest, at);
	*rest = text_after(*rest, at + strlen(mark));
	return true;
}

/** `Demo [612]`, `Demo[612]`, up to @p mark. */
static bool take_process(struct text *rest, const char *mark,
                         struct kernel_line *ret)
{
	if (!take_until(rest, "[", &ret->name))
		return false;
	ret->name = text_trim(ret->name);
	return ret->name.size && take_number(rest, &ret->pid) &&
	       text_take(rest, "]") && text_take(rest, mark);
}

/** `ActiveHard 50 MB (fatal)`: one that is not fatal is not enforced. */
static bool read_exceeded(struct text rest, struct kernel_line *ret)
{
	if (!take_process(&rest, EXCEEDED, ret) ||
	    !take_until(&rest, " ", &ret->limit_name) ||
	    !take_number(&rest, &ret->limit_mib) || !text_take(&rest, " MB") ||
	    ret->limit_mib > UINT64_C(1) << 30)
		return false;
	ret->has_limit = true;
	return true;
}

static bool read_killed(struct text rest, struct kernel_line *ret)
{
	if (!text_take(&rest, "Process ") || !take_process(&rest, KILLED, ret))
		return false;
	ret->reason = text_trim(rest);
	return ret->reason.size && ret->reason.size <= NAME_BYTES_MAX;
}

/** ` 612 [Demo] in high band FOREGROUND (100)` */
static bool read_band(struct text rest, struct kernel_line *ret)
{
	struct text band;

	if (!text_take(&rest, "killing process ") ||
	    !take_number(&rest, &ret->pid) || !text_take(&rest, " [") ||
	    !take_until(&rest, "]", &ret->name))
		return false;
	ret->has_priority = text_take(&rest, " in high band ") &&
	                    take_until(&rest, " (", &band) &&
	                    take_number(&rest, &ret->priority);
	return true;
}

/** `killing_highwater_process pid 612 [Demo] (highwater 3) 51440KB - …` */
static bool read_killing(struct text rest, struct kernel_line *ret)
{
	struct text what;
	struct text unit;

	if (!text_take(&rest, "killing_") ||
	    !take_until(&rest, " pid ", &what) ||
	    !take_number(&rest, &ret->pid) || !text_take(&rest, " [") ||
	    !take_until(&rest, "] (", &ret->name) ||
	    !take_until(&rest, " ", &ret->reason) ||
	    !take_number(&rest, &ret->priority) || !text_take(&rest, ")"))
		return false;
	ret->has_priority = true;
	rest = text_trim_left(rest);
	unit = rest;
	text_take_digits(&unit);
	ret->has_footprint = text_starts(unit, "KB") &&
	                     take_number(&rest, &ret->footprint_kib) &&
	                     ret->footprint_kib <= UINT64_C(1) << 40;
	return true;
}

static bool read_line(struct text line, struct kernel_line *ret)
{
	struct text rest = log_prefix_message(line);
	size_t at = text_find(line, "memorystatus: ");

	*ret = (struct kernel_line){ .name = TEXT_NONE };
	if (at != TEXT_NOWHERE)
		rest = text_after(line, at + strlen("memorystatus: "));
	else if ((at = text_find(line, "Process ")) != TEXT_NOWHERE &&
	         text_find(line, KILLED) != TEXT_NOWHERE)
		return read_killed(text_after(line, at), ret);
	else if (!text_take(&rest, "EXC_RESOURCE -> "))
		return false;
	return read_exceeded(rest, ret) || read_killing(rest, ret) ||
	       read_band(rest, ret);
}

static bool kernel_sniff(const struct envelope *in)
{
	struct text rest = in->text;
	struct kernel_line kernel;
	struct text line;

	while (text_next_line(&rest, &line))
		if (read_line(line, &kernel))
			return true;
	return false;
}

// The log

static struct jetsam_process *find_process(struct jetsam *jetsam,
                                           struct arena *arena,
                                           const struct kernel_line *line)
{
	struct jetsam_process *process;

	for (size_t i = jetsam->process_count; i > 0; i--) {
		process = &jetsam->processes[i - 1];
		if (process->pid.value == line->pid &&
		    text_is(line->name, process->name))
			return process;
	}
	if (jetsam->process_count == PROCESSES_MAX)
		return NULL;
	process = jetsam_add_process(jetsam, arena);
	process->name = arena_text(arena, line->name);
	process->pid = (struct jetsam_number){ line->pid, true };
	process->kernel = arena_alloc(arena, sizeof(*process->kernel));
	return process;
}

/** Lines of one kill follow each other, and each says a part of it. */
static void add_line(struct jetsam_process *process, struct arena *arena,
                     const struct kernel_line *line)
{
	if (line->reason.size && !process->reason)
		process->reason = arena_text(arena, line->reason);
	if (line->has_priority && line->priority <= 1000) {
		process->priority = (int)line->priority;
		process->has_priority = true;
	}
	if (line->has_footprint)
		process->kernel->footprint_bytes =
		        (struct jetsam_number){ line->footprint_kib * 1024,
			                        true };
	if (!line->has_limit)
		return;
	process->kernel->limit_bytes =
	        (struct jetsam_number){ line->limit_mib * UNITS_MIB, true };
	process->kernel->limit_name = arena_text(arena, line->limit_name);
}

static struct error *kernel_read(const struct envelope *in, struct sink *sink)
{
	struct report *report = jetsam_report_new(sink->arena, "kernel-log");
	struct text rest = in->text;
	struct kernel_line kernel;
	struct text line;

	report->truncated = true;
	report->jetsam->part = JETSAM_EXCERPT;
	while (text_next_line(&rest, &line)) {
		struct jetsam_process *process = NULL;

		if (!read_line(line, &kernel))
			continue;
		process = find_process(report->jetsam, sink->arena, &kernel);
		if (process)
			add_line(process, sink->arena, &kernel);
	}
	if (report->jetsam->process_count == PROCESSES_MAX)
		report_add_note(report, sink->arena, "log",
		                "only the first 1000 processes are read");
	sink_report(sink, report);
	return NULL;
}

const struct reader jetsam_kernel_reader = {
	.name = "kernel-log",
	.summary = "lines of the kernel's log about memory limits and kills",
	.yields = YIELDS_JETSAM,
	.sniff = kernel_sniff,
	.read = kernel_read,
};

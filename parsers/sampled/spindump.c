// SPDX-License-Identifier: MIT
/*
 * Spindumps and microstackshot reports (apmtool-formats(5)): facts of a
 * process, its heaviest stack, and for each process its facts, a call tree per
 * thread or for all, its images.
 */
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/base/timestamp.h"
#include "lib/base/units.h"
#include "lib/darwin/cpu.h"
#include "lib/darwin/quantity.h"
#include "lib/model/report_tree.h"
#include "parsers/reader.h"
#include "parsers/sampled/image_set.h"
#include "parsers/sampled/tree_text.h"
#include "parsers/sampled/wait_note.h"
#include "parsers/text/image_line.h"
#include "parsers/text/kind.h"
#include "parsers/text/log_head.h"
#include "parsers/text/platform.h"

#include <inttypes.h>
#include <string.h>

enum spindump_part {
	SPINDUMP_HEAD,
	SPINDUMP_HEAVIEST, ///< the plain list of the heaviest stack
	SPINDUMP_PROCESS,  ///< facts of a process, and its trees
	SPINDUMP_IMAGES,
};

/** Facts of the current process. */
struct spindump_process {
	struct report_process_ref ref;
	const char *path;
	const char *architecture;
	const char *uuid;
	const char *begin; ///< `Start time:`, in a part without a head
	const char *end;   ///< `End time:`
	const char *label; ///< `Process: Demo [1]`; or NULL
	bool is_profile;   ///< `Powerstats for:`: one tree, without threads
	size_t first_tree;
	bool has_images;
};

struct spindump_reader {
	struct tree_text text;
	enum spindump_part part;
	struct spindump_process process;
	uint64_t thread; ///< kernel id of the current thread
	bool has_thread;
	struct str facts; ///< lines about the current process
	struct image_set images;
	size_t process_count;
	bool has_target; ///< its lists have been placed
	struct spindump_process first;
};

static void spindump_reader_release(struct spindump_reader *r)
{
	tree_text_release(&r->text);
	str_release(&r->facts);
	image_set_release(&r->images);
}

static struct arena *arena_of(const struct spindump_reader *r)
{
	return r->text.reader.arena;
}

static struct report *report_of(const struct spindump_reader *r)
{
	return r->text.reader.report;
}

// Processes

/** Is the current process the one that the head describes? */
static bool is_target(const struct spindump_reader *r)
{
	return report_process_same(&report_of(r)->process, &r->process.ref);
}

/** Hangs are attributed to the main thread, resource use to the process. */
static void blame(struct spindump_reader *r)
{
	const char *event = report_field(report_of(r), "Event");
	bool is_hang = event &&
	               (strstr(event, "hang") || strstr(event, "Hang"));

	for (size_t i = r->process.first_tree; i < report_of(r)->tree_count;
	     i++) {
		struct report_tree *tree = report_of(r)->trees[i];

		tree->attributed = r->process.is_profile ||
		                   (is_hang && report_tree_is_main(tree));
	}
}

/** From the process of the report, whose images may be missing. */
static void take_uuid(struct spindump_reader *r)
{
	if (r->process.uuid)
		uuid_parse(text_from(r->process.uuid),
		           &report_of(r)->executable_uuid);
}

static void end_process(struct spindump_reader *r)
{
	struct spindump_process *process = &r->process;
	struct image_set_part part = { .first_tree = process->first_tree };

	tree_text_end(&r->text);
	if (!process->label)
		return;
	part.code_type = process->architecture ? darwin_code_type_of_arch(
	                                                 process->architecture)
	                                       : "";
	for (size_t i = process->first_tree; i < report_of(r)->tree_count; i++)
		report_of(r)->trees[i]->process = process->ref;
	if (is_target(r)) {
		blame(r);
		part.has_lists = !r->has_target;
		take_uuid(r);
		r->has_target = true;
	}
	image_set_close(&r->images, report_of(r), &part);
	report_add_section(report_of(r), arena_of(r), process->label,
	                   arena_text(arena_of(r), str_text(&r->facts)));
	str_clear(&r->facts);
	if (!r->process_count++)
		r->first = *process;
	process->label = NULL;
}

/** `Process:  Demo [4711]`, `Powerstats for:  Demo` */
static bool read_process(struct spindump_reader *r, struct text line)
{
	struct text value = line;
	bool is_profile = text_take(&value, "Powerstats for:");

	if (!is_profile && !text_take(&value, "Process:"))
		return false;
	end_process(r);
	value = text_trim(value);
	r->process = (struct spindump_process){
		.ref = log_head_process(value, arena_of(r)),
		.label = arena_printf(arena_of(r), "%s: %.*s",
		                      is_profile ? "Powerstats for" : "Process",
		                      TEXT_ARGS(value)),
		.is_profile = is_profile,
		.first_tree = report_of(r)->tree_count,
	};
	r->has_thread = false;
	r->part = SPINDUMP_PROCESS;
	line_reader_keep(&r->text.reader, line.data);
	return true;
}

/** A fact of the current process. */
static void read_process_fact(struct spindump_reader *r, struct text line)
{
	static const struct {
		const char *label;
		size_t offset;
	} facts[] = {
		{ "Path", offsetof(struct spindump_process, path) },
		{ "Architecture",
		  offsetof(struct spindump_process, architecture) },
		{ "Start time", offsetof(struct spindump_process, begin) },
		{ "End time", offsetof(struct spindump_process, end) },
		{ "UUID", offsetof(struct spindump_process, uuid) },
	};
	struct text label;
	struct text value;

	if (!r->process.label || !log_head_label(line, &label, &value))
		return;
	if (r->facts.size)
		str_add_char(&r->facts, '\n');
	str_add_text(&r->facts, line);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char **fact =
		        (const char **)(void *)((char *)&r->process +
		                                facts[i].offset);

		if (text_is(label, facts[i].label) && !*fact)
			*fact = arena_text(arena_of(r), value);
	}
}

// Trees

/** `Thread 0x3461    DispatchQueue "…"(1)    17 samples (1-17)    priority` */
static const char *make_title(const struct spindump_reader *r,
                              struct text header)
{
	SCOPED(str_release) struct str title = { 0 };
	struct text rest = header;

	if (r->process.label)
		str_add(&title, r->process.ref.name);
	if (r->process.label && r->process.ref.has_pid)
		str_addf(&title, " [%" PRIu64 "]", r->process.ref.pid);
	while ((rest = text_trim(rest)).size) {
		size_t wide = text_find(rest, "  ");
		struct text column = text_first(rest, wide);

		// Counts and priorities are no part of the name.
		if (text_is_digit(column.data[0]))
			break;
		if (title.size)
			str_add_char(&title, ' ');
		str_add_text(&title, column);
		rest = text_after(rest, wide);
	}
	return arena_text(arena_of(r), str_text(&title));
}

/** `Thread 0x3461    …` */
static void read_thread_id(struct spindump_reader *r, struct text header)
{
	struct text id = text_after(header, strlen("Thread "));

	id = text_first(id, text_find_char(id, ' '));
	r->has_thread = number_hex(id, &r->thread);
}

/** The owner of what the tree's last node waits for. */
static void read_wait(struct spindump_reader *r, struct text what)
{
	const struct report_tree *tree = r->text.tree;
	struct wait_note note;
	struct report_wait *wait;

	if (!r->has_thread || !wait_note_read(what, &note))
		return;
	wait = report_add_wait(report_of(r), arena_of(r));
	*wait = (struct report_wait){
		.process = r->process.ref,
		.thread = r->thread,
		.owner_thread = note.is_itself ? r->thread : note.thread,
		.has_owner_thread = note.is_itself || note.has_thread,
		.is_deadlock = note.is_deadlock,
		.tree = tree,
		.frame = tree->frames.count - 1,
	};
	if (note.process.size)
		wait->owner = log_head_process(note.process, arena_of(r));
}

/** Parse a line of a tree, or keep it. */
static void read_tree_line(struct spindump_reader *r, struct text line)
{
	struct text trimmed = text_trim(line);
	struct tree_text_line parts;
	size_t nodes;

	if (!tree_text_split(&r->text, line, &parts)) {
		// `<thread QoS background, IO tier 2>` below a header; or an
		// omission by people.
		if (trimmed.size && trimmed.data[0] != '<' &&
		    !text_is(trimmed, "...") && (r->text.tree || r->text.list))
			line_reader_flaw(&r->text.reader, LINE_FLAW_JUNK_NODE);
		line_reader_keep(&r->text.reader, line.data);
		return;
	}
	if (!tree_text_is_open(&r->text))
		tree_text_begin(&r->text, make_title(r, TEXT_NONE));
	nodes = r->text.tree ? r->text.tree->frames.count : 0;
	tree_text_add(&r->text, line, &parts);
	if (!r->text.tree || r->text.tree->frames.count <= nodes)
		return;
	if (r->has_thread)
		r->text.tree->thread = r->thread;
	read_wait(r, parts.what);
}

static bool read_heading(struct spindump_reader *r, struct text line)
{
	struct text trimmed = text_trim(line);

	if (text_starts(line, "Heaviest stack")) {
		end_process(r);
		tree_text_begin_list(&r->text);
		r->part = SPINDUMP_HEAVIEST;
	} else if (text_is(trimmed, "Binary Images:")) {
		tree_text_end(&r->text);
		r->process.has_images = true;
		r->part = SPINDUMP_IMAGES;
	} else if ((r->process.label || r->part == SPINDUMP_HEAD ||
	            !r->process_count) &&
	           text_starts(trimmed, "Thread 0x")) {
		tree_text_begin(&r->text, make_title(r, trimmed));
		read_thread_id(r, trimmed);
		r->part = SPINDUMP_PROCESS;
	} else {
		return false;
	}
	line_reader_keep(&r->text.reader, line.data);
	return true;
}

/** macOS prints `id version (build)` in place of a name. */
static void split_name(struct report_image *image, struct arena *arena)
{
	const char **name = image->bundle_id ? &image->bundle_id : &image->name;
	struct text text = text_from(*name);
	size_t blank = text_find_last_char(text, ' ');

	if (image->build || !image->version || blank == TEXT_NOWHERE ||
	    blank + 1 == text.size || !text_is_digit(text.data[blank + 1]))
		return;
	image->build = image->version;
	image->version = text_after(text, blank + 1).data;
	*name = arena_text(arena, text_trim_right(text_first(text, blank)));
	// The dots were the version's.
	if (image->bundle_id && !strchr(image->bundle_id, '.'))
		image->bundle_id = NULL;
}

static bool read_image(struct spindump_reader *r, struct text line)
{
	struct report *report = report_of(r);
	size_t count = report->image_count;

	if (!image_line_read(&r->text.reader, line))
		return false;
	if (report->image_count > count)
		split_name(&report->images[count], arena_of(r));
	return true;
}

// Lines

static void read_body(struct spindump_reader *r, struct text line)
{
	bool is_blank = !text_trim(line).size;

	switch (r->part) {
	case SPINDUMP_HEAD:
		log_head_line(line, report_of(r), arena_of(r));
		break;
	case SPINDUMP_IMAGES:
		if (read_image(r, line))
			return;
		break;
	case SPINDUMP_HEAVIEST:
	case SPINDUMP_PROCESS:
		if (is_blank) {
			tree_text_end(&r->text);
		} else if (!text_is_space(line.data[0])) {
			read_process_fact(r, line);
		} else if (r->process.label || tree_text_is_open(&r->text)) {
			read_tree_line(r, line);
			return;
		}
		break;
	}
	line_reader_keep(&r->text.reader, line.data);
}

static void read_line(struct text line, void *context)
{
	struct spindump_reader *r = context;

	if (!read_process(r, line) && !read_heading(r, line))
		read_body(r, line);
}

// Reader

/** The kind of samples, by the event or by the exceeded limit. */
static enum sample_kind find_kind(const struct report *report)
{
	static const struct {
		const char *sign;
		enum sample_kind kind;
	} events[] = {
		{ "cpu", SAMPLE_KIND_CPU },
		{ "wakeup", SAMPLE_KIND_WAKEUPS },
		{ "disk", SAMPLE_KIND_DISK },
		{ "writes", SAMPLE_KIND_DISK },
		{ "launch", SAMPLE_KIND_LAUNCH },
	};
	const char *event = report_field(report, "Event");

	for (size_t i = 0; event && i < ARRAY_SIZE(events); i++)
		if (strstr(event, events[i].sign))
			return events[i].kind;
	if (event)
		return SAMPLE_KIND_STALL;
	if (report_field(report, "CPU"))
		return SAMPLE_KIND_CPU;
	if (report_field(report, "Wakeups"))
		return SAMPLE_KIND_WAKEUPS;
	return report_field(report, "Writes") ? SAMPLE_KIND_DISK
	                                      : SAMPLE_KIND_STALL;
}

/** `1000 (100ms sampling interval)` */
static uint64_t find_interval(const struct report *report)
{
	const char *steps = report_field(report, "Steps");
	struct text text = steps ? text_from(steps) : TEXT_NONE;

	if (text_find(text, "sampling interval") == TEXT_NOWHERE)
		return 0;
	return units_read_duration_us(
	        text_after(text, text_find_char(text, '(') + 1));
}

/** `38.98s`, of a header line; 0: it is not there. */
static uint64_t duration_of(const struct report *report, const char *label)
{
	const char *value = report_field(report, label);

	return value ? units_read_duration_us(text_from(value)) : 0;
}

/** `Reason: UIKit-runloop-Demo: timeout 9850ms`. */
static uint64_t find_timeout(const struct report *report)
{
	static const char word[] = "timeout ";
	const char *reason = report_field(report, "Reason");
	struct text text = reason ? text_from(reason) : TEXT_NONE;
	size_t at = text_find_last(text, word);

	return at == TEXT_NOWHERE ? 0
	                          : units_read_duration_us(text_after(
	                                    text, at + strlen(word)));
}

/** Time from start to end; 0: unknown. */
static uint64_t find_between(const struct report *report,
                             const struct spindump_process *process)
{
	const char *begin = report->date_time ? report->date_time
	                                      : process->begin;
	const char *end = report_field(report, "End time");
	int64_t from, to;

	if (!end)
		end = process->end;
	if (!begin || !end || !timestamp_parse(text_from(begin), &from) ||
	    !timestamp_parse(text_from(end), &to) || to <= from)
		return 0;
	return (uint64_t)(to - from) * 1000;
}

/**
 * Duration of a hang or launch. The head has the total: sampling begins after
 * the process did not respond for some time.
 */
static void find_duration(const struct spindump_reader *r,
                          struct report *report)
{
	report->sampled_us = duration_of(report, "Duration");
	if (!report->sampled_us && !report_field(report, "Duration"))
		report->sampled_us = find_timeout(report);
	if (report->sampled_us || report->sample_interval_us)
		return;
	report->sampled_us = find_between(report, &r->first);
	if (!report->sampled_us)
		report->sampled_us = duration_of(report, "Duration Sampled");
}

/** `8589.94 MB of file backed memory dirtied over 10 seconds` */
static uint64_t find_bytes(const char *value)
{
	struct text text = value ? text_from(value) : TEXT_NONE;
	size_t blank = text_find_char(text, ' ');
	const struct quantity_writer writer = { .marks = QUANTITY_POINT };
	uint64_t bytes;
	size_t end;

	if (blank == TEXT_NOWHERE)
		return 0;
	end = text_find_char(text_after(text, blank + 1), ' ');
	if (end != TEXT_NOWHERE)
		text = text_first(text, blank + 1 + end);
	return quantity_read(text, QUANTITY_SIZE, &writer, &bytes) ? bytes : 0;
}

/** The total cost of its samples, by their kind. */
static void find_cost(const struct spindump_reader *r, struct report *report)
{
	const char *cpu = report_field(report, "CPU");
	const char *wakeups = report_field(report, "Wakeups");
	struct text count = wakeups ? text_from(wakeups) : TEXT_NONE;

	if (cpu && strstr(cpu, "cpu time"))
		report->cpu_us = units_read_duration_us(text_from(cpu));
	number_decimal(text_first(count, text_count_digits(count)),
	               &report->wakeup_count);
	report->written_bytes = find_bytes(report_field(report, "Writes"));
	if (cost_unit_of(report->sample_kind) == COST_MS)
		find_duration(r, report);
}

/** A part of a spindump without head: its only process is the subject. */
static void take_only_process(struct spindump_reader *r)
{
	struct report *report = report_of(r);

	if (report->process.name || r->process_count != 1)
		return;
	report->process = r->first.ref;
	r->process.uuid = r->first.uuid;
	take_uuid(r);
	if (!report->path)
		report->path = r->first.path;
	if (!report->code_type)
		report->code_type = r->first.architecture;
	blame(r);
}

/** The heaviest stack of a process without a part of its own. */
static void place_lists(struct spindump_reader *r)
{
	struct report *report = report_of(r);
	SCOPED(mem_drop)
	struct report_image *images =
	        image_set_closed(report->images, report->image_count);
	struct report own = {
		.code_type = report->code_type,
		.images = images,
		.image_count = report->image_count,
		.app_backtraces = report->app_backtraces,
		.app_backtrace_count = report->app_backtrace_count,
	};

	if (!r->has_target)
		report_place_frames(&own);
}

static void finish(struct spindump_reader *r)
{
	struct report *report = report_of(r);
	bool ends_in_tree = r->process.label && !r->process.has_images &&
	                    report->tree_count > r->process.first_tree;

	end_process(r);
	take_only_process(r);
	place_lists(r);
	text_platform_set(report);
	report->sample_interval_us = find_interval(report);
	report->sample_kind = find_kind(report);
	find_cost(r, report);
	if (ends_in_tree && !report->is_limited) {
		line_reader_note(&r->text.reader,
		                 "the text ends in a call tree: without Binary "
		                 "Images no frame of it can be looked up");
		report->truncated = true;
	}
	line_reader_note_flaws(&r->text.reader);
}

static struct error *spindump_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = report_new(arena);
	SCOPED(spindump_reader_release)
	struct spindump_reader r = {
		.text.reader = { .arena = arena, .report = report },
	};
	struct line_source source;
	const struct text_kind *kind = in->kind;

	report->format = spindump_reader.name;
	source = line_source_open(in->text, arena, report);
	line_reader_each(&r.text.reader, &source, read_line, &r);
	finish(&r);
	ips_header_merge(&in->header, report);
	log_head_kind(report, kind && kind->what ? kind->what : "a spindump",
	              arena);
	if (!report->line_count)
		return error_new(ERROR_FORMAT, "no line of a report found");
	sink_report(sink, report);
	return NULL;
}

static bool spindump_sniff(const struct envelope *in)
{
	return in->kind && in->kind->reader == TEXT_KIND_SPINDUMP;
}

const struct reader spindump_reader = {
	.name = "spindump",
	.summary = "call trees of spindumps, hangs and microstackshots",
	.yields = YIELDS_REPORTS,
	.sniff = spindump_sniff,
	.read = spindump_read,
};

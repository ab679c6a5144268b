// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/stacks.h"

#include "lib/analysis/lag/stacker.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/darwin/hangs.h"
#include "lib/model/report_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void stacker_release(struct lag_stacker *s)
{
	map_release(&s->unlisted_map);
	free(s->unlisted);
	free(s->frames);
}

// Facts

enum sample_kind lag_stacks_kind(const struct report *report)
{
	static const struct {
		const char *prefix;
		enum sample_kind kind;
	} limits[] = {
		{ "CPU", SAMPLE_KIND_CPU },
		{ "WAKEUPS", SAMPLE_KIND_WAKEUPS },
		{ "IO", SAMPLE_KIND_DISK },
	};
	const struct report_exception *exception = &report->exception;
	struct text subtype;

	if (report->is_live && !report->sample_kind)
		return SAMPLE_KIND_STALL;
	if (report->sample_kind || !exception->type || !exception->subtype ||
	    strcmp(exception->type, "EXC_RESOURCE") != 0)
		return report->sample_kind;
	subtype = text_from(exception->subtype);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (text_starts(subtype, limits[i].prefix))
			return limits[i].kind;
	return SAMPLE_KIND_NONE;
}

const char *lag_stacks_unclear(const struct report *report)
{
	return lag_trees_unclear(report, lag_stacks_kind(report));
}

/** The image's name, or else its UUID. */
static const char *image_name(const struct report_image *image,
                              struct arena *arena)
{
	char text[UUID_TEXT_SIZE];

	if (image->name || uuid_is_zero(&image->uuid))
		return arena_strdup(arena, image->name ? image->name : "???");
	return arena_strdup(arena, uuid_format(&image->uuid, text));
}

static void add_images(const struct report *report, struct lag_report *ret)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *from = &report->images[i];
		struct profile_image *to =
		        profile_images_add(&ret->profile.images);

		*to = (struct profile_image){
			.base = from->base,
			.size = from->size,
			.uuid = from->uuid,
			.name = image_name(from, &ret->arena),
			.own = from->own,
		};
		if (from->path)
			to->path = arena_strdup(&ret->arena, from->path);
	}
}

/** `arm64`, as in images; else `ARM-64`, as in headers. */
static const char *arch_of(const struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].arch)
			return report->images[i].arch;
	return report->code_type;
}

/** `Demo 2.1 (210)`, as in lag reports, to distinguish builds. */
static const char *app_of(const struct report *report, struct arena *arena)
{
	SCOPED(str_release) struct str app = { 0 };
	const char *name = report->process.name ? report->process.name
	                                        : report->identifier;

	if (!name)
		return NULL;
	str_add(&app, name);
	if (report->version) {
		str_add_char(&app, ' ');
		report_add_version(report, &app);
	}
	return arena_text(arena, str_text(&app));
}

/**
 * Set the session to the app's run whose blocks a monitor reports in turn; its
 * start identifies it.
 */
static void add_run(const struct report *report, struct lag_report *ret)
{
	ret->threshold_us = report->sampled_us;
	if (!report->launch_time || !report->process.has_pid)
		return;
	ret->session = arena_printf(
	        &ret->arena, "%s %" PRIu64 " %s %s", report->launch_time,
	        report->process.pid, ret->app ? ret->app : "",
	        report->reporter_key     ? report->reporter_key
	        : report->hardware_model ? report->hardware_model
	                                 : "");
}

/** Set the system's facts about a hang: how it ended, and when. */
static void add_event(const struct report *report, struct lag_report *ret)
{
	const char *label = report_field(report, "Event");
	const struct hang_event *event = hang_event_find(label);

	if (event) {
		ret->event = event->name;
		ret->scenario = event->scenario;
	}
	if (ret->kind == SAMPLE_KIND_LAUNCH)
		ret->scenario = "launch";
}

static void add_facts(const struct report *report, struct lag_report *ret)
{
	ret->kind = lag_stacks_kind(report);
	ret->origin = arena_strdup(&ret->arena, report->origin);
	ret->id = arena_strdup(&ret->arena, report->incident);
	ret->app = app_of(report, &ret->arena);
	ret->app_path = arena_strdup(&ret->arena, report->path);
	ret->os = arena_strdup(&ret->arena, report->os_version);
	ret->device = arena_strdup(&ret->arena, report->hardware_model);
	ret->date = arena_strdup(&ret->arena, report->date_time);
	ret->arch = arena_strdup(&ret->arena, arch_of(report));
	ret->interval_us = report->sample_interval_us;
	add_event(report, ret);
	if (report->sampled_at_least)
		add_run(report, ret);
	ret->platform = report->platform;
	ret->profile.is_placed = true;
	for (size_t i = 0; i < report->note_count; i++)
		if (report->notes[i].kind != NOTICE_FAILURE)
			lag_report_note(ret, report->notes[i].place,
			                report->notes[i].text);
}

// Threads

/** Matrix writes the most frequent stack of many samples. */
static bool is_heaviest_stack(const struct report_thread *thread)
{
	return thread->name && !strcmp(thread->name, "HandledThread");
}

static bool is_main_thread(const struct report_thread *thread)
{
	return (thread->queue &&
	        !strcmp(thread->queue, "com.apple.main-thread")) ||
	       report_is_main_title(thread->name);
}

static int thread_rank(const struct report *report,
                       const struct report_thread *thread)
{
	enum sample_kind kind = lag_stacks_kind(report);

	if (!thread->stack.count)
		return 0;
	if (is_heaviest_stack(thread))
		return 5;
	// Another thread may have exceeded the limit; the main thread was idle.
	if (cost_unit_of(kind) != COST_MS &&
	    thread == report_crashed_thread(report))
		return 4;
	if (is_main_thread(thread))
		return 3;
	if (!thread->number)
		return 2;
	return thread == report_crashed_thread(report);
}

/** The first of the threads with the highest rank; or NULL. */
static const struct report_thread *find_thread(const struct report *report)
{
	const struct report_thread *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < report->thread_count; i++) {
		int rank = thread_rank(report, report->threads[i]);

		if (rank > best_rank) {
			best = report->threads[i];
			best_rank = rank;
		}
	}
	return best;
}

static uint64_t samples_of(const struct report_thread *thread)
{
	uint64_t samples = thread->stack.frames[0].repeat_count;

	return samples ? samples : 1;
}

static void add_thread(struct lag_stacker *s,
                       const struct report_thread *thread)
{
	const struct report_stack *stack = &thread->stack;

	if (!stack->count)
		return;
	lag_stacker_begin(s, lag_thread_name(&s->ret->arena, thread));
	for (size_t i = stack->count; i-- > 0;) {
		const struct report_frame *frame = &stack->frames[i];

		lag_stacker_push(s, frame,
		                 frame->is_pc ||
		                         (!i && !stack->all_return_addresses));
	}
	lag_stacker_add(s, samples_of(thread));
}

/** As count_samples() of trees: samples that share the report's total. */
static uint64_t count_thread_samples(const struct lag_stacker *s,
                                     const struct report_thread *only)
{
	const struct report *report = s->report;
	uint64_t max = 0;

	for (size_t i = 0; i < report->thread_count; i++) {
		const struct report_thread *thread = report->threads[i];
		uint64_t samples = thread->stack.count ? samples_of(thread) : 0;

		if (lag_stacker_adds_up(s))
			max = number_sum(max, samples);
		else if ((!only || thread == only) && samples > max)
			max = samples;
	}
	return max;
}

static void add_threads(struct lag_stacker *s)
{
	bool all_threads = s->threads != LAG_THREADS_MAIN;
	const struct report *report = s->report;
	const struct report_thread *thread = find_thread(report);

	if (!all_threads && !thread)
		return;
	lag_stacker_set_cost(
	        s, count_thread_samples(s, all_threads ? NULL : thread));
	if (!all_threads)
		add_thread(s, thread);
	for (size_t i = 0; all_threads && i < report->thread_count; i++)
		add_thread(s, report->threads[i]);
}

/**
 * Add the heaviest stack of a report without others: each frame has the samples
 * that passed it, of which some ended there.
 */
static void add_heaviest(struct lag_stacker *s, const struct report_stack *list)
{
	uint64_t passed =
	        list->count ? list->frames[list->count - 1].repeat_count : 0;

	if (!passed)
		return;
	lag_stacker_set_cost(s, passed);
	lag_stacker_begin(s, NULL);
	for (size_t i = list->count; i-- > 0;) {
		uint64_t inner = i ? list->frames[i - 1].repeat_count : 0;

		passed = list->frames[i].repeat_count < passed
		                 ? list->frames[i].repeat_count
		                 : passed;
		lag_stacker_push(s, &list->frames[i], !i);
		if (inner < passed)
			lag_stacker_add(s, passed - inner);
	}
	s->ret->profile.from_nodes = true;
}

static void note_flaws(const struct lag_stacker *s)
{
	struct lag_report *ret = s->ret;

	if (s->exceeded)
		lag_report_note(
		        ret, "trees",
		        arena_printf(&ret->arena,
		                     "%zu call%s more samples than the caller "
		                     "has left: reduced to those",
		                     s->exceeded,
		                     s->exceeded == 1 ? " has" : "s have"));
	if (s->shortened)
		lag_report_note(ret, "stacks",
		                arena_printf(&ret->arena,
		                             "%zu deeper than %d frames: the "
		                             "middle is dropped",
		                             s->shortened, LAG_STACK_FRAMES));
}

bool lag_stacks_add(const struct report *report, enum lag_threads threads,
                    struct lag_report *ret)
{
	SCOPED(stacker_release)
	struct lag_stacker s = {
		.report = report,
		.ret = ret,
		.threads = threads,
	};

	add_images(report, ret);
	add_facts(report, ret);
	if (report->tree_count)
		lag_stacker_trees(&s);
	if (!ret->profile.sample_count)
		add_threads(&s);
	if (!ret->profile.sample_count && report->app_backtrace_count &&
	    !report->tree_count)
		add_heaviest(&s, report->app_backtraces[0]);
	ret->profile.is_unordered = true;
	note_flaws(&s);
	return ret->profile.sample_count != 0;
}

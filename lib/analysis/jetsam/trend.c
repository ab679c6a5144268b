// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/trend.h"

#include "lib/analysis/jetsam/evidence.h"
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/base/mem.h"
#include "lib/base/nearest.h"
#include "lib/base/timestamp.h"
#include "lib/darwin/jetsam.h"
#include "lib/darwin/products.h"
#include "lib/model/jetsam_answer.h"

#include <stdlib.h>
#include <string.h>

static const char *kept(struct jetsam_trend *trend, const char *text)
{
	return arena_strdup(&trend->names, text ? text : "");
}

static bool same(const char *text, const char *other)
{
	return !strcmp(text, other ? other : "");
}

// Adding a log

/**
 * Collected limits only apply to foreground apps: extensions are active, too,
 * but never frontmost.
 */
static uint64_t reference_for(const struct jetsam_answer *answer,
                              const struct jetsam_usage *usage)
{
	const struct jetsam_process *process = usage->process;
	bool is_app = process->states
	                      ? process->states & JETSAM_FRONTMOST &&
	                                !(process->states & JETSAM_DAEMON)
	                      : usage->app_state == JETSAM_APP_STATE_FOREGROUND;

	return is_app ? answer->reference.limit_bytes : 0;
}

/** The row for @p wanted, or a new one with its texts. */
static struct jetsam_limit_row *limit_row(struct jetsam_trend *trend,
                                          const struct jetsam_limit_row *wanted)
{
	struct jetsam_limit_row *row;

	for (size_t i = 0; i < trend->limit_count; i++) {
		row = &trend->limits[i];
		if (same(row->product, wanted->product) &&
		    same(row->os, wanted->os) &&
		    same(row->process, wanted->process) &&
		    row->app_state == wanted->app_state &&
		    !strcmp(row->evidence, wanted->evidence))
			return row;
	}
	if (trend->limit_count == JETSAM_TREND_ROWS_MAX) {
		trend->dropped++;
		return NULL;
	}
	MEM_GROW(trend->limits, trend->limit_count, trend->limit_cap);
	row = &trend->limits[trend->limit_count++];
	*row = *wanted;
	row->product = kept(trend, wanted->product);
	row->model = kept(trend, wanted->model);
	row->os = kept(trend, wanted->os);
	row->process = kept(trend, wanted->process);
	row->reference_os = kept(trend, wanted->reference_os);
	row->reference_source = kept(trend, wanted->reference_source);
	row->least_bytes = UINT64_MAX;
	trend->evidence_count += !wanted->deaths;
	row->deaths = 0;
	return row;
}

static void widen(struct jetsam_limit_row *row, uint64_t bytes)
{
	if (bytes < row->least_bytes)
		row->least_bytes = bytes;
	if (bytes > row->most_bytes)
		row->most_bytes = bytes;
}

static void add_limit(struct jetsam_trend *trend, const struct report *report,
                      const struct jetsam_victim *victim)
{
	const struct jetsam_answer *answer = report->jetsam_answer;
	struct jetsam_limit_row wanted = {
		.product = report->hardware_model,
		.model = answer->model,
		.os = report->os_version,
		.process = victim->process->name,
		.app_state = victim->app_state,
		.evidence = JETSAM_HARD_LIMIT " kill",
		.deaths = 1,
		.reference_bytes = reference_for(answer, victim->usage),
		.reference_os = answer->reference.os,
		.reference_source = answer->reference.source,
	};
	struct jetsam_limit_row *row;

	if (!victim->limit_bytes.known)
		return;
	row = limit_row(trend, &wanted);
	if (!row)
		return;
	row->deaths++;
	row->reference_disagrees |=
	        jetsam_disagrees(victim, &answer->reference);
	widen(row, victim->limit_bytes.value);
}

void jetsam_trend_add_evidence(struct jetsam_trend *trend,
                               const struct report *report)
{
	for (size_t i = 0; i < report->memory_limit_count; i++) {
		const struct memory_limit *limit = &report->memory_limits[i];
		bool is_foreground =
		        jetsam_evidence_is_foreground(report, limit);
		struct jetsam_limit_row wanted = {
			.product = report->hardware_model,
			.model = darwin_model_name(report->hardware_model),
			.os = report->os_version,
			.process = report->process.name,
			.app_state = is_foreground ? JETSAM_APP_STATE_FOREGROUND
			                           : JETSAM_APP_STATE_UNKNOWN,
			.evidence = memory_evidence_name(limit->evidence),
			.is_lower_bound =
			        memory_evidence_is_lower_bound(limit->evidence),
		};
		struct jetsam_limit_row *row;

		// In a list of all processes, only apps have a common limit.
		if (limit->has_priority && !is_foreground)
			continue;
		row = limit_row(trend, &wanted);
		if (row)
			widen(row, limit->bytes);
	}
}

static struct jetsam_reason_row *reason_row(struct jetsam_trend *trend,
                                            const char *reason)
{
	for (size_t i = 0; i < trend->reason_count; i++)
		if (!strcmp(trend->reasons[i].reason, reason))
			return &trend->reasons[i];
	if (trend->reason_count == JETSAM_TREND_ROWS_MAX) {
		trend->dropped++;
		return NULL;
	}
	MEM_GROW(trend->reasons, trend->reason_count, trend->reason_cap);
	trend->reasons[trend->reason_count] = (struct jetsam_reason_row){
		.reason = kept(trend, reason),
	};
	return &trend->reasons[trend->reason_count++];
}

static void add_reason(struct jetsam_trend *trend,
                       const struct jetsam_victim *victim)
{
	uint64_t bytes = victim->usage->footprint_bytes.value;
	struct jetsam_reason_row *row;

	if (trend->process &&
	    !jetsam_is_name(victim->process->name, trend->process))
		return;
	trend->victim_count++;
	row = reason_row(trend, victim->process->reason);
	if (!row)
		return;
	row->deaths++;
	row->foreground += victim->app_state == JETSAM_APP_STATE_FOREGROUND;
	row->background += victim->app_state == JETSAM_APP_STATE_BACKGROUND;
	row->system += victim->app_state == JETSAM_APP_STATE_SYSTEM;
	row->unknown += victim->app_state == JETSAM_APP_STATE_UNKNOWN;
	if (bytes > row->most_bytes)
		row->most_bytes = bytes;
}

/** Of limits that differ in nothing else, keep the lowest. */
static void keep_limit(struct jetsam_trend *trend,
                       const struct jetsam_known_limit *limit)
{
	for (size_t i = 0; i < trend->known_count; i++) {
		struct jetsam_known_limit *known = &trend->known[i];

		if (strcmp(known->product, limit->product) != 0 ||
		    strcmp(known->os, limit->os) != 0 ||
		    !uuid_equal(&known->uuid, &limit->uuid) ||
		    known->app_state != limit->app_state ||
		    known->is_of_lesser != limit->is_of_lesser)
			continue;
		if (limit->bytes < known->bytes)
			known->bytes = limit->bytes;
		return;
	}
	if (trend->known_count == JETSAM_TREND_ROWS_MAX) {
		trend->dropped++;
		return;
	}
	MEM_GROW(trend->known, trend->known_count, trend->known_cap);
	trend->known[trend->known_count] = *limit;
	trend->known[trend->known_count].product = kept(trend, limit->product);
	trend->known[trend->known_count].os = kept(trend, limit->os);
	trend->known_count++;
}

/** Add the limit of the tracked process in a log. */
static void add_known(struct jetsam_trend *trend, const struct report *report,
                      const struct jetsam_usage *found)
{
	const struct jetsam_answer *answer = report->jetsam_answer;
	const char *product = report->hardware_model;
	const char *os = report->os_version;

	for (size_t i = 0; i < answer->victim_count; i++) {
		const struct jetsam_victim *victim = &answer->victims[i];
		const struct jetsam_process *process = victim->process;

		if (!victim->limit_bytes.known ||
		    !jetsam_is_name(process->name, trend->process))
			continue;
		keep_limit(trend,
		           &(struct jetsam_known_limit){
		                   .product = product ? product : "",
		                   .os = os ? os : "",
		                   .uuid = process->uuid,
		                   .app_state = victim->app_state,
		                   .is_of_lesser = victim->usage != found,
		                   .bytes = victim->limit_bytes.value,
		           });
	}
}

/** The limit at which it was killed; or 0. */
static uint64_t own_limit(const struct jetsam_answer *answer,
                          const struct jetsam_usage *usage)
{
	for (size_t i = 0; i < answer->victim_count; i++)
		if (answer->victims[i].usage == usage)
			return answer->victims[i].limit_bytes.value;
	return 0;
}

/** The coalition with its helpers; NULL without helpers. */
static const struct jetsam_coalition *coalition_of(
        const struct jetsam_answer *answer,
        const struct jetsam_process *process)
{
	for (size_t i = 0;
	     process->coalition.known && i < answer->coalition_count; i++)
		if (answer->coalitions[i].id == process->coalition.value)
			return &answer->coalitions[i];
	return NULL;
}

static void add_point(struct jetsam_trend *trend, const struct report *report,
                      const struct jetsam_usage *usage, size_t count)
{
	const struct jetsam_answer *answer = report->jetsam_answer;
	const struct jetsam_process *process = usage->process;
	const struct jetsam_coalition *sum = coalition_of(answer, process);
	uint64_t peak = usage->lifetime_bytes.value;
	uint64_t bytes = usage->footprint_bytes.value;
	struct jetsam_point *point;
	int64_t time = 0;
	bool has_time = report->date_time &&
	                timestamp_parse(text_from(report->date_time), &time);

	MEM_GROW(trend->points, trend->point_count, trend->point_cap);
	point = &trend->points[trend->point_count++];
	*point = (struct jetsam_point){
		.index = trend->log_count,
		.time_ms = time,
		.has_time = has_time,
		.date = arena_strdup(&trend->names, report->date_time),
		.input = arena_strdup(&trend->names, report->input),
		.product = kept(trend, report->hardware_model),
		.device = kept(trend, report->reporter_key),
		.os = kept(trend, report->os_version),
		.states = arena_strdup(&trend->names, process->states_text),
		.reason = arena_strdup(&trend->names, process->reason),
		.pid = process->pid.value,
		.has_pid = process->pid.known,
		.age_ms = usage->age_ms.value,
		.has_age = usage->age_ms.known,
		.uuid = process->uuid,
		.app_state = usage->app_state,
		.count = count,
		.bytes = bytes,
		// The writer races with the counter: the larger is true.
		.peak_bytes = peak > bytes ? peak : bytes,
		.coalition_bytes = sum ? sum->bytes.value : bytes,
		.coalition_size = sum ? sum->process_count : 1,
		.own_limit_bytes = own_limit(answer, usage),
		.reference_bytes = reference_for(answer, usage),
	};
}

/** Devices send a log again, and people copy them. */
static bool is_copy(struct jetsam_trend *trend, const struct report *report)
{
	const char *incident = report->incident;

	if (!incident || !*incident || trend->incidents.count == INTERN_MAX)
		return false;
	return !intern_add_new(&trend->incidents, text_from(incident));
}

/** Remember a name similar to the tracked one. */
static void take_nearest(struct jetsam_trend *trend, const char *name)
{
	const char *const before = trend->nearest;
	const char *names[] = { name, before, NULL };

	// Not needed if the process was found.
	if (trend->point_count || !name)
		return;
	// Of equally similar ones the first by name, not by file.
	if (before && strcmp(before, name) <= 0) {
		names[0] = before;
		names[1] = name;
	}
	if (nearest_word(trend->process, names) == name)
		trend->nearest = arena_strdup(&trend->names, name);
}

bool jetsam_trend_add(struct jetsam_trend *trend, const struct report *report)
{
	const struct jetsam_answer *answer = report->jetsam_answer;
	size_t process_count = report->jetsam->process_count;
	const struct jetsam_usage *found = NULL;
	size_t count = 0;

	if (is_copy(trend, report)) {
		trend->copy_count++;
		return false;
	}
	for (size_t i = 0; i < answer->victim_count; i++) {
		add_limit(trend, report, &answer->victims[i]);
		add_reason(trend, &answer->victims[i]);
	}
	if (trend->keeps_kills)
		jetsam_trend_keep_kills(trend, report);
	trend->truncated_count += report->truncated;
	trend->limited_count += report->truncated && report->is_limited;
	for (size_t i = 0; trend->process && i < process_count; i++) {
		const struct jetsam_usage *usage = &answer->usages[i];
		const struct jetsam_process *p = usage->process;

		if (!usage->footprint_bytes.known)
			continue;
		if (!jetsam_is_name(p->name, trend->process)) {
			take_nearest(trend, p->name);
			continue;
		}
		count++;
		if (!found || p->pages.value > found->process->pages.value)
			found = usage;
	}
	if (found) {
		add_point(trend, report, found, count);
		add_known(trend, report, found);
	}
	trend->log_count++;
	return true;
}

void jetsam_trend_release(struct jetsam_trend *trend)
{
	free(trend->limits);
	free(trend->reasons);
	free(trend->points);
	free(trend->kills);
	free(trend->known);
	intern_release(&trend->incidents);
	arena_release(&trend->names);
}

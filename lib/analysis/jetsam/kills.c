// SPDX-License-Identifier: MIT
/*
 * All victims of many jetsam logs, log by log in the order of the kills.
 */
#include "lib/analysis/jetsam/trend.h"

#include "lib/analysis/jetsam/cell.h"
#include "lib/base/mem.h"
#include "lib/darwin/jetsam.h"

#include <string.h>

static const char *kept(struct jetsam_trend *trend, const char *text)
{
	return text ? arena_strdup(&trend->names, text) : NULL;
}

void jetsam_trend_keep_kills(struct jetsam_trend *trend,
                             const struct report *report)
{
	const struct jetsam_answer *answer = report->jetsam_answer;
	const char *input = kept(trend, report->input);
	const char *date = kept(trend, report->date_time);
	const char *product = kept(trend, report->hardware_model);

	for (size_t i = 0; i < answer->victim_count; i++) {
		const struct jetsam_usage *usage = answer->kills[i];
		const struct jetsam_process *process = usage->process;

		if (trend->process &&
		    !jetsam_is_name(process->name, trend->process))
			continue;
		MEM_GROW(trend->kills, trend->kill_count, trend->kill_cap);
		trend->kills[trend->kill_count++] = (struct jetsam_kill){
			.input = input,
			.date = date,
			.product = product,
			.process = kept(trend, process->name),
			.states = kept(trend, process->states_text),
			.reason = kept(trend, process->reason),
			.pid = process->pid,
			.footprint_bytes = usage->footprint_bytes,
			.order = usage->kill_order,
			.delay_us = usage->kill_delay_us,
			.since_us = usage->since_kill_us,
			.app_state = usage->app_state,
		};
	}
}

enum {
	KILL_INPUT,
	KILL_DATE,
	KILL_DEVICE,
	KILL_ORDER,
	KILL_PROCESS,
	KILL_PID,
	KILL_MIB,
	KILL_APP_STATE,
	KILL_SINCE,
	KILL_DELAY,
	KILL_STATES,
	KILL_REASON,
	KILL_COLUMNS,
};

static void add_row(struct table *table, struct arena *arena,
                    const struct jetsam_kill *kill, bool for_people)
{
	struct table_cell *cells = table_add_row(table, arena);

	table_set_text(&cells[KILL_INPUT], kill->input);
	table_set_text(&cells[KILL_DATE], kill->date);
	table_set_text(&cells[KILL_DEVICE], kill->product);
	jetsam_set_number(&cells[KILL_ORDER], kill->order);
	table_set_text(&cells[KILL_PROCESS], kill->process);
	jetsam_set_number(&cells[KILL_PID], kill->pid);
	if (kill->footprint_bytes.known)
		table_set_text(
		        &cells[KILL_MIB],
		        jetsam_mib_text(arena,
		                        (int64_t)kill->footprint_bytes.value,
		                        for_people));
	table_set_text(&cells[KILL_APP_STATE],
	               jetsam_app_state_name(kill->app_state));
	jetsam_set_number(&cells[KILL_SINCE], kill->since_us);
	jetsam_set_number(&cells[KILL_DELAY], kill->delay_us);
	table_set_text(&cells[KILL_STATES], kill->states);
	table_set_text(&cells[KILL_REASON], kill->reason);
}

struct table *jetsam_trend_victims(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena)
{
	static const struct table_column columns[KILL_COLUMNS] = {
		[KILL_INPUT] = { "input", "file", TABLE_PATH },
		[KILL_DATE] = { "date", NULL, TABLE_TEXT },
		[KILL_DEVICE] = { "device", NULL, TABLE_TEXT },
		[KILL_ORDER] = { "kill_order", "kill", TABLE_NUMBER },
		[KILL_PROCESS] = { "process", "process", TABLE_NAME },
		[KILL_PID] = { "pid", "pid", TABLE_NUMBER },
		[KILL_MIB] = { "mib", "MiB", TABLE_DECIMAL },
		[KILL_APP_STATE] = { "app_state", "app state", TABLE_TEXT },
		[KILL_SINCE] = { "since_kill_us", "us since last",
		                 TABLE_NUMBER },
		[KILL_DELAY] = { "kill_delay_us", NULL, TABLE_NUMBER },
		[KILL_STATES] = { "states", NULL, TABLE_TEXT },
		[KILL_REASON] = { "reason", "reason", TABLE_TEXT },
	};
	static const char *const spare[] = { "app_state", "pid",
		                             "since_kill_us", NULL };
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-victims",
		.spare = spare,
		.columns = columns,
		.column_count = KILL_COLUMNS,
		.summary = jetsam_trend_summary(trend, arena),
	};
	for (size_t i = 0; i < trend->kill_count; i++)
		add_row(table, arena, &trend->kills[i], for_people);
	return table;
}

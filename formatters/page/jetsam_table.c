#include "formatters/page/jetsam.h"

#include "lib/model/jetsam.h"
#include "lib/model/table.h"

static void set(struct table_cell *cell, struct jetsam_number number)
{
	if (number.known)
		table_set_number(cell, number.value);
}

struct table *jetsam_table(const struct jetsam *jetsam, struct arena *arena)
{
	static const struct table_column columns[] = {
		{ "name", "process", TABLE_TEXT },
		{ "pid", "pid", TABLE_NUMBER },
		{ "footprint_bytes", "footprint", TABLE_NUMBER },
		{ "lifetime_bytes", "maximum", TABLE_NUMBER },
		{ "age_ms", "age ms", TABLE_NUMBER },
		{ "cpu_time_us", "CPU us", TABLE_NUMBER },
		{ "fds", "fds", TABLE_NUMBER },
		{ "coalition", "coalition", TABLE_NUMBER },
		{ "band", "band", TABLE_TEXT },
		{ "states", "states", TABLE_TEXT },
		{ "reason", "killed", TABLE_TEXT },
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){ .name = "jetsam-processes",
		                 .columns = columns,
		                 .column_count = ARRAY_SIZE(columns) };
	for (size_t i = 0; i < jetsam->ranking_count; i++) {
		const struct jetsam_process *process = jetsam->ranking[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[0], process->name);
		set(&cells[1], process->pid);
		set(&cells[2], process->footprint_bytes);
		set(&cells[3], process->lifetime_bytes);
		set(&cells[4], process->age_ms);
		set(&cells[5], process->cpu_time_us);
		set(&cells[6], process->fds);
		set(&cells[7], process->coalition);
		table_set_text(&cells[8], process->band);
		table_set_text(&cells[9], process->states_text);
		table_set_text(&cells[10], process->reason);
	}
	return table;
}

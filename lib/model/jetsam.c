// SPDX-License-Identifier: MIT
#include "lib/model/jetsam.h"

#include <string.h>

struct jetsam_process *jetsam_add_process(struct jetsam *jetsam,
                                          struct arena *arena)
{
	struct jetsam_process *process;

	ARENA_GROW(arena, jetsam->processes, jetsam->process_count,
	           jetsam->process_cap);
	process = &jetsam->processes[jetsam->process_count];
	*process = (struct jetsam_process){
		.index = (uint32_t)jetsam->process_count++
	};
	return process;
}

unsigned jetsam_state_find(const char *name)
{
	// In the order of enum jetsam_state.
	static const char *const names[] = {
		"frontmost", "active",     "background", "suspended",
		"resume",    "suspending", "daemon",     "idle",
		"audio",     "accessory",  "location",   "bluetooth",
		"periodic",  "continuous",
	};

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (*name == *names[i] && !strcmp(name, names[i]))
			return 1u << i;
	return 0;
}

const char *jetsam_part_name(enum jetsam_part part)
{
	static const char *const names[] = {
		[JETSAM_TRUNCATED] = "truncated log",
		[JETSAM_DAMAGED] = "damaged log",
		[JETSAM_EXCERPT] = "excerpt",
	};

	return names[part];
}

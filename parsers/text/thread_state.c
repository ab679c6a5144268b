// SPDX-License-Identifier: MIT
#include "parsers/text/thread_state.h"

#include "lib/base/text.h"
#include "lib/darwin/registers.h"

/** No processor has as many. */
#define REGISTERS_MAX 128

/** The kind of registers, by the name of the first one. */
static const char *flavor_of(struct text name)
{
	for (size_t i = 0; darwin_thread_states[i].title; i++)
		if (darwin_thread_states[i].mark &&
		    text_is(name, darwin_thread_states[i].mark))
			return darwin_thread_states[i].title;
	return NULL;
}

void thread_state_add(struct report_thread_state *state, struct arena *arena,
                      struct text name, uint64_t value)
{
	const char *flavor = flavor_of(name);
	struct report_register *reg;

	if (state->count == REGISTERS_MAX)
		return;
	if (flavor || !state->flavor)
		state->flavor = flavor ? flavor : "Thread State";
	reg = report_add_register(state, arena);
	reg->name = arena_text(arena, name);
	reg->value = value;
	reg->available = true;
}

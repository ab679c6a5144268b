// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/device_names.h"

#include "lib/base/limit.h"
#include "lib/symbols/demangle/known_names.h"

#include <string.h>

struct demangling {
	enum demangle_form form;
	struct known_names names; ///< printed in that form
	struct arena *arena;
};

/** The words of a text report with one name in place of another. */
static const char *replace(const char *words, const char *old, const char *name,
                           struct arena *arena)
{
	const char *at = words ? strstr(words, old) : NULL;

	if (!at)
		return words;
	return arena_printf(arena, "%.*s%s%s", (int)(at - words), words, name,
	                    at + strlen(old));
}

static void demangle_call(struct report_frame *frame, struct report_call *call,
                          struct demangling *how)
{
	const char *old = call->symbol;
	struct known_name *known;
	const char *name;

	if (!old || call->mangled || !demangle_knows(text_from(old)))
		return;
	known = known_names_add(&how->names, text_from(old), how->arena);
	if (!known->name)
		known->name = arena_abridge(
		        how->arena,
		        demangle_printed(text_from(old), how->form, how->arena),
		        limit_get(LIMIT_NAME));
	name = known->name;
	if (!strcmp(name, old))
		return;
	call->symbol = name;
	call->mangled = old;
	call->verbatim = replace(call->verbatim, old, name, how->arena);
	frame->verbatim = replace(frame->verbatim, old, name, how->arena);
}

static void demangle_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];

		for (size_t j = 0; j < frame->call_count; j++)
			demangle_call(frame, &frame->calls[j], context);
	}
}

void device_names_demangle(struct report *const *reports, size_t count,
                           enum demangle_form form, struct arena *arena)
{
	struct demangling how = { .form = form, .arena = arena };

	if (form == DEMANGLE_NONE)
		return;
	for (size_t i = 0; i < count; i++)
		report_each_stack(reports[i], demangle_stack, &how);
	known_names_release(&how.names);
}

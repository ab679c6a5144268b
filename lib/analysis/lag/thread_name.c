// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/stacker.h"

#include "lib/base/number.h"

#include <inttypes.h>
#include <string.h>

/** The text between the first @p start and @p end, or up to the end. */
static struct text between(struct text in, const char *start, const char *end)
{
	size_t at = text_find(in, start);
	struct text rest;

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	rest = text_after(in, at + strlen(start));
	return *end ? text_first(rest, text_find(rest, end)) : rest;
}

/** `Demo` of `Demo [612] Thread 0x1267 …`; else empty. */
static struct text process_of(struct text title)
{
	struct text pid = between(title, " [", "] Thread ");
	uint64_t number;

	return number_decimal(pid, &number)
	               ? text_first(title, text_find(title, " ["))
	               : TEXT_NONE;
}

/** `com.apple.main-thread`, in the notations of `sample` and spindump. */
static struct text name_in(struct text title)
{
	static const char *const quotes[] = { "DispatchQueue \"",
		                              "Thread name \"" };
	struct text name, number;
	uint64_t thread;

	for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
		name = between(title, quotes[i], "\"");
		if (name.size)
			return name;
	}
	name = between(title, " DispatchQueue_", "");
	name = between(name, ": ", "");
	if (name.size)
		return text_first(name, text_find(name, " ("));
	number = between(title, "Thread_", ":");
	if (number_decimal(number, &thread))
		return text_trim(between(title, ": ", ""));
	return TEXT_NONE;
}

const char *lag_tree_name(struct arena *arena, const char *title)
{
	struct text whole = title ? text_from(title) : TEXT_NONE;
	struct text process = process_of(whole);
	struct text name = name_in(whole);

	if (!whole.size)
		return "thread";
	if (!name.size)
		return title;
	if (!process.size)
		return arena_text(arena, name);
	return arena_printf(arena, "%.*s: %.*s", (int)process.size,
	                    process.data, (int)name.size, name.data);
}

const char *lag_thread_name(struct arena *arena,
                            const struct report_thread *thread)
{
	if (thread->queue && thread->queue[0])
		return thread->queue;
	if (thread->name && thread->name[0])
		return lag_tree_name(arena, thread->name);
	return arena_printf(arena, "Thread %" PRIu64, thread->number);
}

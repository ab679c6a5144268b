// SPDX-License-Identifier: MIT
/*
 * `apmLastMaxMemory` (apmtool-formats(5)): a property list with an app's
 * footprint when it crossed a threshold of its own.
 */
#include "lib/text/plist/plist.h"
#include "parsers/memory/memory.h"
#include "parsers/reader.h"

#include <inttypes.h>

/** Max size: such a list has three values. */
#define LOOK_BYTES ((size_t)64 << 10)

bool memory_plist_sniff(struct text in)
{
	return text_find(text_first(in, LOOK_BYTES), MEMORY_PEAK) !=
	       TEXT_NOWHERE;
}

/** Recorders write numbers as strings, too. */
static struct text value_text(const struct plist *dict, const char *key,
                              struct arena *arena)
{
	const struct plist *value = plist_get(dict, key);

	if (!value)
		return TEXT_NONE;
	if (value->kind == PLIST_STRING)
		return value->text;
	if (value->kind == PLIST_INTEGER && !value->negative)
		return text_from(
		        arena_printf(arena, "%" PRIu64, value->number));
	if (value->kind == PLIST_REAL)
		return text_from(arena_printf(arena, "%.6f", value->real));
	return text_from("?");
}

struct error *memory_plist_read(struct bytes in, struct arena *arena,
                                struct report *report)
{
	const struct plist *root;
	const struct plist *inner;
	const char *fault;
	struct error *err = plist_salvage(in, arena, &root, &fault);

	if (err)
		return err;
	if (fault) {
		report->truncated = true;
		report_add_note(report, arena, "property list", fault);
	}
	inner = plist_get(root, "apmLastMaxMemory");
	if (inner)
		root = inner;
	fault = memory_add_warning(report, arena,
	                           value_text(root, MEMORY_PEAK, arena),
	                           value_text(root, MEMORY_THRESHOLD, arena));
	return fault ? error_new(ERROR_FORMAT, "%s", fault) : NULL;
}

static bool binary_sniff(const struct envelope *in)
{
	return text_starts(in->text, "bplist") && memory_plist_sniff(in->text);
}

static struct error *binary_read(const struct envelope *in, struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report =
	        memory_report_new(arena, memory_plist_reader.name);
	struct error *err =
	        memory_plist_read(bytes_from_text(in->text), arena, report);

	if (!err)
		sink_report(sink, report);
	return err;
}

const struct reader memory_plist_reader = {
	.name = "memory-plist",
	.summary = "early-warning records of memory (binary property list)",
	.yields = YIELDS_MEMORY,
	.is_binary = true,
	.sniff = binary_sniff,
	.read = binary_read,
};

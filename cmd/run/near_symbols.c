// SPDX-License-Identifier: MIT
#include "cmd/run/near_symbols.h"

#include "cmd/run/spotlight.h"
#include "cmd/run/symbol_paths.h"
#include "lib/base/file.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <unistd.h>

/** Directories to search */
void near_symbols_look_beside(struct near_symbols *near,
                              const struct command_line *line)
{
	for (size_t i = 0; i < line->operand_count; i++) {
		struct text path = text_from(line->operands[i]);
		size_t slash = text_find_last_char(path, '/');

		// Do not search near a missing report.
		if (text_is(path, "-") || access(line->operands[i], F_OK))
			continue;
		if (!file_is_directory(line->operands[i]))
			path = slash == TEXT_NOWHERE
			               ? text_from(".")
			               : text_first(path, slash ? slash : 1);
		intern_add(&near->places, path);
	}
}

static void begin(struct near_symbols *near)
{
	const struct config_places *places = near->line->places;

	near->found = uuid_index_new();
	near->budget = (struct file_budget)FILE_BUDGET;
	near_symbols_look_beside(near, near->line);
	intern_add(&near->places, text_from("."));
	spotlight_add_places(&near->places, places ? places->home : NULL);
}

static void search(struct near_symbols *near, uint32_t place)
{
	const char *path = intern_cstr(&near->places, place);

	if (uuid_index_add_near(near->found, path, &near->budget))
		return;
	near->searched = near->places.count;
	if (!near->quiet)
		notice_advise(near->line->notices, "name the dSYMs with --dsym",
		              "the search for dSYMs beside the reports and "
		              "below the current directory ended after %d "
		              "files and directories, or %d seconds",
		              FILE_BUDGET_ENTRIES, FILE_BUDGET_SECONDS);
}

/** Search one directory after the other until it is found. */
static const struct uuid_entry *find(struct near_symbols *near,
                                     const struct uuid *uuid, size_t *ret_count)
{
	const struct uuid_entry *entries;

	if (!near->found)
		begin(near);
	while (!(entries = uuid_index_find(near->found, uuid, ret_count)) &&
	       near->searched < near->places.count)
		search(near, near->searched++);
	if (entries || !spotlight_add(near->found, uuid))
		return entries;
	return uuid_index_find(near->found, uuid, ret_count);
}

/** Max files to print; most apps have few. */
#define NAMED_MAX 3

/** The dSYM instead of the file in it. */
static struct text bundle_of(struct text path)
{
	size_t end = text_find(path, "/Contents/Resources/DWARF/");

	return end == TEXT_NOWHERE ? path : text_first(path, end);
}

/** Print a file once, although it has several slices. */
static void note_use(struct near_symbols *near, const char *path)
{
	SCOPED(str_release) struct str text = { 0 };
	uint32_t known = near->printed.count;
	struct text bundle = bundle_of(text_from(path));

	if (!intern_add_new(&near->printed, text_from(path)) ||
	    known > NAMED_MAX)
		return;
	if (known == NAMED_MAX)
		str_add(&text, "using more files of the same UUIDs: 'apmtool "
		               "missing' lists them");
	else
		str_addf(&text, "using '%.*s' (same UUID%s)", TEXT_ARGS(bundle),
		         known ? "" : "; --no-auto turns this off");
	notice_give(near->line->notices,
	            &(struct notice){ .kind = NOTICE_NOTE,
	                              .text = str_cstr(&text) });
}

/** Is this the first search for the image in this run? */
static bool is_new(struct near_symbols *near, const struct uuid *uuid)
{
	return intern_add_new(&near->asked, uuid_key(uuid));
}

/**
 * Packed files that were skipped in named directories, or else near the
 * reports.
 */
static const struct unread_packed *packed_of(const struct near_symbols *near)
{
	const struct unread_packed *named =
	        uuid_index_packed(symbol_store_index(near->store));

	return named->paths.count || !near->found
	               ? named
	               : uuid_index_packed(near->found);
}

/** Are there packed files that were not printed yet? */
static bool has_packed_to_name(const struct near_symbols *near)
{
	return !near->quiet && !near->warned_of_packed &&
	       packed_of(near)->paths.count;
}

/** Is there nothing to search and nothing to print? */
static bool is_idle(const struct near_symbols *near)
{
	return near->off && !has_packed_to_name(near);
}

/** An image has no dSYM: packed files may have it. */
static void warn_of_packed(struct near_symbols *near)
{
	if (!has_packed_to_name(near))
		return;
	near->warned_of_packed = true;
	symbols_warn_packed(near->line->notices, packed_of(near));
}

void near_symbols_use_for(struct near_symbols *near, const struct uuid *uuid)
{
	const struct uuid_entry *entries = NULL;
	size_t count;

	if (is_idle(near) || uuid_is_zero(uuid) || !is_new(near, uuid) ||
	    symbol_store_finds(near->store, uuid))
		return;
	if (!near->off)
		entries = find(near, uuid, &count);
	if (!entries) {
		warn_of_packed(near);
		return;
	}
	symbol_store_allow(near->store, uuid, entries, count);
	if (!near->quiet)
		note_use(near, entries->path);
}

static void mark_images(struct report_stack *stack, void *context)
{
	bool *used = context;

	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].image != REPORT_NO_IMAGE)
			used[stack->frames[i].image] = true;
}

void near_symbols_use(struct near_symbols *near, struct report *const *reports,
                      size_t count)
{
	if (is_idle(near))
		return;
	for (size_t i = 0; i < count; i++) {
		struct report *report = reports[i];
		SCOPED(mem_drop)
		bool *used = mem_zalloc(report->image_count, sizeof(*used));

		report_each_stack(report, mark_images, used);
		for (size_t j = 0; j < report->image_count; j++)
			if (used[j] &&
			    report_image_is_app(report, &report->images[j]))
				near_symbols_use_for(near,
				                     &report->images[j].uuid);
	}
}

void near_symbols_release(struct near_symbols *near)
{
	uuid_index_free(near->found);
	intern_release(&near->asked);
	intern_release(&near->printed);
	intern_release(&near->places);
	near->found = NULL;
}

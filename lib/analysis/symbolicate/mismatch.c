// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/mismatch.h"

#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/darwin/cpu.h"

#include <stdlib.h>
#include <string.h>

/** Checks the syntax; mismatches_add() reads the file. */
static struct error *parse_option(const char *option, struct mismatch *ret)
{
	struct text text = text_from(option);
	size_t equals = text_find_char(text, '=');

	if (equals == TEXT_NOWHERE || equals + 1 == text.size)
		return error_new(ERROR_USAGE,
		                 "expected <uuid>=<file>, found '%s'", option);
	if (!uuid_parse(text_first(text, equals), &ret->uuid) ||
	    uuid_is_zero(&ret->uuid))
		return error_new(ERROR_USAGE,
		                 "expected the UUID of an image, found '%.*s'",
		                 (int)equals, option);
	ret->path = option + equals + 1;
	return NULL;
}

struct error *mismatches_add(struct mismatches *mismatches, const char *option)
{
	struct mismatch mismatch = { 0 };
	struct error *err = parse_option(option, &mismatch);

	for (size_t i = 0; i < mismatches->count && !err; i++)
		if (uuid_equal(&mismatches->items[i].uuid, &mismatch.uuid))
			err = error_new(ERROR_USAGE,
			                "this image has a file already: '%s'",
			                mismatches->items[i].path);
	if (err)
		return error_prefix(err, "option '--allow-uuid-mismatch'");
	mismatch.index = uuid_index_new();
	MEM_GROW(mismatches->items, mismatches->count, mismatches->cap);
	mismatches->items[mismatches->count++] = mismatch;
	return uuid_index_add(mismatch.index, mismatch.path);
}

/** The architecture of an image; text of macOS has only the process's. */
static bool is_of_arch(const struct uuid_entry *entry,
                       const struct report *report,
                       const struct report_image *image)
{
	if (image->arch)
		return uuid_entry_has_arch(entry, image->arch);
	return report->code_type &&
	       !strcmp(darwin_code_type_of_arch(uuid_entry_arch(entry)),
	               report->code_type);
}

/** Select the slice, a dSYM's before a binary's; or set the refusal. */
static void choose_slice(struct mismatch *mismatch, const struct report *report,
                         const struct report_image *image, struct arena *arena)
{
	const char *arch = image->arch ? image->arch : report->code_type;
	const struct uuid_entry *chosen = NULL;
	const struct uuid_entry *entries;
	size_t count;

	entries = uuid_index_all(mismatch->index, &count);
	for (size_t i = 0; i < count; i++) {
		const struct uuid_entry *entry = &entries[i];

		if (!is_of_arch(entry, report, image) ||
		    uuid_entry_is_object(entry))
			continue;
		if (chosen && !uuid_equal(&chosen->uuid, &entry->uuid)) {
			mismatch->refusal = arena_printf(
			        arena, "it holds several files for %s", arch);
			return;
		}
		if (!chosen || uuid_entry_is_dsym(entry))
			chosen = entry;
	}
	mismatch->entry = chosen;
	if (!chosen)
		mismatch->refusal = arena_printf(
		        arena, "it has no slice for %s, which %s needs",
		        arch ? arch : "an unknown architecture",
		        image->name ? image->name : "the image");
}

/** The first image of that UUID decides. */
static void decide(struct mismatch *mismatch, const struct report *report,
                   const struct report_image *image, struct symbol_store *store,
                   struct arena *arena)
{
	const struct uuid_entry *own;
	size_t count;

	own = uuid_index_find(symbol_store_index(store), &mismatch->uuid,
	                      &count);
	if (own) {
		mismatch->refusal = arena_printf(
		        arena, "the file of exactly this build was found: '%s'",
		        own->path);
		return;
	}
	choose_slice(mismatch, report, image, arena);
	if (mismatch->entry)
		symbol_store_allow(store, &mismatch->uuid, mismatch->entry, 1);
}

static void add_note(const struct mismatch *mismatch, struct report *report,
                     const struct report_image *image, struct arena *arena)
{
	char uuid[UUID_TEXT_SIZE];

	if (uuid_equal(&mismatch->entry->uuid, &mismatch->uuid))
		return;
	report_add_note(
	        report, arena, image->name ? image->name : "an image",
	        arena_printf(
	                arena,
	                "UUID mismatch: looked up in '%s' of another build, "
	                "%s: names and lines may be wrong",
	                mismatch->entry->path,
	                uuid_format(&mismatch->entry->uuid, uuid)));
}

static void apply_to_report(struct mismatches *mismatches,
                            struct mismatch *mismatch, struct report *report,
                            struct symbol_store *store, struct arena *arena)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];

		if (!uuid_equal(&image->uuid, &mismatch->uuid))
			continue;
		if (!mismatch->entry && !mismatch->refusal)
			decide(mismatch, report, image, store,
			       &mismatches->arena);
		if (mismatch->entry)
			add_note(mismatch, report, image, arena);
		return;
	}
}

void mismatches_apply(struct mismatches *mismatches,
                      struct report *const *reports, size_t count,
                      struct symbol_store *store, struct arena *arena)
{
	for (size_t i = 0; i < mismatches->count; i++)
		for (size_t j = 0; j < count; j++)
			apply_to_report(mismatches, &mismatches->items[i],
			                reports[j], store, arena);
}

const char *mismatch_refusal(const struct mismatch *mismatch)
{
	if (mismatch->refusal || mismatch->entry)
		return mismatch->refusal;
	return "no report has an image with this UUID";
}

void mismatches_release(struct mismatches *mismatches)
{
	for (size_t i = 0; i < mismatches->count; i++)
		uuid_index_free(mismatches->items[i].index);
	free(mismatches->items);
	arena_release(&mismatches->arena);
}

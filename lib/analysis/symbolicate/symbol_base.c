// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/symbol_base.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/symbols/symbol_start.h"

#include <stdlib.h>

/** Max remembered results, and builds to search for a name. */
#define OFFERS_MAX 64
#define BUILDS_MAX 8
/** Max symbols to look up, and entries of symbol tables to read. */
#define ASKED_MAX   4096
#define ENTRIES_MAX ((uint64_t)20000000)
/** Max size of a symbol to look up, since lookups are remembered. */
#define SYMBOL_BYTES_MAX 512
/** Images begin at a page; this is the smallest page. */
#define PAGE_BYTES 4096

/** Is this query a new one? */
static bool is_new(struct symbol_bases *bases, const struct symbol_frame *frame)
{
	SCOPED(str_release) struct str key = { 0 };

	if (bases->asked.count >= ASKED_MAX ||
	    bases->entries_read >= ENTRIES_MAX ||
	    frame->symbol.size > SYMBOL_BYTES_MAX)
		return false;
	str_add_le(&key, frame->pid, sizeof(frame->pid));
	str_add_le(&key, frame->address - frame->symbol_offset,
	           sizeof(frame->address));
	str_add_text(&key, frame->image);
	str_add_char(&key, '\n');
	str_add_text(&key, frame->symbol);
	return intern_add_new(&bases->asked, str_text(&key));
}

/** The load address according to this build; false if unknown. */
static bool find_base(struct symbol_bases *bases,
                      const struct uuid_entry *entry,
                      const struct symbol_frame *frame,
                      struct symbol_base *offer)
{
	struct symbol_start found;

	if (!symbol_start_find(entry, frame->symbol, &bases->entries_read,
	                       &found) ||
	    frame->symbol_offset >= found.text_size)
		return false;
	offer->uuid = entry->uuid;
	offer->start = found.address - found.text_address;
	offer->size = found.text_size;
	offer->address = frame->address - frame->symbol_offset - offer->start;
	return frame->address > frame->symbol_offset + offer->start &&
	       offer->address % PAGE_BYTES == 0;
}

/** An earlier result with the same address; or NULL. */
static const struct symbol_base *find_agreeing(const struct symbol_bases *bases,
                                               const struct symbol_base *offer)
{
	size_t count = bases->count < OFFERS_MAX ? bases->count : OFFERS_MAX;

	for (size_t i = 0; i < count; i++) {
		const struct symbol_base *other = &bases->offers[i];

		if (other->pid == offer->pid && other->name == offer->name &&
		    other->address == offer->address &&
		    other->start != offer->start &&
		    uuid_equal(&other->uuid, &offer->uuid))
			return other;
	}
	return NULL;
}

static void keep_offer(struct symbol_bases *bases,
                       const struct symbol_base *offer)
{
	if (!bases->offers)
		bases->offers = mem_zalloc(OFFERS_MAX, sizeof(*offer));
	bases->offers[bases->count++ % OFFERS_MAX] = *offer;
}

static bool is_among(const struct symbol_base *offers, size_t count,
                     const struct uuid *uuid)
{
	for (size_t i = 0; i < count; i++)
		if (uuid_equal(&offers[i].uuid, uuid))
			return true;
	return false;
}

bool symbol_bases_offer(struct symbol_bases *bases, struct uuid_index *index,
                        const struct symbol_frame *frame,
                        struct symbol_base *ret)
{
	SCOPED(mem_drop)
	char *name = mem_strndup(frame->image.data, frame->image.size);
	struct symbol_base offers[BUILDS_MAX] = { 0 };
	size_t offer_count = 0;
	size_t agreed = 0;
	size_t count;
	const struct uuid_entry *entries =
	        uuid_index_find_name(index, name, &count);

	if (!count || !is_new(bases, frame))
		return false;
	for (size_t i = 0; i < count && offer_count < BUILDS_MAX; i++) {
		struct symbol_base *offer = &offers[offer_count];

		if (entries[i].is_system || uuid_is_zero(&entries[i].uuid) ||
		    is_among(offers, offer_count, &entries[i].uuid) ||
		    !find_base(bases, &entries[i], frame, offer))
			continue;
		offer->pid = frame->pid;
		offer->at = frame->at;
		offer->name = intern_add(&bases->names, frame->image);
		offer_count++;
	}
	for (size_t i = 0; i < offer_count; i++) {
		const struct symbol_base *other =
		        find_agreeing(bases, &offers[i]);

		if (other) {
			*ret = *other;
			agreed++;
		}
	}
	for (size_t i = 0; i < offer_count; i++)
		keep_offer(bases, &offers[i]);
	return agreed == 1;
}

/** Address of the only symbol with that name in the image. */
static uint64_t find_start(struct symbol_bases *bases, struct uuid_index *index,
                           const struct uuid *uuid, struct text symbol)
{
	struct symbol_start found;
	size_t count;
	const struct uuid_entry *entries = uuid_index_find(index, uuid, &count);

	for (size_t i = 0; i < count; i++)
		if (symbol_start_find(&entries[i], symbol, &bases->entries_read,
		                      &found))
			return found.address - found.text_address;
	return UINT64_MAX;
}

bool symbol_bases_refute(struct symbol_bases *bases, struct uuid_index *index,
                         const struct uuid *uuid,
                         const struct symbol_frame *frame, uint64_t offset)
{
	SCOPED(str_release) struct str key = { 0 };
	uint32_t number;

	if (frame->symbol.size > SYMBOL_BYTES_MAX)
		return false;
	str_add_bytes(&key, uuid->bytes, sizeof(uuid->bytes));
	str_add_text(&key, frame->symbol);
	number = intern_find(&bases->checked, str_text(&key));
	if (number == INTERN_NONE) {
		if (bases->checked.count >= ASKED_MAX ||
		    bases->entries_read >= ENTRIES_MAX)
			return false;
		number = intern_add(&bases->checked, str_text(&key));
		MEM_ROOM(bases->starts, (size_t)number + 1, bases->start_cap);
		bases->starts[number] =
		        find_start(bases, index, uuid, frame->symbol);
	}
	return bases->starts[number] != UINT64_MAX &&
	       bases->starts[number] + frame->symbol_offset != offset;
}

void symbol_bases_release(struct symbol_bases *bases)
{
	intern_release(&bases->names);
	intern_release(&bases->asked);
	intern_release(&bases->checked);
	free(bases->starts);
	free(bases->offers);
	*bases = (struct symbol_bases){ 0 };
}

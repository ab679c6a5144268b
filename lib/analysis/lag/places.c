// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/places.h"

#include "lib/analysis/symbolicate/naming.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

struct lag_place {
	uint32_t image;   ///< INTERN_NONE: in no image
	uint32_t symbol;  ///< from the device, in names; or INTERN_NONE
	uint64_t offset;  ///< from the load address; without an image, the
	                  ///< address
	uint64_t address; ///< in the first report; 0: unknown
	bool moved;       ///< differs between reports
	bool is_pc;
	bool has_offset;         ///< false: only the name of the image is known
	bool has_line;           ///< file and line are known
	enum calltree_kind kind; ///< if in no image
	uint32_t first_call;
	uint32_t call_count;
};

void lag_places_init(struct lag_places *places, struct intern *names,
                     struct profile_functions *functions)
{
	*places = (struct lag_places){ .names = names };
	lag_call_table_init(&places->calls, names, functions);
}

void lag_places_release(struct lag_places *places)
{
	lag_build_images_release(&places->images);
	lag_call_table_release(&places->calls);
	map_release(&places->map);
	free(places->places);
	*places = (struct lag_places){ 0 };
}

bool lag_places_forget(struct lag_places *places)
{
	if (places->images.ids.count)
		return false;
	lag_call_table_forget(&places->calls);
	map_release(&places->map);
	free(places->places);
	places->places = NULL;
	places->place_cap = 0;
	places->place_count = places->named_count = 0;
	return true;
}

enum calltree_kind lag_places_bare_kind(const struct lag_report *report)
{
	if (report->profile.images.count)
		return CALLTREE_SYSTEM;
	for (size_t i = 0; i < report->profile.frames.count; i++)
		if (report->profile.frames.items[i].image != INTERN_NONE)
			return CALLTREE_SYSTEM;
	return CALLTREE_APP;
}

static struct profile_place profile_place_of(const struct lag_places *places,
                                             const struct lag_place *place)
{
	struct profile_place printed = {
		.address = place->address,
		.has_address =
		        place->address ||
		        (place->symbol == INTERN_NONE && !place->has_offset),
		.moved = place->moved,
		.kind = place->kind,
	};
	const struct lag_build_image *image;

	if (place->symbol != INTERN_NONE)
		printed.symbol = intern_cstr(places->names, place->symbol);
	if (place->image == INTERN_NONE)
		return printed;
	image = &places->images.items[place->image];
	printed.image = image->name;
	printed.uuid = image->uuid;
	printed.kind = image->kind;
	printed.in_image = place->has_offset;
	printed.offset = place->offset;
	return printed;
}

/** Set the calls of a place, from the symbol file or the device. */
static void name_place(struct lag_places *places, struct lag_place *place,
                       const struct symbol_answer *answer)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct profile_place printed = profile_place_of(places, place);
	const char *path = place->image == INTERN_NONE
	                           ? NULL
	                           : places->images.items[place->image].path;

	place->first_call = (uint32_t)places->calls.count;
	if (!answer || !answer->count) {
		const char *symbol = printed.symbol;

		if (symbol)
			printed.symbol =
			        lag_call_readable(&places->calls, symbol);
		lag_call_add(&places->calls, &printed, symbol, path);
	}
	// Answers have the innermost call first.
	for (size_t i = answer ? answer->count : 0; i--;) {
		const struct symbol_call *call = &answer->calls[i];
		struct profile_place named = printed;

		named.symbol = call->name;
		named.file = call->file;
		named.path = symbol_call_path(call, &arena);
		named.line = call->line;
		named.line_borrowed = call->line_borrowed;
		place->has_line = place->has_line || call->file;
		lag_call_add(&places->calls, &named, call->mangled, path);
	}
	place->call_count = (uint32_t)places->calls.count - place->first_call;
}

/** The address differs from the first report's. */
static void set_moved(struct lag_places *places, uint32_t number)
{
	struct lag_place *place = &places->places[number];

	if (place->moved)
		return;
	place->moved = true;
	if (number >= places->named_count)
		return;
	for (uint32_t i = 0; i < place->call_count; i++)
		profile_functions_move(
		        places->calls.functions,
		        places->calls.items[place->first_call + i].function);
}

struct identity {
	uint64_t words[3];
};

static struct identity identity_of(const struct lag_place *place)
{
	return (struct identity){ {
		place->offset,
		(uint64_t)place->image << 32 | place->symbol,
		(uint64_t)place->kind << 2 | (uint64_t)place->has_offset << 1 |
		        place->is_pc,
	} };
}

static uint64_t hash_place(uint64_t seed, const void *key)
{
	const struct identity identity = identity_of(key);

	return hash_bytes(seed, &identity, sizeof(identity));
}

static bool is_place(const void *table, uint32_t index, const void *key)
{
	const struct identity ours =
	        identity_of((const struct lag_place *)table + index);
	const struct identity theirs = identity_of(key);

	return ours.words[0] == theirs.words[0] &&
	       ours.words[1] == theirs.words[1] &&
	       ours.words[2] == theirs.words[2];
}

static const struct map_keys place_keys = { hash_place, is_place };

static uint32_t add_place(struct lag_places *places,
                          const struct lag_place *place)
{
	uint32_t number = map_add(&places->map, &place_keys, places->places,
	                          place, places->place_count);

	if (number < places->place_count) {
		if (places->places[number].address != place->address)
			set_moved(places, number);
		return number;
	}
	MEM_GROW(places->places, number, places->place_cap);
	places->places[number] = *place;
	places->place_count++;
	if (!places->waits) {
		name_place(places, &places->places[number], NULL);
		places->named_count = number + 1;
	}
	return number;
}

/** Add an image of which only the name is known. */
static uint32_t add_named_image(struct lag_places *places,
                                const struct lag_report *report, uint32_t name)
{
	const struct profile_image unknown = {
		.name = intern_cstr(report->profile.strings, name),
	};

	return lag_build_images_add(&places->images, report, &unknown);
}

/** @param numbers  By image; INTERN_NONE: not set yet. */
static uint32_t number_of(struct lag_places *places,
                          const struct lag_report *report, uint32_t *numbers,
                          size_t image)
{
	if (numbers[image] == INTERN_NONE)
		numbers[image] = lag_build_images_add(
		        &places->images, report,
		        &report->profile.images.items[image]);
	return numbers[image];
}

/** Without a base, the frame only has an offset. */
static void set_offset(struct lag_place *place,
                       const struct profile_image *image)
{
	place->offset -= image->base;
	if (!image->base)
		place->address = 0;
}

void lag_places_add(struct lag_places *places, const struct lag_report *report,
                    uint32_t *ret)
{
	enum calltree_kind bare = lag_places_bare_kind(report);
	SCOPED(mem_drop)
	uint32_t *numbers = mem_alloc((report->profile.images.count + 1) *
	                              sizeof(*numbers));

	for (size_t i = 0; i < report->profile.images.count; i++)
		numbers[i] = INTERN_NONE;
	for (size_t i = 0; i < report->profile.frames.count; i++) {
		const struct profile_frame *frame =
		        &report->profile.frames.items[i];
		struct lag_place place = {
			.image = INTERN_NONE,
			.symbol = frame->symbol,
			.offset = frame->address,
			.address = frame->address,
			.is_pc = frame->is_pc,
			.kind = bare,
		};

		if (frame->placed != PROFILE_NO_IMAGE) {
			place.image = number_of(places, report, numbers,
			                        frame->placed);
			place.has_offset = frame->has_offset;
		} else if (frame->image != INTERN_NONE) {
			place.image =
			        add_named_image(places, report, frame->image);
		}
		if (place.has_offset)
			set_offset(
			        &place,
			        &report->profile.images.items[frame->placed]);
		ret[i] = add_place(places, &place);
	}
}

struct lag_lineless *lag_places_lineless(const struct lag_places *places,
                                         struct fingerprints *seen)
{
	struct lag_lineless *counts = mem_zalloc(
	        (size_t)places->images.ids.count + 1, sizeof(*counts));
	SCOPED(str_release) struct str key = { 0 };

	for (uint32_t i = 0; i < places->place_count; i++) {
		const struct lag_place *place = &places->places[i];
		struct fingerprint print;
		bool is_new;

		if (place->image == INTERN_NONE || !place->has_offset ||
		    place->has_line)
			continue;
		str_clear(&key);
		str_add_text(&key, places->images.ids.texts[place->image]);
		str_add_bytes(&key, &place->offset, sizeof(place->offset));
		str_add_char(&key, place->is_pc ? 'p' : 'r');
		print = fingerprint_of(seen, key.data, key.size);
		fingerprints_find(seen, &print, &is_new);
		counts[place->image].any = true;
		counts[place->image].new += is_new;
	}
	return counts;
}

struct lag_calls lag_places_calls(const struct lag_places *places,
                                  uint32_t place)
{
	const struct lag_place *found = &places->places[place];

	return (struct lag_calls){
		.items = places->calls.items + found->first_call,
		.count = found->call_count,
	};
}

void lag_places_identify(const struct lag_places *places, uint32_t place,
                         struct str *out)
{
	const struct lag_place *found = &places->places[place];

	if (found->image != INTERN_NONE)
		str_add_text(out, places->images.ids.texts[found->image]);
	str_add_bytes(out, &found->offset, sizeof(found->offset));
	// The symbol distinguishes places without an address.
	if (!found->address && found->symbol != INTERN_NONE)
		str_add_text(out, places->names->texts[found->symbol]);
}

// Names

static const struct uuid *uuid_of(const struct lag_places *places,
                                  const struct lag_place *place)
{
	static const struct uuid none = { { 0 } };

	// Without an offset, there is nothing to look up.
	return place->image == INTERN_NONE || !place->has_offset
	               ? &none
	               : &places->images.items[place->image].uuid;
}

static void gather(struct lag_places *places, struct naming *naming)
{
	for (uint32_t i = places->named_count; i < places->place_count; i++) {
		const struct lag_place *place = &places->places[i];

		naming_add(naming, &(struct naming_place){
		                           .uuid = uuid_of(places, place),
		                           .query = { .offset = place->offset,
		                                      .is_return_address =
		                                              !place->is_pc },
		                           .item = i,
		                   });
	}
	places->named_count = places->place_count;
}

static void set_answer(const struct naming_place *named,
                       const struct symbol_answer *answer,
                       const struct symbol_image *image, void *context)
{
	struct lag_places *places = context;
	struct lag_place *place = &places->places[named->item];

	name_place(places, place, answer);
	if (place->image != INTERN_NONE && place->has_offset)
		lag_build_images_found(&places->images, place->image, image);
}

void lag_places_name(struct lag_places *places, struct symbol_store *store)
{
	SCOPED(naming_release) struct naming naming = { 0 };

	gather(places, &naming);
	naming_resolve(&naming, store, set_answer, places);
	symbol_store_trim(store);
}

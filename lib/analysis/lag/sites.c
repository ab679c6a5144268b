// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/sites.h"

#include "lib/analysis/symbolicate/naming.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

struct lag_site {
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

void lag_sites_init(struct lag_sites *sites, struct intern *names,
                    struct profile_functions *functions)
{
	*sites = (struct lag_sites){ .names = names };
	lag_call_table_init(&sites->calls, names, functions);
}

void lag_sites_release(struct lag_sites *sites)
{
	lag_build_images_release(&sites->images);
	lag_call_table_release(&sites->calls);
	map_release(&sites->map);
	free(sites->sites);
	*sites = (struct lag_sites){ 0 };
}

bool lag_sites_forget(struct lag_sites *sites)
{
	if (sites->images.ids.count)
		return false;
	lag_call_table_forget(&sites->calls);
	map_release(&sites->map);
	free(sites->sites);
	sites->sites = NULL;
	sites->site_cap = 0;
	sites->site_count = sites->named_count = 0;
	return true;
}

enum calltree_kind lag_sites_bare_kind(const struct lag_report *report)
{
	if (report->profile.images.count)
		return CALLTREE_SYSTEM;
	for (size_t i = 0; i < report->profile.frames.count; i++)
		if (report->profile.frames.items[i].image != INTERN_NONE)
			return CALLTREE_SYSTEM;
	return CALLTREE_APP;
}

static struct profile_place place_of(const struct lag_sites *sites,
                                     const struct lag_site *site)
{
	struct profile_place place = {
		.address = site->address,
		.has_address = site->address || (site->symbol == INTERN_NONE &&
		                                 !site->has_offset),
		.moved = site->moved,
		.kind = site->kind,
	};
	const struct lag_build_image *image;

	if (site->symbol != INTERN_NONE)
		place.symbol = intern_cstr(sites->names, site->symbol);
	if (site->image == INTERN_NONE)
		return place;
	image = &sites->images.items[site->image];
	place.image = image->name;
	place.uuid = image->uuid;
	place.kind = image->kind;
	place.in_image = site->has_offset;
	place.offset = site->offset;
	return place;
}

/**
 * Set the calls of a site, from the symbol file or from the device's symbol.
 */
static void name_site(struct lag_sites *sites, struct lag_site *site,
                      const struct symbol_answer *answer)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct profile_place place = place_of(sites, site);
	const char *path = site->image == INTERN_NONE
	                           ? NULL
	                           : sites->images.items[site->image].path;

	site->first_call = (uint32_t)sites->calls.count;
	if (!answer || !answer->count) {
		const char *symbol = place.symbol;

		if (symbol)
			place.symbol = lag_call_readable(&sites->calls, symbol);
		lag_call_add(&sites->calls, &place, symbol, path);
	}
	// Answers have the innermost call first.
	for (size_t i = answer ? answer->count : 0; i--;) {
		const struct symbol_call *call = &answer->calls[i];
		struct profile_place named = place;

		named.symbol = call->name;
		named.file = call->file;
		named.path = symbol_call_path(call, &arena);
		named.line = call->line;
		named.line_borrowed = call->line_borrowed;
		site->has_line = site->has_line || call->file;
		lag_call_add(&sites->calls, &named, call->mangled, path);
	}
	site->call_count = (uint32_t)sites->calls.count - site->first_call;
}

/** The address differs from the first report's. */
static void set_moved(struct lag_sites *sites, uint32_t number)
{
	struct lag_site *site = &sites->sites[number];

	if (site->moved)
		return;
	site->moved = true;
	if (number >= sites->named_count)
		return;
	for (uint32_t i = 0; i < site->call_count; i++)
		profile_functions_move(
		        sites->calls.functions,
		        sites->calls.items[site->first_call + i].function);
}

/** Identity of a site. */
struct identity {
	uint64_t words[3];
};

static struct identity identity_of(const struct lag_site *site)
{
	return (struct identity){ {
		site->offset,
		(uint64_t)site->image << 32 | site->symbol,
		(uint64_t)site->kind << 2 | (uint64_t)site->has_offset << 1 |
		        site->is_pc,
	} };
}

static uint64_t hash_site(uint64_t seed, const void *key)
{
	const struct identity identity = identity_of(key);

	return hash_bytes(seed, &identity, sizeof(identity));
}

static bool is_site(const void *table, uint32_t index, const void *key)
{
	const struct identity ours =
	        identity_of((const struct lag_site *)table + index);
	const struct identity theirs = identity_of(key);

	return ours.words[0] == theirs.words[0] &&
	       ours.words[1] == theirs.words[1] &&
	       ours.words[2] == theirs.words[2];
}

static const struct map_keys site_keys = { hash_site, is_site };

static uint32_t add_site(struct lag_sites *sites, const struct lag_site *site)
{
	uint32_t number = map_add(&sites->map, &site_keys, sites->sites, site,
	                          sites->site_count);

	if (number < sites->site_count) {
		if (sites->sites[number].address != site->address)
			set_moved(sites, number);
		return number;
	}
	MEM_GROW(sites->sites, number, sites->site_cap);
	sites->sites[number] = *site;
	sites->site_count++;
	if (!sites->waits) {
		name_site(sites, &sites->sites[number], NULL);
		sites->named_count = number + 1;
	}
	return number;
}

/** Add an image of which only the name is known. */
static uint32_t add_named_image(struct lag_sites *sites,
                                const struct lag_report *report, uint32_t name)
{
	const struct profile_image unknown = {
		.name = intern_cstr(report->profile.strings, name),
	};

	return lag_build_images_add(&sites->images, report, &unknown);
}

/**
 * @param numbers  By image; INTERN_NONE: not set yet.
 */
static uint32_t number_of(struct lag_sites *sites,
                          const struct lag_report *report, uint32_t *numbers,
                          size_t image)
{
	if (numbers[image] == INTERN_NONE)
		numbers[image] = lag_build_images_add(
		        &sites->images, report,
		        &report->profile.images.items[image]);
	return numbers[image];
}

/** Without a base, the frame only has an offset. */
static void set_offset(struct lag_site *site, const struct profile_image *image)
{
	site->offset -= image->base;
	if (!image->base)
		site->address = 0;
}

void lag_sites_add(struct lag_sites *sites, const struct lag_report *report,
                   uint32_t *ret)
{
	enum calltree_kind bare = lag_sites_bare_kind(report);
	SCOPED(mem_drop)
	uint32_t *numbers = mem_alloc((report->profile.images.count + 1) *
	                              sizeof(*numbers));

	for (size_t i = 0; i < report->profile.images.count; i++)
		numbers[i] = INTERN_NONE;
	for (size_t i = 0; i < report->profile.frames.count; i++) {
		const struct profile_frame *frame =
		        &report->profile.frames.items[i];
		struct lag_site site = {
			.image = INTERN_NONE,
			.symbol = frame->symbol,
			.offset = frame->address,
			.address = frame->address,
			.is_pc = frame->is_pc,
			.kind = bare,
		};

		if (frame->placed != PROFILE_NO_IMAGE) {
			site.image = number_of(sites, report, numbers,
			                       frame->placed);
			site.has_offset = frame->has_offset;
		} else if (frame->image != INTERN_NONE) {
			site.image =
			        add_named_image(sites, report, frame->image);
		}
		if (site.has_offset)
			set_offset(
			        &site,
			        &report->profile.images.items[frame->placed]);
		ret[i] = add_site(sites, &site);
	}
}

struct lag_lineless *lag_sites_lineless(const struct lag_sites *sites,
                                        struct fingerprints *seen)
{
	struct lag_lineless *counts = mem_zalloc(
	        (size_t)sites->images.ids.count + 1, sizeof(*counts));
	SCOPED(str_release) struct str place = { 0 };

	for (uint32_t i = 0; i < sites->site_count; i++) {
		const struct lag_site *site = &sites->sites[i];
		struct fingerprint print;
		bool is_new;

		if (site->image == INTERN_NONE || !site->has_offset ||
		    site->has_line)
			continue;
		str_clear(&place);
		str_add_text(&place, sites->images.ids.texts[site->image]);
		str_add_bytes(&place, &site->offset, sizeof(site->offset));
		str_add_char(&place, site->is_pc ? 'p' : 'r');
		print = fingerprint_of(seen, place.data, place.size);
		fingerprints_find(seen, &print, &is_new);
		counts[site->image].any = true;
		counts[site->image].new += is_new;
	}
	return counts;
}

struct lag_calls lag_sites_calls(const struct lag_sites *sites, uint32_t site)
{
	const struct lag_site *found = &sites->sites[site];

	return (struct lag_calls){
		.items = sites->calls.items + found->first_call,
		.count = found->call_count,
	};
}

void lag_sites_identify(const struct lag_sites *sites, uint32_t site,
                        struct str *out)
{
	const struct lag_site *found = &sites->sites[site];

	if (found->image != INTERN_NONE)
		str_add_text(out, sites->images.ids.texts[found->image]);
	str_add_bytes(out, &found->offset, sizeof(found->offset));
	// The symbol distinguishes sites without an address.
	if (!found->address && found->symbol != INTERN_NONE)
		str_add_text(out, sites->names->texts[found->symbol]);
}

// Names

static const struct uuid *uuid_of(const struct lag_sites *sites,
                                  const struct lag_site *site)
{
	static const struct uuid none = { { 0 } };

	// Without an offset, there is nothing to look up.
	return site->image == INTERN_NONE || !site->has_offset
	               ? &none
	               : &sites->images.items[site->image].uuid;
}

static void gather(struct lag_sites *sites, struct naming *naming)
{
	for (uint32_t i = sites->named_count; i < sites->site_count; i++) {
		const struct lag_site *site = &sites->sites[i];

		naming_add(naming, &(struct naming_place){
		                           .uuid = uuid_of(sites, site),
		                           .query = { .offset = site->offset,
		                                      .is_return_address =
		                                              !site->is_pc },
		                           .item = i,
		                   });
	}
	sites->named_count = sites->site_count;
}

static void name_place(const struct naming_place *place,
                       const struct symbol_answer *answer,
                       const struct symbol_image *image, void *context)
{
	struct lag_sites *sites = context;
	struct lag_site *site = &sites->sites[place->item];

	name_site(sites, site, answer);
	if (site->image != INTERN_NONE && site->has_offset)
		lag_build_images_found(&sites->images, site->image, image);
}

void lag_sites_name(struct lag_sites *sites, struct symbol_store *store)
{
	SCOPED(naming_release) struct naming naming = { 0 };

	gather(sites, &naming);
	naming_resolve(&naming, store, name_place, sites);
	symbol_store_trim(store);
}

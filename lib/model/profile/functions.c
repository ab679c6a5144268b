// SPDX-License-Identifier: MIT
#include "lib/model/profile/functions.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// First byte of an identity after the kind.
#define IS_SYMBOL  's'
#define IS_PLACE   'p'
#define IS_ADDRESS 'a'

// How long it is of a place, without the kind and the name of its image.
#define PLACE_BYTES (1 + sizeof(struct uuid) + sizeof(uint64_t))

/**
 * Identity of a place. The name of an image is last, so that joined() can
 * remove it.
 */
static void add_identity(const struct profile_place *place, struct str *out)
{
	str_add_char(out, place->kind == CALLTREE_APP ? 'a' : 's');
	if (place->symbol) {
		str_add_char(out, IS_SYMBOL);
		str_add(out, place->symbol);
	} else if (place->in_image) {
		str_add_char(out, IS_PLACE);
		str_add_bytes(out, &place->uuid, sizeof(place->uuid));
		str_add_bytes(out, &place->offset, sizeof(place->offset));
		str_add(out, place->image);
	} else {
		str_add_char(out, IS_ADDRESS);
		str_add_bytes(out, &place->address, sizeof(place->address));
	}
}

/**
 * Identity across reports: a build is known by its UUID, whatever its file
 * name, and a symbol is the same with or without a known owner.
 */
static struct text joined(struct text identity)
{
	struct uuid uuid;

	identity = text_after(identity, 1);
	if (identity.data[0] != IS_PLACE || identity.size < PLACE_BYTES)
		return identity;
	memcpy(&uuid, identity.data + 1, sizeof(uuid));
	return uuid_is_zero(&uuid) ? identity
	                           : text_first(identity, PLACE_BYTES);
}

/** Is only its place known? */
static bool is_place(const struct profile_place *place)
{
	return !place->symbol && place->in_image;
}

/** The name of a new function; a symbol ends its identity, and stays there. */
static const char *name_of(struct profile_functions *functions,
                           const struct profile_place *place, uint32_t number)
{
	if (place->symbol)
		return joined(functions->identities.texts[number]).data + 1;
	if (place->in_image)
		return arena_printf(&functions->arena, "%s + %" PRIu64,
		                    place->image, place->offset);
	return arena_printf(&functions->arena, "0x%" PRIx64, place->address);
}

/** NULL: not known. */
static const struct uuid *keep_uuid(struct profile_functions *functions,
                                    const struct uuid *uuid)
{
	struct uuid *kept;

	if (!uuid || uuid_is_zero(uuid))
		return NULL;
	kept = arena_alloc(&functions->arena, sizeof(*kept));
	*kept = *uuid;
	return kept;
}

/** Name, image and file must not depend on the order of reading. */
static bool is_before(const char *a, const char *b)
{
	return a && (!b || strcmp(a, b) < 0);
}

/** As is_before() for a path, which many functions share. */
static bool is_path_before(const struct calltree_frame *a,
                           const struct calltree_frame *b)
{
	if (!a->file || !b->file || strcmp(a->file, b->file) != 0)
		return is_before(a->file, b->file);
	return is_before(a->path, b->path);
}

static void keep_source(struct profile_functions *functions,
                        const struct calltree_frame *facts,
                        struct calltree_frame *frame)
{
	if (!frame->file || strcmp(facts->file, frame->file) != 0)
		frame->file = arena_strdup(&functions->arena, facts->file);
	if (facts->path)
		frame->path = intern_cstr(
		        &functions->paths,
		        intern_add(&functions->paths, text_from(facts->path)));
	else
		frame->path = NULL;
	frame->line = facts->line;
	frame->line_borrowed = facts->line_borrowed;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void add_source(struct profile_functions *functions,
                       const struct calltree_frame *facts,
                       struct calltree_frame *frame)
{
	if (is_path_before(facts, frame)) {
		keep_source(functions, facts, frame);
		return;
	}
	if (!facts->file || strcmp(facts->file, frame->file) != 0 ||
	    !is_same_text(facts->path, frame->path))
		return;
	if (facts->line < frame->line ||
	    (facts->line == frame->line && !facts->line_borrowed))
		frame->line_borrowed = facts->line_borrowed;
	if (facts->line < frame->line)
		frame->line = facts->line;
}

static void add_facts(struct profile_functions *functions, uint32_t number,
                      const struct calltree_frame *facts, bool many_addresses)
{
	struct calltree_frame *frame = &functions->frames[number];

	if (facts->evidence > frame->evidence)
		frame->evidence = facts->evidence;
	if (is_before(facts->image, frame->image))
		frame->image = arena_strdup(&functions->arena, facts->image);
	add_source(functions, facts, frame);
	if (many_addresses || (facts->has_address && frame->has_address &&
	                       facts->address != frame->address))
		functions->many_addresses[number] = true;
	if (facts->has_address)
		frame->address = facts->address;
	frame->has_address = (frame->has_address || facts->has_address) &&
	                     !functions->many_addresses[number];
}

/** Is this identity new? Then its frame is all zeros. */
static uint32_t find(struct profile_functions *functions, struct text identity,
                     bool *ret_new)
{
	uint32_t count = functions->identities.count;
	uint32_t number = intern_add(&functions->identities, identity);

	*ret_new = number == count;
	if (!*ret_new)
		return number;
	MEM_GROW(functions->frames, number, functions->cap);
	MEM_GROW(functions->many_addresses, number, functions->many_cap);
	functions->frames[number] = (struct calltree_frame){ 0 };
	functions->many_addresses[number] = false;
	return number;
}

uint32_t profile_functions_add(struct profile_functions *functions,
                               const struct profile_place *place)
{
	SCOPED(str_release) struct str identity = { 0 };
	const struct calltree_frame facts = {
		.image = place->image,
		.file = place->file,
		.path = place->path,
		.line = place->line,
		.line_borrowed = place->line_borrowed,
		.address = place->address,
		.has_address = place->has_address,
		.evidence = place->evidence,
	};
	bool is_new;
	uint32_t number;

	add_identity(place, &identity);
	number = find(functions, str_text(&identity), &is_new);
	if (is_new)
		functions->frames[number] = (struct calltree_frame){
			.name = name_of(functions, place, number),
			.kind = place->kind,
			.uuid = is_place(place)
			                ? keep_uuid(functions, &place->uuid)
			                : NULL,
			.is_symbol = place->symbol,
		};
	add_facts(functions, number, &facts, place->moved);
	return number;
}

void profile_functions_move(struct profile_functions *functions,
                            uint32_t number)
{
	functions->many_addresses[number] = true;
	functions->frames[number].has_address = false;
}

uint32_t profile_functions_join(struct profile_functions *functions,
                                const struct profile_functions *other,
                                uint32_t number)
{
	const struct calltree_frame *frame = &other->frames[number];
	bool is_new;
	uint32_t here = find(functions, joined(other->identities.texts[number]),
	                     &is_new);
	struct calltree_frame *ours = &functions->frames[here];

	if (is_new)
		*ours = (struct calltree_frame){
			.kind = frame->kind,
			.uuid = keep_uuid(functions, frame->uuid),
			.is_symbol = frame->is_symbol,
		};
	// The report that knows its images knows best.
	if (frame->kind == CALLTREE_APP)
		ours->kind = CALLTREE_APP;
	// One place, and one build under two names.
	if (is_new && frame->is_symbol)
		ours->name = functions->identities.texts[here].data + 1;
	else if (is_before(frame->name, ours->name))
		ours->name = arena_strdup(&functions->arena, frame->name);
	add_facts(functions, here, frame, other->many_addresses[number]);
	return here;
}

bool profile_functions_take(struct profile_functions *functions,
                            struct profile_functions *other)
{
	if (profile_functions_count(functions) ||
	    !intern_shorten(&other->identities, joined))
		return false;
	for (uint32_t i = 0; i < profile_functions_count(other); i++)
		if (!other->frames[i].has_address)
			other->frames[i].address = 0;
	profile_functions_release(functions);
	*functions = *other;
	*other = (struct profile_functions){ 0 };
	return true;
}

// Functions that are not kept

/** Stored value of a removed function; 0 is none. */
static uint32_t met_number(enum calltree_evidence evidence, bool is_app)
{
	return 1 + ((uint32_t)evidence << 1 | is_app);
}

static enum calltree_evidence met_evidence(uint32_t number)
{
	return (enum calltree_evidence)((number - 1) >> 1);
}

static bool met_is_app(uint32_t number)
{
	return (number - 1) & 1;
}

static struct fingerprint met_print(struct profile_met *met,
                                    struct text identity)
{
	return fingerprint_of(&met->prints, identity.data, identity.size);
}

void profile_met_add(struct profile_met *met,
                     const struct profile_functions *functions)
{
	for (uint32_t i = 0; i < profile_functions_count(functions); i++) {
		const struct calltree_frame *frame = &functions->frames[i];
		enum calltree_evidence evidence = frame->evidence;
		bool is_app = frame->kind == CALLTREE_APP;
		struct fingerprint print =
		        met_print(met, joined(functions->identities.texts[i]));
		bool is_new;
		uint32_t *number =
		        fingerprints_find(&met->prints, &print, &is_new);

		if (*number) {
			enum calltree_evidence before = met_evidence(*number);

			met->counts[before]--;
			evidence = evidence > before ? evidence : before;
			is_app |= met_is_app(*number);
		}
		*number = met_number(evidence, is_app);
		met->counts[evidence]++;
	}
}

void profile_met_join(struct profile_met *met,
                      struct profile_functions *functions)
{
	uint32_t count = met->prints.count ? profile_functions_count(functions)
	                                   : 0;

	for (uint32_t i = 0; i < count; i++) {
		struct calltree_frame *frame = &functions->frames[i];
		struct fingerprint print =
		        met_print(met, functions->identities.texts[i]);
		uint32_t *number = fingerprints_known(&met->prints, &print);

		if (!number || !*number)
			continue;
		met->counts[met_evidence(*number)]--;
		if (met_evidence(*number) > frame->evidence)
			frame->evidence = met_evidence(*number);
		if (met_is_app(*number))
			frame->kind = CALLTREE_APP;
		*number = 0;
	}
	memcpy(functions->elsewhere, met->counts, sizeof(met->counts));
}

void profile_met_release(struct profile_met *met)
{
	fingerprints_release(&met->prints);
	*met = (struct profile_met){ 0 };
}

/** A function with its sort keys. */
struct ranked {
	const char *name;
	struct text identity;
	uint32_t number;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : text_compare(left->identity, right->identity);
}

uint32_t *profile_functions_rank(const struct profile_functions *functions)
{
	uint32_t count = profile_functions_count(functions);
	SCOPED(mem_drop)
	struct ranked *sorted = mem_zalloc(count, sizeof(*sorted));
	uint32_t *ranks = mem_zalloc(count, sizeof(*ranks));

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = (struct ranked){
			.name = functions->frames[i].name,
			.identity = functions->identities.texts[i],
			.number = i,
		};
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_ranked);
	for (uint32_t i = 0; i < count; i++)
		ranks[sorted[i].number] = i;
	return ranks;
}

void profile_functions_release(struct profile_functions *functions)
{
	arena_release(&functions->arena);
	intern_release(&functions->identities);
	intern_release(&functions->paths);
	free(functions->frames);
	free(functions->many_addresses);
	*functions = (struct profile_functions){ 0 };
}

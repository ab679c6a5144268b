// SPDX-License-Identifier: MIT
#include "cmd/run/log_places.h"

#include "lib/base/mem.h"

/** Linked address of programs, and alignment of linked images. */
#define PROGRAM_LINKED_AT (UINT64_C(1) << 32)
#define LINKED_AT         (UINT64_C(1) << 28)

static struct log_wanted wanted_of(const struct log_frame *frame)
{
	return (struct log_wanted){ .image = frame->image,
		                    .address = frame->address,
		                    .has_offset = frame->has_offset,
		                    .offset = frame->offset };
}

void log_place_set(struct log_filter *filter, const struct log_images *from,
                   const struct log_place *place, struct log_batch_frame *to)
{
	to->uuid = place->image->uuid;
	to->offset = place->offset;
	to->name = arena_strdup(&filter->arena,
	                        log_images_name(from, place->image->name));
	to->path = log_images_name(from, place->image->path);
	if (to->path)
		to->path = arena_strdup(&filter->arena, to->path);
}

/** Search the log's lists, then the given images. */
static bool find_wanted(struct log_filter *filter,
                        const struct log_wanted *wanted, uint64_t at,
                        struct log_place *place,
                        const struct log_images **ret_from)
{
	*ret_from = &filter->images;
	if (log_images_find(&filter->images, filter->pid, at, wanted, place))
		return true;
	*ret_from = &filter->given;
	return log_images_find_given(&filter->given, wanted, place);
}

/**
 * A linked address minus the offset is where the image was linked, a round
 * address. If no list has the address, the image's name is enough: programs are
 * linked at 4 GB, libraries at 0.
 */
static bool find_linked(struct log_filter *filter,
                        const struct log_frame *frame, uint64_t at,
                        struct log_place *place,
                        const struct log_images **ret_from)
{
	struct log_wanted wanted = wanted_of(frame);

	if (frame->address &&
	    find_wanted(filter, &wanted, at, place, ret_from) &&
	    (frame->linked - place->offset) % LINKED_AT == 0)
		return true;
	if (frame->linked >= 2 * PROGRAM_LINKED_AT)
		return false;
	wanted.address = 0;
	wanted.has_offset = true;
	wanted.offset = frame->linked % PROGRAM_LINKED_AT;
	return find_wanted(filter, &wanted, at, place, ret_from);
}

static bool find_known(struct log_filter *filter, const struct log_frame *frame,
                       uint64_t at, struct log_batch_frame *to)
{
	struct log_wanted wanted = wanted_of(frame);
	const struct log_images *from;
	struct log_place place;

	if (!(frame->is_linked
	              ? find_linked(filter, frame, at, &place, &from)
	              : find_wanted(filter, &wanted, at, &place, &from)))
		return false;
	log_place_set(filter, from, &place, to);
	return true;
}

static struct symbol_frame symbol_frame_of(const struct log_filter *filter,
                                           const struct log_frame *frame,
                                           uint64_t at)
{
	return (struct symbol_frame){
		.image = frame->image,
		.symbol = frame->symbol,
		.symbol_offset = frame->symbol_offset,
		.address = frame->address,
		.pid = filter->pid,
		.at = at,
	};
}

/** `symbol + offset` at an address. */
static bool has_symbol(const struct log_frame *frame)
{
	return frame->has_symbol_offset && frame->symbol.size && frame->address;
}

/** Do two frames agree on the load address of their image? */
static bool infer_base(struct log_filter *filter, const struct log_frame *frame,
                       uint64_t at)
{
	struct symbol_frame offered = symbol_frame_of(filter, frame, at);
	struct symbol_base base;

	if (!has_symbol(frame) ||
	    !symbol_bases_offer(&filter->bases,
	                        symbol_store_index(filter->search->store),
	                        &offered, &base))
		return false;
	log_images_add(&filter->images, filter->pid, at,
	               &(struct log_given_image){
	                       .uuid = base.uuid,
	                       .has_base = true,
	                       .base = base.address,
	                       .size = base.size,
	                       .name = frame->image,
	                       .is_inferred = true,
	                       .since = base.at,
	               });
	return true;
}

/** As find_known(), unless the frame's own symbol contradicts it. */
static bool find_true(struct log_filter *filter, const struct log_frame *frame,
                      uint64_t at, struct log_batch_frame *to)
{
	struct symbol_frame says = symbol_frame_of(filter, frame, at);

	return find_known(filter, frame, at, to) &&
	       !(has_symbol(frame) &&
	         symbol_bases_refute(&filter->bases,
	                             symbol_store_index(filter->search->store),
	                             &to->uuid, &says, to->offset));
}

void log_place_find(struct log_filter *filter, const struct log_frame *frame,
                    uint64_t at, struct log_batch_frame *to)
{
	if (!uuid_is_zero(&frame->uuid)) {
		to->has_place = true;
		to->uuid = frame->uuid;
		to->offset = frame->offset;
		to->name = arena_text(&filter->arena, frame->image);
		return;
	}
	to->has_place = find_true(filter, frame, at, to);
	if (!to->has_place && !filter->replays && infer_base(filter, frame, at))
		to->has_place = find_true(filter, frame, at, to);
}

void log_places_add(struct log_filter *filter, struct log_images *to,
                    const struct log_image *image, uint64_t at)
{
	struct log_given_image given = {
		.uuid = image->uuid,
		.has_base = image->has_base,
		.base = image->base,
		.size = image->size,
		.name = image->name,
		.path = image->path,
	};
	uint64_t pid = to == &filter->given ? 0 : filter->pid;

	log_images_add(to, pid, at, &given);
	if (!image->other_name.size)
		return;
	given.name = image->other_name;
	log_images_add(to, pid, at, &given);
}

/** A line without a number is a frame only if it names a known image. */
bool log_places_have(struct log_filter *filter, struct text name)
{
	SCOPED(mem_drop) char *copied = NULL;
	size_t count;

	if (log_images_has_name(&filter->images, name) ||
	    log_images_has_name(&filter->given, name))
		return true;
	copied = mem_strndup(name.data, name.size);
	uuid_index_find_name(symbol_store_index(filter->search->store), copied,
	                     &count);
	return count > 0;
}

bool log_place_find_address(struct log_filter *filter, uint64_t address,
                            uint64_t at, struct log_place *place,
                            const struct log_images **ret_from)
{
	*ret_from = &filter->images;
	if (log_images_find_address(&filter->images, filter->pid, at, address,
	                            place))
		return true;
	// Several lists of --images may be of several runs.
	*ret_from = &filter->given;
	return filter->given.list_count == 1 &&
	       log_images_find_address(&filter->given, 0, at, address, place);
}

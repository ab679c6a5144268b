#include "lib/analysis/symbolicate/symbolicate.h"

#include "lib/analysis/symbolicate/mismatch.h"
#include "lib/analysis/symbolicate/naming.h"
#include "lib/base/hash.h"
#include "lib/base/limit.h"
#include "lib/base/map.h"
#include "lib/base/mem.h"
#include "lib/symbols/demangle/known_names.h"

#include <stdlib.h>
#include <string.h>

/** Of a call, beside its name and file: what it takes in memory. */
#define CALL_BYTES ((size_t)64)

/** So many places before it is named, a frame is fetched from memory. */
#define FETCHED_AHEAD 8

struct named_report {
	struct report *report;
	size_t bytes_left;
	size_t abridged_count; ///< frames that are not named in full
};

/** A frame whose image has a symbol file. */
struct place {
	struct named_report *of;
	struct report_frame *frame;
	size_t image; ///< of struct gathering
};

/** An image of a report, with frames in it. */
struct gathered_image {
	struct symbolicate_image is;
	uint32_t place; ///< among the images of all reports
	uint32_t build; ///< of struct gathering
};

/** The same image in any number of reports. */
struct build {
	const struct uuid *uuid;
	bool has_file; ///< else its frames are counted, and nothing is asked
	size_t count;  ///< of gathered images
	size_t next; ///< where the next of them goes when they are put in order
};

static const struct symbol_image no_file = { .status = SYMBOL_FILE_MISSING };

struct gathering {
	struct symbol_store *store;
	struct naming naming;
	struct place *places;
	size_t count;
	size_t cap;
	struct gathered_image *images;
	size_t image_count;
	size_t image_cap;
	struct map map; ///< indexes of builds by UUID
	struct build *builds;
	size_t build_count;
	size_t build_cap;
	struct named_report *of; ///< whose stacks are visited
	uint32_t *numbers;       ///< of its images: 1 + that in @c images, or 0
	uint32_t first_image;    ///< images of the reports before it
};

static bool has_line(const struct report_frame *frame)
{
	for (size_t i = 0; i < frame->call_count; i++)
		if (frame->calls[i].has_line)
			return true;
	return false;
}

static uint64_t hash_uuid(uint64_t seed, const void *key)
{
	return hash_bytes(seed, key, sizeof(struct uuid));
}

static bool is_uuid(const void *table, uint32_t index, const void *key)
{
	const struct gathering *all = table;

	return uuid_equal(all->builds[index].uuid, key);
}

static const struct map_keys uuid_keys = { hash_uuid, is_uuid };

/** Whether there is a file is asked once, whatever many reports it is in. */
static uint32_t build_of(struct gathering *all, const struct uuid *uuid)
{
	uint32_t at =
	        map_add(&all->map, &uuid_keys, all, uuid, all->build_count);

	if (at == all->build_count) {
		MEM_GROW(all->builds, all->build_count, all->build_cap);
		all->builds[all->build_count++] = (struct build){
			.uuid = uuid,
			.has_file = symbol_store_has(all->store, uuid),
		};
	}
	all->builds[at].count++;
	return at;
}

/** The image that a frame is in, made with its first frame. */
static size_t image_of(struct gathering *all, const struct report_frame *frame)
{
	struct report *report = all->of->report;
	struct report_image *image = &report->images[frame->image];
	uint32_t *number = &all->numbers[frame->image];

	if (*number)
		return *number - 1;
	MEM_GROW(all->images, all->image_count, all->image_cap);
	all->images[all->image_count] = (struct gathered_image){
		.is = { .report = report,
		        .image = image,
		        .result = &no_file,
		        .is_app = report_image_is_app(report, image) },
		.place = all->first_image + (uint32_t)frame->image,
		.build = build_of(all, &image->uuid),
	};
	*number = (uint32_t)++all->image_count;
	return *number - 1;
}

static void gather_frame(struct gathering *all, struct report_frame *frame,
                         bool is_pc)
{
	size_t number = image_of(all, frame);
	struct gathered_image *image = &all->images[number];

	image->is.frame_count++;
	all->of->bytes_left += SYMBOLICATE_NAME_BYTES_PER_FRAME;
	if (!all->builds[image->build].has_file) {
		image->is.lineless_count += !has_line(frame);
		return;
	}
	naming_add(&all->naming,
	           &(struct naming_place){
	                   .uuid = &image->is.image->uuid,
	                   .query = { .offset = frame->image_offset,
	                              .is_return_address = !is_pc },
	                   .group = image->place,
	                   .item = all->count,
	           });
	MEM_GROW(all->places, all->count, all->cap);
	all->places[all->count++] = (struct place){
		.of = all->of,
		.frame = frame,
		.image = number,
	};
}

static void gather_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];
		// The first of a list whose head is cut off is a caller.
		bool is_pc = (i == 0 && !stack->all_return_addresses &&
		              !frame->index) ||
		             frame->is_pc;

		if (frame->image != REPORT_NO_IMAGE)
			gather_frame(context, frame, is_pc);
	}
}

/** The frames of all stacks of a report. */
static void gather_report(struct gathering *all, struct named_report *of)
{
	all->of = of;
	of->bytes_left = limit_get(LIMIT_NAMES);
	all->numbers =
	        mem_zalloc(of->report->image_count, sizeof(*all->numbers));
	report_each_stack(of->report, gather_stack, all);
	free(all->numbers);
	if (of->bytes_left > limit_get(LIMIT_NAMES_TOTAL))
		of->bytes_left = limit_get(LIMIT_NAMES_TOTAL);
	all->first_image += (uint32_t)of->report->image_count;
}

static bool has_symbol(const struct report_frame *frame)
{
	for (size_t i = 0; i < frame->call_count; i++)
		if (frame->calls[i].symbol)
			return true;
	return false;
}

/**
 * Is what we found more than what the report has? Debug info always is. A bare
 * symbol is not, where the report already knows a line.
 */
static bool is_better(const struct symbol_answer *answer,
                      const struct report_frame *frame, bool is_mismatch)
{
	// What the report says is true of this build.
	if (is_mismatch && has_symbol(frame))
		return false;
	if (answer->source == SYMBOL_DWARF)
		return true;
	return answer->source == SYMBOL_SYMTAB && !has_line(frame);
}

static const char *join_path(const struct symbol_call *call,
                             struct arena *arena)
{
	size_t directory_size = call->directory_size;
	char *path;

	if (!call->file || !call->directory)
		return call->file;
	if (!strcmp(call->directory, "/"))
		directory_size = 0;
	path = arena_take(arena, directory_size + 1 + call->file_size + 1);
	memcpy(path, call->directory, directory_size);
	path[directory_size] = '/';
	memcpy(path + directory_size + 1, call->file, call->file_size + 1);
	return path;
}

/** Is a name of ours printed, or would it be in another form than @p form? */
static bool is_understood(const struct symbol_call *ours,
                          enum demangle_form form)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text mangled = text_from(ours->mangled);

	if (strcmp(ours->name, ours->mangled) != 0)
		return true;
	return form == DEMANGLE_NONE &&
	       !text_is(mangled,
	                demangle_printed(mangled, DEMANGLE_SHORT, &arena));
}

/**
 * Does the device's name of a function say more than ours? Ours may be bare,
 * `init`, or a mangled name that we do not understand; the device's is kept
 * if it is printed and of a function that begins at the same place.
 */
static bool says_more(const struct report_call *theirs, uint64_t image_offset,
                      const struct symbol_call *ours, enum demangle_form form)
{
	struct text name = text_from(ours->name);
	struct text symbol;

	if (!theirs->symbol || !theirs->has_symbol_offset ||
	    image_offset - theirs->symbol_offset != ours->start ||
	    is_understood(ours, form))
		return false;
	symbol = text_from(theirs->symbol);
	// What a file of another build said in an earlier run says less.
	if (demangle_knows(symbol) || text_ends(symbol, MISMATCH_MARK))
		return false;
	if (demangle_knows(name))
		return true;
	return symbol.size > name.size &&
	       text_find(symbol, ours->name) != TEXT_NOWHERE;
}

/** Take over the better name of the function that the frame is in. */
static void keep_name(const struct report_call *theirs,
                      const struct symbol_call *ours, struct report_call *to)
{
	to->symbol = theirs->symbol;
	to->mangled = theirs->mangled;
	if (!to->mangled && demangle_knows(text_from(ours->name)))
		to->mangled = ours->mangled;
}

/** What the answers go to. */
struct answering {
	const struct gathering *all;
	enum demangle_form form;
	struct known_names names; ///< printed in that form
	struct arena *arena;
	struct report_call *calls;
	size_t call_cap;
	// What is known of the current file, for answers that are sound and for
	// those that are doubted; and a copy that stays.
	const struct symbol_image *found[2];
	const struct symbol_image *copies[2];
};

static size_t bytes_of(const char *cstr)
{
	return cstr ? strlen(cstr) : 0;
}

/** Charge a report for the names of a frame. False: it has had too many. */
static bool charge(struct named_report *of, const struct report_call *calls,
                   const struct symbol_answer *answer)
{
	size_t bytes = 0;

	for (size_t i = 0; i < answer->count; i++) {
		const struct symbol_call *from = &answer->calls[i];

		bytes += CALL_BYTES + from->directory_size + from->file_size;
		bytes += calls[i].symbol == from->name
		                 ? from->name_size
		                 : bytes_of(calls[i].symbol);
		bytes += calls[i].mangled == from->mangled
		                 ? from->mangled_size
		                 : bytes_of(calls[i].mangled);
	}
	if (bytes > of->bytes_left)
		return false;
	of->bytes_left -= bytes;
	return true;
}

/** Keep the beginning of each name. */
static void abridge_call(struct report_call *call, struct arena *arena)
{
	call->symbol = arena_abridge(arena, call->symbol,
	                             SYMBOLICATE_ABRIDGED_NAME_MAX);
	if (bytes_of(call->mangled) > SYMBOLICATE_ABRIDGED_NAME_MAX)
		call->mangled = NULL;
	if (call->file)
		call->file = arena_abridge(arena, call->file,
		                           SYMBOLICATE_ABRIDGED_NAME_MAX);
	call->path = call->file;
}

/** Is this name, mostly the one of the call, what was in the file? */
static bool is_as_mangled(const char *symbol, const struct symbol_call *call)
{
	// Mostly the lengths say so, without a look at two texts.
	if (symbol == call->name && call->name_size != call->mangled_size)
		return false;
	return !strcmp(symbol, call->mangled);
}

/** The calls of an answer, without their paths; good until the next answer. */
static struct report_call *calls_of(const struct symbol_answer *answer,
                                    const struct report_frame *frame,
                                    struct answering *with)
{
	const struct report_call *theirs =
	        frame->call_count ? &frame->calls[frame->call_count - 1] : NULL;

	MEM_ROOM(with->calls, answer->count, with->call_cap);
	for (size_t i = 0; i < answer->count; i++) {
		const struct symbol_call *from = &answer->calls[i];
		struct report_call *to = &with->calls[i];

		*to = (struct report_call){ 0 };
		to->symbol = known_names_again(&with->names, from->name,
		                               from->mangled, with->form,
		                               with->arena);
		if (!is_as_mangled(to->symbol, from))
			to->mangled = from->mangled;
		to->has_symbol_offset = frame->image_offset >= from->start;
		to->symbol_offset = frame->image_offset - from->start;
		to->file = from->file;
		to->line = from->line;
		to->has_line = from->file != NULL;
		to->line_borrowed = from->line_borrowed;
		if (theirs && i + 1 == answer->count &&
		    says_more(theirs, frame->image_offset, from, with->form))
			keep_name(theirs, from, to);
	}
	return with->calls;
}

static void name_frame(const struct place *place,
                       const struct symbol_answer *answer,
                       struct answering *with)
{
	struct report_frame *frame = place->frame;
	const struct report_call *calls = calls_of(answer, frame, with);
	bool fits = charge(place->of, calls, answer);
	// The last one is the function that holds the address.
	size_t left_out = fits ? 0 : answer->count - 1;

	frame->source = answer->source == SYMBOL_DWARF ? REPORT_SOURCE_DWARF
	                                               : REPORT_SOURCE_SYMTAB;
	frame->call_count = (uint32_t)(answer->count - left_out);
	frame->calls = arena_array(with->arena, frame->call_count,
	                           sizeof(*frame->calls));
	memcpy(frame->calls, calls + left_out,
	       frame->call_count * sizeof(*frame->calls));
	for (size_t i = 0; i < frame->call_count; i++) {
		if (fits)
			frame->calls[i].path =
			        join_path(&answer->calls[i], with->arena);
		else
			abridge_call(&frame->calls[i], with->arena);
	}
	place->of->abridged_count += !fits || answer->is_abridged;
}

/** Say of each name that it comes from another build. */
static void mark_mismatch(struct report_frame *frame, struct arena *arena)
{
	frame->source = frame->source == REPORT_SOURCE_DWARF
	                        ? REPORT_SOURCE_DWARF_MISMATCH
	                        : REPORT_SOURCE_SYMTAB_MISMATCH;
	for (size_t i = 0; i < frame->call_count; i++)
		frame->calls[i].symbol = arena_printf(arena, "%s" MISMATCH_MARK,
		                                      frame->calls[i].symbol);
}

static const char *status_name(enum symbol_status status)
{
	static const char *const names[] = {
		[SYMBOL_FILE_MISSING] = "missing",
		[SYMBOL_FILE_FOUND] = "found",
		[SYMBOL_FILE_MALFORMED] = "malformed",
		[SYMBOL_FILE_UNREADABLE] = "unreadable",
	};

	return names[status];
}

/** Many images of a run share what is known of their file. */
static const struct symbol_image *keep_found(const struct symbol_image *found,
                                             bool is_doubted,
                                             struct answering *to)
{
	struct symbol_image *copy;

	if (to->found[is_doubted] != found) {
		to->found[is_doubted] = found;
		copy = arena_alloc(to->arena, sizeof(*copy));
		*copy = *found;
		to->copies[is_doubted] = copy;
	}
	return to->copies[is_doubted];
}

/** Frames of many reports, in the order of their addresses: all over memory. */
static void fetch_frame(const struct gathering *all,
                        const struct naming_place *named)
{
	const struct naming *naming = &all->naming;

	if (naming->places + naming->count - named > FETCHED_AHEAD)
		__builtin_prefetch(
		        all->places[named[FETCHED_AHEAD].item].frame);
}

static void name_place(const struct naming_place *named,
                       const struct symbol_answer *answer,
                       const struct symbol_image *found, void *context)
{
	struct answering *to = context;
	const struct place *place = &to->all->places[named->item];
	struct symbolicate_image *image = &to->all->images[place->image].is;
	bool is_mismatch = !uuid_is_zero(&found->mismatch_uuid);

	fetch_frame(to->all, named);
	if (image->result->status == SYMBOL_FILE_MISSING || answer->is_doubted)
		image->result = keep_found(found, answer->is_doubted, to);
	if (is_better(answer, place->frame, is_mismatch)) {
		name_frame(place, answer, to);
		if (is_mismatch)
			mark_mismatch(place->frame, to->arena);
		image->named_count++;
	}
	image->lineless_count += !has_line(place->frame);
}

/** What the report is to say of an image. */
static void set_state(struct report_image *image,
                      const struct symbol_image *found)
{
	image->symbols = status_name(found->status);
	if (found->status == SYMBOL_FILE_FOUND &&
	    !uuid_is_zero(&found->mismatch_uuid)) {
		image->symbols = "mismatch";
		image->symbols_uuid = found->mismatch_uuid;
	}
}

static int compare_builds(const void *a, const void *b)
{
	const struct build *const *left = a;
	const struct build *const *right = b;

	return uuid_compare((*left)->uuid, (*right)->uuid);
}

/** Give the images of each build their places, in the order of the UUIDs. */
static void place_builds(struct gathering *all)
{
	SCOPED(mem_drop)
	struct build **sorted = mem_zalloc(all->build_count, sizeof(*sorted));
	size_t next = 0;

	for (size_t i = 0; i < all->build_count; i++)
		sorted[i] = &all->builds[i];
	qsort(sorted, all->build_count, sizeof(*sorted), compare_builds);
	for (size_t i = 0; i < all->build_count; i++) {
		sorted[i]->next = next;
		next += sorted[i]->count;
	}
}

static int compare_images(const void *a, const void *b)
{
	const struct gathered_image *const *left = a;
	const struct gathered_image *const *right = b;

	return ((*left)->place > (*right)->place) -
	       ((*left)->place < (*right)->place);
}

/**
 * By their UUID, then as they are in the reports. They were gathered in the
 * order of the reports: only where one has several of a UUID, or of none, may
 * these be out of order.
 */
static struct gathered_image **sort_images(struct gathering *all)
{
	struct gathered_image **sorted =
	        mem_zalloc(all->image_count, sizeof(*sorted));

	place_builds(all);
	for (size_t i = 0; i < all->image_count; i++) {
		struct gathered_image *image = &all->images[i];

		sorted[all->builds[image->build].next++] = image;
	}
	for (size_t i = 0; i < all->build_count; i++) {
		const struct build *build = &all->builds[i];
		struct gathered_image **first = sorted +
		                                (build->next - build->count);
		size_t at = 1;

		while (at < build->count &&
		       first[at - 1]->place < first[at]->place)
			at++;
		if (at < build->count)
			qsort(first, build->count, sizeof(*first),
			      compare_images);
	}
	return sorted;
}

static void list_images(struct gathering *all, struct arena *arena,
                        struct symbolicate_result *ret)
{
	SCOPED(mem_drop) struct gathered_image **sorted = sort_images(all);
	struct symbolicate_image *images =
	        arena_array(arena, all->image_count, sizeof(*images));

	for (size_t i = 0; i < all->image_count; i++)
		images[i] = sorted[i]->is;
	*ret = (struct symbolicate_result){ .images = images,
		                            .count = all->image_count };
}

bool symbolicate_needs_dsym(const struct symbol_image *found)
{
	return found->status != SYMBOL_FILE_FOUND || !found->has_debug_info ||
	       found->bad_unit_count;
}

bool symbolicate_image_needs_dsym(const struct symbolicate_image *image)
{
	return image->is_app && image->lineless_count &&
	       symbolicate_needs_dsym(image->result);
}

static void note_abridged(const struct named_report *named, struct arena *arena)
{
	if (!named->abridged_count)
		return;
	report_add_note(
	        named->report, arena, "symbols",
	        arena_printf(arena,
	                     "%zu %s: inlined calls, and names beyond %zu "
	                     "bytes, are left out: all of them would be too "
	                     "much for a report of this size",
	                     named->abridged_count,
	                     named->abridged_count == 1 ? "frame" : "frames",
	                     SYMBOLICATE_ABRIDGED_NAME_MAX));
}

void symbolicate(struct report *const *reports, size_t count,
                 struct symbol_store *store, enum demangle_form form,
                 struct arena *arena, struct symbolicate_result *ret)
{
	SCOPED(mem_drop)
	struct named_report *named = mem_zalloc(count, sizeof(*named));
	struct gathering all = { .store = store };
	struct answering to = { .all = &all, .form = form, .arena = arena };

	for (size_t i = 0; i < count; i++) {
		named[i].report = reports[i];
		gather_report(&all, &named[i]);
	}
	naming_resolve(&all.naming, store, name_place, &to);
	for (size_t i = 0; i < all.image_count; i++)
		set_state(all.images[i].is.image, all.images[i].is.result);
	list_images(&all, arena, ret);
	for (size_t i = 0; i < count; i++)
		note_abridged(&named[i], arena);
	naming_release(&all.naming);
	known_names_release(&to.names);
	free(to.calls);
	free(all.places);
	free(all.images);
	free(all.builds);
	map_release(&all.map);
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/symbolicate.h"

#include "lib/analysis/symbolicate/image_list.h"
#include "lib/analysis/symbolicate/mismatch.h"
#include "lib/analysis/symbolicate/name_budget.h"
#include "lib/analysis/symbolicate/naming.h"
#include "lib/base/mem.h"
#include "lib/base/source_path.h"

#include <stdlib.h>
#include <string.h>

/** Of a call, beside its name and file: what it takes in memory. */
#define CALL_BYTES ((size_t)64)

struct named_report {
	struct report *report;
	struct name_budget names;
};

/** A frame whose image has a symbol file. */
struct place {
	struct named_report *of;
	struct report_frame *frame;
	size_t image; ///< in the list of images
};

struct gathering {
	struct naming naming;
	struct place *places;
	size_t count;
	size_t cap;
	struct image_list images;
	struct named_report *of; ///< whose stacks are visited
};

static bool has_line(const struct report_frame *frame)
{
	for (size_t i = 0; i < frame->call_count; i++)
		if (frame->calls[i].has_line)
			return true;
	return false;
}

static void gather_frame(struct gathering *all, struct report_frame *frame,
                         bool is_pc)
{
	size_t number = image_list_find(&all->images, frame->image);
	struct listed_image *image = &all->images.items[number];

	image->is.frame_count++;
	name_budget_add_place(&all->of->names);
	if (!image_list_has_file(&all->images, image)) {
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

bool symbolicate_is_pc(const struct report_stack *stack, size_t index)
{
	const struct report_frame *frame = &stack->frames[index];

	// The first of a list whose head is cut off is a caller.
	return frame->is_pc ||
	       (!index && !stack->all_return_addresses && !frame->index);
}

static void gather_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];

		if (frame->image != REPORT_NO_IMAGE)
			gather_frame(context, frame,
			             symbolicate_is_pc(stack, i));
	}
}

/** The frames of all stacks of a report. */
static void gather_report(struct gathering *all, struct named_report *of)
{
	all->of = of;
	name_budget_init(&of->names);
	image_list_begin(&all->images, of->report);
	report_each_stack(of->report, gather_stack, all);
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
	return name_budget_charge(&of->names, answer, bytes);
}

/** Keep the beginning of each name. */
static void abridge_call(struct report_call *call, struct arena *arena)
{
	call->symbol = arena_abridge(arena, call->symbol, ABRIDGED_NAME_MAX);
	if (bytes_of(call->mangled) > ABRIDGED_NAME_MAX)
		call->mangled = NULL;
	if (call->file)
		call->file =
		        arena_abridge(arena, call->file, ABRIDGED_NAME_MAX);
	call->path = call->file;
}

/** Was its name printed as it is in the file? Mostly the lengths differ. */
static bool is_as_mangled(const struct symbol_call *call)
{
	return call->name_size == call->mangled_size &&
	       !strcmp(call->name, call->mangled);
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
		to->symbol = from->name;
		if (!is_as_mangled(from))
			to->mangled = from->mangled;
		to->has_symbol_offset = frame->image_offset >= from->start;
		to->symbol_offset = frame->image_offset - from->start;
		to->file = from->file;
		to->line = from->line;
		to->column = from->column;
		to->has_line = from->file != NULL;
		to->line_borrowed = from->line_borrowed;
		if (theirs && i + 1 == answer->count &&
		    says_more(theirs, frame->image_offset, from, with->form))
			keep_name(theirs, from, to);
	}
	return with->calls;
}

static void set_path(struct report_call *call, const struct symbol_call *from,
                     struct arena *arena)
{
	call->path = symbol_call_path(from, arena);
	// A GSYM file of others may have directories in its names of files.
	if (call->path && source_path_has_rules())
		call->file = text_base_cstr(call->path);
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
			set_path(&frame->calls[i], &answer->calls[left_out + i],
			         with->arena);
		else
			abridge_call(&frame->calls[i], with->arena);
	}
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

static void name_place(const struct naming_place *named,
                       const struct symbol_answer *answer,
                       const struct symbol_image *found, void *context)
{
	struct answering *to = context;
	const struct place *place = &to->all->places[named->item];
	struct symbolicate_image *image =
	        &to->all->images.items[place->image].is;
	bool is_mismatch = !uuid_is_zero(&found->mismatch_uuid);

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
static void set_state(const struct listed_image *listed)
{
	const struct symbol_image *found = listed->is.result;
	struct report_image *image = listed->image;

	image->needs_dsym = symbolicate_image_needs_dsym(&listed->is);
	image->symbols = status_name(found->status);
	if (found->status == SYMBOL_FILE_FOUND &&
	    !uuid_is_zero(&found->mismatch_uuid)) {
		image->symbols = "mismatch";
		image->symbols_uuid = found->mismatch_uuid;
	}
}

bool symbolicate_needs_dsym(const struct symbol_image *found)
{
	return found->status != SYMBOL_FILE_FOUND || !found->has_debug_info;
}

bool symbolicate_image_needs_dsym(const struct symbolicate_image *image)
{
	return image->is_app && image->lineless_count &&
	       symbolicate_needs_dsym(image->result);
}

struct unlisted {
	const struct report *report;
	size_t count;
};

static void count_unlisted(struct report_stack *stack, void *context)
{
	struct unlisted *of = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];

		of->count += frame->image == REPORT_NO_IMAGE &&
		             frame->address && frame->image_name &&
		             !has_line(frame) &&
		             report_frame_is_app(of->report, frame);
	}
}

size_t symbolicate_count_unlisted(struct report *report)
{
	struct unlisted of = { .report = report };

	report_each_stack(report, count_unlisted, &of);
	return of.count;
}

struct noting {
	struct report *report;
	struct arena *arena;
};

/** A name_budget_say. */
static void note_names(const char *text, void *context)
{
	const struct noting *to = context;

	report_add_note(to->report, to->arena, "symbols",
	                arena_strdup(to->arena, text));
}

static void note_abridged(const struct named_report *named, struct arena *arena)
{
	static const struct name_budget_words words = {
		"frame", "frames", "a report of this size"
	};

	name_budget_describe(&named->names, &words, note_names,
	                     &(struct noting){ named->report, arena });
}

void symbolicate(struct report *const *reports, size_t count,
                 struct symbol_store *store, enum demangle_form form,
                 struct arena *arena, struct symbolicate_result *ret)
{
	SCOPED(mem_drop)
	struct named_report *named = mem_zalloc(count, sizeof(*named));
	struct gathering all = { .images = { .store = store } };
	struct answering to = { .all = &all, .form = form, .arena = arena };

	for (size_t i = 0; i < count; i++) {
		named[i].report = reports[i];
		gather_report(&all, &named[i]);
	}
	naming_resolve(&all.naming, store, name_place, &to);
	for (size_t i = 0; i < all.images.count; i++)
		set_state(&all.images.items[i]);
	image_list_sort(&all.images, arena, ret);
	for (size_t i = 0; i < count; i++)
		note_abridged(&named[i], arena);
	naming_release(&all.naming);
	free(to.calls);
	free(all.places);
	image_list_release(&all.images);
}

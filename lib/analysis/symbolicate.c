#include "lib/analysis/symbolicate.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** A frame of the report and how its address is to be looked up. */
struct place {
	struct report_frame *frame;
	bool is_return_address;
	size_t order; ///< as found: keeps the sort stable
};

struct gathering {
	struct place *places;
	size_t count;
	size_t cap;
};

static void gather_stack(struct report_stack *stack, void *context)
{
	struct gathering *all = context;

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];
		bool exact = (i == 0 && !stack->all_return_addresses) ||
		             frame->exact;

		if (frame->image == REPORT_NO_IMAGE)
			continue;
		MEM_GROW(all->places, all->count, all->cap);
		all->places[all->count] = (struct place){
			.frame = frame,
			.is_return_address = !exact,
			.order = all->count,
		};
		all->count++;
	}
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;

	if (x->frame->image != y->frame->image)
		return x->frame->image < y->frame->image ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static bool has_line(const struct report_frame *frame)
{
	for (size_t i = 0; i < frame->call_count; i++)
		if (frame->calls[i].has_line)
			return true;
	return false;
}

/**
 * Is what we found more than what the report has? Debug info always is. A bare
 * symbol is not, where the report already knows a line.
 */
static bool is_better(const struct symbol_answer *answer,
                      const struct report_frame *frame)
{
	if (answer->source == SYMBOL_DWARF)
		return true;
	return answer->source == SYMBOL_SYMTAB && !has_line(frame);
}

static const char *join_path(const struct symbol_call *call,
                             struct arena *arena)
{
	if (!call->file)
		return NULL;
	if (!call->directory)
		return call->file;
	return arena_printf(arena, "%s/%s",
	                    strcmp(call->directory, "/") ? call->directory : "",
	                    call->file);
}

static void name_frame(struct report_frame *frame,
                       const struct symbol_answer *answer, struct arena *arena)
{
	frame->source = answer->source == SYMBOL_DWARF ? REPORT_SOURCE_DWARF
	                                               : REPORT_SOURCE_SYMTAB;
	frame->calls = arena_array(arena, answer->count, sizeof(*frame->calls));
	frame->call_count = answer->count;
	for (size_t i = 0; i < answer->count; i++) {
		const struct symbol_call *from = &answer->calls[i];
		struct report_call *to = &frame->calls[i];

		to->symbol = from->name;
		if (strcmp(from->name, from->mangled) != 0)
			to->mangled = from->mangled;
		to->has_symbol_offset = frame->image_offset >= from->start;
		to->symbol_offset = frame->image_offset - from->start;
		to->file = from->file;
		to->path = join_path(from, arena);
		to->line = from->line;
		to->has_line = from->file != NULL;
		to->line_borrowed = from->line_borrowed;
	}
}

static const char *status_name(enum symbol_status status)
{
	static const char *const names[] = {
		[SYMBOL_FILE_MISSING] = "missing",
		[SYMBOL_FILE_FOUND] = "found",
		[SYMBOL_FILE_MALFORMED] = "malformed",
	};

	return names[status];
}

/** Resolve the frames of one image, places[0 .. count). */
static void name_image(struct report *report, struct symbol_store *store,
                       const struct place *places, size_t count,
                       struct arena *arena, struct symbolicate_image *ret)
{
	struct report_image *image = &report->images[places[0].frame->image];
	SCOPED(mem_drop)
	struct symbol_query *queries = mem_zalloc(count, sizeof(*queries));
	SCOPED(mem_drop)
	struct symbol_answer *answers = mem_zalloc(count, sizeof(*answers));

	*ret = (struct symbolicate_image){
		.image = image,
		.frame_count = count,
		.is_app = report_image_is_app(report, image),
	};
	for (size_t i = 0; i < count; i++)
		queries[i] = (struct symbol_query){
			.offset = places[i].frame->image_offset,
			.is_return_address = places[i].is_return_address,
		};
	symbol_store_resolve(store, &image->uuid, queries, count, arena,
	                     answers, &ret->result);
	for (size_t i = 0; i < count; i++) {
		if (is_better(&answers[i], places[i].frame)) {
			name_frame(places[i].frame, &answers[i], arena);
			ret->named_count++;
		}
		ret->lineless_count += !has_line(places[i].frame);
	}
	image->symbols = status_name(ret->result.status);
}

bool symbolicate_image_lacks(const struct symbolicate_image *image)
{
	if (!image->is_app || !image->lineless_count)
		return false;
	return image->result.status != SYMBOL_FILE_FOUND ||
	       !image->result.has_debug_info || image->result.bad_unit_count;
}

void symbolicate(struct report *report, struct symbol_store *store,
                 struct arena *arena, struct symbolicate_result *ret)
{
	struct gathering all = { 0 };
	size_t cap = 0;

	*ret = (struct symbolicate_result){ 0 };
	report_each_stack(report, gather_stack, &all);
	if (all.count)
		qsort(all.places, all.count, sizeof(*all.places),
		      compare_places);
	for (size_t first = 0, end; first < all.count; first = end) {
		end = first + 1;
		while (end < all.count &&
		       all.places[end].frame->image ==
		               all.places[first].frame->image)
			end++;
		ARENA_GROW(arena, ret->images, ret->count, cap);
		name_image(report, store, &all.places[first], end - first,
		           arena, &ret->images[ret->count++]);
	}
	free(all.places);
}

#include "lib/analysis/symbolicate/symbolicate.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** A frame of a report and how its address is to be looked up. */
struct place {
	struct report *report;
	size_t report_index;
	struct report_frame *frame;
	bool is_return_address;
	size_t order; ///< as found: keeps the sort stable
};

struct gathering {
	struct place *places;
	size_t count;
	size_t cap;
	struct report *report; ///< the one at hand
	size_t report_index;
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
			.report = all->report,
			.report_index = all->report_index,
			.frame = frame,
			.is_return_address = !exact,
			.order = all->count,
		};
		all->count++;
	}
}

static struct report_image *place_image(const struct place *place)
{
	return &place->report->images[place->frame->image];
}

static int compare_sizes(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/** By UUID, so that an image is asked once; then as the reports stand. */
static int compare_places(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;
	int order = uuid_compare(&place_image(x)->uuid, &place_image(y)->uuid);

	if (!order)
		order = compare_sizes(x->report_index, y->report_index);
	if (!order)
		order = compare_sizes(x->frame->image, y->frame->image);
	return order ? order : compare_sizes(x->order, y->order);
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

/** Put the answers for one image of one report into its frames. */
static void name_image(const struct place *places, size_t count,
                       const struct symbol_answer *answers,
                       const struct symbol_image *found, struct arena *arena,
                       struct symbolicate_image *ret)
{
	struct report_image *image = place_image(&places[0]);

	*ret = (struct symbolicate_image){
		.report = places[0].report,
		.image = image,
		.result = *found,
		.frame_count = count,
		.is_app = report_image_is_app(places[0].report, image),
	};
	for (size_t i = 0; i < count; i++) {
		if (is_better(&answers[i], places[i].frame)) {
			name_frame(places[i].frame, &answers[i], arena);
			ret->named_count++;
		}
		ret->lineless_count += !has_line(places[i].frame);
	}
	image->symbols = status_name(found->status);
}

/** Places [first, end) of one run, as told by @p same. */
static size_t run_end(const struct gathering *all, size_t first,
                      bool (*same)(const struct place *, const struct place *))
{
	size_t end = first + 1;

	while (end < all->count && same(&all->places[first], &all->places[end]))
		end++;
	return end;
}

static bool same_uuid(const struct place *a, const struct place *b)
{
	return uuid_equal(&place_image(a)->uuid, &place_image(b)->uuid);
}

static bool same_image(const struct place *a, const struct place *b)
{
	return a->report_index == b->report_index &&
	       a->frame->image == b->frame->image;
}

bool symbolicate_image_lacks(const struct symbolicate_image *image)
{
	if (!image->is_app || !image->lineless_count)
		return false;
	return image->result.status != SYMBOL_FILE_FOUND ||
	       !image->result.has_debug_info || image->result.bad_unit_count;
}

/** The requests of all images, and what they ask and get. */
struct asking {
	struct symbol_query *queries;
	struct symbol_answer *answers;
	struct symbol_request *requests;
	size_t count;
	size_t cap;
};

static void ask(const struct gathering *all, struct asking *asking)
{
	asking->queries = mem_zalloc(all->count, sizeof(*asking->queries));
	asking->answers = mem_zalloc(all->count, sizeof(*asking->answers));
	for (size_t i = 0; i < all->count; i++)
		asking->queries[i] = (struct symbol_query){
			.offset = all->places[i].frame->image_offset,
			.is_return_address = all->places[i].is_return_address,
		};
	for (size_t first = 0, end; first < all->count; first = end) {
		end = run_end(all, first, same_uuid);
		MEM_GROW(asking->requests, asking->count, asking->cap);
		asking->requests[asking->count++] = (struct symbol_request){
			.uuid = place_image(&all->places[first])->uuid,
			.queries = &asking->queries[first],
			.count = end - first,
			.answers = &asking->answers[first],
		};
	}
}

static void name_all(const struct gathering *all, const struct asking *asking,
                     struct arena *arena, struct symbolicate_result *ret)
{
	const struct symbol_request *request = asking->requests;
	size_t cap = 0;

	for (size_t first = 0, end; first < all->count; first = end) {
		end = run_end(all, first, same_image);
		while (&asking->answers[first] >=
		       request->answers + request->count)
			request++;
		ARENA_GROW(arena, ret->images, ret->count, cap);
		name_image(&all->places[first], end - first,
		           &asking->answers[first], &request->image, arena,
		           &ret->images[ret->count++]);
	}
}

void symbolicate(struct report *const *reports, size_t count,
                 struct symbol_store *store, struct arena *arena,
                 struct symbolicate_result *ret)
{
	struct gathering all = { 0 };
	struct asking asking = { 0 };

	*ret = (struct symbolicate_result){ 0 };
	for (size_t i = 0; i < count; i++) {
		all.report = reports[i];
		all.report_index = i;
		report_each_stack(reports[i], gather_stack, &all);
	}
	if (all.count) {
		qsort(all.places, all.count, sizeof(*all.places),
		      compare_places);
		ask(&all, &asking);
		symbol_store_resolve(store, asking.requests, asking.count);
		name_all(&all, &asking, arena, ret);
	}
	free(asking.requests);
	free(asking.answers);
	free(asking.queries);
	free(all.places);
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/naming.h"

#include "lib/base/mem.h"

#include <stdlib.h>

void naming_add(struct naming *naming, const struct naming_place *place)
{
	MEM_GROW(naming->places, naming->count, naming->cap);
	naming->places[naming->count++] = *place;
}

void naming_release(struct naming *naming)
{
	free(naming->places);
	*naming = (struct naming){ 0 };
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b)
{
	const struct naming_place *left = a;
	const struct naming_place *right = b;
	int order = uuid_compare(left->uuid, right->uuid);

	if (!order)
		order = compare_numbers(left->group, right->group);
	if (!order)
		order = compare_numbers(left->query.offset,
		                        right->query.offset);
	if (!order)
		order = compare_numbers(left->item, right->item);
	return order;
}

/** How many different UUIDs there are; the places are sorted. */
static size_t count_images(const struct naming *naming)
{
	size_t count = 0;

	for (size_t i = 0; i < naming->count; i++)
		count += !i || !uuid_equal(naming->places[i].uuid,
		                           naming->places[i - 1].uuid);
	return count;
}

/** One request for each UUID; returns how many there are. */
static size_t make_requests(const struct naming *naming,
                            struct symbol_query *queries,
                            struct symbol_answer *answers,
                            struct symbol_request *requests)
{
	size_t count = 0;

	for (size_t i = 0; i < naming->count; i++) {
		const struct naming_place *place = &naming->places[i];

		queries[i] = place->query;
		if (!i || !uuid_equal(place->uuid, place[-1].uuid))
			requests[count++] = (struct symbol_request){
				.uuid = *place->uuid,
				.queries = &queries[i],
				.answers = &answers[i],
			};
		requests[count - 1].count++;
	}
	return count;
}

void naming_resolve(struct naming *naming, struct symbol_store *store,
                    naming_visit visit, void *context)
{
	size_t count = naming->count;
	SCOPED(mem_drop)
	struct symbol_query *queries = mem_zalloc(count, sizeof(*queries));
	SCOPED(mem_drop)
	struct symbol_answer *answers = mem_zalloc(count, sizeof(*answers));
	SCOPED(mem_drop) struct symbol_request *requests = NULL;
	const struct symbol_request *request;
	size_t request_count;

	if (!count)
		return;
	qsort(naming->places, count, sizeof(*naming->places), compare_places);
	// Few, and large.
	requests = mem_zalloc(count_images(naming), sizeof(*requests));
	request = requests;
	request_count = make_requests(naming, queries, answers, requests);
	symbol_store_resolve(store, requests, request_count);
	for (size_t i = 0; i < count; i++) {
		if (i == (size_t)(request->queries - queries) + request->count)
			request++;
		// A report only mentions damage that affects its own lookups.
		// That is possible for DWARF, where damage is known per lookup;
		// for a GSYM it concerns the whole file.
		visit(&naming->places[i], &answers[i],
		      answers[i].is_doubted ? &request->image
		                            : &request->image_elsewhere,
		      context);
	}
}

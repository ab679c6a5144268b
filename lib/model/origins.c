// SPDX-License-Identifier: MIT
#include "lib/model/origins.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Of a set that has more than it can name; no other number is in it. */
#define MANY (INTERN_NONE - 1)

/** The numbers of a set; how many. */
static size_t read_set(const struct origin_sets *sets, uint32_t number,
                       uint32_t *ret)
{
	struct text bytes;

	if (!number)
		return 0;
	bytes = sets->sets.texts[number - 1];
	memcpy(ret, bytes.data, bytes.size);
	return bytes.size / sizeof(*ret);
}

/** The set with one more name; the same if it has the name. */
static uint32_t set_with(struct origin_sets *sets, uint32_t number,
                         uint32_t name)
{
	uint32_t names[ORIGINS_MOST + 1];
	size_t count = read_set(sets, number, names);
	size_t at = count;

	if (count && names[0] == MANY)
		return number;
	while (at && names[at - 1] > name)
		at--;
	if (at && names[at - 1] == name)
		return number;
	memmove(names + at + 1, names + at, (count - at) * sizeof(*names));
	names[at] = name;
	count++;
	if (count > ORIGINS_MOST || name == MANY) {
		names[0] = MANY;
		count = 1;
	}
	// One more is enough to know that there were too many.
	if (sets->sets.count > ORIGINS_SETS_MAX)
		return number;
	return intern_add(&sets->sets,
	                  (struct text){ (const char *)names,
	                                 count * sizeof(*names) }) +
	       1;
}

static void add_name(struct origin_sets *sets, uint32_t node, uint32_t name)
{
	if (name == INTERN_NONE)
		return;
	for (; sets->node_count <= node; sets->node_count++) {
		MEM_GROW(sets->of_node, sets->node_count, sets->node_cap);
		sets->of_node[sets->node_count] = 0;
	}
	sets->of_node[node] = set_with(sets, sets->of_node[node], name);
}

static uint32_t number_of(struct origin_sets *sets, const char *name)
{
	return name && *name ? intern_add(&sets->names, text_from(name))
	                     : INTERN_NONE;
}

void origins_begin(struct origins *origins, const char *device,
                   const char *build)
{
	origins->devices.current = number_of(&origins->devices, device);
	origins->builds.current = number_of(&origins->builds, build);
}

void origins_pass(struct origins *origins, uint32_t node)
{
	add_name(&origins->devices, node, origins->devices.current);
	add_name(&origins->builds, node, origins->builds.current);
}

static void join(struct origin_sets *sets, uint32_t node,
                 const struct origin_sets *from, uint32_t from_node)
{
	uint32_t names[ORIGINS_MOST + 1];
	size_t count = 0;

	if (from_node < from->node_count)
		count = read_set(from, from->of_node[from_node], names);
	for (size_t i = 0; i < count; i++)
		add_name(sets, node,
		         names[i] == MANY
		                 ? MANY
		                 : intern_add(&sets->names,
		                              from->names.texts[names[i]]));
}

void origins_join(struct origins *origins, uint32_t node,
                  const struct origins *from, uint32_t from_node)
{
	join(&origins->devices, node, &from->devices, from_node);
	join(&origins->builds, node, &from->builds, from_node);
}

static void renumber(struct origin_sets *sets, const uint32_t *node_of,
                     uint32_t count)
{
	uint32_t *old = sets->of_node;
	size_t old_count = sets->node_count;
	uint32_t names[ORIGINS_MOST + 1];

	sets->of_node = NULL;
	sets->node_count = sets->node_cap = 0;
	for (uint32_t i = 0; i < count && i < old_count; i++) {
		size_t named = read_set(sets, old[i], names);

		for (size_t k = 0; k < named; k++)
			add_name(sets, node_of[i], names[k]);
	}
	free(old);
}

void origins_renumber(struct origins *origins, const uint32_t *node_of,
                      uint32_t count)
{
	renumber(&origins->devices, node_of, count);
	renumber(&origins->builds, node_of, count);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t origins_list(const struct origin_sets *sets, uint32_t node,
                    const char **ret)
{
	uint32_t names[ORIGINS_MOST + 1];
	size_t count;

	if (node >= sets->node_count || sets->sets.count > ORIGINS_SETS_MAX)
		return 0;
	count = read_set(sets, sets->of_node[node], names);
	if (count && names[0] == MANY)
		return ORIGINS_MOST + 1;
	for (size_t i = 0; i < count; i++)
		ret[i] = intern_cstr(&sets->names, names[i]);
	// Order of appearance may depend on the number of jobs.
	if (count)
		qsort(ret, count, sizeof(*ret), compare_names);
	return count;
}

static void release(struct origin_sets *sets)
{
	intern_release(&sets->names);
	intern_release(&sets->sets);
	free(sets->of_node);
	*sets = (struct origin_sets){ .current = INTERN_NONE };
}

void origins_release(struct origins *origins)
{
	release(&origins->devices);
	release(&origins->builds);
}

#include "lib/analysis/lag/baseline.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"

#include <stdlib.h>
#include <string.h>

static void add_name(struct str *name, enum sample_kind kind, const char *key)
{
	str_add_char(name, (char)kind);
	str_add(name, key);
}

void lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                      const char *key, uint64_t reports)
{
	SCOPED(str_release) struct str name = { 0 };
	uint32_t known = baseline->names.count;
	uint32_t number;

	add_name(&name, kind, key);
	number = intern_add(&baseline->names, str_text(&name));
	if (number >= known) {
		MEM_GROW(baseline->reports, number, baseline->cap);
		MEM_GROW(baseline->met, number, baseline->met_cap);
		baseline->reports[number] = 0;
		baseline->met[number] = false;
	}
	baseline->reports[number] =
	        number_sum(baseline->reports[number], reports);
	baseline->totals[kind] = number_sum(baseline->totals[kind], reports);
}

uint64_t lag_baseline_find(struct lag_baseline *baseline, enum sample_kind kind,
                           const char *key)
{
	SCOPED(str_release) struct str name = { 0 };
	uint32_t number;

	add_name(&name, kind, key);
	number = intern_find(&baseline->names, str_text(&name));
	if (number == INTERN_NONE)
		return 0;
	baseline->met[number] = true;
	return baseline->reports[number];
}

static int compare_gone(const void *a, const void *b)
{
	const struct lag_gone *left = a;
	const struct lag_gone *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (left->reports != right->reports)
		return left->reports > right->reports ? -1 : 1;
	return strcmp(left->key, right->key);
}

const struct lag_gone *lag_baseline_gone(const struct lag_baseline *baseline,
                                         struct arena *arena, size_t *ret_count)
{
	size_t count = 0;
	struct lag_gone *gone = arena_array(
	        arena, (size_t)baseline->names.count + 1, sizeof(*gone));

	for (uint32_t i = 0; i < baseline->names.count; i++) {
		struct text name = baseline->names.texts[i];

		if (baseline->met[i])
			continue;
		gone[count++] = (struct lag_gone){
			.kind = (enum sample_kind)name.data[0],
			.key = arena_text(arena, text_after(name, 1)),
			.reports = baseline->reports[i],
		};
	}
	qsort(gone, count, sizeof(*gone), compare_gone);
	*ret_count = count;
	return gone;
}

void lag_baseline_release(struct lag_baseline *baseline)
{
	intern_release(&baseline->names);
	free(baseline->reports);
	free(baseline->met);
	*baseline = (struct lag_baseline){ 0 };
}

#include "lib/analysis/lag/baseline.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"

#include <stdlib.h>

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
		baseline->reports[number] = 0;
	}
	baseline->reports[number] =
	        number_sum(baseline->reports[number], reports);
	baseline->totals[kind] = number_sum(baseline->totals[kind], reports);
}

uint64_t lag_baseline_find(const struct lag_baseline *baseline,
                           enum sample_kind kind, const char *key)
{
	SCOPED(str_release) struct str name = { 0 };
	uint32_t number;

	add_name(&name, kind, key);
	number = intern_find(&baseline->names, str_text(&name));
	return number == INTERN_NONE ? 0 : baseline->reports[number];
}

void lag_baseline_release(struct lag_baseline *baseline)
{
	intern_release(&baseline->names);
	free(baseline->reports);
	*baseline = (struct lag_baseline){ 0 };
}

// SPDX-License-Identifier: MIT
#include "parsers/input/skipped.h"

/** Keep the first of those with the highest severity. */
static void keep(struct skipped *skipped, struct error *err,
                 enum skipped_weight weight)
{
	skipped->waiting += weight != SKIPPED_QUIETLY;
	if (skipped->error && weight <= skipped->weight) {
		error_free(err);
		return;
	}
	error_free(skipped->error);
	skipped->error = err;
	skipped->weight = weight;
}

static void add_note(const struct skipped *skipped, struct report *report,
                     const char *place, const char *text,
                     enum skipped_weight weight)
{
	if (weight == SKIPPED_FAILED)
		report_add_failure(report, skipped->arena, place, text);
	else
		report_add_note(report, skipped->arena, place, text);
}

void skipped_add(struct skipped *skipped, struct report *last,
                 const char *place, struct error *err,
                 enum skipped_weight weight)
{
	bool is_first_failure = weight == SKIPPED_FAILED &&
	                        !skipped->has_failed;

	if (!last) {
		keep(skipped, err, weight);
		return;
	}
	skipped->count += weight != SKIPPED_QUIETLY;
	skipped->has_failed |= is_first_failure;
	if (weight != SKIPPED_QUIETLY &&
	    (skipped->count <= SKIPPED_LISTED || is_first_failure))
		add_note(skipped, last, place,
		         arena_printf(skipped->arena, "left out: %s",
		                      error_message(err)),
		         weight);
	else if (weight != SKIPPED_QUIETLY &&
	         skipped->count == SKIPPED_LISTED + 1)
		add_note(skipped, last, place,
		         "more is left out and not listed", SKIPPED_NOTED);
	error_free(err);
}

const char *skipped_text(const struct skipped *skipped)
{
	const char *more = "";

	if (skipped->waiting > 1)
		more = arena_printf(skipped->arena, "; and %zu more",
		                    skipped->waiting - 1);
	return arena_printf(skipped->arena, "%s%s",
	                    error_message(skipped->error), more);
}

void skipped_note(const struct skipped *skipped, struct report *first,
                  const char *place)
{
	if (!skipped->waiting)
		return;
	add_note(skipped, first, place,
	         arena_printf(skipped->arena, "left out: %s",
	                      skipped_text(skipped)),
	         skipped->weight);
}

struct error *skipped_take(struct skipped *skipped)
{
	struct error *err = skipped->error;

	skipped->error = NULL;
	return err;
}

void skipped_release(struct skipped *skipped)
{
	error_free(skipped->error);
	skipped->error = NULL;
}

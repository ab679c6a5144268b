#include "parsers/left_out.h"

/** The first of those that matter most is kept. */
static void keep(struct left_out *left_out, struct error *err,
                 enum left_out_weight weight)
{
	left_out->waiting += weight != LEFT_OUT_QUIETLY;
	if (left_out->error && weight <= left_out->weight) {
		error_free(err);
		return;
	}
	error_free(left_out->error);
	left_out->error = err;
	left_out->weight = weight;
}

static void add_note(const struct left_out *left_out, struct report *report,
                     const char *place, const char *text,
                     enum left_out_weight weight)
{
	if (weight == LEFT_OUT_FAILED)
		report_add_failure(report, left_out->arena, place, text);
	else
		report_add_note(report, left_out->arena, place, text);
}

void left_out_add(struct left_out *left_out, struct report *last,
                  const char *place, struct error *err,
                  enum left_out_weight weight)
{
	bool is_first_failure = weight == LEFT_OUT_FAILED &&
	                        !left_out->has_failed;

	if (!last) {
		keep(left_out, err, weight);
		return;
	}
	left_out->count += weight != LEFT_OUT_QUIETLY;
	left_out->has_failed |= is_first_failure;
	if (weight != LEFT_OUT_QUIETLY &&
	    (left_out->count <= LEFT_OUT_LISTED || is_first_failure))
		add_note(left_out, last, place,
		         arena_printf(left_out->arena, "left out: %s",
		                      error_message(err)),
		         weight);
	else if (weight != LEFT_OUT_QUIETLY &&
	         left_out->count == LEFT_OUT_LISTED + 1)
		add_note(left_out, last, place,
		         "more is left out and not listed", LEFT_OUT_NOTED);
	error_free(err);
}

void left_out_note(const struct left_out *left_out, struct report *first,
                   const char *place)
{
	const char *more = "";

	if (!left_out->waiting)
		return;
	if (left_out->waiting > 1)
		more = arena_printf(left_out->arena, "; and %zu more",
		                    left_out->waiting - 1);
	add_note(left_out, first, place,
	         arena_printf(left_out->arena, "left out: %s%s",
	                      error_message(left_out->error), more),
	         left_out->weight);
}

struct error *left_out_take(struct left_out *left_out)
{
	struct error *err = left_out->error;

	left_out->error = NULL;
	return err;
}

void left_out_release(struct left_out *left_out)
{
	error_free(left_out->error);
	left_out->error = NULL;
}

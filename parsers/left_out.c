#include "parsers/left_out.h"

/** One worth a note is kept rather than one that is not. */
static void keep(struct left_out *left_out, struct error *err, bool noted)
{
	bool is_first = noted ? !left_out->waiting : !left_out->error;

	left_out->waiting += noted;
	if (!is_first) {
		error_free(err);
		return;
	}
	error_free(left_out->error);
	left_out->error = err;
}

void left_out_add(struct left_out *left_out, struct report *last,
                  const char *place, struct error *err, bool noted)
{
	struct arena *arena = left_out->arena;

	if (!last) {
		keep(left_out, err, noted);
		return;
	}
	if (noted && left_out->count++ < LEFT_OUT_LISTED)
		report_add_note(last, arena, place,
		                arena_printf(arena, "left out: %s",
		                             error_message(err)));
	else if (noted && left_out->count == LEFT_OUT_LISTED + 1)
		report_add_note(last, arena, place,
		                "more is left out and not listed");
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
	report_add_note(first, left_out->arena, place,
	                arena_printf(left_out->arena, "left out: %s%s",
	                             error_message(left_out->error), more));
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

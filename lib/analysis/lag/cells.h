/**
 * What the tables of `fold` and `lag-aggregate` put in their cells, as text in
 * an arena.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_CELLS_H
#define APMTOOL_LIB_ANALYSIS_LAG_CELLS_H

#include "lib/analysis/lag/fold.h"
#include "lib/base/str.h"

/** lag_hang_name(), as a cell. */
const char *lag_cell_name(const struct lag_hang *hang, struct arena *arena);

/** Milliseconds, with as many digits as they need. */
const char *lag_cell_ms(struct arena *arena, uint64_t us);

/** The same of a cost; NULL: it is unknown. */
const char *lag_cell_cost(struct arena *arena, bool is_unknown, uint64_t us);

/** A part of a whole in percent, to hundredths. */
const char *lag_cell_percent(struct arena *arena, uint64_t part,
                             uint64_t whole);

/** Names of functions, outermost first: `main - -[Store load]`. */
const char *lag_cell_stack(struct arena *arena,
                           const struct profile_functions *functions,
                           const uint32_t *stack, size_t count);

/** `stall`, `cpu`, `disk`, `launch`. */
const char *lag_cell_sample_kind(enum sample_kind kind);

/**
 * Append how it is known whose code functions are, and of how many: `by image
 * (31 functions), by symbol (3)`; nothing where there are none.
 */
void lag_evidence_add(const struct profile_functions *functions,
                      struct str *out);

/** `app`, or `system`. */
const char *lag_cell_kind(bool is_app);

#endif

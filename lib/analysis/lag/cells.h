// SPDX-License-Identifier: MIT
/**
 * What the tables of `fold` and `lag-aggregate` put in their cells, as text in
 * an arena.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_CELLS_H
#define APMTOOL_LIB_ANALYSIS_LAG_CELLS_H

#include "lib/analysis/lag/fold.h"
#include "lib/base/str.h"
#include "lib/model/cost.h"
#include "lib/model/table.h"

/** lag_hang_name(), as a cell. */
const char *lag_cell_name(const struct lag_hang *hang, struct arena *arena);

/** Milliseconds, with as many digits as they need. */
const char *lag_cell_ms(struct arena *arena, uint64_t us);

/** A cost, in steps of its unit, in that unit. */
const char *lag_cell_steps(struct arena *arena, enum cost_unit unit,
                           uint64_t cost);

/** A cost for people, with its mark and its unit; NULL: it is unknown. */
const char *lag_cell_amount(struct arena *arena, enum cost_unit unit,
                            enum cost_origin origin, uint64_t cost);

/** The least that something took: `≥ 5.0 s`. */
const char *lag_cell_seconds(struct arena *arena, uint64_t us);

/** Set a cell of TABLE_DECIMAL to a cost; absent where it is unknown. */
void lag_cell_set_cost(struct table_cell *cell, struct arena *arena,
                       enum cost_unit unit, enum cost_origin origin,
                       uint64_t cost);

/** The same, of a column of ms: absent where it is no time. */
void lag_cell_set_ms(struct table_cell *cell, struct arena *arena,
                     enum cost_unit unit, enum cost_origin origin,
                     uint64_t cost);

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

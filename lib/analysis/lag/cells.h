// SPDX-License-Identifier: MIT
/** Cells of the tables of `fold` and `lag-aggregate`, as text in an arena. */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_CELLS_H
#define APMTOOL_LIB_ANALYSIS_LAG_CELLS_H

#include "lib/analysis/lag/fold.h"
#include "lib/base/str.h"
#include "lib/model/cost.h"
#include "lib/model/table.h"

/** lag_hang_name(), as a cell. */
const char *lag_cell_name(const struct lag_hang *hang, struct arena *arena);

/** Milliseconds, without trailing zeros. */
const char *lag_cell_ms(struct arena *arena, uint64_t us);

/** A cost in its unit; @p cost is in steps of the unit. */
const char *lag_cell_steps(struct arena *arena, enum cost_unit unit,
                           uint64_t cost);

/** A cost with mark and unit, as text shows it; NULL: unknown. */
const char *lag_cell_amount(struct arena *arena, enum cost_unit unit,
                            enum cost_origin origin, uint64_t cost);

/** The minimum time: `≥ 5.0 s`. */
const char *lag_cell_seconds(struct arena *arena, uint64_t us);

/** Set a cell of TABLE_DECIMAL to a cost; absent if unknown. */
void lag_cell_set_cost(struct table_cell *cell, struct arena *arena,
                       enum cost_unit unit, enum cost_origin origin,
                       uint64_t cost);

/** As lag_cell_set_cost(), in ms; absent if the cost is not time. */
void lag_cell_set_ms(struct table_cell *cell, struct arena *arena,
                     enum cost_unit unit, enum cost_origin origin,
                     uint64_t cost);

/** A part in percent, to hundredths. */
const char *lag_cell_percent(struct arena *arena, uint64_t part,
                             uint64_t whole);

/** Names of functions, outermost first: `main - -[Store load]`. */
const char *lag_cell_stack(struct arena *arena,
                           const struct profile_functions *functions,
                           const uint32_t *stack, size_t count);

/** `stall`, `cpu`, `disk`, `launch`. */
const char *lag_cell_sample_kind(enum sample_kind kind);

/**
 * Append how functions were attributed to the app or the system, and how many:
 * `by image (31 functions), by symbol (3)`; nothing without functions.
 */
void lag_evidence_add(const struct profile_functions *functions,
                      struct str *out);

const char *lag_cell_kind(bool is_app);

#endif

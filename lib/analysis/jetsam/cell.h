// SPDX-License-Identifier: MIT
/** Cells in tables of jetsam logs. */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_CELL_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_CELL_H

#include "lib/model/jetsam.h"
#include "lib/model/table.h"

/** Set a cell; an unknown number leaves it absent. */
static inline void jetsam_set_number(struct table_cell *cell,
                                     struct jetsam_number number)
{
	if (number.known)
		table_set_number(cell, number.value);
}

#endif

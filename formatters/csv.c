// SPDX-License-Identifier: MIT
/*
 * The `csv` format: tables and call trees, for spreadsheets. Of a page, the
 * list that it is about.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/formats.h"
#include "formatters/table/formats.h"

const struct formatter csv_formatter = {
	.name = "csv",
	.summary = "tables and call trees, for spreadsheets",
	.table = csv_table,
	.calltree = csv_calltree,
	.page = csv_page,
};

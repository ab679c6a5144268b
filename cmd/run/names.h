/**
 * Names in, printed names out: what `demangle` does. Names are operands, or
 * appear in the running text of standard input.
 */
#ifndef APMTOOL_CMD_RUN_NAMES_H
#define APMTOOL_CMD_RUN_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/base/text.h"
#include "lib/cli/command.h"
#include "lib/model/table.h"
#include "lib/symbols/demangle/demangle.h"

#include <stdbool.h>

/** The caller sets the first four; the rest is zeros at first. */
struct names {
	enum demangle_form form;
	struct out *out;     ///< printed text goes here
	bool on_terminal;    ///< no copied text may act on it
	struct table *table; ///< or rows are added here; NULL: text
	struct arena arena;  ///< of the rows, or of one name
};

/** The columns of the table. */
enum {
	NAMES_NAME,
	NAMES_MANGLED,
	NAMES_LANGUAGE,
	NAMES_KIND,
	NAMES_MODULE,
	NAMES_CONTEXT,
	NAMES_BASE,
	NAMES_COLUMNS,
};

extern const struct table_column names_columns[NAMES_COLUMNS];

/** Each operand is a name, mangled or not, and gives a line or a row. */
void names_take_operands(struct names *names, const struct command_line *line);

/**
 * Read standard input as it comes: text goes through with its mangled names
 * printed; a table gets a row for each of them.
 */
MUST_CHECK struct error *names_take_stream(struct names *names);

void names_release(struct names *names);

#endif

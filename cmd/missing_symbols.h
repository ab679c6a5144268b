/**
 * Which images of the app lack their dSYM: collected over all reports of a
 * run, told once at its end.
 */
#ifndef APMTOOL_CMD_MISSING_SYMBOLS_H
#define APMTOOL_CMD_MISSING_SYMBOLS_H

#include "lib/analysis/symbolicate.h"

#include <stddef.h>

struct missing_image {
	struct uuid uuid;
	char *name;
	char *arch;
	char *problem; ///< why its file did not help; NULL: there is no file
	size_t frames; ///< without a line, in all reports
	size_t reports;
};

struct missing_symbols {
	struct missing_image *items;
	size_t count;
	size_t cap;
};

void missing_symbols_add(struct missing_symbols *missing,
                         const struct symbolicate_result *result);

/** Print the table on stderr, sorted by name; nothing where nothing is missing. */
void missing_symbols_print(struct missing_symbols *missing);

void missing_symbols_release(struct missing_symbols *missing);

#endif

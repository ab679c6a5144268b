// SPDX-License-Identifier: MIT
/**
 * Debug information of a slice in memory, read as the store reads that of
 * files.
 */
#ifndef APMTOOL_TESTS_UNIT_LIB_SYMBOLS_MACHO_DEBUG_H
#define APMTOOL_TESTS_UNIT_LIB_SYMBOLS_MACHO_DEBUG_H

#include "lib/base/file.h"
#include "lib/symbols/debug_worker.h"
#include "lib/symbols/source/macho.h"

#include <unistd.h>

/** The source of a slice; to be closed. */
static inline struct error *open_macho(const struct macho *macho,
                                       struct open_source *ret)
{
	const struct macho_slice all = { .cpu_type = macho->cpu_type,
		                         .cpu_subtype = macho->cpu_subtype,
		                         .size = macho->slice.size };
	const struct symbol_locator at = macho_locator(&all, macho->file_type);

	return open_source_open(ret, SYMBOL_KIND_MACHO, macho->slice, &at);
}

/** What a child makes of it, as debug_worker_start(). */
static inline struct error *debug_worker_run(const struct macho *macho,
                                             enum debug_reader reader,
                                             const uint64_t *addresses,
                                             size_t count, struct str *image,
                                             struct debug_faults *ret_faults)
{
	SCOPED(open_source_close) struct open_source open = { 0 };
	struct debug_source source = { .open = &open, .reader = reader };
	struct worker *worker;
	struct error *err = open_macho(macho, &open);

	if (!err)
		err = file_of_bytes(macho->slice, &source.file);
	if (err)
		return err;
	err = debug_worker_start(&source, addresses, count, &worker);
	close(source.file);
	return err ? err : debug_worker_finish(worker, image, ret_faults);
}

#endif

// SPDX-License-Identifier: MIT
/**
 * Counts of what a worker has done, and the file of `--status` with them: in
 * Prometheus' text format, for the textfile collector of node_exporter.
 */
#ifndef APMTOOL_CMD_WORKER_COUNTS_H
#define APMTOOL_CMD_WORKER_COUNTS_H

#include "lib/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct counts {
	uint64_t messages; ///< taken from the raw topic
	uint64_t bytes;    ///< of them
	uint64_t events;   ///< delivered, as the next three
	uint64_t reports;
	uint64_t waiting;
	uint64_t dead;
	uint64_t missing;   ///< messages without all symbols
	uint64_t slim;      ///< reports that were too large in full
	uint64_t omitted;   ///< reports that were too large even when slim
	uint64_t done;      ///< messages with all their deliveries
	uint64_t abandoned; ///< messages of revoked partitions, unfinished
	uint64_t transactions;
	uint64_t aborted;
	uint64_t redriven;
	uint64_t gone; ///< raw messages that are past their retention
	// Gauges.
	size_t in_flight;
	size_t partitions;
	size_t lost_filters;
};

/** Replace the file @p path atomically. */
MUST_CHECK struct error *counts_write(const struct counts *counts,
                                      const char *path);

#endif

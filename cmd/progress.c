// SPDX-License-Identifier: MIT
#include "cmd/progress.h"

#include "lib/base/timestamp.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DELAY_MS    500
#define INTERVAL_MS 100

/** A process has one stderr. */
static struct {
	bool shown;
	int64_t started_ms;
	int64_t updated_ms;
} line;

void progress_begin(void)
{
	line.started_ms = timestamp_now_ms();
}

void progress_update(size_t done, size_t total, const char *what)
{
	int64_t now = timestamp_now_ms();

	if (now - line.started_ms < DELAY_MS ||
	    now - line.updated_ms < INTERVAL_MS)
		return;
	line.updated_ms = now;
	if (!isatty(2) || getenv("CI"))
		return;
	line.shown = true;
	if (total)
		fprintf(stderr, "\r\033[K%zu of %zu %s", done, total, what);
	else
		fprintf(stderr, "\r\033[K%zu %s", done, what);
}

void progress_clear(void)
{
	if (!line.shown)
		return;
	line.shown = false;
	fputs("\r\033[K", stderr);
}

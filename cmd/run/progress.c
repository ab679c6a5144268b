#include "cmd/run/progress.h"

#include "lib/base/timestamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DELAY_MS    500
#define INTERVAL_MS 100

struct progress progress_begin(bool quiet)
{
	return (struct progress){
		.enabled = !quiet && isatty(2) && !getenv("CI"),
		.started_ms = timestamp_now_ms(),
	};
}

void progress_update(struct progress *progress, size_t done, size_t total,
                     const char *what)
{
	int64_t now;

	if (!progress->enabled)
		return;
	now = timestamp_now_ms();
	if (now - progress->started_ms < DELAY_MS ||
	    now - progress->updated_ms < INTERVAL_MS)
		return;
	progress->updated_ms = now;
	progress->shown = true;
	if (total)
		fprintf(stderr, "\r\033[K%zu of %zu %s", done, total, what);
	else
		fprintf(stderr, "\r\033[K%zu %s", done, what);
}

void progress_clear(struct progress *progress)
{
	if (!progress->shown)
		return;
	progress->shown = false;
	fputs("\r\033[K", stderr);
}

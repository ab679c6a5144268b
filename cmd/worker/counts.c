// SPDX-License-Identifier: MIT
#include "cmd/worker/counts.h"

#include "lib/base/out.h"

#include <inttypes.h>

static const struct {
	const char *name;
	size_t offset;
	const char *help;
} totals[] = {
	{ "messages", offsetof(struct counts, messages),
	  "messages taken from the raw topic" },
	{ "bytes", offsetof(struct counts, bytes), "bytes of their values" },
	{ "events", offsetof(struct counts, events), "events delivered" },
	{ "reports", offsetof(struct counts, reports), "reports delivered" },
	{ "waiting", offsetof(struct counts, waiting),
	  "references delivered to the waiting topic" },
	{ "dead", offsetof(struct counts, dead),
	  "messages delivered to the dead topic" },
	{ "missing", offsetof(struct counts, missing),
	  "messages without all symbols" },
	{ "slim", offsetof(struct counts, slim),
	  "reports that were too large in full" },
	{ "omitted", offsetof(struct counts, omitted),
	  "reports that were too large even when slim" },
	{ "done", offsetof(struct counts, done),
	  "messages with all their deliveries" },
	{ "abandoned", offsetof(struct counts, abandoned),
	  "messages left to the next owner of their partition" },
	{ "transactions", offsetof(struct counts, transactions),
	  "transactions committed" },
	{ "aborted", offsetof(struct counts, aborted), "transactions aborted" },
	{ "redriven", offsetof(struct counts, redriven),
	  "waiting messages that were repeated" },
	{ "gone", offsetof(struct counts, gone),
	  "waiting messages past the retention of the raw topic" },
};

static void add_gauge(struct out *out, const char *name, const char *help,
                      size_t value)
{
	out_addf(out,
	         "# HELP apmtool_worker_%s %s\n# TYPE apmtool_worker_%s gauge\n"
	         "apmtool_worker_%s %zu\n",
	         name, help, name, name, value);
}

struct error *counts_write(const struct counts *counts, const char *path)
{
	struct out *out;
	struct error *err = out_open(path, &out);

	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(totals); i++) {
		const uint64_t *value =
		        (const uint64_t *)((const char *)counts +
		                           totals[i].offset);

		out_addf(out,
		         "# HELP apmtool_worker_%s_total %s\n"
		         "# TYPE apmtool_worker_%s_total counter\n"
		         "apmtool_worker_%s_total %" PRIu64 "\n",
		         totals[i].name, totals[i].help, totals[i].name,
		         totals[i].name, *value);
	}
	add_gauge(out, "in_flight", "messages without all their deliveries",
	          counts->in_flight);
	add_gauge(out, "partitions", "partitions assigned", counts->partitions);
	add_gauge(out, "lost_filters", "children that were replaced",
	          counts->lost_filters);
	out_need_not_last(out);
	return out_close(out);
}

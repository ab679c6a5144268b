// SPDX-License-Identifier: MIT
#include "cmd/worker/state.h"

void worker_fail(struct worker *worker, struct error *err)
{
	error_keep_first(&worker->err, err);
}

// SPDX-License-Identifier: MIT
#include "cmd/worker/state.h"

#include "cmd/worker/log.h"

void worker_fail(struct worker *worker, struct error *err)
{
	error_keep_first(&worker->err, err);
}

void worker_take_error(rd_kafka_t *rk, int code, const char *reason,
                       void *opaque)
{
	struct worker *worker = opaque;
	char fatal[512];

	if (code == RD_KAFKA_RESP_ERR__FATAL)
		rd_kafka_fatal_error(rk, fatal, sizeof(fatal));
	if (code == RD_KAFKA_RESP_ERR__FATAL ||
	    code == RD_KAFKA_RESP_ERR__AUTHENTICATION)
		worker_fail(worker, error_new(ERROR_OS, "kafka: %s",
		                              code == RD_KAFKA_RESP_ERR__FATAL
		                                      ? fatal
		                                      : reason));
	else
		worker_log("kafka: %s: %s", rd_kafka_err2name(code), reason);
}

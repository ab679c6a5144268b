// SPDX-License-Identifier: MIT
#include "cmd/worker/state.h"

#include "cmd/worker/log.h"

volatile sig_atomic_t worker_signal;

void worker_fail(struct worker *worker, struct error *err)
{
	error_keep_first(&worker->err, err);
}

void worker_fail_fenced(struct worker *worker, rd_kafka_resp_err_t code)
{
	if (code == RD_KAFKA_RESP_ERR__FENCED ||
	    code == RD_KAFKA_RESP_ERR_PRODUCER_FENCED ||
	    code == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH)
		worker_fail(worker,
		            error_new(ERROR_OS,
		                      "another worker has taken slot '%s'",
		                      worker->settings.options.slot));
}

void worker_take_error(rd_kafka_t *rk, int code, const char *reason,
                       void *opaque)
{
	struct worker *worker = opaque;
	char fatal[512];

	switch (code) {
	case RD_KAFKA_RESP_ERR__FATAL:
		code = rd_kafka_fatal_error(rk, fatal, sizeof(fatal));
		if (worker->is_transactional)
			worker_fail_fenced(worker, (rd_kafka_resp_err_t)code);
		worker_fail(worker, error_new(ERROR_OS, "kafka: %s", fatal));
		break;
	case RD_KAFKA_RESP_ERR__AUTHENTICATION:
		worker_fail(worker, error_new(ERROR_OS, "kafka: %s", reason));
		break;
	default:
		worker_log("kafka: %s: %s",
		           rd_kafka_err2name((rd_kafka_resp_err_t)code),
		           reason);
	}
}

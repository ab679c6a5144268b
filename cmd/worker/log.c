// SPDX-License-Identifier: MIT
#include "cmd/worker/log.h"

#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <stdarg.h>
#include <unistd.h>

void worker_log(const char *format, ...)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str line = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	str_add(&line, "apmtool-worker: ");
	utf8_add_visible(&line, str_text(&text));
	str_add_char(&line, '\n');
	// One call per line, since threads of librdkafka log, too.
	(void)!write(STDERR_FILENO, line.data, line.size);
}

enum exit_status worker_refuse(struct error *err)
{
	enum error_code code = error_code(err);

	worker_log("%s", error_message(err));
	error_free(err);
	return code == ERROR_USAGE || code == ERROR_CONFIG ? EXIT_USAGE
	                                                   : EXIT_ENVIRONMENT;
}

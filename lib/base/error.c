// SPDX-License-Identifier: MIT
#include "lib/base/error.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error {
	enum error_code code;
	char *message;
};

PRINTF_LIKE(1, 0)
static char *format_message(const char *format, va_list args)
{
	char *message = NULL;

	if (vasprintf(&message, format, args) < 0)
		mem_fail();
	return message;
}

struct error *error_new(enum error_code code, const char *format, ...)
{
	struct error *err = mem_zalloc(1, sizeof(*err));
	va_list args;

	err->code = code;
	va_start(args, format);
	err->message = format_message(format, args);
	va_end(args);
	return err;
}

static bool is_shortage(int os_error)
{
	return os_error == ENOMEM || os_error == EAGAIN || os_error == EMFILE ||
	       os_error == ENFILE || os_error == ENOBUFS;
}

struct error *error_os(int os_error, const char *format, ...)
{
	struct error *err = mem_zalloc(1, sizeof(*err));
	const char *reason = strerror(os_error);
	va_list args;
	char *message;

	va_start(args, format);
	message = format_message(format, args);
	va_end(args);
	err->code = is_shortage(os_error) ? ERROR_SHORTAGE : ERROR_OS;
	// strerror() starts upper case; our messages do not.
	if (asprintf(&err->message, "%s: %c%s", message,
	             reason[0] >= 'A' && reason[0] <= 'Z' ? reason[0] + 32
	                                                  : reason[0],
	             reason[0] ? reason + 1 : "") < 0)
		mem_fail();
	free(message);
	return err;
}

struct error *error_prefix(struct error *err, const char *format, ...)
{
	va_list args;
	char *context;
	char *message = NULL;

	if (!err)
		return NULL;
	va_start(args, format);
	context = format_message(format, args);
	va_end(args);
	if (asprintf(&message, "%s: %s", context, err->message) < 0)
		mem_fail();
	free(context);
	free(err->message);
	err->message = message;
	return err;
}

const char *error_message(const struct error *err)
{
	return err->message;
}

struct text error_reason(const struct error *err, const char *name)
{
	struct text message = text_from(err->message);
	struct text rest = message;

	return text_take(&rest, name) && text_take(&rest, ": ") ? rest
	                                                        : message;
}

void error_add_unnamed(const struct error *err, const char *path,
                       struct str *out)
{
	SCOPED(str_release) struct str named = { 0 };
	struct text text = text_from(error_message(err));
	size_t at;

	str_addf(&named, " '%s'", path);
	at = text_find(text, str_cstr(&named));
	str_add_text(out, text_first(text, at));
	if (at != TEXT_NOWHERE)
		str_add_text(out, text_after(text, at + named.size));
}

enum error_code error_code(const struct error *err)
{
	return err->code;
}

struct error *error_as_config(struct error *err)
{
	if (err && err->code == ERROR_OS)
		err->code = ERROR_CONFIG;
	return err;
}

void error_keep_first(struct error **first, struct error *err)
{
	if (*first)
		error_free(err);
	else
		*first = err;
}

void error_free(struct error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err);
}

void error_drop(struct error **err)
{
	error_free(*err);
}

// SPDX-License-Identifier: MIT
#include "cmd/run/notices.h"

#include "lib/base/str.h"

#include <stdarg.h>

void notice_give(const struct notices *to, const struct notice *notice)
{
	if (to)
		to->take(notice, to->context);
}

/** @param notice  Everything except the text. */
static void give(const struct notices *to, struct notice notice,
                 const char *format, va_list args) PRINTF_LIKE(3, 0);

static void give(const struct notices *to, struct notice notice,
                 const char *format, va_list args)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addv(&text, format, args);
	notice.text = str_cstr(&text);
	notice_give(to, &notice);
}

void notice_warn(const struct notices *to, const char *place,
                 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	give(to, (struct notice){ .place = place }, format, args);
	va_end(args);
}

void notice_advise(const struct notices *to, const char *next,
                   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	give(to, (struct notice){ .next = next }, format, args);
	va_end(args);
}

enum exit_status notice_fail(const struct notices *to, const char *place,
                             const char *format, ...)
{
	va_list args;

	va_start(args, format);
	give(to, (struct notice){ .kind = NOTICE_FAILURE, .place = place },
	     format, args);
	va_end(args);
	return EXIT_ALL_FAILED;
}

enum exit_status notice_usage(const struct notices *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	give(to, (struct notice){ .kind = NOTICE_FAILURE }, format, args);
	va_end(args);
	return EXIT_USAGE;
}

static void give_error(const struct notices *to, enum notice_kind kind,
                       const char *name, const struct error *err)
{
	const char *message = error_message(err);
	// A suffix of the message.
	const char *reason = name ? error_reason(err, name).data : message;

	notice_give(to,
	            &(struct notice){ .kind = kind,
	                              .place = reason == message ? NULL : name,
	                              .text = reason });
}

void notice_error(const struct notices *to, const char *name,
                  const struct error *err)
{
	give_error(to, NOTICE_FAILURE, name, err);
}

void notice_warn_error(const struct notices *to, const char *name,
                       const struct error *err)
{
	give_error(to, NOTICE_WARNING, name, err);
}

enum exit_status notice_refuse(const struct notices *to, struct error *err)
{
	enum error_code code = error_code(err);

	notice_error(to, NULL, err);
	error_free(err);
	switch (code) {
	case ERROR_SHORTAGE:
		return EXIT_ENVIRONMENT;
	case ERROR_USAGE:
	case ERROR_OS:
	case ERROR_NOT_FOUND:
		return EXIT_USAGE;
	default:
		return EXIT_ALL_FAILED;
	}
}

/** Errors have the place once: not `gzip: the gzip data is truncated`. */
static bool names_place(const struct notice *note)
{
	struct text text = text_from(note->text);

	return text_take(&text, "the ") && text_take(&text, note->place) &&
	       text_starts(text, " ");
}

void notice_of_input(const struct notices *to, const char *name,
                     const struct notice *note)
{
	SCOPED(str_release) struct str place = { 0 };
	struct notice notice = *note;

	if (name)
		str_add(&place, name);
	if (note->place && !names_place(note))
		str_addf(&place, "%s%s", place.size ? ": " : "", note->place);
	notice.place = place.size ? str_cstr(&place) : NULL;
	notice_give(to, &notice);
}

void notice_progress(const struct notices *to, size_t done, size_t total,
                     const char *what)
{
	if (to && to->progress)
		to->progress(done, total, what, to->context);
}

void notice_progress_end(const struct notices *to)
{
	notice_progress(to, 0, 0, NULL);
}

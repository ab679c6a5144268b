/**
 * A growing string, always NUL-terminated, for building text.
 *
 *     SCOPED(str_release) struct str line = { 0 };
 *     str_addf(&line, "%s + %" PRIu64, symbol, offset);
 */
#ifndef APMTOOL_LIB_BASE_STR_H
#define APMTOOL_LIB_BASE_STR_H

#include "lib/base/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/** All zeros is the empty string (data is NULL until something is added). */
struct str {
	char *data;
	size_t size;
	size_t cap;
};

void str_add(struct str *str, const char *cstr);
void str_add_bytes(struct str *str, const void *data, size_t size);
void str_add_text(struct str *str, struct text text);
void str_add_char(struct str *str, char c);
void str_add_repeat(struct str *str, char c, size_t count);
void str_addf(struct str *str, const char *format, ...) PRINTF_LIKE(2, 3);
void str_addv(struct str *str, const char *format, va_list args)
        PRINTF_LIKE(2, 0);

/** In decimal; much faster than str_addf(). */
void str_add_number(struct str *str, uint64_t number);

/** The string so far, NUL-terminated, borrowed; "" when empty. */
const char *str_cstr(const struct str *str);
struct text str_text(const struct str *str);

/** Empty it, keep the memory. */
void str_clear(struct str *str);
void str_release(struct str *str);

#endif

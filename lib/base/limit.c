// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"

#include "lib/base/nearest.h"
#include "lib/base/number.h"
#include "lib/base/units.h"

#include <stdarg.h>
#include <stdio.h>

const struct limit_row limit_rows[LIMITS] = {
#define LIMIT(id, name_, kind_, usual_, min_, max_, what_) \
	[LIMIT_##id] = { .name = (name_),                  \
		         .kind = LIMIT_KIND_##kind_,       \
		         .usual = (usual_),                \
		         .min = (min_),                    \
		         .max = (max_),                    \
		         .what = (what_) },
#include "lib/base/limits.def"
#undef LIMIT
};

static size_t values[LIMITS] = {
#define LIMIT(id, name, kind, usual, ...) [LIMIT_##id] = (usual),
#include "lib/base/limits.def"
#undef LIMIT
};

static bool given[LIMITS];

size_t limit_get(enum limit_id id)
{
	return values[id];
}

bool limit_is_changed(enum limit_id id)
{
	return values[id] != limit_rows[id].usual;
}

bool limit_is_given(enum limit_id id)
{
	return given[id];
}

void limit_set(enum limit_id id, size_t value)
{
	values[id] = value;
}

struct error *limit_find(struct text name, enum limit_id *ret)
{
	SCOPED(str_release) struct str typed = { 0 };
	const char *names[LIMITS + 1] = { 0 };
	const char *near;

	for (size_t i = 0; i < LIMITS; i++) {
		if (text_is(name, limit_rows[i].name)) {
			*ret = (enum limit_id)i;
			return NULL;
		}
		names[i] = limit_rows[i].name;
	}
	str_add_text(&typed, name);
	near = nearest_word(str_cstr(&typed), names);
	if (near)
		return error_new(ERROR_USAGE,
		                 "unknown limit '%s'; did you mean '%s'?",
		                 str_cstr(&typed), near);
	return error_new(ERROR_USAGE,
	                 "unknown limit '%s'; 'apmtool doctor' lists them",
	                 str_cstr(&typed));
}

/** `10,000`: groups of three digits after the first. */
static bool read_grouped(struct text value, uint64_t *ret)
{
	SCOPED(str_release) struct str digits = { 0 };
	size_t size = text_find_char(value, ',');

	str_add_text(&digits, text_first(value, size));
	if (size != TEXT_NOWHERE && (!size || size > 3))
		return false;
	while (size != TEXT_NOWHERE) {
		value = text_after(value, size + 1);
		size = text_find_char(value, ',');
		if (text_first(value, size).size != 3)
			return false;
		str_add_text(&digits, text_first(value, size));
	}
	return number_decimal(str_text(&digits), ret);
}

bool limit_read(enum limit_id id, struct text value, size_t *ret)
{
	const struct limit_row *row = &limit_rows[id];
	bool is_size = row->kind == LIMIT_KIND_SIZE;
	uint64_t number;

	if (!(is_size ? units_read_size(value, &number)
	              : read_grouped(value, &number)) ||
	    number < row->min || number > row->max)
		return false;
	*ret = (size_t)number;
	return true;
}

void limit_add_expected(struct str *out, enum limit_id id)
{
	const struct limit_row *row = &limit_rows[id];

	str_addf(out, "limit '%s': expected a %s from ", row->name,
	         row->kind == LIMIT_KIND_SIZE ? "size" : "number");
	limit_add_value(out, id, row->min);
	str_add(out, " to ");
	limit_add_value(out, id, row->max);
}

struct error *limit_set_text(struct text assignment)
{
	size_t equals = text_find_char(assignment, '=');
	SCOPED(str_release) struct str expected = { 0 };
	struct text value;
	enum limit_id id = LIMITS;
	struct error *err;

	if (equals == TEXT_NOWHERE || !equals)
		return error_new(ERROR_USAGE,
		                 "expected <name>=<value>, found '%.*s'",
		                 TEXT_ARGS(assignment));
	err = limit_find(text_first(assignment, equals), &id);
	if (err)
		return err;
	value = text_after(assignment, equals + 1);
	if (limit_read(id, value, &values[id])) {
		given[id] = true;
		return NULL;
	}
	limit_add_expected(&expected, id);
	return error_new(ERROR_USAGE, "%s, found '%.*s'", str_cstr(&expected),
	                 TEXT_ARGS(value));
}

struct limit_size limit_size(size_t bytes)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB" };
	struct limit_size ret;
	size_t unit = 0;

	while (bytes && bytes % 1024 == 0 && unit + 1 < ARRAY_SIZE(units)) {
		bytes /= 1024;
		unit++;
	}
	snprintf(ret.text, sizeof(ret.text), "%zu %s", bytes,
	         bytes == 1 && !unit ? "byte" : units[unit]);
	return ret;
}

void limit_add_value(struct str *out, enum limit_id id, size_t value)
{
	if (limit_rows[id].kind == LIMIT_KIND_COUNT)
		str_addf(out, "%zu", value);
	else
		str_add(out, limit_size(value).text);
}

struct error *limit_error(enum limit_id id, const char *format, ...)
{
	SCOPED(str_release) struct str message = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&message, format, args);
	va_end(args);
	return error_new(ERROR_LIMIT, "%s%s", str_cstr(&message),
	                 limit_hint(id));
}

struct error *limit_error_of(enum limit_id id, struct error *err)
{
	struct error *named = limit_error(id, "%s", error_message(err));

	error_free(err);
	return named;
}

const char *limit_hint(enum limit_id id)
{
	static const char *const hints[LIMITS] = {
#define HINT_SIZE(name)            " (--limit " name "=SIZE raises it)"
#define HINT_COUNT(name)           " (--limit " name "=COUNT raises it)"
#define LIMIT(id, name, kind, ...) [LIMIT_##id] = HINT_##kind(name),
#include "lib/base/limits.def"
#undef LIMIT
	};

	return values[id] < limit_rows[id].max ? hints[id] : "";
}

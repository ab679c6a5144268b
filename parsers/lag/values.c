// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"

// Notes

static void add_note(const struct json_source *source, const char *format,
                     va_list args) PRINTF_LIKE(2, 0);
static void add_note(const struct json_source *source, const char *format,
                     va_list args)
{
	struct lag_report *report = source->context;
	SCOPED(str_release) struct str place = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	// Notes beyond the max need no text: hostile inputs have millions.
	if (report->note_count < LAG_NOTES) {
		json_pull_path(source->pull, &place);
		str_addv(&text, format, args);
	}
	lag_report_note(report, place.size ? str_cstr(&place) : "report",
	                str_cstr(&text));
}

struct json_source lag_json_source(struct json_pull *pull,
                                   struct lag_report *report)
{
	return (struct json_source){
		.pull = pull,
		.note = add_note,
		.context = report,
	};
}

bool lag_json_is_broken(struct lag_json *json)
{
	if (!json->err)
		json->err = json_pull_take_error(json->source.pull);
	return json->err || json_pull_truncated(json->source.pull);
}

bool lag_event_u64(const struct json_event *event, uint64_t *ret)
{
	return !text_starts(event->text, "-") && json_event_u64(event, ret);
}

bool lag_json_take_u64(struct lag_json *json, const char *expected,
                       uint64_t *ret)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (lag_event_u64(event, ret))
		return true;
	json_source_unexpected(&json->source, event, expected);
	return false;
}

bool lag_json_take_ms(struct lag_json *json, uint64_t most_us, uint64_t *ret_us)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (event->type == JSON_EVENT_NUMBER &&
	    units_read(event->text, 1000, most_us, ret_us))
		return true;
	json_source_unexpected(&json->source, event, "a number of ms");
	return false;
}

// Values

uint32_t lag_reader_symbol(struct lag_reader *reader, struct text symbol,
                           bool *ret_cut)
{
	*ret_cut = symbol.size > LAG_SYMBOL_BYTES;
	return intern_add(reader->report.profile.strings,
	                  utf8_first(symbol, LAG_SYMBOL_BYTES));
}

uint64_t lag_cost_us(uint64_t samples, uint64_t interval_us)
{
	uint64_t cost;

	if (!interval_us)
		interval_us = LAG_INTERVAL_US;
	return __builtin_mul_overflow(samples, interval_us, &cost) ? UINT64_MAX
	                                                           : cost;
}

void lag_images_add(struct lag_report *report, struct profile_image image,
                    struct text name)
{
	size_t slash = text_find_last_char(name, '/');
	char *path = arena_text(&report->arena, name);

	// TEXT_NOWHERE + 1 is 0.
	image.name = name.size ? path + (slash + 1) : "???";
	image.path = slash == TEXT_NOWHERE ? NULL : path;
	*profile_images_add(&report->profile.images) = image;
}

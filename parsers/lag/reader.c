#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"

#include <stdlib.h>

void lag_reader_init(struct lag_reader *reader, struct intern *names,
                     lag_visit visit, lag_failed failed, void *context)
{
	*reader = (struct lag_reader){
		.visit = visit,
		.failed = failed,
		.context = context,
	};
	lag_report_init(&reader->report, names);
}

void lag_reader_end(struct lag_reader *reader)
{
	if (reader->pending)
		lag_reader_hand_out(reader, &reader->report);
	reader->pending = false;
	// The next input's stacks do not go on from here.
	lag_prefix_free(reader->prefix);
	reader->prefix = NULL;
	free((char *)reader->line.data);
	reader->line = (struct text){ 0 };
}

void lag_reader_release(struct lag_reader *reader)
{
	lag_report_release(&reader->report);
	free(reader->stack);
	lag_prefix_free(reader->prefix);
	free((char *)reader->line.data);
	*reader = (struct lag_reader){ 0 };
}

/** The images of a list that outlives the report. */
static void use_images(struct lag_report *report,
                       const struct lag_images *images)
{
	for (size_t i = 0; i < images->count; i++)
		*profile_images_add(&report->profile.images) = images->items[i];
	if (!report->arch)
		report->arch = images->arch;
}

void lag_reader_hand_out(struct lag_reader *reader, struct lag_report *report)
{
	if (reader->images && !report->profile.images.count)
		use_images(report, reader->images);
	reader->visit(report, reader->context);
	lag_report_clear(report);
}

struct text lag_cut_symbol(struct text symbol)
{
	size_t size = LAG_SYMBOL_BYTES;

	if (symbol.size <= size)
		return symbol;
	while (size && ((unsigned char)symbol.data[size] & 0xc0) == 0x80)
		size--;
	return text_first(symbol, size);
}

uint32_t lag_reader_symbol(struct lag_reader *reader, struct text symbol,
                           bool *ret_cut)
{
	*ret_cut = symbol.size > LAG_SYMBOL_BYTES;
	return intern_add(reader->report.profile.strings,
	                  lag_cut_symbol(symbol));
}

uint64_t lag_cost_us(uint64_t samples, uint64_t interval_us)
{
	uint64_t cost;

	if (!interval_us)
		interval_us = LAG_INTERVAL_US;
	return __builtin_mul_overflow(samples, interval_us, &cost) ? UINT64_MAX
	                                                           : cost;
}

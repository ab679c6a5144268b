// SPDX-License-Identifier: MIT
#include "formatters/flame/markup.h"

#include "lib/base/units.h"

void markup_add_count(struct str *out, uint64_t count)
{
	uint64_t group = 1;

	while (count / group >= 1000)
		group *= 1000;
	str_add_number(out, count / group);
	while (group > 1) {
		unsigned digits = (unsigned)(count % group / (group / 1000));
		const char text[] = { ',', (char)('0' + digits / 100),
			              (char)('0' + digits / 10 % 10),
			              (char)('0' + digits % 10) };

		str_add_bytes(out, text, sizeof(text));
		group /= 1000;
	}
}

void markup_add_percent(struct str *out, uint64_t hundredths)
{
	units_add_fixed(out, hundredths, 100, 2);
	str_add(out, " %");
}

void markup_add_ms(struct str *out, uint64_t us)
{
	uint64_t tenths = units_share(us, 1000, 10);

	markup_add_count(out, tenths / 10);
	if (tenths % 10) {
		str_add_char(out, '.');
		str_add_char(out, (char)('0' + tenths % 10));
	}
	str_add(out, " ms");
}

void markup_add_cost(struct str *out, const struct calltree *tree,
                     uint64_t cost)
{
	if (cost)
		str_add(out, cost_origin_mark(tree->cost_origin));
	if (tree->cost_unit == COST_MS) {
		markup_add_ms(out, cost);
	} else if (cost_unit_is_time(tree->cost_unit)) {
		str_add(out, "CPU ");
		markup_add_ms(out, cost);
	} else {
		markup_add_count(out, cost);
		str_addf(out, " %s", cost_unit_title(tree->cost_unit));
	}
}

void markup_add_plural(struct str *out, uint64_t count, const char *noun)
{
	markup_add_count(out, count);
	str_add_char(out, ' ');
	str_add(out, noun);
	if (count != 1)
		str_add_char(out, 's');
}

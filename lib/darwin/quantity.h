// SPDX-License-Identifier: MIT
/**
 * Quantities as Apple's systems write them for people, in the language and
 * region of the device: `20秒`, `1.530,5 ms`, `5,4 сек.`, `200 000 ko`, digits
 * of any script. MetricKit writes all its measurements like this.
 *
 * Names of units are those of CLDR in all its languages, and of older systems
 * (quantity_units.def). `1,234 ms` may be 1234 or 1.234 ms. The languages with
 * this unit's name, the region of the device and other quantities of the same
 * writer decide; otherwise the value is unknown, never guessed.
 *
 * Such formatters write no zeros at the end of a fraction: `1,530 ms` is 1530
 * ms. Programs do (`%.3f`), so `4.200 s` is not read as 4200 s.
 */
#ifndef APMTOOL_LIB_DARWIN_QUANTITY_H
#define APMTOOL_LIB_DARWIN_QUANTITY_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum quantity_kind {
	QUANTITY_DURATION,  ///< in microseconds
	QUANTITY_SIZE,      ///< in bytes; a kB has 1000
	QUANTITY_PERCENT,   ///< in thousandths
	QUANTITY_LUMINANCE, ///< average pixel luminance, `apl`; in thousandths
	QUANTITY_BARS,      ///< of a mobile network; in thousandths
	QUANTITY_RATE,      ///< `ms per s`, in microseconds per second
};

/** Possible decimal separators; the other one groups digits. */
enum quantity_marks {
	QUANTITY_POINT = 1 << 0,
	QUANTITY_COMMA = 1 << 1,
};

/** Known properties of a quantity's writer; all zeros: none. */
struct quantity_writer {
	/** Of the device, as MetricKit's `regionFormat`: `DE`; NULL: unknown.
	 */
	const char *region;
	/** From other quantities of the writer: quantity_marks(). */
	unsigned marks;
};

/**
 * Read a whole text as a quantity of @p kind, rounded half up.
 *
 * @return false, with @p ret unchanged, for other text, a unit of another kind,
 * an unknown unit, or an ambiguous number.
 */
bool quantity_read(struct text text, enum quantity_kind kind,
                   const struct quantity_writer *writer, uint64_t *ret);

/**
 * The decimal separator that a quantity of any unit proves.
 *
 * @return One of enum quantity_marks, or 0.
 */
unsigned quantity_marks(struct text text);

#endif

// SPDX-License-Identifier: MIT
/**
 * Decodes the 64-bit codes of EXC_RESOURCE and EXC_GUARD.
 *
 * Sources: XNU's osfmk/kern/exc_resource.h and exc_guard.h, <mach/port.h>,
 * bsd/sys/guarded.h.
 */
#ifndef APMTOOL_LIB_DARWIN_RESOURCES_H
#define APMTOOL_LIB_DARWIN_RESOURCES_H

#include <stdint.h>

/** The kernel's numbers. */
enum resource_type {
	RESOURCE_UNKNOWN,
	RESOURCE_CPU = 1,
	RESOURCE_WAKEUPS = 2,
	RESOURCE_MEMORY = 3,
	RESOURCE_IO = 4,
	RESOURCE_THREADS = 5,
	RESOURCE_PORTS = 6,
};

struct resource_event {
	enum resource_type type; ///< if unknown, no other member is set
	uint64_t limit;          ///< in @c unit; 0: unknown
	const char *unit;        ///< `% of a processor`
	uint64_t interval_s;     ///< measuring period; 0: unknown
	uint64_t observed;       ///< in @c unit; 0: unknown
};

struct resource_event resource_decode(uint64_t code, uint64_t subcode);

/** From a report: `CPU`, `RESOURCE_TYPE_MEMORY`, `WAKEUPS`. Accepts NULL. */
enum resource_type resource_type_of(const char *subtype);

/** In words: `memory`. */
const char *resource_words(enum resource_type type);

struct guard_event {
	const char *object;       ///< `a Mach port`; NULL: unknown
	const char *violation;    ///< the forbidden operation; NULL: unknown
	const char *target_words; ///< kind of the target: `port`
	uint64_t target;
	const char *advice; ///< or NULL
};

struct guard_event guard_decode(uint64_t code);

/** The kernel's numbers. */
enum guard_type {
	GUARD_UNKNOWN,
	GUARD_MACH_PORT = 1,
	GUARD_FD = 2,
	GUARD_USER = 3,
	GUARD_VN = 4,
	GUARD_VIRT_MEMORY = 5,
	GUARD_REJECTED_SC = 6,
};

/** From a report: `GUARD_TYPE_MACH_PORT`, perhaps with more text. */
enum guard_type guard_type_of(const char *subtype);

/** `a Mach port`; NULL: unknown. */
const char *guard_object(enum guard_type type);

#endif

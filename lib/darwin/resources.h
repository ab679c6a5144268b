// SPDX-License-Identifier: MIT
/**
 * EXC_RESOURCE and EXC_GUARD: what their codes pack into 64 bits.
 *
 * Sources: XNU's osfmk/kern/exc_resource.h and exc_guard.h, <mach/port.h>,
 * bsd/sys/guarded.h (formats.md 9.5, 9.6).
 */
#ifndef APMTOOL_LIB_DARWIN_RESOURCES_H
#define APMTOOL_LIB_DARWIN_RESOURCES_H

#include <stdint.h>

/** The numbers are the kernel's. */
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
	enum resource_type type; ///< unknown: nothing else is set
	uint64_t limit;          ///< in @c unit; 0: not said
	const char *unit;        ///< `% of a processor`
	uint64_t interval_s;     ///< that it was measured over; 0: not said
	uint64_t observed;       ///< in @c unit; 0: not said
};

struct resource_event resource_decode(uint64_t code, uint64_t subcode);

/** `CPU`, `RESOURCE_TYPE_MEMORY`, `WAKEUPS`: as reports have it; or NULL. */
enum resource_type resource_type_of(const char *subtype);

/** `memory`, in words. */
const char *resource_words(enum resource_type type);

struct guard_event {
	const char *object;       ///< `a Mach port`; NULL: unknown
	const char *violation;    ///< what was tried; NULL: unknown
	const char *target_words; ///< what the target is: `port`
	uint64_t target;
	const char *advice; ///< NULL: none
};

struct guard_event guard_decode(uint64_t code);

/** The numbers are the kernel's. */
enum guard_type {
	GUARD_UNKNOWN,
	GUARD_MACH_PORT = 1,
	GUARD_FD = 2,
	GUARD_USER = 3,
	GUARD_VN = 4,
	GUARD_VIRT_MEMORY = 5,
	GUARD_REJECTED_SC = 6,
};

/** `GUARD_TYPE_MACH_PORT`, as reports have it, with more after it or not. */
enum guard_type guard_type_of(const char *subtype);

/** `a Mach port`; NULL: unknown. */
const char *guard_object(enum guard_type type);

#endif

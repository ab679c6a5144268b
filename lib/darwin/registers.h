// SPDX-License-Identifier: MIT
/**
 * Registers by processor: order and names in Apple's text reports, and keys in
 * `.ips` and KSCrash (apmtool-formats(5); XNU's <mach/arm/_structs.h> and
 * <mach/i386/_structs.h>).
 */
#ifndef APMTOOL_LIB_DARWIN_REGISTERS_H
#define APMTOOL_LIB_DARWIN_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Labels of fields below the registers in x86 reports. */
#define DARWIN_LOGICAL_CPU "Logical CPU"
#define DARWIN_ERROR_CODE  "Error Code"
#define DARWIN_TRAP_NUMBER "Trap Number"

struct darwin_register {
	const char *key;  ///< in JSON; several keys may mean one register
	const char *name; ///< in text
};

/** A kind of thread state. */
struct darwin_thread_state {
	uint64_t cpu_type;
	const char *title;  ///< in text: `ARM Thread State (64-bit)`
	const char *flavor; ///< in `.ips`: `ARM_THREAD_STATE64`; or NULL
	/** The key of a register that only this kind has; or NULL. */
	const char *mark;
	/**
	 * Prefix of the numbered registers, `x0` to `x28`: an array in `.ips`.
	 */
	const char *array_prefix;
	bool is_x86;
	const struct darwin_register *registers; ///< in the order of text
	size_t count;
};

/** All kinds; ends with a NULL title. */
extern const struct darwin_thread_state darwin_thread_states[];

/**
 * By flavor, `ARM_THREAD_STATE64`; x86_THREAD_STATE, of either width, is
 * 64-bit.
 */
const struct darwin_thread_state *darwin_thread_state_of_flavor(
        const char *flavor);

/** By title in text, including variants of other writers. */
const struct darwin_thread_state *darwin_thread_state_of_title(
        const char *title);

const struct darwin_thread_state *darwin_thread_state_of_cpu(uint64_t cpu_type);

/** The key of a register in `.ips`; @p name itself if they are equal. */
const char *darwin_register_key(const struct darwin_thread_state *state,
                                const char *name);

#endif

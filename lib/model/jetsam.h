// SPDX-License-Identifier: MIT
/**
 * A JetsamEvent: the memory of all processes when the kernel killed some of
 * them for memory (apmtool-formats(5)). Plain data in the units of the log
 * (pages, Mach ticks), written only by the parser. lib/model/jetsam_answer.h
 * has the results of its analysis.
 *
 * A log may have several victims, or none. Date, device, OS and incident are
 * fields of the report (report.h).
 */
#ifndef APMTOOL_LIB_MODEL_JETSAM_H
#define APMTOOL_LIB_MODEL_JETSAM_H

#include "lib/base/arena.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** More than any device has: a higher count is damage. */
#define JETSAM_PAGES_MAX ((uint64_t)1 << 40)

/** A number that may be absent, as distinct from 0. */
struct jetsam_number {
	uint64_t value;
	bool known;
};

/** Activity of a process; several may apply. */
enum jetsam_state {
	JETSAM_FRONTMOST = 1 << 0,
	JETSAM_ACTIVE = 1 << 1,
	JETSAM_BACKGROUND = 1 << 2,
	JETSAM_SUSPENDED = 1 << 3,
	JETSAM_RESUME = 1 << 4,
	JETSAM_SUSPENDING = 1 << 5,
	JETSAM_DAEMON = 1 << 6,
	JETSAM_IDLE = 1 << 7,
	JETSAM_AUDIO = 1 << 8,
	JETSAM_ACCESSORY = 1 << 9,
	JETSAM_LOCATION = 1 << 10,
	JETSAM_BLUETOOTH = 1 << 11,
	JETSAM_PERIODIC = 1 << 12,
	JETSAM_CONTINUOUS = 1 << 13,
};

/** Allocated separately: few processes have it, and a log may list 700,000. */
struct jetsam_kernel {
	struct jetsam_number footprint_bytes;
	struct jetsam_number limit_bytes;
	const char *limit_name; ///< `ActiveHard`; or NULL
};

struct jetsam_process {
	const char *name; ///< truncated to 32 characters, 16 on old systems
	struct jetsam_number pid;
	struct uuid uuid;                    ///< of the main image; or zero
	struct jetsam_number pages;          ///< `rpages`: footprint
	struct jetsam_number lifetime_pages; ///< `lifetimeMax`; or recent_max
	struct jetsam_number purgeable_pages;
	struct jetsam_number resident_pages;   ///< `physicalPages.internal`
	struct jetsam_number compressed_pages; ///< `physicalPages.internal`
	struct jetsam_number fds; ///< size of the table, not open files
	struct jetsam_number regions;
	struct jetsam_number coalition;
	struct jetsam_number cpu_time_us;
	struct jetsam_number age_ticks;
	struct jetsam_number idle_ticks;
	struct jetsam_number kill_ticks; ///< kill time − snapshot time
	struct jetsam_number generation; ///< `genCount`
	struct jetsam_number cs_flags;
	struct jetsam_number cs_trust_level;
	uint32_t index;  ///< in the log, from 0; JSON omits some values
	int priority;    ///< on the scale of its system
	unsigned states; ///< enum jetsam_state
	bool has_priority;
	const char *states_text; ///< all, as in the log: `frontmost, resume`
	const char *reason;      ///< NULL: not killed
	const char *freeze_skip_reason;
	/** Values from lines of the kernel's log, instead of pages; or NULL. */
	struct jetsam_kernel *kernel;
};

/** Pages of the system by kind. */
struct jetsam_memory {
	struct jetsam_number page_bytes; ///< as in the log
	struct jetsam_number free;
	struct jetsam_number active;
	struct jetsam_number inactive;
	struct jetsam_number purgeable;
	struct jetsam_number wired;
	struct jetsam_number speculative;
	struct jetsam_number throttled;
	struct jetsam_number file_backed;
	struct jetsam_number anonymous;
	struct jetsam_number compressor;   ///< pages it occupies
	struct jetsam_number uncompressed; ///< pages it holds
	struct jetsam_number compressions;
	struct jetsam_number decompressions;
	// The kernel's zones, in bytes:
	struct jetsam_number zone_map_cap;
	struct jetsam_number zone_map_size;
	struct jetsam_number largest_zone_size;
	const char *largest_zone;
};

/** Why a log is incomplete (report.h, `truncated`). */
enum jetsam_part {
	JETSAM_TRUNCATED, ///< it ends early
	JETSAM_DAMAGED,   ///< its middle cannot be read
	JETSAM_EXCERPT,   ///< someone copied a few entries
};

/** `truncated log`, `damaged log`, `excerpt`. */
const char *jetsam_part_name(enum jetsam_part part);

struct jetsam {
	const char *kernel; ///< `Darwin Kernel Version …`
	const char *event_reason;
	struct jetsam_number event_code;
	struct jetsam_number time_delta_ms; ///< snapshot to notification
	const char *largest_name; ///< as in the log; it may have survived
	struct jetsam_memory memory;
	struct jetsam_process *processes; ///< in the order of the log
	size_t process_count;
	size_t process_cap;
	bool has_process_list; ///< false: truncated, or absent
	/** Why it is incomplete. */
	enum jetsam_part part;
};

/** Memory of a process and its analysis, in lines of a report. */
#define JETSAM_PROCESS_LINES 3

/** Append a process with its index. */
struct jetsam_process *jetsam_add_process(struct jetsam *jetsam,
                                          struct arena *arena);

/** The flag of a state by its name in a log; 0 if unknown. */
unsigned jetsam_state_find(const char *name);

#endif

/**
 * A JetsamEvent: who held how much memory when the kernel killed processes
 * for it (formats.md chapter 4). Plain data: the parser fills in what the log
 * says, in the units it says it in (pages, mach ticks); the analysis adds what
 * follows from it, in bytes and milliseconds; formatters print both.
 *
 * A log is a batch: it may name several victims, or none. Date, device, OS
 * and incident are the report's own fields, for they mean what they mean
 * everywhere (report.h).
 */
#ifndef APMTOOL_LIB_MODEL_JETSAM_H
#define APMTOOL_LIB_MODEL_JETSAM_H

#include "lib/base/arena.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** More pages than any device has: a count above is damage. */
#define JETSAM_PAGES_MAX ((uint64_t)1 << 40)

/** A number that may be absent: 0 and "the log does not say" differ. */
struct jetsam_number {
	uint64_t value;
	bool known;
};

/** What a process was doing; several at once (formats.md 4.3). */
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

/** Where a process stood when it was killed, or the log was written. */
enum jetsam_stand {
	JETSAM_STAND_UNKNOWN,
	JETSAM_STAND_FOREGROUND, ///< FOOM: the user was looking at it
	JETSAM_STAND_BACKGROUND, ///< BOOM
	JETSAM_STAND_SYSTEM,     ///< a daemon: the user saw nothing of it
};

struct jetsam_process {
	size_t index;     ///< in the log, from 0
	const char *name; ///< cut to 32 characters, 16 on old systems
	struct jetsam_number pid;
	struct uuid uuid;           ///< of the main image; zero: not said
	struct jetsam_number pages; ///< `rpages`: footprint
	struct jetsam_number lifetime_pages; ///< `lifetimeMax`; or recent_max
	struct jetsam_number purgeable_pages;
	struct jetsam_number resident_pages;   ///< `physicalPages.internal`
	struct jetsam_number compressed_pages; ///< `physicalPages.internal`
	struct jetsam_number fds; ///< size of the table, not what is open
	struct jetsam_number regions;
	struct jetsam_number coalition;
	struct jetsam_number cpu_time_us;
	struct jetsam_number age_ticks;
	struct jetsam_number idle_ticks;
	struct jetsam_number kill_ticks; ///< kill time − snapshot time
	struct jetsam_number generation; ///< `genCount`
	struct jetsam_number cs_flags;
	struct jetsam_number cs_trust_level;
	int priority; ///< on the scale of its system
	bool has_priority;
	unsigned states;         ///< enum jetsam_state
	const char *states_text; ///< all, as printed: `frontmost, resume`
	const char *reason;      ///< NULL: was not killed
	const char *freeze_skip_reason;

	// Set by the analysis:
	struct jetsam_number footprint_bytes;
	struct jetsam_number lifetime_bytes;
	struct jetsam_number age_ms;
	struct jetsam_number idle_ms;
	struct jetsam_number kill_delay_us; ///< after the snapshot
	const char *band; ///< `foreground app`; NULL: no priority, or no name
	enum jetsam_stand stand; ///< when the log was written
};

/** How many pages the system had of each kind. */
struct jetsam_memory {
	struct jetsam_number page_bytes; ///< as the log says it
	struct jetsam_number free;
	struct jetsam_number active;
	struct jetsam_number inactive;
	struct jetsam_number purgeable;
	struct jetsam_number wired;
	struct jetsam_number speculative;
	struct jetsam_number throttled;
	struct jetsam_number file_backed;
	struct jetsam_number anonymous;
	struct jetsam_number compressor;   ///< pages that it takes
	struct jetsam_number uncompressed; ///< pages that it holds
	struct jetsam_number compressions;
	struct jetsam_number decompressions;
	// The kernel's zones, in bytes:
	struct jetsam_number zone_map_cap;
	struct jetsam_number zone_map_size;
	struct jetsam_number largest_zone_size;
	const char *largest_zone;
};

// What the analysis makes of it

/** A row of the memory pages. */
struct jetsam_memory_row {
	const char *name; ///< `file-backed`
	uint64_t bytes;
	struct jetsam_number permille; ///< of the sum of the physical pages
	bool is_part; ///< also counted in another row: not part of the sum
};

struct jetsam_victim {
	const struct jetsam_process *process;
	enum jetsam_stand stand;
	const char *evidence; ///< what the stand rests on; NULL: nothing
	const char *meaning;  ///< the reason in words
	const char *advice;   ///< what to do about it; NULL: nothing
	bool at_fault;        ///< by its own limit, not by the system's need
	bool is_largest;      ///< nobody in the log held more
	/** Its hard limit, where the reason lets it be read. */
	struct jetsam_number limit_bytes;
};

/** What the processes of one app and its helpers hold together. */
struct jetsam_coalition {
	uint64_t id;
	const char *name; ///< of its largest process
	size_t process_count;
	uint64_t pages;
	struct jetsam_number bytes;
};

/** A limit that somebody measured on such a device: a hint, no more. */
struct jetsam_hint {
	const char *device; ///< model name; NULL: none was collected
	uint64_t limit_bytes;
	const char *limit_mib; ///< the same in MiB, `1450.09375`
	const char *ram_mib;
	uint64_t percent;   ///< of the memory that the limit is
	const char *os;     ///< that it was measured on; NULL: not said
	const char *source; ///< who collected it
	bool disagrees;     ///< the log's own limit is another
};

struct jetsam {
	const char *kernel; ///< `Darwin Kernel Version …`
	const char *event_reason;
	struct jetsam_number event_code;
	struct jetsam_number time_delta_ms; ///< snapshot to notification
	const char *largest_name; ///< as the log says; may have been spared
	struct jetsam_memory memory;
	struct jetsam_process *processes; ///< in the order of the log
	size_t process_count;
	size_t process_cap;
	bool has_process_list; ///< false: cut off, or never there

	// Set by the analysis:
	const char *model;               ///< `iPhone 11 Pro`; NULL: unknown
	struct jetsam_number page_bytes; ///< as it was used
	bool page_bytes_assumed;         ///< the log does not say
	/** Nor does the device: nothing is counted in bytes. */
	bool page_bytes_unsure;
	bool new_bands;             ///< the scale of iOS 16
	const char *const *verdict; ///< lines for a person
	size_t verdict_count;
	struct jetsam_victim *victims; ///< the heaviest first
	size_t victim_count;
	const struct jetsam_process *largest; ///< by pages; NULL: none
	struct jetsam_memory_row *rows;
	size_t row_count;
	struct jetsam_number physical_bytes;      ///< the sum of the rows
	struct jetsam_number compression_percent; ///< held / taken × 100
	const struct jetsam_process **ranking; ///< those to be shown, in order
	size_t ranking_count;
	const char *ranking_order;           ///< `pages`
	struct jetsam_coalition *coalitions; ///< of several, heaviest first
	size_t coalition_count;
	struct jetsam_hint hint;
};

/** A new process at the end, its index set. */
struct jetsam_process *jetsam_add_process(struct jetsam *jetsam,
                                          struct arena *arena);

/** The flag of a state by its name in a log; 0: unknown. */
unsigned jetsam_state_find(const char *name);

/** `foreground`, `background`, `system`, `unknown`, as JSON has them. */
const char *jetsam_stand_name(enum jetsam_stand stand);

#endif

/**
 * A lag report: what one device sampled of its main thread during a stall
 * (formats.md chapter 7), folded as it comes, whatever form it came in.
 *
 * A reader holds one lag_report and uses it again for each report; `names`
 * alone lives on. Every sample goes through lag_report_add(), which keeps a
 * call tree and what the choice of the most expensive stack needs, so memory
 * grows with the different stacks, not with the samples.
 *
 * The frames of the tree are numbers of two kinds: a bare symbol is its
 * number in `names`; anything that has an address is LAG_FRAME_PLACED plus
 * its index in the report's `frames`. Addresses are those of the device:
 * they mean nothing outside of the report before lag_report_place().
 */
#ifndef APMTOOL_LIB_MODEL_LAG_H
#define APMTOOL_LIB_MODEL_LAG_H

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/base/uuid.h"
#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A frame number from here on is an index into lag_report.frames. */
#define LAG_FRAME_PLACED ((uint32_t)1 << 31)

/** A sample that tells no cost took one interval; this, if none is told
 *  either (formats.md 7.2: sampling every 50 ms). */
#define LAG_INTERVAL_US 50000

/** Deepest stack that is kept; of a deeper one, the middle is left out. */
#define LAG_STACK_FRAMES 4096
/** Most notes of a report; further ones are counted only. */
#define LAG_NOTES 20
/** Larger costs (12 days) are damage. */
#define LAG_COST_US_MAX ((uint64_t)1 << 40)

struct lag_image {
	uint64_t base;    ///< load address; 0: not known
	uint64_t size;    ///< bytes; 0: up to the next image (formats.md 7.1)
	struct uuid uuid; ///< zero: not said
	const char *name; ///< base name of the path; never NULL
	const char *path; ///< NULL: only a name was told
	/** The app's own, as its reader found in a form without paths. */
	bool own;
};

/** A frame that has an address. */
struct lag_frame {
	uint64_t address; ///< 0: not said; then symbol and image are
	uint32_t symbol;  ///< in names; INTERN_NONE: not said
	uint32_t image;   ///< in names, as the frame itself says; INTERN_NONE
	/** Index into images; LAG_NO_IMAGE. Set by lag_report_place(). */
	uint32_t placed;
	/** The address lies in that image; else, the frame only names it. */
	bool has_offset;
	bool exact; ///< an instruction's own address, not one behind a call
};
#define LAG_NO_IMAGE UINT32_MAX

struct lag_note {
	const char *place; ///< `samples[3].stack[17]`, `line 12`
	const char *text;  ///< `expected a number, found "n/a"`
};

/** The longest run of samples with the same innermost frame (Matrix). */
struct lag_run {
	uint32_t frame;
	uint32_t node; ///< where the newest sample of the run ended
	uint64_t samples;
};

struct lag_report {
	struct intern *names; ///< of the reader; outlives the report
	struct arena arena;   ///< all below; cleared with the report

	const char *input; ///< file name as given; the caller sets it
	size_t line;       ///< where it begins in the input, from 1
	const char *id;    ///< NULL where the report has none, as below
	const char *session;
	const char *app; ///< name of the app, or of its process
	const char *os;
	const char *device;
	const char *arch;
	const char *app_path; ///< main executable; NULL: not said
	int platform;         ///< formats.md 3.1; 0: not said
	uint64_t interval_us; ///< 0: not said

	struct lag_image *images;
	size_t image_count;
	size_t image_cap;
	struct lag_frame *frames;
	size_t frame_count;
	size_t frame_cap;
	struct calltree tree;
	uint64_t sample_count; ///< all weights
	uint64_t cost_us;
	uint32_t sequence;       ///< samples added so far
	struct lag_run run;      ///< the one that is going on
	struct lag_run best_run; ///< the longest, the newest on a tie
	/** Its frames came with their images: they are not placed again. */
	bool is_placed;
	bool from_nodes; ///< read from a tree: nothing is known of the order
	struct lag_note notes[LAG_NOTES];
	size_t note_count; ///< may exceed LAG_NOTES

	// For lag_report_frame() alone:
	uint32_t *frame_slots;
	size_t frame_slot_count;
	uint64_t seed;
};

/** @p names outlives the report and may be shared by a reader's reports. */
void lag_report_init(struct lag_report *report, struct intern *names);
/** Ready for the next report; memory is kept. */
void lag_report_clear(struct lag_report *report);
void lag_report_release(struct lag_report *report);

/** The number of a frame that has an address; equal ones get the same. */
uint32_t lag_report_frame(struct lag_report *report,
                          const struct lag_frame *frame);

/**
 * Add a stack, outermost frame first.
 *
 * @param weight   How many samples it stands for; 0: it is a call of a tree
 *                 that took time of its own, and no sample ended there.
 * @param cost_us  Of all of them.
 * @return The node where it ends; CALLTREE_ROOT if it is empty: then nothing
 *         is counted.
 */
uint32_t lag_report_add(struct lag_report *report, const uint32_t *frames,
                        size_t count, uint64_t weight, uint64_t cost_us);

/**
 * Count samples that ended at @p node, which calltree_child() gave.
 *
 * @param weight  0: it took time of its own, and no sample ended there.
 */
void lag_report_count(struct lag_report *report, uint32_t node, uint64_t weight,
                      uint64_t cost_us);

/**
 * An image without a name at 0, to be filled; borrowed until the next one is
 * added.
 */
struct lag_image *lag_report_add_image(struct lag_report *report);

/**
 * Set `placed` of each frame (lib/model/image_map.h): the image that covers its
 * address, or else the one that the frame names, above whose base it lies, or
 * the first of that name. A signed address loses its signature where an image
 * is found. No frames are added afterwards: they would not be known to be
 * equal. Where images have addresses, frames that lie in none are noted, once.
 * O(n log n).
 */
void lag_report_place(struct lag_report *report);

/** Both are copied. */
void lag_report_note(struct lag_report *report, const char *place,
                     const char *text);

#endif

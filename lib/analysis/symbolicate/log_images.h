// SPDX-License-Identifier: MIT
/**
 * Images of the processes in a log: UUIDs and load addresses from lists in it,
 * or in other files.
 *
 * A list belongs to a process, by number if the log has it. A list that
 * contradicts the previous one (one image at two addresses, or two at one)
 * belongs to another launch, and replaces it. Nothing is guessed: a frame with
 * a load address that contradicts the list has no image.
 *
 * If a log is read twice, all its lists are added first, and apply to earlier
 * lines, too:
 *
 *     struct log_images images = { .keeps_all = true };
 *
 *     log_images_add(&images, pid, at, &image);        // all of the log
 *     log_images_rewind(&images);
 *     log_images_find(&images, pid, at, &frame, &place);
 *     log_images_release(&images);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_LOG_IMAGES_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_LOG_IMAGES_H

#include "lib/base/intern.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Max processes, images of each and of all, and different names and paths, for
 * a log that is read once. The oldest are dropped.
 */
#define LOG_PROCESSES_MAX 256
#define LOG_LIST_MAX      ((size_t)2048)
#define LOG_IMAGES_MAX    ((size_t)40000)
#define LOG_NAMES_MAX     ((uint32_t)16384)
/** Images with longer names are ignored, longer paths are unknown. */
#define LOG_NAME_BYTES_MAX 256
#define LOG_PATH_BYTES_MAX 512

/** An image. */
struct log_known_image {
	struct uuid uuid;
	bool has_base;
	uint64_t base;
	uint64_t size; ///< 0: unknown
	uint32_t name; ///< number in `names`
	uint32_t path; ///< number in `names`; or INTERN_NONE
};

struct log_image_list {
	struct log_known_image *items;
	size_t count;
	size_t cap;
	uint64_t begin; ///< position in the log where it becomes valid
	uint64_t end;   ///< position of its last image
	size_t next;    ///< list of the same process; or SIZE_MAX
};

struct log_process {
	uint64_t pid;
	size_t first;      ///< index of its first list
	size_t current;    ///< index of the valid list
	bool has_frames;   ///< since its last image
	bool lists_follow; ///< its first list came after frames
};

/** All zeros is empty, and drops replaced lists. */
struct log_images {
	bool keeps_all; ///< keep replaced lists: the log will be read again
	struct intern names;
	struct log_process processes[LOG_PROCESSES_MAX];
	size_t process_count;
	struct log_image_list *lists;
	size_t list_count;
	size_t list_cap;
	size_t image_count;
	/** The limits were exceeded: nothing is known from there on. */
	bool is_full;
	uint64_t full_at;
	/** The process of lists without one; 0: unknown. */
	uint64_t owner;
};

/** An image in a log; an unknown process is 0. */
struct log_given_image {
	struct uuid uuid;
	bool has_base;
	uint64_t base;
	uint64_t size;
	struct text name;
	struct text path; ///< or empty
	/** Not from a list: derived from two frames, the first at `since`. */
	bool is_inferred;
	uint64_t since;
};

/** Place of a frame. */
struct log_wanted {
	struct text image;
	uint64_t address;
	bool has_offset; ///< offset from the load address, in the frame itself
	uint64_t offset;
};

struct log_place {
	const struct log_known_image *image; ///< valid until the next change
	uint64_t offset;
};

/** Begin a report of another launch at position @p at. */
void log_images_begin(struct log_images *images, uint64_t pid, uint64_t at);

/** Add an image of a list at position @p at. */
void log_images_add(struct log_images *images, uint64_t pid, uint64_t at,
                    const struct log_given_image *image);

/** Note a frame: the next list is a new one. */
void log_images_note_frame(struct log_images *images, uint64_t pid,
                           uint64_t at);

/** Begin the second pass over the log. */
void log_images_rewind(struct log_images *images);

/** Find the image of a frame at position @p at; false if unknown. */
bool log_images_find(struct log_images *images, uint64_t pid, uint64_t at,
                     const struct log_wanted *wanted, struct log_place *ret);

/**
 * As log_images_find(), in a list given for all processes: for a frame with its
 * own offset, the name suffices if all images with it are one build.
 */
bool log_images_find_given(struct log_images *images,
                           const struct log_wanted *wanted,
                           struct log_place *ret);

/** The image at an address, by the sizes in the list of the process. */
bool log_images_find_address(struct log_images *images, uint64_t pid,
                             uint64_t at, uint64_t address,
                             struct log_place *ret);

/** Does any valid list have an image with that name? */
bool log_images_has_name(const struct log_images *images, struct text name);

const char *log_images_name(const struct log_images *images, uint32_t number);

void log_images_release(struct log_images *images);

#endif

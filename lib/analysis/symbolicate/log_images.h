// SPDX-License-Identifier: MIT
/**
 * The images of the processes that wrote a log: what lists in it, or beside it,
 * say of UUIDs and load addresses.
 *
 * A list belongs to a process, by its number where the log says it. A list that
 * contradicts the one before is of another run of it, and replaces it: one
 * image at two addresses, or two at one. Nothing is guessed: a frame that says
 * itself where its image was loaded, and contradicts the list, is in none.
 *
 * Where a log is read twice, all of its lists are added first, and count for
 * what is before them, too:
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
 * Processes, images of one and of all of them, and their names and paths: what
 * is remembered of a log that is read once. What came first makes room.
 */
#define LOG_PROCESSES_MAX 256
#define LOG_LIST_MAX      ((size_t)2048)
#define LOG_IMAGES_MAX    ((size_t)40000)
#define LOG_NAMES_MAX     ((uint32_t)16384)
/** An image with a longer name is left out, and a longer path is not known. */
#define LOG_NAME_BYTES_MAX 256
#define LOG_PATH_BYTES_MAX 512

/** What is known of one image. */
struct log_known_image {
	struct uuid uuid;
	bool has_base;
	uint64_t base;
	uint64_t size; ///< 0: not known
	uint32_t name; ///< number in `names`
	uint32_t path; ///< the same; INTERN_NONE: not known
};

struct log_image_list {
	struct log_known_image *items;
	size_t count;
	size_t cap;
	uint64_t begin; ///< from here on in the log it holds
	uint64_t end;   ///< where its last image is
	size_t next;    ///< of the same process; SIZE_MAX: the last
};

struct log_process {
	uint64_t pid;
	size_t first;      ///< of its lists
	size_t current;    ///< the list that holds
	bool has_frames;   ///< since the last image of it
	bool lists_follow; ///< its first list came after frames
};

/** All zeros is empty, and forgets a list that was replaced. */
struct log_images {
	bool keeps_all; ///< lists that are replaced stay: the log is read again
	struct intern names;
	struct log_process processes[LOG_PROCESSES_MAX];
	size_t process_count;
	struct log_image_list *lists;
	size_t list_count;
	size_t list_cap;
	size_t image_count;
	/** More than is remembered came: from there on, nothing is known. */
	bool is_full;
	uint64_t full_at;
	/** The process that the lists of no process are of; 0: not known. */
	uint64_t owner;
};

/** An image as a log has it; a process that is not known is 0. */
struct log_given_image {
	struct uuid uuid;
	bool has_base;
	uint64_t base;
	uint64_t size;
	struct text name;
	struct text path; ///< empty: not known
	/** No list has it: two frames agree, the first of them at `since`. */
	bool is_inferred;
	uint64_t since;
};

/** What a frame says of its place. */
struct log_wanted {
	struct text image;
	uint64_t address;
	bool has_offset; ///< from the load address, by the frame itself
	uint64_t offset;
};

struct log_place {
	const struct log_known_image *image; ///< until the next change
	uint64_t offset;
};

/** A report of another run begins at @p at. */
void log_images_begin(struct log_images *images, uint64_t pid, uint64_t at);

/** A list has this image, at @p at in the log. */
void log_images_add(struct log_images *images, uint64_t pid, uint64_t at,
                    const struct log_given_image *image);

/** A frame was there: a list that comes now is another one. */
void log_images_note_frame(struct log_images *images, uint64_t pid,
                           uint64_t at);

/** All of the log was seen: it is read again from its beginning. */
void log_images_rewind(struct log_images *images);

/** The image that a frame at @p at lies in; false: it is not known. */
bool log_images_find(struct log_images *images, uint64_t pid, uint64_t at,
                     const struct log_wanted *wanted, struct log_place *ret);

/**
 * The same in a list that somebody gave for all processes: of a frame with an
 * offset of its own, the name is enough if all images of it are one build.
 */
bool log_images_find_given(struct log_images *images,
                           const struct log_wanted *wanted,
                           struct log_place *ret);

/**
 * The image that an address lies in, whatever its name: of those whose sizes
 * the list of the process says.
 */
bool log_images_find_address(struct log_images *images, uint64_t pid,
                             uint64_t at, uint64_t address,
                             struct log_place *ret);

/** Is there an image of that name in any list that holds? */
bool log_images_has_name(const struct log_images *images, struct text name);

const char *log_images_name(const struct log_images *images, uint32_t number);

void log_images_release(struct log_images *images);

#endif

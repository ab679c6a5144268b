// SPDX-License-Identifier: MIT
/**
 * MetricKit diagnostic payloads (formats.md chapter 8), read piece by piece:
 * a stack overflow brings more levels of `subFrames` than a document may have.
 *
 * The parts: the levels above the frames (metrickit.c), facts about a
 * diagnostic (facts.c), frames (frames.c), what becomes of them (tree.c),
 * images (images.c).
 *
 * As in the other readers, nothing inside is an error: what is mistyped or
 * out of range becomes a note that names its place as a JSON path.
 */
#ifndef APMTOOL_PARSERS_METRICKIT_READER_H
#define APMTOOL_PARSERS_METRICKIT_READER_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/uuid.h"
#include "lib/model/report.h"
#include "parsers/json/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define METRICKIT_DIAGNOSTICS_MAX 10000 ///< of an input
#define METRICKIT_IMAGES_MAX      2000  ///< of a diagnostic

/** Objects around the frames: Apple has four; copies wrap them. */
#define METRICKIT_LEVELS_MAX 16

/** A frame as it is written. */
struct metrickit_frame {
	struct uuid uuid;
	const char *name; ///< NULL if it is not said
	uint64_t address;
	uint64_t offset; ///< as it is written: see images.c
	bool has_address;
	bool has_offset;
};

/** An entry of `callStacks`. */
struct metrickit_stack {
	/**
	 * As it is written, in pre-order: children are `subFrames`. A node's
	 * frame is an index into those of the diagnostic, its samples are 0 if
	 * they are not said.
	 */
	struct calltree calls;
	bool attributed;
};

/** `binaryInfo` of OS 27: names of images, which its frames do not have. */
struct metrickit_binary {
	struct uuid uuid;
	size_t order; ///< of several names, the first that was read counts
	const char *name;
};

/** Where the stacks of a diagnostic begin. */
enum metrickit_direction { METRICKIT_LEAF_FIRST, METRICKIT_ROOT_FIRST };

/** What kind of diagnostic it is, by the key that lists it. */
struct metrickit_kind {
	const char *key;  ///< `hang` of `hangDiagnostics`
	const char *name; ///< `hang report`; NULL: a crash
	bool is_sampled;  ///< its stacks are samples, whatever their shape
	enum sample_kind sample_kind;
};

/** A diagnostic, or a level around some that may turn out to be one. */
struct metrickit_diagnostic {
	struct report *report;
	const struct metrickit_kind *kind; ///< NULL: it does not say
	bool has_tree;
	bool has_facts;

	struct metrickit_frame *frames;
	size_t frame_count;
	size_t frame_cap;
	struct metrickit_stack *stacks;
	size_t stack_count;
	size_t stack_cap;
	struct metrickit_binary *binaries;
	size_t binary_count;
	size_t binary_cap;
	bool per_thread;
	bool has_per_thread;

	// Facts that become others in the end.
	const char *arch;
	const char *range_begin;
	const char *range_end;
	uint64_t exception_type;
	uint64_t exception_code;
	uint64_t signal;
	bool has_exception_type;
	bool has_exception_code;
	bool has_signal;

	/** Of the level around it, until this one is done. */
	struct json_reader outer_notes;
};

/**
 * A measurement as its device wrote it. What its marks mean may follow from
 * others of the payload, so that it is read at the end of each level.
 */
struct metrickit_measure {
	struct report *report;
	const struct metrickit_measured *what;
	const char *text;
	bool is_read;
};

struct metrickit_reader {
	struct arena *arena;
	struct json_source source; ///< the current document
	struct json_reader notes;  ///< of the current diagnostic
	unsigned level;
	struct metrickit_diagnostic *at; ///< what is being read
	struct report *first;
	struct report *last;
	size_t report_count;
	/** Of the payload, in its order. */
	struct metrickit_measure *measures;
	size_t measure_count;
	size_t measure_cap;
};

/** A copy of a name, for comparing while its value is read; "" if too long. */
struct metrickit_name {
	char text[64];
};
static inline struct metrickit_name metrickit_name(
        const struct json_event *event)
{
	struct metrickit_name name = { { 0 } };

	if (event->text.size < sizeof(name.text))
		memcpy(name.text, event->text.data, event->text.size);
	return name;
}

/** The kind of that key, singular or plural; NULL: of no kind. */
const struct metrickit_kind *metrickit_kind_of(const char *key,
                                               struct arena *arena);

/** Is that key the list of a kind that we know, or its singular? */
bool metrickit_is_kind(struct text key);

/** Read the value of any other member: a fact about the diagnostic. */
void metrickit_read_fact(struct metrickit_reader *r, const char *key);
/** Make the report's fields of the facts that need each other. */
void metrickit_finish_facts(struct metrickit_reader *r);

/** Keep @p text, the value of @p key, if it is a measurement. */
void metrickit_keep_measure(struct metrickit_reader *r, const char *key,
                            const char *text);
/**
 * Read those from @p first on by what they say of each other: at the end of the
 * level that has them.
 */
void metrickit_read_measures(struct metrickit_reader *r, size_t first);
/** Say which could not be read, and release them. */
void metrickit_finish_measures(struct metrickit_reader *r);

/** Read `callStacks`, whose value is the next event. */
void metrickit_read_stacks(struct metrickit_reader *r);
/** Read `binaryInfo`, whose value is the next event. */
void metrickit_read_binaries(struct metrickit_reader *r);

/** Make threads or trees of the nodes, and images. */
void metrickit_build(struct metrickit_reader *r);

/** How a diagnostic's frames find their images; all zeros to begin. */
struct metrickit_images {
	struct map map;            ///< indexes of the report's images
	size_t load_address_count; ///< frames whose "offset" is no offset
	size_t moved_count; ///< frames of other sessions than the image's
	size_t bad_offset_count;
	size_t over_limit_count;
};

void metrickit_images_release(struct metrickit_images *images);
/** Set the address and the image of @p frame. */
void metrickit_place(struct metrickit_reader *r,
                     struct metrickit_images *images,
                     const struct metrickit_frame *from,
                     struct report_frame *frame);
/** Say what was found of the offsets, and which images are the app's. */
void metrickit_finish_images(struct metrickit_reader *r,
                             const struct metrickit_images *images);

#endif

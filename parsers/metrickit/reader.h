// SPDX-License-Identifier: MIT
/**
 * MetricKit diagnostic payloads (apmtool-formats(5)), streamed: a stack
 * overflow nests `subFrames` deeper than a document may.
 *
 * Files: the levels around the frames (metrickit.c), facts of a diagnostic
 * (facts.c), frames (frames.c), their threads or trees (tree.c), images
 * (images.c).
 *
 * Nothing inside is an error: mistyped members and values out of range become
 * notes with their JSON path.
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

#define METRICKIT_DIAGNOSTICS_MAX 10000 ///< in an input
#define METRICKIT_IMAGES_MAX      2000  ///< in a diagnostic

/**
 * Max levels of objects around the frames: Apple has four; copies wrap them.
 */
#define METRICKIT_LEVELS_MAX 16

/** A frame as in the input. */
struct metrickit_frame {
	struct uuid uuid;
	const char *name; ///< or NULL
	uint64_t address;
	uint64_t offset; ///< as in the input; see images.c
	bool has_address;
	bool has_offset;
};

/** An entry of `callStacks`. */
struct metrickit_stack {
	/**
	 * As in the input, in pre-order: children are `subFrames`. A node's
	 * frame is an index into the diagnostic's frames; its samples are 0 if
	 * unknown.
	 */
	struct calltree calls;
	bool attributed;
};

/** `binaryInfo` of OS 27: image names, which its frames omit. */
struct metrickit_binary {
	struct uuid uuid;
	size_t order; ///< of several names, the first in the input wins
	const char *name;
};

/** Which end of the stacks comes first. */
enum metrickit_direction { METRICKIT_LEAF_FIRST, METRICKIT_ROOT_FIRST };

/** The kind of a diagnostic, by the key of its list. */
struct metrickit_kind {
	const char *key;  ///< `hang` of `hangDiagnostics`
	const char *name; ///< `hang report`; NULL: a crash
	bool is_sampled;  ///< its stacks are samples in any case
	enum sample_kind sample_kind;
};

/** A diagnostic, or an object around some that may itself be one. */
struct metrickit_diagnostic {
	struct report *report;
	const struct metrickit_kind *kind; ///< NULL: unknown
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

	// Facts that are converted at the end.
	const char *arch;
	const char *range_begin;
	const char *range_end;
	uint64_t exception_type;
	uint64_t exception_code;
	uint64_t signal;
	bool has_exception_type;
	bool has_exception_code;
	bool has_signal;

	/** Of the surrounding object, while this one is read. */
	struct json_reader outer_notes;
};

/**
 * A measurement in the notation of its device. The meaning of its separators
 * may follow from other measurements of the payload, so they are parsed at the
 * end of each level.
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
	struct metrickit_diagnostic *at; ///< the current diagnostic
	struct report *first;
	struct report *last;
	size_t report_count;
	/** In the order of the payload. */
	struct metrickit_measure *measures;
	size_t measure_count;
	size_t measure_cap;
};

/** Copy of a name, for comparison after its value was read; "" if too long. */
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

/** The kind with that key, singular or plural; or NULL. */
const struct metrickit_kind *metrickit_kind_of(const char *key,
                                               struct arena *arena);

/** Is the key the list of a known kind, or its singular? */
bool metrickit_is_kind(struct text key);

/** Read any other member: a fact about the diagnostic. */
void metrickit_read_fact(struct metrickit_reader *r, const char *key);
/** Set the report's fields that depend on several facts. */
void metrickit_finish_facts(struct metrickit_reader *r);

/** Keep @p text, the value of @p key, if it is a measurement. */
void metrickit_keep_measure(struct metrickit_reader *r, const char *key,
                            const char *text);
/**
 * Parse the measurements from @p first on, each in the light of the others;
 * call it at the end of their level.
 */
void metrickit_read_measures(struct metrickit_reader *r, size_t first);
/** Note unreadable measurements, and release all. */
void metrickit_finish_measures(struct metrickit_reader *r);

/** Read `callStacks`, whose value is the next event. */
void metrickit_read_stacks(struct metrickit_reader *r);
/** Read `binaryInfo`, whose value is the next event. */
void metrickit_read_binaries(struct metrickit_reader *r);

/** Build threads or trees from the nodes, and images. */
void metrickit_build(struct metrickit_reader *r);

/** Finds the images of a diagnostic's frames; starts as all zeros. */
struct metrickit_images {
	struct map map; ///< indexes of the report's images
	/** frames with an address in place of the offset */
	size_t load_address_count;
	size_t moved_count; ///< frames from another launch than the image
	size_t bad_offset_count;
	size_t over_limit_count;
};

void metrickit_images_release(struct metrickit_images *images);
/** Set the address and the image of @p frame. */
void metrickit_place(struct metrickit_reader *r,
                     struct metrickit_images *images,
                     const struct metrickit_frame *from,
                     struct report_frame *frame);
/** Note problems of the offsets, and mark the app's images. */
void metrickit_finish_images(struct metrickit_reader *r,
                             const struct metrickit_images *images);

#endif

// SPDX-License-Identifier: MIT
/**
 * Shared by the readers of lag reports; their public header is
 * parsers/lag/lag.h.
 *
 * JSON is read event by event: json.c identifies reports, samples, nodes and
 * image lists by their members, and passes each member to the file for its
 * kind.
 */
#ifndef APMTOOL_PARSERS_LAG_READER_H
#define APMTOOL_PARSERS_LAG_READER_H

#include "parsers/json/source.h"
#include "parsers/lag/lag.h"

/** Longer symbols are truncated: no compiler writes more than 16 KB. */
#define LAG_SYMBOL_BYTES ((size_t)16 << 10)

/** The stack of one sample, frames in the order of the input. */
struct lag_stack {
	uint32_t *frames; ///< LAG_STACK_FRAMES of them
	size_t count;     ///< pushed, kept or not
	/**
	 * Of a stack over the limit, the last frames in a ring, the second half
	 * of the stack, and their names. Names of the frames in the middle,
	 * which are dropped, never reach the reader. NULL: no stack was that
	 * deep.
	 */
	struct profile_frame *late;
	struct intern late_names;
	/** Pushed last, not interned yet: it may be the innermost. */
	struct profile_frame last;
	bool has_last;
	bool leaf_first;
	/** The array was a list of nodes, not a stack; they were added. */
	bool is_nodes;
};

/** Per node of the tree, until the report is complete. */
struct lag_tally {
	uint64_t uncosted; ///< samples without a cost
	uint32_t first; ///< number of the first sample that ended here, from 1
};

/** The samples of a report. */
struct lag_samples {
	struct lag_tally *tallies; ///< by node
	size_t tally_count;
	size_t tally_cap;
	bool leaf_first;        ///< the value of `order`
	bool begun;             ///< a sample was folded
	bool folded_leaf_first; ///< in what order
	/** Runs as they are if the samples are inverted later. */
	struct profile_run run;
	struct profile_run best_run;
};

/** A node whose callees may follow. */
struct lag_level {
	uint64_t depth; ///< as in the input
	size_t index;   ///< in the list, for notes
	bool is_frame;  ///< false: no name; its callees belong to its caller
	bool is_placed; ///< it is a node of the tree
	uint32_t node;
	uint32_t symbol; ///< of a frame without address
	struct profile_frame frame;
	bool is_known; ///< both numbers are given or derived
	uint64_t count;
	uint64_t cost_us;
	uint64_t callee_count;
	uint64_t callee_cost_us;
};

struct lag_nodes {
	struct lag_level *levels;
	size_t count;
	size_t cap;
	size_t index;            ///< of the next node in the list
	uint64_t last_depth;     ///< of the previous node, as in the input
	bool has_all;            ///< all nodes have a count and a cost
	bool is_uneven;          ///< counts and costs are not proportional
	uint64_t count_of_first; ///< the first node that has any
	uint64_t cost_of_first;
};

/** State of a JSON input. */
struct lag_json {
	struct lag_reader *reader;
	struct lag_report *report; ///< the reader's
	struct json_source source;
	struct error *err; ///< a syntax error
	/** No images follow: deliver each report at once. */
	bool alone;
	size_t first_line; ///< first line of the document in its file
	struct lag_stack stack;
	struct lag_samples samples;
	struct lag_nodes nodes;
	/** A complete report whose images may follow; if @c is_waiting. */
	struct lag_report waiting;
	bool is_waiting;
	/** an image list of the input, for later reports */
	struct lag_images images;
	struct arena arena;  ///< for @c images
	size_t repairs_seen; ///< repairs already noted on earlier reports
};

/** One sample or node, as far as it has been read. */
struct lag_sample {
	bool has_stack;
	bool has_cost;
	uint64_t cost_us;
};

struct lag_node {
	bool has_depth;
	bool has_count;
	bool has_cost;
	uint64_t depth;
	uint64_t count;
	uint64_t cost_us;
	uint64_t address;   ///< 0: none
	uint64_t method_id; ///< 0: none
	uint32_t symbol;    ///< INTERN_NONE: none
};

/** An object whose kind is unknown until it ends. */
struct lag_object {
	size_t line;
	bool has_samples;
	bool has_images;
	struct error *fault; ///< a fault that makes it unusable
	struct lag_sample sample;
	bool is_sample;
	struct lag_node node;
	bool is_node;
};

// reader.c

/**
 * Deliver a complete report, with the reader's images if it has none, and clear
 * it.
 */
void lag_reader_hand_out(struct lag_reader *reader, struct lag_report *report);

// values.c

/** Intern a symbol, truncated to LAG_SYMBOL_BYTES. */
uint32_t lag_reader_symbol(struct lag_reader *reader, struct text symbol,
                           bool *ret_cut);
/** samples × interval; saturates. */
uint64_t lag_cost_us(uint64_t samples, uint64_t interval_us);
/** Add an image of a list; @p name may be a path. */
void lag_images_add(struct lag_report *report, struct profile_image image,
                    struct text name);

/** Source for a document whose notes go to @p report. */
struct json_source lag_json_source(struct json_pull *pull,
                                   struct lag_report *report);
/** Did the input end? Later events only close what was open. */
bool lag_json_is_broken(struct lag_json *json);
/**
 * Read a time in ms; false, with a note, if it is not one or over the limit.
 */
bool lag_json_take_ms(struct lag_json *json, uint64_t most_us,
                      uint64_t *ret_us);
/** Read a number ≥ 0 or hex text; false, with a note, for other values. */
bool lag_json_take_u64(struct lag_json *json, const char *expected,
                       uint64_t *ret);
/** As lag_json_take_u64() for an event already read, without a note. */
bool lag_event_u64(const struct json_event *event, uint64_t *ret);

// members.c

/** Read a member of a report; false for unknown members. */
bool lag_json_member(struct lag_json *json, struct text name,
                     struct lag_object *object);

// report.c

/** The line of the last event, in its file. */
size_t lag_json_line(const struct lag_json *json);
/** Begin a report at this line: clears the previous one. */
void lag_json_begin_report(struct lag_json *json, size_t line);
/** The report, or the input, ended. */
void lag_json_end_report(struct lag_json *json);
/** An object that is an image list ended. */
void lag_json_end_images(struct lag_json *json, size_t line);
/** Images arrived: they belong to the previous report, and to later ones. */
void lag_json_hand_out_waiting(struct lag_json *json);
/** Give up a report. Takes over the error. */
void lag_json_fail(struct lag_json *json, size_t line, struct error *err);
/** Give up a report that was truncated before anything that counts. */
void lag_json_fail_truncated(struct lag_json *json, size_t line);

// frames.c

void lag_stack_release(struct lag_stack *stack);
/** Read an array of frames, whose first event was read, into json->stack. */
void lag_frames_take(struct lag_json *json);

// samples.c

/** Begin a report without samples. */
void lag_samples_begin(struct lag_json *json);
/** Read a member of a sample; false for unknown members. */
bool lag_sample_member(struct lag_json *json, struct text name,
                       struct lag_sample *sample);
/** The sample is complete: fold it. */
void lag_sample_end(struct lag_json *json, const struct lag_sample *sample);
/** Read a sample whose first event was read. */
void lag_sample_take(struct lag_json *json);
/** As lag_sample_take(), for a sample that is only its stack. */
void lag_sample_take_bare(struct lag_json *json);
/** After the last sample: compute missing costs, apply the order. */
void lag_samples_end(struct lag_json *json);
/** order.c: `order` came after the samples: invert all stacks. */
void lag_samples_turn(struct lag_json *json);

// nodes.c

/** Begin a report without nodes. */
void lag_nodes_begin(struct lag_json *json);
/** Read a member of a node; false for unknown members. */
bool lag_node_member(struct lag_json *json, struct text name,
                     struct lag_node *node);
/** The node is complete: add it to the tree by its depth. */
void lag_node_end(struct lag_json *json, const struct lag_node *node);
/** Read a node whose first event was read. */
void lag_node_take(struct lag_json *json);
/** After the last node: the rest of each node's samples are its own. */
void lag_nodes_end(struct lag_json *json);

// images.c

/** Read an array of images, whose first event was read, into the report. */
void lag_images_take(struct lag_json *json);
/** Note images of the report that overlap. */
void lag_images_check(struct lag_report *report);
/** Copy the report's images and notes to @p arena. */
struct lag_images lag_images_copy(const struct lag_report *report,
                                  struct arena *arena);
/**
 * Copy an image list of the input to a report without images; a report may
 * outlive its reader's input. The first report also gets the list's notes.
 */
void lag_images_give(struct lag_images *images, struct lag_report *report);

// image_text.c

/**
 * Read an Objective-C dictionary into the images and `arch` of @p report.
 *
 * @param in  As for lag_images_read().
 */
MUST_CHECK struct error *lag_image_text_read(struct text *in,
                                             struct lag_report *report);
/** The sign after the first key of `{ key`: `:` in JSON, `=` in text. */
char lag_first_sign(struct text in);
/** Does @p in begin like the text of a dictionary, or of an array of them? */
bool lag_is_image_text(struct text in);

/** Free the state of lag_read_collapsed(). Accepts NULL. */
void lag_prefix_free(struct lag_prefix *prefix);

#endif

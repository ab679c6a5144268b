// SPDX-License-Identifier: MIT
/**
 * What the readers of lag reports share (parsers/lag/lag.h is their door).
 *
 * A JSON input is read event by event: json.c identifies reports, samples,
 * nodes and image lists by their members, and hands each member to the file of
 * its noun.
 */
#ifndef APMTOOL_PARSERS_LAG_READER_H
#define APMTOOL_PARSERS_LAG_READER_H

#include "parsers/json/source.h"
#include "parsers/lag/lag.h"

/** Longer symbols are truncated: 16 KB are more than any compiler writes. */
#define LAG_SYMBOL_BYTES ((size_t)16 << 10)

/** The stack of one sample, frames in the order of the input. */
struct lag_stack {
	uint32_t *frames; ///< LAG_STACK_FRAMES of them
	size_t count;     ///< that were pushed, kept or not
	/**
	 * Of a stack that is too deep, the frames that came last, by place in
	 * the second half, and their names: those of the middle, which is left
	 * out, are never the reader's. NULL: no stack was as deep.
	 */
	struct profile_frame *late;
	struct intern late_names;
	/** Pushed last, and not numbered: is it the innermost one? */
	struct profile_frame last;
	bool has_last;
	bool leaf_first;
	/** It is no stack, but a list of nodes; these were added. */
	bool is_nodes;
};

/** What a node of the tree needs until its report is complete. */
struct lag_tally {
	uint64_t uncosted; ///< samples that have no cost
	uint32_t first;    ///< number of the first that ended here, from 1
};

/** The samples of a report. */
struct lag_samples {
	struct lag_tally *tallies; ///< by node
	size_t tally_count;
	size_t tally_cap;
	bool leaf_first;        ///< what `order` says
	bool begun;             ///< a sample was folded
	bool folded_leaf_first; ///< in this order
	/** Runs as they are if the samples turn out to be inverted. */
	struct profile_run run;
	struct profile_run best_run;
};

/** A node whose callees are being read. */
struct lag_level {
	uint64_t depth; ///< as the input says
	size_t index;   ///< in the list, for notes
	bool is_frame;  ///< false: it has no name and stands for its caller
	bool is_placed; ///< a node of the tree
	uint32_t node;
	uint32_t symbol; ///< of a frame without address
	struct profile_frame frame;
	bool is_known; ///< its numbers are given, or follow from each other
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
	uint64_t last_depth;     ///< of the node before, as the input says
	bool has_all;            ///< each has a count and a cost
	bool is_uneven;          ///< these are not in proportion
	uint64_t count_of_first; ///< that has any
	uint64_t cost_of_first;
};

/** A JSON input that is being read. */
struct lag_json {
	struct lag_reader *reader;
	struct lag_report *report; ///< the reader's
	struct json_source source;
	struct error *err; ///< a fault of the JSON
	/** Each report is handed out at once: no images follow. */
	bool alone;
	size_t first_line; ///< of the input in its file
	struct lag_stack stack;
	struct lag_samples samples;
	struct lag_nodes nodes;
	/** Complete, but images may follow; if @c is_waiting. */
	struct lag_report waiting;
	bool is_waiting;
	struct lag_images images; ///< a list of the input, for what follows
	struct arena arena;       ///< for @c images
	size_t repairs_seen;      ///< of the input, by the reports before
};

/** One sample or node, as far as it was read. */
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

/** An object of a kind that is not known before it was read. */
struct lag_object {
	size_t line;
	bool has_samples;
	bool has_images;
	struct error *fault; ///< that makes it useless
	struct lag_sample sample;
	bool is_sample;
	struct lag_node node;
	bool is_node;
};

// reader.c: reports

/** Hand out a complete report, with the reader's images if it has none; clear
 *  it. */
void lag_reader_hand_out(struct lag_reader *reader, struct lag_report *report);

// values.c: what all of them read

/** The number of a symbol, truncated at LAG_SYMBOL_BYTES. */
uint32_t lag_reader_symbol(struct lag_reader *reader, struct text symbol,
                           bool *ret_cut);
/** samples × interval; the greatest number if it does not fit. */
uint64_t lag_cost_us(uint64_t samples, uint64_t interval_us);
/** Add what a list says of an image; @p name may be a path. */
void lag_images_add(struct lag_report *report, struct profile_image image,
                    struct text name);

/** Values of a document whose notes go to @p report. */
struct json_source lag_json_source(struct json_pull *pull,
                                   struct lag_report *report);
/** Nothing that comes now was in the input. */
bool lag_json_is_broken(struct lag_json *json);
/** A time in ms; false, and a note, if there is none, or a longer one. */
bool lag_json_take_ms(struct lag_json *json, uint64_t most_us,
                      uint64_t *ret_us);
/** A number from 0 on, or hex text; false, and a note. */
bool lag_json_take_u64(struct lag_json *json, const char *expected,
                       uint64_t *ret);
/** The same of an event that came; false, and no note. */
bool lag_event_u64(const struct json_event *event, uint64_t *ret);

// members.c

/** Read a member of a report into it; false: none that is known. */
bool lag_json_member(struct lag_json *json, struct text name,
                     struct lag_object *object);

// report.c

/** The line of the last event, in its file. */
size_t lag_json_line(const struct lag_json *json);
/** A report begins at this line: what was read before is forgotten. */
void lag_json_begin_report(struct lag_json *json, size_t line);
/** The report was read to its end, or to that of the input. */
void lag_json_end_report(struct lag_json *json);
/** An object that is an image list was read. */
void lag_json_end_images(struct lag_json *json, size_t line);
/** Images of the input came: for the report before, and for all that follow. */
void lag_json_hand_out_waiting(struct lag_json *json);
/** A report cannot be read; takes over the error. */
void lag_json_fail(struct lag_json *json, size_t line, struct error *err);
/** The end of the input left nothing of a report to count. */
void lag_json_fail_truncated(struct lag_json *json, size_t line);

// frames.c

void lag_stack_release(struct lag_stack *stack);
/** Read the array of frames whose first event came into json->stack. */
void lag_frames_take(struct lag_json *json);

// samples.c

/** A report begins: nothing is known of its samples. */
void lag_samples_begin(struct lag_json *json);
/** The value of a sample's member; false: none that is known. */
bool lag_sample_member(struct lag_json *json, struct text name,
                       struct lag_sample *sample);
/** All of it was read: fold it. */
void lag_sample_end(struct lag_json *json, const struct lag_sample *sample);
/** Read a sample whose first event came. */
void lag_sample_take(struct lag_json *json);
/** The same of one that is nothing but its stack. */
void lag_sample_take_bare(struct lag_json *json);
/** All samples were read: costs and order are settled. */
void lag_samples_end(struct lag_json *json);
/** order.c: the order came after the samples; turn all stacks over. */
void lag_samples_turn(struct lag_json *json);

// nodes.c

/** A report begins: it has no nodes yet. */
void lag_nodes_begin(struct lag_json *json);
/** The value of a node's member; false: none that is known. */
bool lag_node_member(struct lag_json *json, struct text name,
                     struct lag_node *node);
/** All of it was read: add it below the node that its depth says. */
void lag_node_end(struct lag_json *json, const struct lag_node *node);
/** Read a node whose first event came. */
void lag_node_take(struct lag_json *json);
/** All nodes were read: what is left of each ended in it. */
void lag_nodes_end(struct lag_json *json);

// images.c

/** Read the array of images whose first event came into the report. */
void lag_images_take(struct lag_json *json);
/** Note images of the report that cover the same addresses. */
void lag_images_check(struct lag_report *report);
/** A copy of the report's images and notes, in @p arena. */
struct lag_images lag_images_copy(const struct lag_report *report,
                                  struct arena *arena);
/**
 * Give the images of a list of the input to a report that has none: copies, for
 * a report may be kept longer than its reader's input. What could not be read
 * of the list goes to the first report only.
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
/** What follows the first key of `{ key`: `:` in JSON, `=` in text. */
char lag_first_sign(struct text in);
/** Does @p in begin as the text of a dictionary, or of an array of them? */
bool lag_is_image_text(struct text in);

/** What lag_read_collapsed() remembers; NULL is fine. */
void lag_prefix_free(struct lag_prefix *prefix);

#endif

// SPDX-License-Identifier: MIT
/**
 * A report: what one crash-like artefact says, as plain data.
 *
 * Parsers fill it, analysis adds names to its frames, formatters print it;
 * none of them knows the others. Everything lives in the arena of the report,
 * every string is NUL-terminated there and may hold any bytes of the input
 * but NUL. A NULL string means "the artefact does not say"; that is not the
 * same as an empty one.
 *
 * Two ways to print a report as text follow from where it came from:
 *
 * - A text report keeps its own lines (`lines`). Printing gives back each line
 *   as it was, but for the frames, which are printed from the model. So what
 *   the reader did not understand is not lost, and a second run changes
 *   nothing.
 * - Any other report has no lines; the formatter lays it out as Apple's own
 *   translation does (formats.md 3.4).
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_H
#define APMTOOL_LIB_MODEL_REPORT_H

#include "lib/base/arena.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/model/app_image.h"
#include "lib/model/calltree.h"
#include "lib/model/memory_limit.h"
#include "lib/model/notice.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** For an image index: the frame lies in no image that the report lists. */
#define REPORT_NO_IMAGE ((size_t)-1)

/** Where a name comes from: how far it can be trusted. */
enum report_source {
	REPORT_SOURCE_NONE,   ///< there is no name
	REPORT_SOURCE_REPORT, ///< the device's, as it was in the input
	REPORT_SOURCE_SYMTAB, ///< a symbol table of the same UUID
	REPORT_SOURCE_DWARF,  ///< debug information of the same UUID
	/** The same of another UUID, on purpose. */
	REPORT_SOURCE_SYMTAB_MISMATCH,
	REPORT_SOURCE_DWARF_MISMATCH,
};

/**
 * The name that JSON output uses: `none`, `report`, `symtab`, `dwarf`,
 * `symtab-mismatch`, `dwarf-mismatch`.
 */
const char *report_source_name(enum report_source source);
/** Does the name come from a symbol file, not from the input? */
bool report_source_is_file(enum report_source source);

/** What the reporter itself says of a frame. */
enum report_frame_tag {
	REPORT_FRAME_SYSTEM = 1 << 0, ///< no code of the program
	REPORT_FRAME_THUNK = 1 << 1,  ///< made by the compiler
	REPORT_FRAME_ASYNC = 1 << 2,  ///< where an async function goes on
	/** A check that failed, which the compiler made a call of. */
	REPORT_FRAME_RUNTIME_FAILURE = 1 << 3,
};

/** One function at a frame: the real one, or a call inlined into it. */
struct report_call {
	const char *symbol;     ///< as printed, demangled; NULL if unnamed
	const char *mangled;    ///< linkage name where it differs, else NULL
	uint64_t symbol_offset; ///< bytes from the start of the function
	bool has_symbol_offset;
	uint32_t column;  ///< in its line, from 1; 0: not said
	const char *file; ///< base name; NULL if unknown
	const char *path; ///< the whole path where known
	uint32_t line;    ///< 0: none, or compiler-generated code
	bool has_line;
	/**
	 * The debug info says line 0 here; @c line is the nearest earlier line
	 * of the same function (formats.md 10.6).
	 */
	bool line_borrowed;
	/**
	 * The text after the address as the input had it; NULL where the call
	 * was named by us or did not come from text. Printed unchanged.
	 */
	const char *verbatim;
};

/**
 * One return address (or program counter) of a stack.
 *
 * Calls that were inlined there are not frames of their own here: they share
 * the address. `calls[0]` is the innermost, the last one the real function.
 * When printed, each is a line. No calls at all: nothing is known but the
 * address. There may be millions of them: counts have 32 bits, for no report is
 * larger than 1 GB.
 */
struct report_frame {
	size_t image;     ///< index into images, or REPORT_NO_IMAGE
	uint64_t address; ///< as the device saw it
	/**
	 * From the image's load address; as the frame itself says in an image
	 * that is not listed, 0 or the address itself where it does not.
	 */
	uint64_t image_offset;
	const char
	        *image_name; ///< as the frame itself says; NULL if it does not
	struct report_call *calls;
	uint32_t call_count;
	enum report_source source : 8;
	/**
	 * The address is a program counter: that of the instruction itself, not
	 * of the one after a call: after a signal trampoline, or a leaf of a
	 * sampled tree.
	 */
	bool is_pc;
	uint8_t tags; ///< enum report_frame_tag
	/**
	 * The app's own code, as its reader found: of runtimes without images,
	 * and of texts that name no process.
	 */
	bool is_own;
	/** Columns the index takes in text, usually 4. */
	uint32_t index_width;
	/**
	 * Lines the frame took, one a call; 0 where it did not come from text.
	 * Indices after it move by the lines that naming it adds or removes.
	 */
	uint32_t line_count;
	/**
	 * Samples of the ring that hold this address (Matrix), or that passed
	 * it, of a heaviest stack; 0: not said.
	 */
	uint64_t repeat_count;

	// Only for frames read from text:
	/** Image and address columns, from after the index to the name. */
	const char *columns;
	/** `0x… + 123` and the like, where no call is known. */
	const char *verbatim;
	uint64_t index; ///< as printed on its first line

	// Only for frames read from a list that the report's raw text holds:
	uint32_t entry; ///< first of its elements there
	/** Elements it takes, one a call; 0: it has none, the reader added it.
	 */
	uint32_t entry_count;
};

/** Frames, innermost first. */
struct report_stack {
	struct report_frame *frames;
	size_t count;
	size_t cap;
	/**
	 * Frame 0 holds a return address too: true for an exception's
	 * backtrace, false for a thread (formats.md 10.3).
	 */
	bool all_return_addresses;
	/** What the text says above it, where it is no thread's; or NULL. */
	const char *title;
	/**
	 * The text has the outermost frame first, and its number is the
	 * highest, as `leaks` writes it.
	 */
	bool is_upside_down;
	/** What is before each number in the text, `    frame #`; or NULL. */
	const char *index_prefix;
	/** Then the number whose line has a `*` in place of a blank. */
	uint64_t selected;
};

/** `name [pid]` */
struct report_process_ref {
	const char *name;
	uint64_t pid;
	bool has_pid;
};

/**
 * Sampled calls (hangs, CPU and disk-write exceptions), outermost first. The
 * nodes of the call tree are in pre-order and in the arena of the report; what
 * node i + 1 stands for is frames[i]. Their `samples` are those that the report
 * says: their own and those below; 0: not said.
 */
struct report_tree {
	const char *title; ///< `Thread 0`, or NULL
	/** Whose calls they are, in a report of several; else no name. */
	struct report_process_ref process;
	const char *path;           ///< in a JSON document; NULL: not known
	uint64_t thread;            ///< kernel id; 0: not said
	bool attributed;            ///< the thread that is blamed
	struct report_stack frames; ///< leaves are marked is_pc
	struct calltree calls;      ///< never released
};

struct report_register {
	const char *name;
	uint64_t value;
	bool available; ///< Rosetta prints `<unavailable>` for some
	const char
	        *note; ///< `(Data Abort) byte read …`, a symbol; NULL if none
};

struct report_thread_state {
	const char *flavor; ///< `ARM Thread State (64-bit)`; NULL: no state
	struct report_register *registers;
	size_t count;
	size_t cap;
};

struct report_thread {
	uint64_t number; ///< as printed; the identity, not the position
	uint64_t id;     ///< kernel thread id
	bool has_id;
	const char *name;
	const char *queue;
	bool crashed;
	struct report_stack stack;
	struct report_thread_state state;
};

struct report_image {
	uint64_t base; ///< load address
	uint64_t size; ///< bytes; end address inclusive is base + size - 1
	/** Taken from frames: @c size reaches to the last one, not to the end.
	 */
	bool end_unknown;
	const char *name;
	const char *bundle_id;
	const char *version; ///< short version
	const char *build;   ///< build version
	const char *arch;
	const char *path;
	struct uuid uuid; ///< zero: the report gives none
	/** Its symbol file: `found`, `missing`, `malformed`, `mismatch`; NULL:
	 * not asked. */
	const char *symbols;
	struct uuid symbols_uuid; ///< of a file that is a mismatch
	/** Of the app, with frames that only a dSYM could give lines. */
	bool needs_dsym;
	/** JSON's `source`: P, S, C, K, U, T, A; 0 where the format has none.
	 */
	char kind;
	/** The app's own, as its reader found in a format without paths. */
	bool own;
	enum app_rule app_rule; ///< what the user says of it
};

struct report_exception {
	const char *type;   ///< `EXC_BAD_ACCESS`
	const char *signal; ///< `SIGSEGV`
	const char *subtype;
	const char *codes; ///< as printed: `0x…, 0x…`
	const char *message;
	const char *note; ///< `EXC_CORPSE_NOTIFY`, `SIMULATED (…)`
};

struct report_termination {
	const char *namespace_name;
	uint64_t code;
	bool has_code;
	const char *indicator;
	const char *const *reasons;
	size_t reason_count;
	const char *const *details;
	size_t detail_count;
	struct report_process_ref by;
	const char *verbatim; ///< the whole line of a text report
};

/** An NSException or a C++ exception that ended the process. */
struct report_thrown {
	const char *name;
	const char *reason;
	const char *class_name;
	const char *kind; ///< `objc-exception`
};

/** A block of text under a label that is carried along. */
struct report_section {
	const char *label; ///< without the colon
	const char *text;  ///< lines joined by LF, none at the end
};

/** A header line of a text report, in the order of the file. */
struct report_field {
	const char *label;
	const char *value;
};

/** A line of a text report: text as it was, or a run of frames. */
struct report_line {
	const char *text; ///< NULL: frames
	struct report_stack *stack;
	size_t first; ///< frames [first, first + count)
	/**
	 * Of text that nothing else in the report holds: the number of the
	 * line in the input, from 1; 0: its words are elsewhere, too.
	 */
	size_t count;
};

/** Lines below each other that nothing else in the report holds. */
struct report_passage {
	const struct report_line *lines; ///< blank ones may be between others
	size_t count;
	size_t number; ///< of the first line in the input, from 1
};

/** A thread that waits for another: what the system knew of the owner. */
struct report_wait {
	struct report_process_ref process; ///< of the thread; its name or NULL
	uint64_t thread;                   ///< kernel id of who waits
	/** Of the thread that it waits for; without a name: the same. */
	struct report_process_ref owner;
	uint64_t owner_thread;
	bool has_owner_thread; ///< else the process is all that is known
	bool is_deadlock;      ///< the system itself calls it a deadlock
	/** The node of a tree that shows it, a frame of frames; or NULL. */
	const struct report_tree *tree;
	size_t frame;
	const char *place; ///< the path of it in JSON, without a tree
};

struct jetsam;
struct jetsam_answer;
struct explanation;
struct report_signature;

struct report {
	/** The parser's name for the format: `crash-text`, `ips-crash`. */
	const char *format;
	/**
	 * What it is in plain words, where it is no crash: `kernel panic log`;
	 * NULL: a crash, or shaped like one.
	 */
	const char *kind;
	const char *bug_type;
	/**
	 * What people call the input that it was read from: the file, and in
	 * an archive of several the member too, `m.zip: a.ips`. Set by who
	 * opened it; NULL: not said.
	 */
	const char *input;
	size_t input_index; ///< among the reports of that input
	size_t number;      ///< among all reports of a run, from 1; 0: not said
	/** The file itself, where `input` is more than that; else NULL. */
	const char *file;
	/** Its file, where the input is an archive of several; else NULL. */
	const char *member;
	/** Which of several reports of one input: `report 2`; NULL: the only.
	 */
	const char *origin;
	/** The next report of the same input; NULL: the last. */
	struct report *next;
	/** The report's own text, where its format can be written back. */
	struct text raw;
	bool truncated;  ///< the input ends early, or not all of it was read
	bool is_limited; ///< as much was read as may be, and a note says so
	/** Its text shows threads, frames or images, and none was read. */
	bool unread;

	// Who, where, when. As printed; dates keep the zone they came with.
	const char *incident;
	const char *reporter_key;
	const char *hardware_model;
	struct report_process_ref process;
	const char *path;
	/** Of its main executable, where it is said beside no image; or zero.
	 */
	struct uuid executable_uuid;
	const char *identifier;
	const char *version; ///< short version, or the only one
	const char *build;
	const char *code_type; ///< `ARM-64`, without the bracket
	bool translated;       ///< runs under Rosetta
	const char *role;
	struct report_process_ref parent;
	struct report_process_ref responsible;
	const char *coalition; ///< `name [id]`
	const char *user_id;
	const char *date_time;
	const char *launch_time;
	const char *os_version; ///< `iPhone OS 16.0 (20A362)`
	const char *os_build;
	const char *release_type;
	const char *report_version;
	int platform; ///< formats.md 3.1; 0: not said

	struct report_exception exception;
	struct report_termination termination;
	struct report_thrown thrown;
	uint64_t triggered_thread; ///< a thread number
	bool has_triggered_thread;

	struct report_thread **threads; ///< pointers stay valid while it grows
	size_t thread_count;
	size_t thread_cap;
	/** The Last Exception Backtrace: names the culprit where present. */
	struct report_stack exception_backtrace;
	/** Application Specific Backtraces, in order. */
	struct report_stack **app_backtraces;
	size_t app_backtrace_count;
	size_t app_backtrace_cap;

	struct report_tree **trees; ///< pointers stay valid while it grows
	size_t tree_count;
	size_t tree_cap;
	enum sample_kind sample_kind; ///< what its stacks were taken for
	/** Taken of a process that went on, as it asked for: by monitors of
	 * hangs, mostly. */
	bool is_live;
	uint64_t sample_interval_us; ///< between samples; 0: not said
	/** That is what its writer usually does: it does not say it. */
	bool sample_interval_assumed;
	/** How long what was sampled took; 0: not said. */
	uint64_t sampled_us;
	bool sampled_at_least;    ///< or longer
	uint64_t sampled_most_us; ///< but no longer than that; 0: not said
	/** It says how long, but not so that it can be read for certain. */
	bool sampled_unread;
	uint64_t cpu_us;        ///< CPU time of its samples; 0: not said
	uint64_t written_bytes; ///< that its samples wrote; 0: not said
	uint64_t wakeup_count;  ///< that its samples stand for; 0: not said

	/** Format `jetsam`: it holds no stacks; NULL in all other formats. */
	struct jetsam *jetsam;
	/** What lib/analysis/jetsam makes of it; NULL: not analysed. */
	const struct jetsam_answer *jetsam_answer;
	/** What lib/analysis/crash/explain makes of it; NULL: not analysed. */
	const struct explanation *explanation;
	/** Of lib/analysis/crash/signature; NULL: none, or not analysed. */
	const struct report_signature *signature;
	/** Other evidence of memory limits. */
	struct memory_limit *memory_limits;
	size_t memory_limit_count;
	size_t memory_limit_cap;

	/** Who waits for whom, in the order of the report. */
	struct report_wait *waits;
	size_t wait_count;
	size_t wait_cap;

	struct report_image *images; ///< in the order of the report
	size_t image_count;
	size_t image_cap;

	/** Application Specific Information and other labelled text. */
	struct report_section *sections;
	size_t section_count;
	size_t section_cap;
	/** Header lines of a text report that have no field above, and all. */
	struct report_field *fields;
	size_t field_count;
	size_t field_cap;
	struct notice *notes;
	size_t note_count;
	size_t note_cap;

	struct report_line *lines; ///< NULL: not a text report
	size_t line_count;
	size_t line_cap;
	/** Of the input, before them: those of other reports. */
	size_t lines_before;
	/** What the lines, and frames that were read from them, borrow from. */
	struct text lines_text;
};

struct report *report_new(struct arena *arena);

/** The place of a note, where it is a line of a text, from 1: `line 7`. */
const char *report_line_place(struct arena *arena, size_t line);

/**
 * May a line of a text, or a frame of what has no lines, be read into @p arena,
 * in which all reports of a file are? It counts from now on (LIMIT_LINES), as
 * @p lines where it takes as much memory. If not, report_end_reading() is to
 * be called.
 */
bool report_may_read(struct arena *arena, size_t lines);

/**
 * A report is read: what it holds beside lines and frames counts from now on,
 * too. There may be many, and each has limits of its own for these.
 */
void report_charge(const struct report *report, struct arena *arena);

/** How many lines may still be read into it. */
size_t report_left_to_read(const struct arena *arena);

/**
 * What begins at @p place is left out, for there was too much before it: the
 * input was not read as a whole, whoever asks for it.
 */
void report_end_reading(struct report *report, struct arena *arena,
                        const char *place);

/**
 * Of sampled trees, only the calls matter from now on: give back the text, and
 * with it the lines. The report cannot be printed.
 */
void report_forget_lines(struct report *report, struct arena *arena);

/** New evidence, of this kind and empty, at the end. */
struct memory_limit *report_add_memory_limit(struct report *report,
                                             struct arena *arena,
                                             enum memory_evidence evidence);

struct report_thread *report_add_thread(struct report *report,
                                        struct arena *arena);
struct report_stack *report_add_app_backtrace(struct report *report,
                                              struct arena *arena);
/** A tree without nodes, its frames return addresses unless marked is_pc. */
struct report_tree *report_add_tree(struct report *report, struct arena *arena);
/**
 * A node and its frame, in no image, at the end of @p tree.
 *
 * @param depth  0: a root. A level that was left out does not count: the node
 *               is then a child of the last one.
 */
struct report_frame *report_add_node(struct report_tree *tree,
                                     struct arena *arena, size_t depth,
                                     uint64_t samples);
struct report_wait *report_add_wait(struct report *report, struct arena *arena);
struct report_image *report_add_image(struct report *report,
                                      struct arena *arena);
/** A new frame at the end of @p stack, in no image. */
struct report_frame *report_add_frame(struct report_stack *stack,
                                      struct arena *arena);
/** Room for @p count frames at once, as far as they may be read. */
void report_make_room(struct report_stack *stack, struct arena *arena,
                      size_t count);
/** The image of the list that a frame lies in; NULL: in none. */
const struct report_image *report_frame_image(const struct report *report,
                                              const struct report_frame *frame);
/** What its image is called, by the frame or the list; NULL: not known. */
const char *report_frame_image_name(const struct report *report,
                                    const struct report_frame *frame);
/**
 * The load address of a frame's image: that of the list, or else what the frame
 * itself says of an image that is not listed.
 *
 * @return False where neither says it: the address lies in no image.
 */
bool report_frame_base(const struct report *report,
                       const struct report_frame *frame, uint64_t *ret);
/**
 * Does the last frame follow a signal trampoline? Then its address is the
 * program counter that the signal interrupted, not a return address.
 */
bool report_is_after_trampoline(const struct report_stack *stack);
struct report_register *report_add_register(struct report_thread_state *state,
                                            struct arena *arena);
void report_add_section(struct report *report, struct arena *arena,
                        const char *label, const char *text);
void report_add_field(struct report *report, struct arena *arena,
                      const char *label, const char *value);
/** Both strings are borrowed and must live in the arena. */
void report_add_note(struct report *report, struct arena *arena,
                     const char *place, const char *text);
/** A note by which the input failed, all or in part. */
void report_add_failure(struct report *report, struct arena *arena,
                        const char *place, const char *text);

/** Append `2.1 (210)`: version and build, as far as they are known. */
void report_add_version(const struct report *report, struct str *out);

/** Does it hold memory limits and nothing else? */
bool report_is_memory_record(const struct report *report);

/** The value of the first field so labelled; NULL if there is none. */
const char *report_field(const struct report *report, const char *label);

/** The text of the first section so labelled; NULL if there is none. */
const char *report_section(const struct report *report, const char *label);

/**
 * The next of the passages that only the lines of a text report hold.
 *
 * @param at  0 at first; where to go on.
 * @return False at the end.
 */
bool report_next_passage(const struct report *report, size_t *at,
                         struct report_passage *ret);

/** The thread that crashed; NULL where the report names none. */
const struct report_thread *report_crashed_thread(const struct report *report);

/**
 * Set image and offset of every frame from its address (lib/model/image_map.h),
 * as the report's code type, else an image's architecture, says of signed
 * pointers. Frames that already have an image keep it; an address keeps its
 * signature. A frame that no image covers belongs to the image that is loaded
 * at `address - image_offset`, if the reader has set its offset.
 */
void report_place_frames(struct report *report);

/** Is this image the app's own (lib/model/app_image.h)? */
bool report_image_is_app(const struct report *report,
                         const struct report_image *image);

/** Its size as the report says it; 0: it does not. */
uint64_t report_image_size(const struct report_image *image);

/** Does its path say that it is the system's? False without a path. */
bool report_image_is_system(const struct report *report,
                            const struct report_image *image);

/**
 * Did the compiler make it: no function that somebody wrote, but a check that
 * was inlined (`Swift runtime failure: …`), an accessor or a thunk?
 */
bool report_call_is_generated(const struct report_call *call);

/**
 * Does the frame lie in an image of the app's own? Where the report does not
 * list its image, the name decides: the process's own.
 */
bool report_frame_is_app(const struct report *report,
                         const struct report_frame *frame);

/** Calls @p visit for every stack: LEB, app backtraces, threads, trees. */
typedef void (*report_stack_visit)(struct report_stack *stack, void *context);
void report_each_stack(struct report *report, report_stack_visit visit,
                       void *context);

#endif

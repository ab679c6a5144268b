// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/signer.h"

#include "lib/analysis/crash/signature/class.h"
#include "lib/analysis/crash/signature/core.h"
#include "lib/analysis/crash/signature/javascript.h"
#include "lib/base/mem.h"
#include "lib/base/sha256.h"
#include "lib/model/lock_holder.h"
#include "lib/model/report_tree.h"

#include <inttypes.h>
#include <stdlib.h>

// Selects the stack of a report: the backtrace of an exception, else the
// crashed thread, else the first one. For a watchdog the main thread; for a
// lock at suspension the thread with the lock; for samples the heaviest path.

/** More frames of a stack are not looked at. */
#define BLAME_FRAMES_MAX 512

struct blame {
	const struct report_frame **frames; ///< innermost first
	size_t count;
	const char *what; ///< `exception`, `thread`, `samples`
};

static struct blame take_stack(const struct report_stack *stack,
                               const char *what, struct arena *arena)
{
	size_t count = stack->count < BLAME_FRAMES_MAX ? stack->count
	                                               : BLAME_FRAMES_MAX;
	struct blame blame = {
		.frames = arena_array(arena, count + 1, sizeof(*blame.frames)),
		.count = count,
		.what = what,
	};

	for (size_t i = 0; i < count; i++) {
		size_t at = stack->is_upside_down ? stack->count - 1 - i : i;

		blame.frames[i] = &stack->frames[at];
	}
	return blame;
}

/** Outermost first, up to the limit; then reversed. */
static struct blame take_tree(const struct report_tree *tree,
                              struct arena *arena)
{
	struct blame blame = {
		.frames = arena_array(arena, BLAME_FRAMES_MAX,
		                      sizeof(*blame.frames)),
		.what = "samples",
	};
	uint32_t node = CALLTREE_ROOT;

	while (blame.count < BLAME_FRAMES_MAX &&
	       (node = calltree_heaviest(&tree->calls, node)) != CALLTREE_ROOT)
		blame.frames[blame.count++] = &tree->frames.frames[node - 1];
	for (size_t i = 0; i < blame.count / 2; i++) {
		const struct report_frame *swap = blame.frames[i];

		blame.frames[i] = blame.frames[blame.count - 1 - i];
		blame.frames[blame.count - 1 - i] = swap;
	}
	return blame;
}

static struct blame blame_find(const struct report *report, struct arena *arena)
{
	const struct report_thread *thread = report_crashed_thread(report);
	const struct report_tree *tree = report_blamed_tree(report);

	if (!tree)
		tree = report_app_tree(report);
	if (report->exception_backtrace.count)
		return take_stack(&report->exception_backtrace, "exception",
		                  arena);
	// If the crashed thread is missing, the first one is no substitute.
	if (report->thread_count &&
	    ((!thread && !report->has_triggered_thread) ||
	     signature_is_watchdog(report)))
		thread = report->threads[0];
	if (report_is_locked(report) && report_lock_holder(report).thread)
		thread = report_lock_holder(report).thread;
	if (thread && thread->stack.count)
		return take_stack(&thread->stack, "thread", arena);
	if (tree)
		return take_tree(tree, arena);
	if (report->app_backtrace_count)
		return take_stack(report->app_backtraces[0], "backtrace",
		                  arena);
	return (struct blame){ .what = "nothing" };
}

/** Calls of a stack, inlined ones too. */
#define CALLS_MAX 1024

#define APP_ACTIONS \
	(LAG_RULES_OF(LAG_RULE_BUSINESS) | LAG_RULES_OF(LAG_RULE_SYSTEM))
#define ROLE_ACTIONS \
	(LAG_RULES_ALL & ~APP_ACTIONS & ~LAG_RULES_OF(LAG_RULE_MEANS))

// Rules

static const struct lag_rule *ask_rules(struct signer *signer, unsigned actions,
                                        const struct crash_function *function)
{
	const struct lag_rule *undecided = NULL;
	const struct lag_rule *rule =
	        lag_matches_find(&function->matches, actions, &undecided);

	if (undecided)
		signer->counts[undecided - signer->functions.rules->rules]
		        .undecided = true;
	return rule;
}

/** Count each rule as if it were the only one. */
static void count_matches(struct signer *signer,
                          const struct crash_function *function)
{
	const struct lag_matches *matches = &function->matches;
	const struct lag_rule *first = signer->functions.rules->rules;

	for (size_t i = 0; i < matches->count; i++)
		signer->counts[matches->items[i].rule - first].matched +=
		        !matches->items[i].is_undecided;
}

static void count_decision(struct signer *signer, const struct lag_rule *rule)
{
	if (rule)
		signer->counts[rule - signer->functions.rules->rules].decided++;
}

// Frames

static const char *place_name(const char *image, uint64_t offset,
                              uint64_t address, struct arena *arena)
{
	if (image)
		return arena_printf(arena, "%s+0x%" PRIx64, image, offset);
	return arena_printf(arena, "0x%" PRIx64, address);
}

/** Add a call; @p call is NULL if only the address is known. */
static void add_call(struct signer *signer, const struct report *report,
                     const struct report_frame *frame,
                     const struct report_call *call, struct arena *arena,
                     struct core_frames *ret)
{
	const struct report_image *image = report_frame_image(report, frame);
	const char *image_name = image && image->name ? image->name
	                                              : frame->image_name;
	const struct crash_function *function =
	        crash_functions_find(&signer->functions, image_name,
	                             image ? image->path : NULL, call);
	const struct lag_rule *app_rule =
	        ask_rules(signer, APP_ACTIONS, function);
	struct core_frame *to = &ret->items[ret->count++];

	*to = (struct core_frame){
		.shown = {
			.name = function->name
			                ? function->name
			                : place_name(image_name,
			                             frame->image_offset,
			                             frame->address, arena),
			.image = image_name,
			.offset = frame->image_offset,
			.is_named = function->name != NULL,
			.is_app = report_frame_is_app(report, frame),
			.is_partial =
			        frame->source == REPORT_SOURCE_SYMTAB ||
			        frame->source == REPORT_SOURCE_SYMTAB_MISMATCH,
		},
		.frame = frame,
		.role = ask_rules(signer, ROLE_ACTIONS, function),
		.app_rule = app_rule,
	};
	if (call) {
		to->shown.path = call->path ? call->path : call->file;
		to->shown.line = call->line;
		to->shown.is_app = to->shown.is_app &&
		                   !report_call_is_generated(call);
	}
	if (app_rule)
		to->shown.is_app = app_rule->action == LAG_RULE_BUSINESS;
	count_decision(signer, app_rule);
	count_decision(signer, to->role);
	if (signer->counts_matches)
		count_matches(signer, function);
}

static size_t count_calls(const struct blame *blame)
{
	size_t count = 0;

	for (size_t i = 0; i < blame->count && count < CALLS_MAX; i++)
		count += blame->frames[i]->call_count
		                 ? blame->frames[i]->call_count
		                 : 1;
	return count < CALLS_MAX ? count : CALLS_MAX;
}

static struct core_frames gather(struct signer *signer,
                                 const struct report *report,
                                 const struct blame *blame, struct arena *arena)
{
	struct core_frames frames = {
		.items = arena_array(arena, count_calls(blame) + 1,
		                     sizeof(*frames.items)),
	};

	for (size_t i = 0; i < blame->count; i++) {
		const struct report_frame *frame = blame->frames[i];

		if (frames.count == CALLS_MAX)
			break;
		if (!frame->call_count)
			add_call(signer, report, frame, NULL, arena, &frames);
		for (size_t j = 0;
		     j < frame->call_count && frames.count < CALLS_MAX; j++)
			add_call(signer, report, frame, &frame->calls[j], arena,
			         &frames);
	}
	return frames;
}

/**
 * Frames of a JavaScript error are the app's, in no image. Positions in a
 * bundle, `pay@25:3724`, change with each build.
 */
static void take_script(struct core_frames *frames, struct arena *arena)
{
	for (size_t i = 0; i < frames->count; i++) {
		struct signature_frame *shown = &frames->items[i].shown;
		struct text name = text_from(shown->name);
		bool is_native = text_find(name, "[native code]") !=
		                 TEXT_NOWHERE;

		name = text_first(name, text_find_char(name, '@'));
		shown->name = arena_text(arena, name);
		shown->is_app = shown->is_named && !is_native && name.size &&
		                !text_is(name, "unknown") &&
		                !text_is(name, "anonymous") &&
		                !text_starts(name, "<");
	}
}

// Raw hashes

static void add_place(struct sha256 *hash, const char *part)
{
	sha256_add(hash, text_from(part));
	sha256_add(hash, text_from("\n"));
}

/**
 * Hash the places of the innermost frames: the app's, or all if it has none.
 */
static void hash_places(const struct report *report,
                        const struct core_frames *frames,
                        struct signature *signature)
{
	const struct report_frame *last = NULL;
	bool has_app = false;
	size_t count = 0;
	struct sha256 hash;

	sha256_init(&hash);
	add_place(&hash, signature->class_name);
	for (size_t i = 0; i < frames->count && !has_app; i++)
		has_app = report_frame_is_app(report, frames->items[i].frame);
	for (size_t i = 0; i < frames->count && count < SIGNATURE_LEVELS; i++) {
		const struct report_frame *frame = frames->items[i].frame;
		const struct report_image *image =
		        report_frame_image(report, frame);
		char place[2 + UUID_TEXT_SIZE + 20];
		char uuid[UUID_TEXT_SIZE];

		// Its inlined calls have the same place.
		if (frame == last || !image || uuid_is_zero(&image->uuid) ||
		    (has_app && !report_frame_is_app(report, frame)))
			continue;
		snprintf(place, sizeof(place), "%s+%" PRIx64,
		         uuid_format(&image->uuid, uuid), frame->image_offset);
		add_place(&hash, place);
		last = frame;
		count++;
	}
	signature->has_raw_hash = count > 0;
	signature->raw_hash = sha256_prefix(&hash);
}

// Signatures

static void begin(struct signer *signer)
{
	struct crash_functions *functions = &signer->functions;

	if (!signer->counts) {
		signer->counts = mem_zalloc(functions->rules->count + 1,
		                            sizeof(*signer->counts));
		functions->budget = lag_rules_budget();
	}
	crash_functions_begin(functions);
}

static void show_frames(const struct core_frames *frames, struct arena *arena,
                        struct signature *ret)
{
	ret->frames =
	        arena_array(arena, frames->count + 1, sizeof(*ret->frames));
	ret->frame_count = frames->count;
	for (size_t i = 0; i < frames->count; i++)
		ret->frames[i] = frames->items[i].shown;
}

/** Without a stack, only the process is known. */
static void sign_process(const struct report *report, struct arena *arena,
                         struct signature *ret)
{
	const char *name = report->process.name ? report->process.name
	                                        : report->identifier;

	ret->core = arena_array(arena, 1, sizeof(*ret->core));
	ret->core[0] = name ? name : "(no name)";
	ret->core_count = 1;
	ret->kind = SIGNATURE_JETSAM;
	ret->blamed = "process";
	signature_hash(ret, SIGNATURE_APM);
}

bool signer_sign(struct signer *signer, const struct report *report,
                 struct arena *arena, struct signature *ret)
{
	SCOPED(str_release) struct str class_name = { 0 };
	struct blame blame = blame_find(report, arena);
	struct javascript_error error = { 0 };
	bool is_script = javascript_error_find(report, arena, &error);
	struct core_frames frames;

	begin(signer);
	if (is_script && error.stack)
		blame = take_stack(error.stack, "JavaScript", arena);
	*ret = (struct signature){ .blamed = blame.what };
	frames = gather(signer, report, &blame, arena);
	if (is_script && error.stack)
		take_script(&frames, arena);
	if (is_script)
		str_addf(&class_name, SIGNATURE_CLASS_JAVASCRIPT "%.60s",
		         error.type);
	else
		signature_class_add(report, &class_name);
	ret->message = error.message;
	ret->class_name = arena_text(arena, str_text(&class_name));
	if (!frames.count && signature_is_found_later(report)) {
		sign_process(report, arena, ret);
		return true;
	}
	hash_places(report, &frames, ret);
	if (signer->functions.algorithm != SIGNATURE_APM)
		ret->class_name = ret->message = NULL;
	core_choose(signer->functions.algorithm, &frames, arena, ret);
	show_frames(&frames, arena, ret);
	if (ret->first)
		ret->first = &ret->frames[frames.first];
	signature_hash(ret, signer->functions.algorithm);
	return ret->core_count > 0;
}

void signer_sign_kill(const struct jetsam_process *process, struct arena *arena,
                      struct signature *ret)
{
	const char **core = arena_array(arena, 1, sizeof(*core));

	core[0] = process->name ? process->name : "(no name)";
	*ret = (struct signature){
		.kind = SIGNATURE_JETSAM,
		.class_name = arena_printf(arena, "JETSAM/%s", process->reason),
		.core = core,
		.core_count = 1,
		.blamed = "process",
	};
	signature_hash(ret, SIGNATURE_APM);
}

static bool sign_any(struct signer *signer, const struct report *report,
                     struct arena *arena, struct signature *ret)
{
	const struct jetsam *jetsam = report->jetsam;

	if (!jetsam)
		return signer_sign(signer, report, arena, ret);
	for (size_t i = 0; i < jetsam->process_count; i++) {
		if (!jetsam->processes[i].reason)
			continue;
		signer_sign_kill(&jetsam->processes[i], arena, ret);
		return true;
	}
	return false;
}

const struct report_signature *signer_print(struct signer *signer,
                                            const struct report *report,
                                            struct arena *arena)
{
	enum signature_algorithm algorithm = signer->functions.algorithm;
	SCOPED(str_release) struct str text = { 0 };
	struct report_signature *printed;
	struct signature signature;
	size_t size;

	// The result must not depend on earlier reports.
	signer->functions.budget = lag_rules_budget();
	if (!sign_any(signer, report, arena, &signature))
		return NULL;
	size = signature_size(&signature, algorithm, SIGNATURE_LEVEL);
	signature_add_text(&signature, size, &text);
	printed = arena_alloc(arena, sizeof(*printed));
	printed->algorithm = signature_algorithm_name(algorithm);
	printed->kind =
	        signature_kind_name(signature_kind_at(&signature, size));
	printed->text = arena_text(arena, str_text(&text));
	printed->hash_count = SIGNATURE_LEVELS;
	printed->hashes =
	        arena_array(arena, SIGNATURE_LEVELS, sizeof(*printed->hashes));
	for (size_t i = 0; i < SIGNATURE_LEVELS; i++)
		printed->hashes[i] =
		        signature_hash_text(signature.hashes[i], arena);
	if (signature.has_raw_hash)
		printed->raw_hash =
		        signature_hash_text(signature.raw_hash, arena);
	return printed;
}

void signer_release(struct signer *signer)
{
	free(signer->counts);
	crash_functions_release(&signer->functions);
}

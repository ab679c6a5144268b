// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/pointer.h"

#include <inttypes.h>
#include <string.h>

// Overwritten memory

/** Messages of allocators, runtimes and checkers. */
static const struct {
	const char *words;
	enum cause cause;
	const char *verdict; ///< completes "PROCESS …"
} messages[] = {
	{ "AddressSanitizer: heap-use-after-free", CAUSE_USE_AFTER_FREE,
	  "used memory after it was freed, as AddressSanitizer found" },
	{ "AddressSanitizer: ", CAUSE_MEMORY_CORRUPTION,
	  "misused memory, as AddressSanitizer found" },
	{ "pointer being freed was not allocated", CAUSE_INVALID_FREE,
	  "freed memory that was not allocated, or freed it twice" },
	{ "pointer being realloc'd was not allocated", CAUSE_INVALID_FREE,
	  "resized memory that was not allocated, or was freed" },
	{ "incorrect checksum for freed object", CAUSE_MEMORY_CORRUPTION,
	  "wrote to memory after it was freed: malloc found a freed block "
	  "changed" },
	{ "memory corruption of free block", CAUSE_MEMORY_CORRUPTION,
	  "wrote to memory after it was freed: malloc found a freed block "
	  "changed" },
	{ "stack buffer overflow", CAUSE_MEMORY_CORRUPTION,
	  "wrote beyond the end of a buffer on the stack" },
	{ "double free", CAUSE_INVALID_FREE, "freed memory twice" },
};

/** Autorelease pools check themselves. */
static bool find_pool(const struct explain *x,
                      const struct report_section **ret)
{
	*ret = explain_find_text(x, "autorelease pool page");
	return *ret && strstr((*ret)->text, "corrupted");
}

static void conclude_corruption(struct explain *x, enum cause cause,
                                enum confidence confidence, const char *verdict)
{
	explain_advise(x, "run with AddressSanitizer, or with Guard Malloc: "
	                  "they stop where the damage is done");
	explain_conclude(x, cause, confidence, "%s %s", x->facts.process,
	                 verdict);
}

void explain_corruption(struct explain *x)
{
	const struct report_section *section;
	enum confidence confidence;

	// A console's text was read as its headline.
	if (x->concluded && report_section(x->report, "Headline"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		const char *words = messages[i].words;

		section = explain_find_text(x, words);
		if (!section)
			continue;
		// Text that registers point at may be unrelated.
		confidence = strstr(section->label, "Notable Addresses")
		                     ? CONFIDENCE_LIKELY
		                     : CONFIDENCE_CERTAIN;
		explain_claim_line(x, confidence, section, words);
		conclude_corruption(x, messages[i].cause, confidence,
		                    messages[i].verdict);
		return;
	}
	if (find_pool(x, &section)) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "an autorelease pool page was found corrupted");
		explain_cite(x, evidence_of_section(x, section->label,
		                                    "autorelease pool page"));
		conclude_corruption(x, CAUSE_MEMORY_CORRUPTION,
		                    CONFIDENCE_CERTAIN,
		                    "overwrote memory: an autorelease pool "
		                    "page was found corrupted");
	}
}

// Deallocated objects

/** Messages of zombies (NSZombieEnabled, and similar tools). */
static const char *const zombie_words[] = {
	"message sent to deallocated instance",
	"was sent to a zombie object at address",
	"was sent to a zombie object",
};

/** Functions that read the class of an object, first thing. */
static const char *const object_calls[] = {
	"objc_msgSend",
	"objc_retain",
	"objc_release",
	"swift_retain",
	"swift_release",
	"_swift_release",
	"_swift_retain",
	"objc_autorelease",
	"objc_loadWeak",
	"objc_storeStrong",
	NULL,
};

/**
 * Fill patterns of debugging tools (malloc(3): MallocScribble and
 * MallocPreScribble), and libraries' marks of dead objects.
 */
static const struct {
	uint64_t pattern;
	const char *what;
	enum cause cause;
	enum confidence confidence;
} patterns[] = {
	{ UINT64_C(0x5555555555555555),
	  "MallocScribble fills freed memory with 0x55", CAUSE_USE_AFTER_FREE,
	  CONFIDENCE_LIKELY },
	{ UINT64_C(0xaaaaaaaaaaaaaaaa),
	  "MallocPreScribble fills new memory with 0xaa: it was never set",
	  CAUSE_BAD_ACCESS, CONFIDENCE_LIKELY },
	{ UINT64_C(0xdeadface), "0xdeadface marks the class of a dead object",
	  CAUSE_USE_AFTER_FREE, CONFIDENCE_LIKELY },
	{ UINT64_C(0xbbadbeef),
	  "WebKit crashes on purpose with the address 0xbbadbeef",
	  CAUSE_ASSERTION, CONFIDENCE_CERTAIN },
};

/** The first ones fill memory. */
#define FILL_PATTERNS 3

/** The pattern, or a member of an object at an address with that pattern. */
static bool is_pattern(uint64_t value, uint64_t pattern)
{
	uint64_t plain = value & POINTER_MASK;
	uint64_t narrow = value & UINT32_MAX;

	return value - pattern < 0x1000 ||
	       plain - (pattern & POINTER_MASK) < 0x1000 ||
	       (value <= UINT32_MAX &&
	        narrow - (pattern & UINT32_MAX) < 0x1000);
}

static void conclude_pattern(struct explain *x, size_t i)
{
	static const char of_objects[] =
	        "reproduce it with Zombie Objects or AddressSanitizer: they "
	        "name the object";

	explain_advise(x,
	               patterns[i].cause == CAUSE_USE_AFTER_FREE ? of_objects
	               : patterns[i].cause == CAUSE_ASSERTION
	                       ? "look at the frames of WebKit: they say which "
	                         "check failed"
	                       : "look for a variable or member that is used "
	                         "before it is set");
	explain_conclude(
	        x, patterns[i].cause, patterns[i].confidence,
	        patterns[i].cause == CAUSE_USE_AFTER_FREE
	                ? "%s used memory after it was freed"
	        : patterns[i].cause == CAUSE_ASSERTION
	                ? "%s crashed on purpose: a check of WebKit failed"
	                : "%s used a pointer that was never set",
	        x->facts.process);
}

static bool claim_pattern(struct explain *x)
{
	if (!x->facts.is_access || !x->facts.has_address)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		if (!is_pattern(x->facts.address, patterns[i].pattern))
			continue;
		explain_claim(x, patterns[i].confidence,
		              "the address is 0x%" PRIx64 "; %s",
		              x->facts.address, patterns[i].what);
		explain_cite(x, evidence_of(x, PLACE_ADDRESS));
		conclude_pattern(x, i);
		return true;
	}
	return false;
}

/**
 * A register with a whole pattern, usually the base of the address. Intel does
 * not report the address of such an access.
 */
static bool claim_register(struct explain *x)
{
	const struct report_thread_state *state =
	        x->facts.thread ? &x->facts.thread->state : NULL;

	for (size_t i = 0; state && i < state->count; i++) {
		const struct report_register *at = &state->registers[i];

		for (size_t k = 0; at->available && k < FILL_PATTERNS; k++) {
			if (at->value != patterns[k].pattern)
				continue;
			explain_claim(x, CONFIDENCE_LIKELY,
			              "%s holds 0x%" PRIx64 "; %s", at->name,
			              at->value, patterns[k].what);
			explain_cite(x, evidence_of_register(x, at->name));
			if (!x->facts.has_address)
				conclude_pattern(x, k);
			return true;
		}
	}
	return false;
}

static bool claim_zombie_words(struct explain *x)
{
	for (size_t i = 0; i < ARRAY_SIZE(zombie_words); i++) {
		const struct report_section *section =
		        explain_find_text(x, zombie_words[i]);
		const char *line;

		if (!section)
			continue;
		line = explain_claim_line(x, CONFIDENCE_CERTAIN, section,
		                          zombie_words[i]);
		explain_advise(x, "find the code that should have kept the "
		                  "object, or stopped using it");
		explain_conclude(x, CAUSE_USE_AFTER_FREE, CONFIDENCE_CERTAIN,
		                 "%s sent a message to an object that was "
		                 "freed: %s",
		                 x->facts.process, line);
		return true;
	}
	return false;
}

/** Frames of zombies: their class name includes the dead object's. */
static bool claim_zombie_frame(struct explain *x)
{
	static const char *const frames[] = {
		"_NSZombie_",
		"-[_NSZombie_",
		"-[ZombieProxy",
		NULL,
	};
	size_t at = 0;

	if (!x->facts.stack ||
	    !explain_find_call(x->facts.stack, 4, frames, &at))
		return false;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "%s belongs to a zombie: the object had been freed",
	              explain_symbol(&x->facts.stack->frames[at]));
	explain_cite(x, evidence_of_frame(x, x->facts.stack, at));
	explain_advise(x, "find the code that should have kept the object, or "
	                  "stopped using it");
	explain_conclude(x, CAUSE_USE_AFTER_FREE, CONFIDENCE_CERTAIN,
	                 "%s sent a message to an object that was freed",
	                 x->facts.process);
	return true;
}

/** KSCrash remembers the classes of objects that were freed. */
static bool claim_remembered(struct explain *x)
{
	const struct report_section *section =
	        explain_find_text(x, "last_deallocated_obj");

	if (!section || !x->facts.is_access)
		return false;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "an address in the registers or on the stack is that of "
	              "an object which was freed");
	explain_cite(x, evidence_of_section(x, section->label,
	                                    "last_deallocated_obj"));
	return true;
}

static void conclude_object(struct explain *x, size_t at, bool is_filled)
{
	const struct report_stack *stack = &x->facts.thread->stack;
	const char *symbol = explain_symbol(&stack->frames[at]);
	bool remembered = claim_remembered(x) || is_filled;

	explain_claim(
	        x, CONFIDENCE_POSSIBLE,
	        "%s met an address that is not an object: most often, the "
	        "object was freed before; it may also have been "
	        "overwritten, or never been one",
	        symbol);
	explain_cite(x, evidence_of_frame(x, stack, at));
	explain_advise(x, "reproduce it with Zombie Objects or "
	                  "AddressSanitizer: they name the object");
	explain_conclude(
	        x, CAUSE_USE_AFTER_FREE,
	        remembered ? CONFIDENCE_LIKELY : CONFIDENCE_POSSIBLE,
	        "%s %s something that is not an object: %s, it was freed "
	        "before",
	        x->facts.process,
	        strstr(symbol, "msgSend") ? "sent a message to"
	                                  : "counted references to",
	        remembered ? "likely" : "possibly");
}

/** Max offset of members of objects, also at a null pointer. */
#define MEMBERS_END 0x4000

/**
 * Without names: a libobjc that reads just above null reads the class of
 * something that is not an object, since messages to nil do nothing.
 */
static void conclude_unnamed_message(struct explain *x)
{
	const struct report_stack *stack = &x->facts.thread->stack;

	if (!stack->count || explain_symbol(&stack->frames[0]) ||
	    !text_same(explain_image(x, &stack->frames[0]),
	               "libobjc.A.dylib") ||
	    !x->facts.has_address || !x->facts.address ||
	    x->facts.address >= MEMBERS_END)
		return;
	explain_claim(x, CONFIDENCE_POSSIBLE,
	              "the innermost frame is in libobjc.A.dylib, which reads "
	              "the class of an object there: most often, the object "
	              "was freed before");
	explain_cite(x, evidence_of_frame(x, stack, 0));
	explain_advise(x, "reproduce it with Zombie Objects or "
	                  "AddressSanitizer: they name the object");
	explain_conclude(x, CAUSE_USE_AFTER_FREE, CONFIDENCE_POSSIBLE,
	                 "%s sent a message to something that is not an "
	                 "object: possibly, it was freed before",
	                 x->facts.process);
}

/** The selector, which reports give for objc_msgSend(). */
static void claim_selector(struct explain *x)
{
	static const char words[] = "selector name: ";
	const struct report_section *section = explain_find_text(x, words);
	const char *at = section ? strstr(section->text, words) : NULL;

	if (!at)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the message was %s",
	              explain_quote(x, at + strlen(words)));
	explain_cite(x, evidence_of_section(x, section->label, words));
}

void explain_zombie(struct explain *x)
{
	bool is_filled;
	size_t at = 0;

	if (x->concluded && report_section(x->report, "Headline"))
		return;
	claim_selector(x);
	if (claim_zombie_words(x) || claim_zombie_frame(x) ||
	    claim_pattern(x) || !x->facts.is_access || !x->facts.thread)
		return;
	is_filled = claim_register(x);
	if (explain_find_call(&x->facts.thread->stack, 1, object_calls, &at))
		conclude_object(x, at, is_filled);
	else
		conclude_unnamed_message(x);
}

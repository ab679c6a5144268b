// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/number.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/pointer.h"
#include "lib/darwin/signals.h"

#include <inttypes.h>
#include <string.h>

/**
 * Addresses below the first page that can be mapped are null plus an offset.
 */
#define NULL_BYTES 0x4000
/** Nearly all members of objects are at a multiple of this. */
#define MEMBER_BYTES 4

/** An arm64 pointer's tag is in bits 56 to 59 of its top byte. */
#define TAG_SHIFT 56
#define TAG_MASK  (UINT64_MAX >> 8)

#define REGION "VM Region Info"

static const char *region_of(const struct explain *x)
{
	return report_section(x->report, REGION);
}

static bool is_text_of(const char *text, const char *needle)
{
	return text && strstr(text, needle);
}

// Evidence of the hardware

static void explain_tag_fault(struct explain *x)
{
	uint64_t tag = x->facts.address >> TAG_SHIFT & 0xf;

	explain_claim(x, CONFIDENCE_CERTAIN,
	              "EXC_ARM_MTE_TAG_FAULT: the tag of the pointer and the "
	              "tag of the memory differ, which proves a use after "
	              "free or an overflow");
	explain_cite(x, evidence_of(x, PLACE_CODES));
	if (x->facts.has_address) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "the address is 0x%" PRIx64
		              " once the tag (%" PRIu64 ") is taken off",
		              x->facts.address & TAG_MASK, tag);
		explain_cite(x, evidence_of(x, PLACE_ADDRESS));
	}
	explain_advise(x, "look for the owner of the memory that was used: "
	                  "it was freed, or a neighbour was overrun");
	explain_conclude(x, CAUSE_MTE, CONFIDENCE_CERTAIN,
	                 "%s used memory through a pointer with the wrong "
	                 "memory tag: a use after free or an overflow, proven "
	                 "by hardware",
	                 x->facts.process);
}

/** Was it built for signed pointers, as far as known? */
static bool is_signed_code(const struct report_image *image)
{
	return !image || !image->arch || !strcmp(image->arch, "arm64e");
}

/**
 * Pointers are only signed in arm64e code of arm64e processes. The kernel
 * reports "possible" for any address with upper bits set.
 */
static bool has_signed_pointers(const struct explain *x)
{
	const struct report_stack *stack =
	        x->facts.thread ? &x->facts.thread->stack : NULL;

	if (stack && stack->count &&
	    !is_signed_code(report_frame_image(x->report, &stack->frames[0])))
		return false;
	for (size_t i = 0; i < x->report->image_count; i++)
		if (text_same(x->report->images[i].path, x->report->path))
			return is_signed_code(&x->report->images[i]);
	return true;
}

/** Does the report mention pointer authentication, and how certain is it? */
static bool is_pac(const struct explain *x, enum confidence *ret,
                   enum place *ret_place)
{
	const struct report_exception *exception = &x->report->exception;
	const char *space = x->report->termination.namespace_name;

	*ret = CONFIDENCE_CERTAIN;
	*ret_place = PLACE_CODES;
	if (space && !strcmp(space, "PAC_EXCEPTION")) {
		*ret_place = PLACE_TERMINATION;
		return true;
	}
	if (x->facts.kern && !strcmp(x->facts.kern, "EXC_ARM_PAC_FAIL"))
		return true;
	// The kernel only compares upper bits: it says "possible".
	*ret = CONFIDENCE_LIKELY;
	*ret_place = PLACE_SUBTYPE;
	if (!has_signed_pointers(x))
		return false;
	return is_text_of(exception->subtype,
	                  "pointer authentication failure") ||
	       is_text_of(exception->codes, "pointer authentication failure");
}

static void explain_pac(struct explain *x, enum confidence confidence,
                        enum place place)
{
	explain_claim(x, confidence,
	              "the pointer's signature did not match: it was "
	              "overwritten, or used as another type than it was "
	              "signed for");
	explain_cite(x, evidence_of(x, place));
	explain_advise(x, "look for memory corruption, and for function "
	                  "pointers that are cast or computed");
	explain_conclude(x, CAUSE_PAC, confidence,
	                 "%s used a pointer that failed authentication%s",
	                 x->facts.process,
	                 confidence == CONFIDENCE_CERTAIN
	                         ? ""
	                         : ", as far as its upper bits show");
}

void explain_hardware(struct explain *x)
{
	bool can_fault = x->facts.exception == DARWIN_EXC_BAD_ACCESS ||
	                 x->facts.exception == DARWIN_EXC_GUARD;
	enum confidence confidence;
	enum place place;

	if (can_fault && x->facts.has_code &&
	    x->facts.code == DARWIN_ARM_MTE_TAG_FAULT)
		explain_tag_fault(x);
	else if (is_pac(x, &confidence, &place))
		explain_pac(x, confidence, place);
}

// Kind of access, and the region

/** Was it an instruction fetch? */
static bool is_jump(const struct explain *x)
{
	const struct report_register *pc = explain_pc(x);
	const struct report_stack *stack = x->facts.stack;

	if (pc)
		return pc->value == x->facts.address;
	return stack && x->facts.thread && stack == &x->facts.thread->stack &&
	       stack->frames[0].address == x->facts.address;
}

/** `read`, `write`, `execute`; NULL: unknown. */
static const char *access_of(const struct explain *x, struct evidence *ret)
{
	const struct report_register *esr = explain_register(x, "esr");
	const char *note = esr ? esr->note : NULL;
	const char *kind = NULL;

	if (is_text_of(note, "Instruction Abort"))
		kind = "execute";
	else if (is_text_of(note, "Data Abort") && strstr(note, "write"))
		kind = "write";
	else if (is_text_of(note, "Data Abort") && strstr(note, "read"))
		kind = "read";
	if (kind)
		*ret = evidence_of_register(x, "esr");
	else if (is_jump(x))
		kind = "execute";
	if (kind && !ret->place)
		*ret = evidence_of(x, PLACE_ADDRESS);
	return kind;
}

/** The mark of the region in question, `--->`, and its line. */
static const char *region_line(const struct explain *x)
{
	const char *region = region_of(x);
	const char *mark = region ? strstr(region, "--->") : NULL;
	struct text line;

	if (!mark)
		return NULL;
	line = text_from(mark + strlen("--->"));
	line = text_trim(text_first(line, text_find_char(line, '\n')));
	return line.size ? arena_text(x->arena, line) : NULL;
}

/** Its first sentence: MetricKit has the whole map on the same line. */
static void claim_region(struct explain *x)
{
	static const char *const ends[] = { ". ", ".\n", ";" };
	const char *region = region_of(x);
	struct text first = text_from(region ? region : "");

	if (!region)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		first = text_first(first, text_find(first, ends[i]));
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the kernel says of the region: %s",
	              explain_quote(x, arena_text(x->arena, first)));
	explain_cite(x, evidence_of_section(x, REGION, NULL));
}

static void claim_access(struct explain *x, const char *access,
                         struct evidence evidence)
{
	explain_claim(x, CONFIDENCE_CERTAIN, "the address is 0x%" PRIx64 "%s%s",
	              x->facts.address, x->facts.kern ? ": " : "",
	              x->facts.kern ? x->facts.kern : "");
	explain_cite(x, evidence_of(x, PLACE_ADDRESS));
	if (!access)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the instruction tried to %s %s",
	              access, !strcmp(access, "execute") ? "there" : "it");
	explain_cite(x, evidence);
}

// Conclusions, most specific first

/** Few members are there: a value of a byte, or no pointer at all. */
static void conclude_small(struct explain *x)
{
	explain_claim(x, CONFIDENCE_POSSIBLE,
	              "addresses below 0x%x are never mapped: this one may be "
	              "a null pointer plus the offset of a single byte, or a "
	              "small number that was used as a pointer",
	              NULL_BYTES);
	explain_cite(x, evidence_of(x, PLACE_ADDRESS));
	explain_advise(x, "find where the pointer comes from: it was null and "
	                  "moved on by bytes, or is a number (an index, a "
	                  "length, an error code) taken for a pointer");
	explain_conclude(x, CAUSE_NULL_DEREFERENCE, CONFIDENCE_POSSIBLE,
	                 "%s accessed 0x%" PRIx64
	                 ": a null pointer plus %" PRIu64
	                 ", or a small number used as a pointer",
	                 x->facts.process, x->facts.address, x->facts.address);
}

static void conclude_null(struct explain *x, const char *access)
{
	uint64_t offset = x->facts.address;

	if (access && !strcmp(access, "execute")) {
		explain_advise(x, "look at the caller: the function pointer, "
		                  "block or weak symbol it called was null");
		explain_conclude(x, CAUSE_BAD_JUMP, CONFIDENCE_CERTAIN,
		                 "%s called a function at 0x%" PRIx64
		                 ": a null function pointer",
		                 x->facts.process, offset);
		return;
	}
	if (offset % MEMBER_BYTES) {
		conclude_small(x);
		return;
	}
	explain_claim(x, CONFIDENCE_LIKELY,
	              "addresses below 0x%x are never mapped: %s", NULL_BYTES,
	              offset ? "this one is a null pointer plus the offset of "
	                       "a member or element"
	                     : "this one is a null pointer");
	explain_cite(x, evidence_of(x, PLACE_ADDRESS));
	explain_advise(x, offset ? "find the pointer that was null: the "
	                           "offset is that of the member that was "
	                           "used"
	                         : "find the pointer that was null, and why");
	if (offset)
		explain_conclude(
		        x, CAUSE_NULL_DEREFERENCE, CONFIDENCE_LIKELY,
		        "%s used a null pointer: it accessed 0x%" PRIx64
		        ", null plus %" PRIu64,
		        x->facts.process, offset, offset);
	else
		explain_conclude(x, CAUSE_NULL_DEREFERENCE, CONFIDENCE_LIKELY,
		                 "%s used a null pointer", x->facts.process);
}

/**
 * The kernel knows the page and forbids the access. The signal's code
 * SEGV_ACCERR proves nothing: kernels also use it for null pointers.
 */
static bool is_protection(const struct explain *x)
{
	return x->facts.kern &&
	       !strcmp(x->facts.kern, "KERN_PROTECTION_FAILURE");
}

static void conclude_protected(struct explain *x, const char *access)
{
	const char *line = region_line(x);

	explain_advise(x, "find where the pointer comes from: constants and "
	                  "code cannot be written, data cannot be executed");
	explain_conclude(
	        x,
	        access && !strcmp(access, "execute") ? CAUSE_BAD_JUMP
	                                             : CAUSE_WRITE_PROTECTED,
	        CONFIDENCE_CERTAIN,
	        "%s tried to %s memory at 0x%" PRIx64
	        " that does not permit it%s%s",
	        x->facts.process, access ? access : "access", x->facts.address,
	        line ? ": " : "", line ? explain_quote(x, line) : "");
}

/** The processor's word: BUS_ADRALN is the code of every SIGBUS. */
static bool is_misaligned(const char *kern)
{
	return kern && (!strcmp(kern, "EXC_ARM_DA_ALIGN") ||
	                !strcmp(kern, "EXC_ARM_SP_ALIGN"));
}

static void conclude_misaligned(struct explain *x)
{
	explain_advise(x, "look for a pointer that was cast to a larger type, "
	                  "or computed in bytes");
	explain_conclude(x, CAUSE_MISALIGNED, CONFIDENCE_CERTAIN,
	                 "%s accessed the misaligned address 0x%" PRIx64,
	                 x->facts.process, x->facts.address);
}

static bool is_bad_page(const char *kern)
{
	return kern && !strcmp(kern, "KERN_CODESIGN_ERROR");
}

static void conclude_bad_page(struct explain *x)
{
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "KERN_CODESIGN_ERROR: the page at that address does "
	              "not match the code signature");
	explain_cite(x, evidence_of(x, PLACE_SUBTYPE));
	explain_advise(x, "check whether the file was changed or replaced "
	                  "while it was in use, or was damaged");
	explain_conclude(x, CAUSE_CODE_SIGNATURE, CONFIDENCE_CERTAIN,
	                 "%s used a page of code whose signature is not valid",
	                 x->facts.process);
}

/** Too many bits for a user address, and not all ones for the kernel. */
static bool is_non_canonical(const struct explain *x)
{
	return x->facts.has_address && x->facts.address >> POINTER_BITS;
}

/** Min length of text that is not chance. */
#define TEXT_BYTES_MIN 5

/** Bytes of the address that are text, in memory order; or "". */
static const char *text_in_address(const struct explain *x)
{
	char bytes[sizeof(x->facts.address) + 1] = "";
	size_t from = 0, max = 0, start = 0;

	for (size_t i = 0; i <= sizeof(x->facts.address); i++) {
		char c = (char)(x->facts.address >> (i < 8 ? 8 * i : 0) & 0xff);

		if (i < 8 && c >= ' ' && c <= '~') {
			bytes[i] = c;
			continue;
		}
		if (i - from > max) {
			max = i - from;
			start = from;
		}
		from = i + 1;
	}
	return max < TEXT_BYTES_MIN
	               ? ""
	               : arena_text(x->arena,
	                            (struct text){ bytes + start, max });
}

static void conclude_non_canonical(struct explain *x)
{
	const char *text = x->facts.has_address ? text_in_address(x) : "";

	bool is_known = x->facts.has_address;

	explain_claim(x, is_known ? CONFIDENCE_CERTAIN : CONFIDENCE_LIKELY,
	              is_known ? "no address of a process has so many bits"
	                       : "a general protection fault: most often, an "
	                         "address with more bits than addresses have; "
	                         "the processor does not say which");
	explain_cite(x, evidence_of(x, is_known ? PLACE_ADDRESS : PLACE_CODES));
	if (*text) {
		explain_claim(x, CONFIDENCE_LIKELY,
		              "bytes of the address are text, \"%s\": the "
		              "pointer was overwritten by a string, or is one",
		              text);
		explain_cite(x, evidence_of(x, PLACE_ADDRESS));
	}
	explain_advise(x, *text ? "look for what writes that text beyond the "
	                          "end of its buffer"
	                        : "look for a pointer that was overwritten, "
	                          "never set, or used after free");
	explain_conclude(x, CAUSE_NON_CANONICAL, CONFIDENCE_LIKELY,
	                 "%s used %s%s%s as a pointer", x->facts.process,
	                 *text ? "text (\""
	                       : "freed, overwritten or never set ",
	                 *text ? text : "memory", *text ? "\")" : "");
}

static void conclude_wild(struct explain *x, const char *access)
{
	bool is_jump_there = access && !strcmp(access, "execute");
	const char *region = region_of(x);
	bool is_nowhere = region && strstr(region, "not in any region");

	explain_advise(x, "find where the pointer comes from: it was freed, "
	                  "overwritten, or never set");
	explain_conclude(
	        x, is_jump_there ? CAUSE_BAD_JUMP : CAUSE_BAD_ACCESS,
	        CONFIDENCE_CERTAIN, "%s %s 0x%" PRIx64 "%s", x->facts.process,
	        is_jump_there ? "jumped to" : "accessed the bad address",
	        x->facts.address,
	        is_nowhere ? ", where nothing is mapped" : "");
}

/** Services keep the exception and a message, and not always its codes. */
static void conclude_unknown(struct explain *x)
{
	static const char label[] = "Application Specific Information";
	const char *message = report_section(x->report, label);

	if (x->concluded)
		return;
	if (message && *message) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the report says: %s",
		              explain_quote(x, message));
		explain_cite(x, evidence_of_section(x, label, NULL));
	}
	explain_advise(x, "look at the pointers that the first frame of the "
	                  "app uses; a report with Exception Codes has the "
	                  "address");
	explain_conclude(x, CAUSE_BAD_ACCESS, CONFIDENCE_CERTAIN,
	                 "%s accessed memory that it must not; the report "
	                 "does not give the address that was accessed",
	                 x->facts.process);
}

void explain_address(struct explain *x)
{
	struct evidence evidence = { 0 };
	const char *access;

	if (!x->facts.is_access)
		return;
	if (!x->facts.has_address) {
		if (x->facts.kern && !strcmp(x->facts.kern, "EXC_I386_GPFLT"))
			conclude_non_canonical(x);
		conclude_unknown(x);
		return;
	}
	access = access_of(x, &evidence);
	claim_access(x, access, evidence);
	claim_region(x);
	if (x->concluded)
		return;
	if (is_bad_page(x->facts.kern))
		conclude_bad_page(x);
	else if (x->facts.address < NULL_BYTES)
		conclude_null(x, access);
	else if (is_non_canonical(x) && !(access && !strcmp(access, "execute")))
		conclude_non_canonical(x);
	else if (is_misaligned(x->facts.kern))
		conclude_misaligned(x);
	else if (is_protection(x))
		conclude_protected(x, access);
	else
		conclude_wild(x, access);
}

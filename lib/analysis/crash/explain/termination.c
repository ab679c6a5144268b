// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/text.h"
#include "lib/darwin/jetsam.h"
#include "lib/darwin/terminations.h"

#include <inttypes.h>
#include <string.h>

static enum cause cause_of(enum termination_kind kind)
{
	switch (kind) {
	case TERMINATION_WATCHDOG:
		return CAUSE_WATCHDOG;
	case TERMINATION_THERMAL:
		return CAUSE_THERMAL;
	case TERMINATION_FILE_LOCK:
		return CAUSE_FILE_LOCK;
	case TERMINATION_VOIP:
		return CAUSE_VOIP;
	case TERMINATION_DISK_SPACE:
		return CAUSE_DISK_SPACE;
	case TERMINATION_FORCE_QUIT:
		return CAUSE_FORCE_QUIT;
	case TERMINATION_STACKSHOT:
		return CAUSE_NONE;
	case TERMINATION_BACKGROUND:
		return CAUSE_BACKGROUND_TASK;
	case TERMINATION_SECURITY:
		return CAUSE_SECURITY;
	case TERMINATION_CODE_SIGNATURE:
		return CAUSE_CODE_SIGNATURE;
	case TERMINATION_DYLD:
		return CAUSE_DYLD;
	case TERMINATION_EXEC:
		return CAUSE_EXEC;
	case TERMINATION_PRIVACY:
		return CAUSE_PRIVACY;
	case TERMINATION_OTHER:
		break;
	}
	return CAUSE_SYSTEM_TERMINATION;
}

/** Brackets and quotes that some systems put around their text. */
static const char *skip_brackets(const char *text)
{
	return text + strspn(text, "<[(\"' ");
}

/** The system's words for the code: the first text among them. */
static const char *find_words(const struct explain *x, enum place *ret)
{
	const struct report_termination *t = &x->report->termination;
	const char *asi;

	for (size_t i = 0; i < t->reason_count; i++) {
		*ret = PLACE_REASONS;
		if (*skip_brackets(t->reasons[i]))
			return explain_quote(x, t->reasons[i]);
	}
	for (size_t i = 0; i < t->detail_count; i++) {
		*ret = PLACE_DETAILS;
		if (*skip_brackets(t->details[i]))
			return explain_quote(x, t->details[i]);
	}
	*ret = PLACE_INDICATOR;
	if (t->indicator && *t->indicator)
		return explain_quote(x, t->indicator);
	// Old systems have them here.
	*ret = PLACE_ASI;
	asi = report_section(x->report, "Application Specific Information");
	return asi && *asi && !t->has_code ? explain_quote(x, asi) : NULL;
}

static void claim_words(struct explain *x)
{
	enum place place;
	const char *words = find_words(x, &place);
	const struct report_process_ref *by = &x->report->termination.by;

	if (words) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the system says: %s",
		              words);
		explain_cite(x, evidence_of(x, place));
	}
	// If the process ended itself, that is claimed elsewhere.
	if (by->name && *by->name && strcmp(by->name, "exc handler") != 0 &&
	    !text_same(by->name, x->report->process.name)) {
		explain_claim(x, CONFIDENCE_CERTAIN, "%s ended it",
		              explain_quote(x, by->name));
		explain_cite(x, evidence_of(x, PLACE_BY));
	}
}

/** `NSCameraUsageDescription`; empty without such a key. */
static struct text usage_key(const char *text)
{
	struct text all = text_from(text ? text : "");
	size_t start = text_find(all, "UsageDescription");
	size_t end = start;

	if (start == TEXT_NOWHERE)
		return TEXT_NONE;
	while (start && text_is_letter(all.data[start - 1]))
		start--;
	while (end < all.size && text_is_letter(all.data[end]))
		end++;
	all = text_after(text_first(all, end), start);
	return text_starts(all, "NS") ? all : TEXT_NONE;
}

/** The key that the report names as missing. */
static struct text find_usage_key(const struct explain *x, struct evidence *ret)
{
	const struct report_termination *t = &x->report->termination;
	const struct report_section *section;
	struct text key = TEXT_NONE;

	*ret = evidence_of(x, PLACE_REASONS);
	for (size_t i = 0; i < t->reason_count && !key.size; i++)
		key = usage_key(t->reasons[i]);
	if (key.size)
		return key;
	*ret = evidence_of(x, PLACE_DETAILS);
	for (size_t i = 0; i < t->detail_count && !key.size; i++)
		key = usage_key(t->details[i]);
	section = explain_find_text(x, "UsageDescription");
	if (key.size || !section)
		return key;
	*ret = evidence_of_section(x, section->label, "UsageDescription");
	return usage_key(section->text);
}

/** Which data it was: the system names the missing key. */
static void advise_privacy(struct explain *x)
{
	struct evidence evidence;
	struct text key = find_usage_key(x, &evidence);
	const char *name;

	if (!key.size)
		return;
	name = explain_quote(x, arena_text(x->arena, key));
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the system names the key that is missing: %s", name);
	explain_cite(x, evidence);
	explain_advise(x, arena_printf(x->arena,
	                               "add %s to the app's Info.plist, with "
	                               "a text that says what the data is "
	                               "for",
	                               name));
}

/** What the dynamic linker could not load or find; or empty. */
static const char *conclusion_of(struct explain *x,
                                 const struct termination_code *code)
{
	const char *subject =
	        code->kind == TERMINATION_DYLD ? explain_dyld_claim(x) : NULL;

	if (!subject)
		return code->meaning;
	return arena_printf(x->arena, "%s: %s", code->meaning, subject);
}

static void conclude_code(struct explain *x,
                          const struct termination_code *code)
{
	const struct report_termination *t = &x->report->termination;
	const char *meaning;

	if (t->has_code && t->code != code->code)
		explain_claim(x, CONFIDENCE_CERTAIN, "%s, \"%s\": %s",
		              t->namespace_name, explain_quote(x, t->indicator),
		              code->meaning);
	else
		explain_claim(x, CONFIDENCE_CERTAIN, "code 0x%" PRIx64 ": %s",
		              code->code, code->meaning);
	explain_cite(x, evidence_of(x, PLACE_TERMINATION));
	claim_words(x);
	meaning = conclusion_of(x, code);
	if (code->kind == TERMINATION_PRIVACY)
		advise_privacy(x);
	if (code->kind == TERMINATION_FILE_LOCK)
		explain_lock_holder(x);
	explain_advise(x, code->advice);
	explain_conclude(x, cause_of(code->kind), CONFIDENCE_CERTAIN,
	                 "the system ended %s: %s", x->facts.process, meaning);
}

/** The kernel's memory manager names its reason in the indicator. */
static void conclude_jetsam(struct explain *x)
{
	const struct report_termination *t = &x->report->termination;
	const struct jetsam_cause *cause = jetsam_cause_find(t->indicator);

	if (cause) {
		explain_claim(x, CONFIDENCE_CERTAIN, "%s: %s", cause->reason,
		              cause->meaning);
		explain_cite(x, evidence_of(x, PLACE_INDICATOR));
		explain_advise(x, cause->advice);
	}
	claim_words(x);
	explain_conclude(x, explain_jetsam_cause(t->indicator),
	                 CONFIDENCE_CERTAIN, "the kernel killed %s%s%s",
	                 x->facts.process, cause ? ": " : " for memory",
	                 cause ? cause->meaning : "");
}

/** Its code as part of a sentence; empty without a code. */
static const char *code_words(const struct explain *x)
{
	const struct report_termination *t = &x->report->termination;

	return t->has_code
	               ? arena_printf(x->arena, ", code 0x%" PRIx64, t->code)
	               : "";
}

/** A namespace with an unknown code. */
static void conclude_namespace(struct explain *x)
{
	const struct report_termination *t = &x->report->termination;
	const struct termination_space *space =
	        termination_space_find(t->namespace_name);
	const char *meaning = space ? space->meaning : NULL;
	enum place place;
	const char *words = find_words(x, &place);

	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the reason is of the namespace %s%s%s%s%s",
	              explain_quote(x, t->namespace_name), meaning ? " (" : "",
	              meaning ? meaning : "", meaning ? ")" : "",
	              code_words(x));
	explain_cite(x, evidence_of(x, PLACE_TERMINATION));
	claim_words(x);
	if (space && space->kind == TERMINATION_DYLD)
		explain_dyld_claim(x);
	explain_advise(x, space ? space->advice : NULL);
	explain_conclude(x, cause_of(space ? space->kind : TERMINATION_OTHER),
	                 CONFIDENCE_CERTAIN, "%s ended %s%s%s",
	                 meaning ? meaning : "the system", x->facts.process,
	                 words ? ": " : "", words ? words : "");
}

/** Namespaces handled by other subjects. */
static bool is_other_subject(const char *space)
{
	return !strcmp(space, "SIGNAL") || !strcmp(space, "GUARD") ||
	       !strcmp(space, "PAC_EXCEPTION");
}

/** iOS up to 8 put the watchdog's and the system's codes in their stead. */
static const struct termination_code *find_old_code(const struct explain *x)
{
	const char *type = x->report->exception.type;

	if (!x->facts.has_code || x->facts.has_subcode ||
	    x->facts.code <= UINT16_MAX ||
	    (type && strcmp(type, "00000020") != 0))
		return NULL;
	return termination_code_find(NULL, x->facts.code);
}

const struct termination_code *explain_termination_code(const struct explain *x)
{
	const struct report_termination *t = &x->report->termination;
	const struct termination_code *code =
	        t->has_code ? termination_code_find(t->namespace_name, t->code)
	                    : find_old_code(x);

	return code ? code
	            : termination_code_of_words(t->namespace_name,
	                                        t->indicator);
}

/** A namespace without a code suffices if all its codes are alike. */
static bool says_enough(const struct report_termination *t)
{
	const struct termination_space *space =
	        termination_space_find(t->namespace_name);

	return t->has_code || (space && space->kind != TERMINATION_OTHER);
}

/**
 * macOS up to 10.15 has it in addition to EXC_CRASH, with a signal as reason.
 */
static bool is_invalid_signature(const struct report *report)
{
	return text_same(report->exception.subtype, "Code Signature Invalid");
}

static void conclude_signature(struct explain *x)
{
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "Code Signature Invalid: its code does not match its "
	              "signature, or the signature is not accepted");
	explain_cite(x, evidence_of(x, PLACE_SUBTYPE));
	explain_advise(x, "check the signature with 'codesign --verify', and "
	                  "whether the file was changed while it was in use");
	explain_conclude(x, CAUSE_CODE_SIGNATURE, CONFIDENCE_CERTAIN,
	                 "the system ended %s: its code signature is not valid",
	                 x->facts.process);
}

void explain_termination(struct explain *x)
{
	const struct report_termination *t = &x->report->termination;
	const char *space = t->namespace_name;
	const struct termination_code *code = explain_termination_code(x);

	if (code)
		conclude_code(x, code);
	else if (is_invalid_signature(x->report))
		conclude_signature(x);
	else if (!space || !*space || is_other_subject(space))
		explain_dyld(x);
	else if (!strcmp(space, "JETSAM"))
		conclude_jetsam(x);
	else if (says_enough(t))
		conclude_namespace(x);
}

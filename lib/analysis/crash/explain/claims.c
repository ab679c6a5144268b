// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/claims.h"

#include "lib/base/str.h"

#include <stdarg.h>
#include <string.h>

const struct explain_cause explain_causes[] = {
#define CAUSE(name, word, what) { word, what },
#include "lib/analysis/crash/explain/causes.def"
#undef CAUSE
	{ NULL, NULL },
};

/** Initial capacity. */
#define EVIDENCE_FIRST 2

PRINTF_LIKE(2, 0)
static const char *add_text(struct explain *x, const char *format, va_list args)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addv(&text, format, args);
	return arena_text(x->arena, str_text(&text));
}

void explain_claim(struct explain *x, enum confidence confidence,
                   const char *format, ...)
{
	struct explanation *answer = x->answer;
	va_list args;

	ARENA_GROW(x->arena, answer->claims, answer->claim_count,
	           answer->claim_cap);
	va_start(args, format);
	answer->claims[answer->claim_count++] = (struct claim){
		.text = add_text(x, format, args),
		.confidence = confidence,
	};
	va_end(args);
}

void explain_cite(struct explain *x, struct evidence evidence)
{
	struct explanation *answer = x->answer;
	struct claim *claim = &answer->claims[answer->claim_count - 1];

	if (!evidence.place)
		return;
	for (size_t i = 0; i < claim->evidence_count; i++)
		if (!strcmp(claim->evidence[i].place, evidence.place))
			return;
	// Most claims have one or two, and there may be 60,000 reports.
	if (!claim->evidence_cap) {
		claim->evidence_cap = EVIDENCE_FIRST;
		claim->evidence = arena_array(x->arena, claim->evidence_cap,
		                              sizeof(*claim->evidence));
	}
	ARENA_GROW(x->arena, claim->evidence, claim->evidence_count,
	           claim->evidence_cap);
	claim->evidence[claim->evidence_count++] = evidence;
}

void explain_conclude(struct explain *x, enum cause cause,
                      enum confidence confidence, const char *format, ...)
{
	va_list args;

	if (x->concluded)
		return;
	x->concluded = true;
	x->answer->cause = explain_causes[cause].word;
	x->answer->confidence = confidence;
	va_start(args, format);
	x->answer->verdict = add_text(x, format, args);
	va_end(args);
}

void explain_advise(struct explain *x, const char *advice)
{
	if (!x->concluded && !x->answer->next_step)
		x->answer->next_step = advice;
}

void explain_drop_unproven(struct explain *x)
{
	struct explanation *answer = x->answer;
	size_t kept = 0;

	for (size_t i = 0; i < answer->claim_count; i++)
		if (answer->claims[i].evidence_count)
			answer->claims[kept++] = answer->claims[i];
	answer->claim_count = kept;
}

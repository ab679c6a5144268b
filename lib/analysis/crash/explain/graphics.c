// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/text.h"

#include <string.h>

/**
 * Messages of the graphics system when it stops a process: signatures of
 * libGPUSupport, and errors of Metal's command buffers.
 */
static const char *const words[] = {
	"Graphics kernel error: ",
	"Graphics hardware encountered an error and was reset",
	"kIOGPUCommandBufferCallbackError",
	"kIOAccelCommandBufferCallbackError",
	"(IOAF code ",
};

/** Functions of the driver that end the process, and why (Apple QA1766). */
static const struct {
	const char *function;
	const char *why;
	const char *advice;
} kills[] = {
	{ "gpus_ReturnNotPermittedKillClient",
	  "it drew with OpenGL ES in the background, which is not permitted",
	  "stop drawing before the app goes to the background, and call "
	  "glFinish()" },
	{ "gpus_ReturnGuiltyForHardwareRestart",
	  "its commands made the graphics processor restart", NULL },
	{ "gpus_ReturnObjectErrorKillClient",
	  "a buffer or texture of its commands was not valid", NULL },
	{ "gpusGenerateCrashLog", "the driver found an error in its commands",
	  NULL },
	{ "gpusKillClient", "the driver found an error in its commands", NULL },
};

static const char advice[] =
        "look at what was drawn last: buffers, textures and shaders, and run "
        "the app with the validation of Metal or OpenGL on";

/** Section of the app's information with @p needle; or NULL. */
static const struct report_section *find_words(const struct explain *x,
                                               const char *needle)
{
	for (size_t i = 0; i < x->report->section_count; i++) {
		const struct report_section *section = &x->report->sections[i];

		if (section->text && strstr(section->text, needle) &&
		    text_starts(text_from(section->label),
		                "Application Specific "))
			return section;
	}
	return NULL;
}

static bool conclude_words(struct explain *x)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const struct report_section *section = find_words(x, words[i]);
		const char *line;

		if (!section)
			continue;
		line = explain_claim_line(x, CONFIDENCE_CERTAIN, section,
		                          words[i]);
		explain_advise(x, advice);
		explain_conclude(x, CAUSE_GRAPHICS, CONFIDENCE_CERTAIN,
		                 "the graphics system stopped %s: %s",
		                 x->facts.process, line);
		return true;
	}
	return false;
}

/** The driver's function that stopped it, near the top of the stack. */
static void conclude_kill(struct explain *x)
{
	const struct report_stack *stack = x->facts.stack;

	for (size_t i = 0; i < ARRAY_SIZE(kills); i++) {
		const char *const names[] = { kills[i].function, NULL };
		size_t at = 0;

		if (!explain_find_call(stack, 6, names, &at))
			continue;
		explain_claim(x, CONFIDENCE_CERTAIN, "%s stops a process: %s",
		              explain_symbol(&stack->frames[at]), kills[i].why);
		explain_cite(x, evidence_of_frame(x, stack, at));
		explain_advise(x, kills[i].advice ? kills[i].advice : advice);
		explain_conclude(x, CAUSE_GRAPHICS, CONFIDENCE_CERTAIN,
		                 "the graphics system stopped %s: %s",
		                 x->facts.process, kills[i].why);
		return;
	}
}

void explain_graphics(struct explain *x)
{
	if (!x->concluded && !conclude_words(x))
		conclude_kill(x);
}

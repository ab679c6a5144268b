// SPDX-License-Identifier: MIT
/**
 * Selects the frames of the stack that form the signature. Private to
 * lib/analysis/crash/signature.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CORE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CORE_H

#include "lib/analysis/crash/signature/signature.h"
#include "lib/base/arena.h"
#include "lib/model/report.h"

/** A call and the rules that apply to it. */
struct core_frame {
	struct signature_frame shown;
	const struct report_frame *frame;
	const struct lag_rule *role;     ///< or NULL
	const struct lag_rule *app_rule; ///< or NULL
	bool is_out;                     ///< removed
};

struct core_frames {
	struct core_frame *items; ///< innermost first
	size_t count;
	size_t first; ///< set by core_choose(): start of the core
};

/**
 * Select the core and set for each frame why it is in or out. Sets kind, core,
 * and the first frame.
 */
void core_choose(enum signature_algorithm algorithm, struct core_frames *frames,
                 struct arena *arena, struct signature *ret);

#endif

// SPDX-License-Identifier: MIT
/**
 * Within lib/analysis/crash/signature: which frames of the blamed stack make
 * the signature.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CORE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CORE_H

#include "lib/analysis/crash/signature/signature.h"
#include "lib/base/arena.h"
#include "lib/model/report.h"

/** A call, with what decides about it. */
struct core_frame {
	struct signature_frame shown;
	const struct report_frame *frame;
	const struct lag_rule *role;     ///< NULL: no rule
	const struct lag_rule *app_rule; ///< NULL: no rule
	bool is_out;                     ///< taken out
};

struct core_frames {
	struct core_frame *items; ///< innermost first
	size_t count;
	size_t first; ///< set by core_choose(): of the core
};

/**
 * Choose the core and say of each frame why it is in or out. Sets kind, core,
 * and whether there is a first frame.
 */
void core_choose(enum signature_algorithm algorithm, struct core_frames *frames,
                 struct arena *arena, struct signature *ret);

#endif

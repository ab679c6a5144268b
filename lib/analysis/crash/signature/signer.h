// SPDX-License-Identifier: MIT
/**
 * Makes signatures (signature.h) of reports.
 *
 *     struct signer signer = { .functions.rules = &rules };
 *
 *     if (signer_sign(&signer, report, &arena, &signature))
 *             …
 *     signer_release(&signer);
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_SIGNER_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_SIGNER_H

#include "lib/analysis/crash/signature/functions.h"
#include "lib/analysis/crash/signature/signature.h"
#include "lib/base/arena.h"
#include "lib/config/lag_rules.h"
#include "lib/model/jetsam.h"
#include "lib/model/report.h"
#include "lib/model/report_signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How often a rule matched, for tests of rules. */
struct signer_count {
	uint64_t matched; ///< whatever came before it
	uint64_t decided;
	bool undecided; ///< it was too costly for some frame
};

/** All zeros but for `counts_matches`, the rules and the algorithm. */
struct signer {
	struct crash_functions functions; ///< budget 0: spent for the run
	bool counts_matches;              ///< fill `matched`, too

	struct signer_count *counts; ///< by rule; NULL before the first frame
};

/**
 * The signature of a report.
 *
 * @param ret  In the arena and the signer, good until the next call.
 * @return False where no frame is left to make one of: such a report is like
 *         no other.
 */
bool signer_sign(struct signer *signer, const struct report *report,
                 struct arena *arena, struct signature *ret);

/** The signature of a process that jetsam killed. */
void signer_sign_kill(const struct jetsam_process *process, struct arena *arena,
                      struct signature *ret);

/**
 * The signature of a report as it is printed, with SIGNATURE_LEVEL frames: of
 * a jetsam log, that of the first process that was killed.
 *
 * @return In the arena; NULL where it has none.
 */
const struct report_signature *signer_print(struct signer *signer,
                                            const struct report *report,
                                            struct arena *arena);

void signer_release(struct signer *signer);

#endif

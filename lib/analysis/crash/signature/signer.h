// SPDX-License-Identifier: MIT
/**
 * Computes signatures (signature.h) of reports.
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

/** Matches of a rule, for testing rules. */
struct signer_count {
	uint64_t matched; ///< regardless of earlier rules
	uint64_t decided;
	bool undecided; ///< it took too long to decide some frame
};

/** All zeros except `counts_matches`, the rules and the algorithm. */
struct signer {
	struct crash_functions functions; ///< budget 0: used up
	bool counts_matches;              ///< set `matched`, too

	struct signer_count *counts; ///< by rule; NULL before the first frame
};

/**
 * The signature of a report.
 *
 * @param ret  In the arena and the signer, valid until the next call.
 * @return False if no frame is left: such a report belongs to no group.
 */
bool signer_sign(struct signer *signer, const struct report *report,
                 struct arena *arena, struct signature *ret);

/** The signature of a process that jetsam killed. */
void signer_sign_kill(const struct jetsam_process *process, struct arena *arena,
                      struct signature *ret);

/**
 * The printable signature of a report, with SIGNATURE_LEVEL frames. A jetsam
 * log has the signature of its first victim.
 *
 * @return In the arena; or NULL.
 */
const struct report_signature *signer_print(struct signer *signer,
                                            const struct report *report,
                                            struct arena *arena);

void signer_release(struct signer *signer);

#endif

// SPDX-License-Identifier: MIT
#ifndef APMTOOL_CMD_VERSION_H
#define APMTOOL_CMD_VERSION_H

/**
 * The commit that this program was built from, in hex; `-dirty` follows if
 * files had been changed. "unknown" for a build outside git, and for one with
 * tests.
 */
extern const char apmtool_commit[];

#endif

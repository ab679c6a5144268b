// SPDX-License-Identifier: MIT
#ifndef APMTOOL_CMD_VERSION_H
#define APMTOOL_CMD_VERSION_H

/**
 * The commit of this build in hex, with `-dirty` if files had been changed;
 * "unknown" outside git, and in builds with tests.
 */
extern const char apmtool_commit[];

#endif

// SPDX-License-Identifier: MIT
/**
 * One input of a sample run: lines, one document, or an archive whose files are
 * inputs of their own.
 */
#ifndef APMTOOL_CMD_RUN_SAMPLE_INPUT_H
#define APMTOOL_CMD_RUN_SAMPLE_INPUT_H

#include "cmd/run/samples.h"

/**
 * Read it to its end, hand on what comes of it, and count it; for run_each().
 *
 * @param run  A struct sample_run.
 */
void sample_input_take(const struct input *input, void *run);

#endif

// SPDX-License-Identifier: MIT
/**
 * Reads an input of a sample run: lines, a document, or an archive whose files
 * are inputs.
 */
#ifndef APMTOOL_CMD_RUN_SAMPLE_INPUT_H
#define APMTOOL_CMD_RUN_SAMPLE_INPUT_H

#include "cmd/run/samples.h"

/**
 * Read an input to its end, deliver its results, and count it; for run_each().
 *
 * @param run  A struct sample_run.
 */
void sample_input_take(const struct input *input, void *run);

#endif

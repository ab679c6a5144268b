// SPDX-License-Identifier: MIT
/**
 * Names of apps as reports write them, with the version behind.
 */
#ifndef APMTOOL_LIB_MODEL_APP_NAME_H
#define APMTOOL_LIB_MODEL_APP_NAME_H

#include "lib/base/text.h"

/** `Demo` of `Demo 2.1 (214)` and of `Demo (214)`; all of any other. */
struct text app_name_of(struct text app);

#endif

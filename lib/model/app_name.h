// SPDX-License-Identifier: MIT
/** Names of apps in reports, followed by the version. */
#ifndef APMTOOL_LIB_MODEL_APP_NAME_H
#define APMTOOL_LIB_MODEL_APP_NAME_H

#include "lib/base/text.h"

/** `Demo` for `Demo 2.1 (214)` and `Demo (214)`; other text unchanged. */
struct text app_name_of(struct text app);

#endif

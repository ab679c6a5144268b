// SPDX-License-Identifier: MIT
#include "lib/model/jetsam_answer.h"

const char *jetsam_app_state_name(enum jetsam_app_state app_state)
{
	switch (app_state) {
	case JETSAM_APP_STATE_FOREGROUND:
		return "foreground";
	case JETSAM_APP_STATE_BACKGROUND:
		return "background";
	case JETSAM_APP_STATE_SYSTEM:
		return "system";
	case JETSAM_APP_STATE_UNKNOWN:
		break;
	}
	return "unknown";
}

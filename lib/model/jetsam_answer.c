#include "lib/model/jetsam_answer.h"

const char *jetsam_stand_name(enum jetsam_stand stand)
{
	switch (stand) {
	case JETSAM_STAND_FOREGROUND:
		return "foreground";
	case JETSAM_STAND_BACKGROUND:
		return "background";
	case JETSAM_STAND_SYSTEM:
		return "system";
	case JETSAM_STAND_UNKNOWN:
		break;
	}
	return "unknown";
}

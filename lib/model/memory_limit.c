#include "lib/model/memory_limit.h"

const char *memory_evidence_name(enum memory_evidence evidence)
{
	switch (evidence) {
	case MEMORY_EVIDENCE_SUM:
		return "footprint + available memory";
	case MEMORY_EVIDENCE_PRIORITY_LIST:
		return "jetsam priority list";
	case MEMORY_EVIDENCE_WARNING:
		return "early-warning record: at least";
	case MEMORY_EVIDENCE_HIGH_WATER:
		break;
	}
	return "EXC_RESOURCE high-water mark";
}

bool memory_evidence_is_lower_bound(enum memory_evidence evidence)
{
	return evidence == MEMORY_EVIDENCE_WARNING;
}

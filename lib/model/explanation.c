#include "lib/model/explanation.h"

const char *confidence_name(enum confidence confidence)
{
	switch (confidence) {
	case CONFIDENCE_POSSIBLE:
		return "possible";
	case CONFIDENCE_LIKELY:
		return "likely";
	case CONFIDENCE_CERTAIN:
		return "certain";
	}
	return "possible";
}

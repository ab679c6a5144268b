/**
 * Which nodes of a Swift name say what it names (parts.h).
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_PARTS_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_PARTS_H

#include "lib/symbols/demangle/swift_node.h"

struct swift_parts {
	const char *kind;
	struct text module;              ///< empty: none
	const struct swift_node *entity; ///< the declaration; NULL: none
	/** What the declaration lies in; NULL: in the module itself. */
	const struct swift_node *context;
};

/** The parts of a name that was read into @p global. */
struct swift_parts swift_parts_of(const struct swift_node *global);

/** What a declaration is called that has no name: `init`; NULL: it has one. */
const char *swift_fixed_name(const struct swift_node *entity);

#endif

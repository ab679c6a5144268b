/**
 * Swift names from before Swift 4, and the types that Objective-C's metadata
 * still names so: a mangling in prefix order, read by descent.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_OLD_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_OLD_H

#include "lib/symbols/demangle/swift_reader.h"

/**
 * Read a name behind its `_T`; what is left over is a suffix.
 *
 * @return The global node; NULL where the name is not of this mangling.
 */
struct swift_node *swift_read_old(struct swift_reader *r);

#endif

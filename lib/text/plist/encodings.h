/**
 * The two formats of a property list; plist_parse() chooses.
 */
#ifndef APMTOOL_LIB_TEXT_PLIST_ENCODINGS_H
#define APMTOOL_LIB_TEXT_PLIST_ENCODINGS_H

#include "lib/text/plist/plist.h"

/** Text that begins with `<`: a subset of XML that holds all of Apple's. */
MUST_CHECK struct error *plist_xml_parse(struct text in, struct arena *arena,
                                         const struct plist **ret);

/** Bytes that begin with `bplist0`. */
MUST_CHECK struct error *plist_binary_parse(struct bytes in,
                                            struct arena *arena,
                                            const struct plist **ret);

#endif

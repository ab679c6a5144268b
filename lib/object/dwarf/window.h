/**
 * One unit of .debug_info, read by libdwarf.
 *
 * The only door to libdwarf. It is given a window: as its .debug_info it sees
 * the bytes of one unit and nothing else, for it walks the headers of all
 * units before the first entry of one (50 ms in a file of 400 MB). Offsets
 * here are those of the whole section all the same; a reference that leads
 * out of the window is for the caller to follow (DW_FORM_ref_addr: link-time
 * optimisation, dsymutil's merging of types).
 *
 * It also never sees range lists, location lists, line programs and indexes:
 * what it needs not, it cannot fail on.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_WINDOW_H
#define APMTOOL_LIB_OBJECT_DWARF_WINDOW_H

#include "lib/base/error.h"
#include "lib/object/dwarf/abbrev.h"
#include "lib/object/dwarf/line.h"
#include "lib/object/dwarf/ranges.h"
#include "lib/object/dwarf/sections.h"
#include "lib/object/dwarf/units.h"

#include <stdbool.h>
#include <stdint.h>

/** libdwarf's name for a debugging information entry. */
struct Dwarf_Die_s;

struct window;

/** The result of a step from entry to entry. */
enum window_step {
	WINDOW_STEP_TAKEN,
	WINDOW_STEP_NONE, ///< no such entry
	WINDOW_STEP_BAD,  ///< damaged; window_fault() says how
};

/** Open a unit, at the cost of @p work; close it with window_close(). Sections
 *  stay borrowed. */
MUST_CHECK struct error *window_open(const struct dwarf_sections *sections,
                                     struct abbrev_section *abbrev,
                                     const struct unit *unit,
                                     struct dwarf_work *work,
                                     struct window **ret);

/** NULL is fine. Its entries go with it. */
void window_close(struct window *window);

const struct unit *window_unit(const struct window *window);

/** The entry of the unit itself, borrowed. */
struct Dwarf_Die_s *window_root(const struct window *window);

/** What the last step that was bad found. */
const char *window_fault(const struct window *window);

/** First child, next sibling, entry at an offset; window_entry_free() them. */
enum window_step window_child(struct window *window, struct Dwarf_Die_s *die,
                              struct Dwarf_Die_s **ret);
enum window_step window_sibling(struct window *window, struct Dwarf_Die_s *die,
                                struct Dwarf_Die_s **ret);
enum window_step window_entry_at(struct window *window, uint64_t offset,
                                 struct Dwarf_Die_s **ret);
/** NULL is fine. */
void window_entry_free(struct Dwarf_Die_s *die);

/** DW_TAG_…; 0 where it cannot be read. */
uint16_t window_tag(struct Dwarf_Die_s *die);

/** Where the entry is in .debug_info. */
uint64_t window_offset(const struct window *window, struct Dwarf_Die_s *die);

/** A string attribute; NULL if it is absent or bad. Lives as the sections. */
const char *window_string(struct window *window, struct Dwarf_Die_s *die,
                          uint16_t attribute);

/** A number: constants, offsets into other sections, addresses. */
bool window_number(struct window *window, struct Dwarf_Die_s *die,
                   uint16_t attribute, uint64_t *ret);

/** The section offset of the entry that an attribute refers to. */
bool window_reference(struct window *window, struct Dwarf_Die_s *die,
                      uint16_t attribute, uint64_t *ret);

/**
 * Append the code ranges of an entry, by DW_AT_low_pc and high_pc or by
 * DW_AT_ranges. Without code nothing is appended.
 */
void window_ranges(struct window *window, struct Dwarf_Die_s *die,
                   struct dwarf_work *work, struct range_list *list);

/** Where the line program of the unit is; false if it has none. */
bool window_line_unit(struct window *window, struct line_unit *ret);

/** `libdwarf 20210528`. */
const char *window_library(void);

#endif

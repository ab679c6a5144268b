// SPDX-License-Identifier: MIT
/**
 * Hides the differences between two generations of libdwarf.
 *
 * The only place that includes <libdwarf.h>; private to the second reader
 * (second_state.h). The build defines HAVE_LIBDWARF_A for 0.8 to 2.x, whose
 * interface for object files has other names; otherwise it is 20210528 (Debian
 * 12). All other calls are the same in both.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_SHIM_H
#define APMTOOL_LIB_OBJECT_DWARF_SHIM_H

#include "lib/base/cursor.h"

#include <dwarf.h>
#include <libdwarf.h>

/** Max sections for libdwarf; by its convention, number 0 is unused. */
#define SHIM_SECTIONS_MAX 10

struct shim_section {
	const char *name;
	struct bytes contents;
};

#ifdef HAVE_LIBDWARF_A
typedef Dwarf_Obj_Access_Interface_a shim_interface;
typedef Dwarf_Obj_Access_Methods_a shim_methods;
typedef Dwarf_Obj_Access_Section_a shim_section_info;
typedef Dwarf_Unsigned shim_index;
typedef Dwarf_Small shim_order;
#else
typedef Dwarf_Obj_Access_Interface shim_interface;
typedef Dwarf_Obj_Access_Methods shim_methods;
typedef Dwarf_Obj_Access_Section shim_section_info;
typedef Dwarf_Half shim_index;
typedef Dwarf_Endianness shim_order;
#endif

/** Context of the callbacks; libdwarf keeps a pointer to it. */
struct shim_object {
	struct shim_section sections[SHIM_SECTIONS_MAX];
	Dwarf_Unsigned section_count; ///< including the empty one
	Dwarf_Small pointer_size;
	shim_interface interface;
};

static int shim_section_get(void *context, shim_index index,
                            shim_section_info *ret, int *error)
{
	const struct shim_object *object = context;

	(void)error;
	if (index >= object->section_count)
		return DW_DLV_NO_ENTRY;
	const struct shim_section *section = &object->sections[index];
#ifdef HAVE_LIBDWARF_A
	*ret = (shim_section_info){ .as_name = section->name,
		                    .as_size = section->contents.size };
#else
	*ret = (shim_section_info){ .name = section->name,
		                    .size = section->contents.size };
#endif
	return DW_DLV_OK;
}

static shim_order shim_order_get(void *context)
{
	(void)context;
#ifdef HAVE_LIBDWARF_A
	return DW_END_little;
#else
	return DW_OBJECT_LSB;
#endif
}

static Dwarf_Small shim_length_size_get(void *context)
{
	(void)context;
	return 4;
}

static Dwarf_Small shim_pointer_size_get(void *context)
{
	return ((const struct shim_object *)context)->pointer_size;
}

static Dwarf_Unsigned shim_section_count_get(void *context)
{
	return ((const struct shim_object *)context)->section_count;
}

/** Return the section itself: libdwarf does not write to it or free it. */
static int shim_section_load(void *context, shim_index index, Dwarf_Small **ret,
                             int *error)
{
	const struct shim_object *object = context;

	(void)error;
	if (index >= object->section_count)
		return DW_DLV_NO_ENTRY;
	*ret = (Dwarf_Small *)(uintptr_t)object->sections[index].contents.data;
	return DW_DLV_OK;
}

#ifdef HAVE_LIBDWARF_A
static Dwarf_Unsigned shim_file_size_get(void *context)
{
	const struct shim_object *object = context;
	Dwarf_Unsigned size = 0;

	for (Dwarf_Unsigned i = 0; i < object->section_count; i++)
		size += object->sections[i].contents.size;
	return size;
}

UNUSED static const shim_methods shim_object_methods = {
	.om_get_section_info = shim_section_get,
	.om_get_byte_order = shim_order_get,
	.om_get_length_size = shim_length_size_get,
	.om_get_pointer_size = shim_pointer_size_get,
	.om_get_filesize = shim_file_size_get,
	.om_get_section_count = shim_section_count_get,
	.om_load_section = shim_section_load,
};
#else
UNUSED static const shim_methods shim_object_methods = {
	.get_section_info = shim_section_get,
	.get_byte_order = shim_order_get,
	.get_length_size = shim_length_size_get,
	.get_pointer_size = shim_pointer_size_get,
	.get_section_count = shim_section_count_get,
	.load_section = shim_section_load,
};
#endif

/** Open @p object, whose sections are set. Returns libdwarf's result. */
static inline int shim_open(struct shim_object *object, Dwarf_Debug *ret,
                            Dwarf_Error *error)
{
#ifdef HAVE_LIBDWARF_A
	object->interface.ai_object = object;
	object->interface.ai_methods = &shim_object_methods;
#else
	object->interface.object = object;
	object->interface.methods = &shim_object_methods;
#endif
	return dwarf_object_init_b(&object->interface, NULL, NULL,
	                           DW_GROUPNUMBER_ANY, ret, error);
}

/** Free the result of dwarf_get_ranges_b(). */
static inline void shim_ranges_free(Dwarf_Debug debug, Dwarf_Ranges *list,
                                    Dwarf_Signed count)
{
#ifdef HAVE_LIBDWARF_A
	dwarf_dealloc_ranges(debug, list, count);
#else
	dwarf_ranges_dealloc(debug, list, count);
#endif
}

static inline void shim_close(Dwarf_Debug debug)
{
#ifdef HAVE_LIBDWARF_A
	dwarf_object_finish(debug);
#else
	dwarf_object_finish(debug, NULL);
#endif
}

#endif

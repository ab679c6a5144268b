#include "lib/object/dwarf/window.h"

#include "lib/base/mem.h"
#include "lib/object/dwarf/shim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * What opening a unit costs beside its abbreviations, which libdwarf reads
 * again for every unit; in bytes read. Measured: 15 µs.
 */
#define OPEN_WORK 2048

struct window {
	const struct dwarf_sections *sections;
	struct bytes contents; ///< of the unit, as libdwarf sees them
	struct unit unit;
	struct range_unit range_unit;
	/** dwarf_lowpc() would read addresses of this unit wrongly. */
	bool small_addrx;
	struct shim_object object;
	Dwarf_Debug debug;
	Dwarf_Die root;
	char fault[128];
};

/** Keep what libdwarf says and give its error back. */
static enum window_step fault(struct window *window, Dwarf_Error error)
{
	snprintf(window->fault, sizeof(window->fault), "%s",
	         error ? dwarf_errmsg(error) : "unknown error");
	if (error)
		dwarf_dealloc_error(window->debug, error);
	return WINDOW_STEP_BAD;
}

static enum window_step step(struct window *window, int result,
                             Dwarf_Error error)
{
	if (result == DW_DLV_OK)
		return WINDOW_STEP_TAKEN;
	return result == DW_DLV_NO_ENTRY ? WINDOW_STEP_NONE
	                                 : fault(window, error);
}

/** An attribute that is not there, or that cannot be read, is not there. */
static void forget(struct window *window, int result, Dwarf_Error error)
{
	if (result == DW_DLV_ERROR && error)
		dwarf_dealloc_error(window->debug, error);
}

static void add_section(struct shim_object *object, const char *name,
                        struct bytes contents)
{
	if (!contents.size)
		return;
	object->sections[object->section_count++] =
	        (struct shim_section){ .name = name, .contents = contents };
}

static void fill_object(struct window *window, struct bytes abbrev)
{
	const struct dwarf_sections *sections = window->sections;
	struct shim_object *object = &window->object;

	object->pointer_size = window->unit.address_size;
	object->sections[0] = (struct shim_section){ .name = "" };
	object->section_count = 1;
	add_section(object, ".debug_info", window->contents);
	add_section(object, ".debug_abbrev", abbrev);
	add_section(object, ".debug_str", sections->str);
	add_section(object, ".debug_line_str", sections->line_str);
	add_section(object, ".debug_str_offsets", sections->str_offsets);
	add_section(object, ".debug_addr", sections->addr);
}

/** Read the header, find the unit's own entry. */
static enum window_step open_root(struct window *window)
{
	Dwarf_Error error = NULL;
	Dwarf_Sig8 signature = { { 0 } };
	int result = dwarf_next_cu_header_d(window->debug, true, NULL, NULL,
	                                    NULL, NULL, NULL, NULL, &signature,
	                                    NULL, NULL, NULL, &error);

	if (result == DW_DLV_OK)
		result = dwarf_siblingof_b(window->debug, NULL, true,
		                           &window->root, &error);
	return step(window, result, error);
}

/** What ranges are relative to; the defaults are those of LLVM's readers. */
static void read_bases(struct window *window)
{
	struct range_unit *base = &window->range_unit;

	base->version = window->unit.version;
	base->address_size = window->unit.address_size;
	base->offset_size = window->unit.offset_size;
	// After the header of the first table.
	base->addr_base = base->offset_size == 8 ? 16 : 8;
	window_number(window, window->root, DW_AT_addr_base, &base->addr_base);
	window_number(window, window->root, DW_AT_rnglists_base,
	              &base->rnglists_base);
	window_number(window, window->root, DW_AT_low_pc, &base->base);
}

struct error *window_open(const struct dwarf_sections *sections,
                          struct abbrev_section *abbrev,
                          const struct unit *unit, struct dwarf_work *work,
                          struct window **ret)
{
	Dwarf_Error error = NULL;

	if (!abbrev_scan(abbrev, unit->abbrev_offset, work))
		return error_new(ERROR_FORMAT,
		                 "unit at 0x%" PRIx64
		                 ": abbreviations at 0x%" PRIx64 " are damaged",
		                 unit->offset, unit->abbrev_offset);
	if (!dwarf_work_take(work, OPEN_WORK + abbrev->size))
		return error_new(ERROR_LIMIT,
		                 "unit at 0x%" PRIx64
		                 ": too complex for a file of this size",
		                 unit->offset);
	struct window *window = mem_zalloc(1, sizeof(*window));
	window->sections = sections;
	window->unit = *unit;
	window->contents = bytes_part(sections->info, unit->offset, unit->size);
	window->small_addrx = abbrev->small_addrx;
	fill_object(window, abbrev_contents(abbrev));
	int result = shim_open(&window->object, &window->debug, &error);
	enum window_step opened = step(window, result, error);
	if (opened == WINDOW_STEP_TAKEN)
		opened = open_root(window);
	if (opened != WINDOW_STEP_TAKEN) {
		struct error *err = error_new(
		        ERROR_FORMAT, "unit at 0x%" PRIx64 ": %s", unit->offset,
		        *window->fault ? window->fault : "no entries");
		window_close(window);
		return err;
	}
	read_bases(window);
	*ret = window;
	return NULL;
}

void window_close(struct window *window)
{
	if (!window)
		return;
	if (window->root)
		dwarf_dealloc_die(window->root);
	if (window->debug)
		shim_close(window->debug);
	free(window);
}

const struct unit *window_unit(const struct window *window)
{
	return &window->unit;
}

struct Dwarf_Die_s *window_root(const struct window *window)
{
	return window->root;
}

const char *window_fault(const struct window *window)
{
	return window->fault;
}

enum window_step window_child(struct window *window, struct Dwarf_Die_s *die,
                              struct Dwarf_Die_s **ret)
{
	Dwarf_Error error = NULL;

	return step(window, dwarf_child(die, ret, &error), error);
}

enum window_step window_sibling(struct window *window, struct Dwarf_Die_s *die,
                                struct Dwarf_Die_s **ret)
{
	Dwarf_Error error = NULL;
	int result = dwarf_siblingof_b(window->debug, die, true, ret, &error);

	return step(window, result, error);
}

enum window_step window_entry_at(struct window *window, uint64_t offset,
                                 struct Dwarf_Die_s **ret)
{
	Dwarf_Error error = NULL;

	if (offset < window->unit.offset ||
	    offset - window->unit.offset >= window->unit.size)
		return WINDOW_STEP_NONE;
	int result = dwarf_offdie_b(window->debug, offset - window->unit.offset,
	                            true, ret, &error);
	return step(window, result, error);
}

void window_entry_free(struct Dwarf_Die_s *die)
{
	if (die)
		dwarf_dealloc_die(die);
}

uint16_t window_tag(struct Dwarf_Die_s *die)
{
	Dwarf_Half tag = 0;

	return dwarf_tag(die, &tag, NULL) == DW_DLV_OK ? tag : 0;
}

uint64_t window_offset(const struct window *window, struct Dwarf_Die_s *die)
{
	Dwarf_Off offset = 0;

	dwarf_dieoffset(die, &offset, NULL);
	return window->unit.offset + offset;
}

const char *window_string(struct window *window, struct Dwarf_Die_s *die,
                          uint16_t attribute)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	char *string = NULL;
	int result = dwarf_attr(die, attribute, &found, &error);

	if (result == DW_DLV_OK) {
		result = dwarf_formstring(found, &string, &error);
		dwarf_dealloc_attribute(found);
	}
	forget(window, result, error);
	return result == DW_DLV_OK ? string : NULL;
}

/** The value of an attribute as it is there, before what it means. */
struct raw_value {
	Dwarf_Half form;
	uint64_t number;
};

/** Decode at the cursor; false for forms that are not numbers. */
static bool decode(const struct unit *unit, struct cursor *c,
                   struct raw_value *value)
{
	switch (value->form) {
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_addrx1:
		value->number = cursor_u8(c);
		break;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_addrx2:
		value->number = cursor_u16(c);
		break;
	case DW_FORM_addrx3:
		value->number = cursor_u16(c);
		value->number |= (uint64_t)cursor_u8(c) << 16;
		break;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_addrx4:
		value->number = cursor_u32(c);
		break;
	case DW_FORM_data8:
	case DW_FORM_ref8:
		value->number = cursor_u64(c);
		break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_addrx:
	case DW_FORM_rnglistx:
		value->number = cursor_uleb(c);
		break;
	case DW_FORM_sdata:
		value->number = (uint64_t)cursor_sleb(c);
		break;
	case DW_FORM_sec_offset:
		value->number = cursor_uint(c, unit->offset_size);
		break;
	case DW_FORM_addr:
		value->number = cursor_uint(c, unit->address_size);
		break;
	case DW_FORM_ref_addr:
		value->number = cursor_uint(c, unit->version == 2
		                                       ? unit->address_size
		                                       : unit->offset_size);
		break;
	default:
		return false;
	}
	return cursor_ok(c);
}

/**
 * Let libdwarf find the attribute and read its value here: its own readers
 * of values differ between the generations, check references against the
 * section (a window), and get some forms wrong (20210528: rnglistx, and
 * DW_AT_high_pc by index).
 */
static bool find_value(struct window *window, struct Dwarf_Die_s *die,
                       uint16_t attribute, struct raw_value *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Off offset = 0;
	bool decoded = false;
	int result = dwarf_attr(die, attribute, &found, &error);

	if (result == DW_DLV_OK) {
		result = dwarf_whatform(found, &ret->form, &error);
		if (result == DW_DLV_OK &&
		    ret->form == DW_FORM_implicit_const) {
			Dwarf_Signed number = 0;
			result = dwarf_formsdata(found, &number, &error);
			ret->number = (uint64_t)number;
			decoded = result == DW_DLV_OK;
		} else if (result == DW_DLV_OK) {
			result = dwarf_attr_offset(die, found, &offset, &error);
			struct cursor c = cursor_at(window->contents, offset,
			                            CURSOR_LITTLE);
			decoded = result == DW_DLV_OK &&
			          decode(&window->unit, &c, ret);
		}
		dwarf_dealloc_attribute(found);
	}
	forget(window, result, error);
	return decoded;
}

static bool form_is_indexed_address(Dwarf_Half form)
{
	return form == DW_FORM_addrx ||
	       (form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4);
}

bool window_number(struct window *window, struct Dwarf_Die_s *die,
                   uint16_t attribute, uint64_t *ret)
{
	struct raw_value value = { 0 };

	if (!find_value(window, die, attribute, &value))
		return false;
	if (form_is_indexed_address(value.form))
		return range_indexed_address(window->sections,
		                             &window->range_unit, value.number,
		                             ret);
	*ret = value.number;
	return true;
}

bool window_reference(struct window *window, struct Dwarf_Die_s *die,
                      uint16_t attribute, uint64_t *ret)
{
	struct raw_value value = { 0 };

	if (!find_value(window, die, attribute, &value))
		return false;
	switch (value.form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		*ret = window->unit.offset + value.number;
		return value.number < window->unit.size;
	case DW_FORM_ref_addr:
		*ret = value.number;
		return true;
	default:
		return false;
	}
}

/** DW_AT_low_pc, by the way that allocates nothing where it can be had. */
static bool low_address(struct window *window, struct Dwarf_Die_s *die,
                        uint64_t *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr low = 0;

	if (window->small_addrx)
		return window_number(window, die, DW_AT_low_pc, ret);
	int result = dwarf_lowpc(die, &low, &error);
	forget(window, result, error);
	*ret = low;
	return result == DW_DLV_OK;
}

/** DW_AT_high_pc as an address; a constant is relative to @p low. */
static bool high_address(struct window *window, struct Dwarf_Die_s *die,
                         uint64_t low, uint64_t *ret)
{
	struct raw_value value = { 0 };

	if (!find_value(window, die, DW_AT_high_pc, &value))
		return false;
	if (form_is_indexed_address(value.form))
		return range_indexed_address(window->sections,
		                             &window->range_unit, value.number,
		                             ret);
	*ret = value.form == DW_FORM_addr ? value.number : low + value.number;
	return true;
}

void window_ranges(struct window *window, struct Dwarf_Die_s *die,
                   struct dwarf_work *work, struct range_list *list)
{
	const struct range_unit *unit = &window->range_unit;
	struct raw_value value = { 0 };
	uint64_t low = 0;
	uint64_t high = 0;

	if (low_address(window, die, &low) &&
	    high_address(window, die, low, &high)) {
		if (low < high && low != range_address_max(unit))
			range_list_add(list, low, high);
		return;
	}
	if (!find_value(window, die, DW_AT_ranges, &value))
		return;
	if (value.form == DW_FORM_rnglistx &&
	    !range_list_offset(window->sections, unit, value.number,
	                       &value.number))
		return;
	// Of a damaged list, what came before the fault is used.
	(void)range_list_read(window->sections, unit, value.number, work, list);
}

bool window_line_unit(struct window *window, struct line_unit *ret)
{
	const char *directory =
	        window_string(window, window->root, DW_AT_comp_dir);

	ret->directory = directory ? directory : "";
	ret->address_size = window->unit.address_size;
	return window_number(window, window->root, DW_AT_stmt_list,
	                     &ret->offset);
}

const char *window_library(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "libdwarf %s", dwarf_package_version());
	return name;
}

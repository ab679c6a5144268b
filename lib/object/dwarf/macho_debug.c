// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/macho_debug.h"

static struct bytes section(const struct macho *macho, const char *name)
{
	const struct macho_section *found =
	        macho_section(macho, "__DWARF", name);

	return found ? found->contents : (struct bytes){ 0 };
}

struct debug_object macho_debug_object(const struct macho *macho)
{
	return (struct debug_object){
		// Names of sections end after 16 characters.
		.sections = {
			.info = section(macho, "__debug_info"),
			.abbrev = section(macho, "__debug_abbrev"),
			.aranges = section(macho, "__debug_aranges"),
			.ranges = section(macho, "__debug_ranges"),
			.rnglists = section(macho, "__debug_rnglists"),
			.addr = section(macho, "__debug_addr"),
			.line = section(macho, "__debug_line"),
			.line_str = section(macho, "__debug_line_str"),
			.str = section(macho, "__debug_str"),
			.str_offsets = section(macho, "__debug_str_offs"),
		},
		.slice = macho->slice,
		.order = macho->order,
		.has_text = macho->has_text,
		.text_address = macho->text_address,
		.text_size = macho->text_size,
	};
}

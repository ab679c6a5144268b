#include "lib/symbols/uuid_entry.h"

#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/text/packed.h"

bool uuid_entry_has_arch(const struct uuid_entry *entry, const char *arch)
{
	return !arch ||
	       darwin_arch_matches(arch, entry->cpu_type, entry->cpu_subtype);
}

bool uuid_entry_is_dsym(const struct uuid_entry *entry)
{
	return entry->file_type == MACHO_DSYM;
}

bool uuid_entry_is_object(const struct uuid_entry *entry)
{
	return entry->file_type == MACHO_OBJECT;
}

const char *uuid_entry_arch(const struct uuid_entry *entry)
{
	return darwin_arch_label(entry->cpu_type, entry->cpu_subtype);
}

const char *uuid_entry_type(const struct uuid_entry *entry)
{
	static const char *const names[] = {
		[MACHO_OBJECT] = "object", [MACHO_EXECUTE] = "executable",
		[MACHO_DYLIB] = "dylib",   [MACHO_DYLINKER] = "dylinker",
		[MACHO_BUNDLE] = "bundle", [MACHO_DSYM] = "dsym",
		[MACHO_KEXT] = "kext",
	};
	uint32_t type = entry->file_type;

	return type < ARRAY_SIZE(names) && names[type] ? names[type] : "other";
}

struct error *uuid_entry_read_text(const struct uuid_entry *entry,
                                   uint64_t *ret_address, uint64_t *ret_size)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(macho_release) struct macho macho = { 0 };
	struct error *err = packed_map(entry->path, &file);

	if (!err)
		err = macho_parse(
		        bytes_part(file.bytes, entry->offset, entry->size),
		        &macho);
	if (err)
		return err;
	*ret_address = macho.text_address;
	*ret_size = macho.text_size;
	return NULL;
}

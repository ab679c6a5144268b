// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_entry.h"

#include "lib/base/str.h"
#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/text/archive.h"

#define CPU_ARCH_ABI64 0x01000000u

bool uuid_entry_has_arch(const struct uuid_entry *entry, const char *arch)
{
	return !arch || uuid_entry_is_gsym(entry) ||
	       darwin_arch_matches(arch, entry->cpu_type, entry->cpu_subtype);
}

void uuid_entry_add_key(const struct uuid_entry *entry, struct str *out)
{
	const struct file_identity *file = &entry->identity;

	str_add_le(out, entry->offset, 8);
	str_add_le(out, file->device, 8);
	str_add_le(out, file->inode, 8);
	// Some file systems have no inodes.
	if (!file->inode)
		str_add(out, entry->path);
	else if (entry->in_archive)
		str_add(out, entry->in_archive);
}

bool uuid_entry_is_dsym(const struct uuid_entry *entry)
{
	return entry->file_type == MACHO_DSYM;
}

bool uuid_entry_is_object(const struct uuid_entry *entry)
{
	return entry->file_type == MACHO_OBJECT;
}

bool uuid_entry_is_gsym(const struct uuid_entry *entry)
{
	return entry->file_type == UUID_ENTRY_GSYM;
}

bool uuid_entry_is_64(const struct uuid_entry *entry)
{
	return uuid_entry_is_gsym(entry) || (entry->cpu_type & CPU_ARCH_ABI64);
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

	if (uuid_entry_is_gsym(entry))
		return "gsym";
	return type < ARRAY_SIZE(names) && names[type] ? names[type] : "other";
}

struct error *uuid_entry_read_text(const struct uuid_entry *entry,
                                   uint64_t *ret_address, uint64_t *ret_size)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(macho_release) struct macho macho = { 0 };
	struct error *err = archive_map(entry->path, &file);
	struct gsym gsym;

	if (!err && uuid_entry_is_gsym(entry)) {
		err = gsym_open_foreign(file.bytes, &gsym);
		if (!err) {
			macho.text_address = gsym.base_address;
			macho.text_size = gsym_span(&gsym);
		}
	} else if (!err) {
		err = macho_parse(
		        bytes_part(file.bytes, entry->offset, entry->size),
		        &macho);
	}
	if ((err = file_reading_error(err, file.bytes)))
		return err;
	*ret_address = macho.text_address;
	*ret_size = macho.text_size;
	return NULL;
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_entry.h"

#include "lib/base/str.h"
#include "lib/darwin/cpu.h"
#include "lib/text/archive.h"

struct symbol_facts uuid_entry_facts(const struct uuid_entry *entry)
{
	struct symbol_facts facts;

	symbol_source_of(entry->kind)->describe(&entry->at, &facts);
	return facts;
}

bool uuid_entry_has_arch(const struct uuid_entry *entry, const char *arch)
{
	struct symbol_facts facts = uuid_entry_facts(entry);

	return !arch || facts.any_cpu ||
	       darwin_arch_matches(arch, facts.cpu_type, facts.cpu_subtype);
}

void uuid_entry_add_key(const struct uuid_entry *entry, struct str *out)
{
	const struct file_identity *file = &entry->identity;

	str_add_le(out, entry->at.offset, 8);
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
	return uuid_entry_facts(entry).role == SYMBOL_ROLE_DEBUG;
}

bool uuid_entry_is_object(const struct uuid_entry *entry)
{
	return uuid_entry_facts(entry).role == SYMBOL_ROLE_OBJECT;
}

bool uuid_entry_is_gsym(const struct uuid_entry *entry)
{
	return uuid_entry_facts(entry).role == SYMBOL_ROLE_MADE;
}

bool uuid_entry_is_64(const struct uuid_entry *entry)
{
	return uuid_entry_facts(entry).is_64;
}

const char *uuid_entry_arch(const struct uuid_entry *entry)
{
	struct symbol_facts facts = uuid_entry_facts(entry);

	return darwin_arch_label(facts.cpu_type, facts.cpu_subtype);
}

const char *uuid_entry_type(const struct uuid_entry *entry)
{
	return uuid_entry_facts(entry).type;
}

struct error *uuid_entry_read_text(const struct uuid_entry *entry,
                                   uint64_t *ret_address, uint64_t *ret_size)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(open_source_close) struct open_source open = { 0 };
	struct error *err = archive_map(entry->path, &file);

	if (!err)
		err = open_source_open(&open, entry->kind, file.bytes,
		                       &entry->at);
	if ((err = file_reading_error(err, file.bytes)))
		return err;
	*ret_address = open.state.base_address;
	*ret_size = open.state.span_bytes;
	return NULL;
}

#include "cmd/run/batch.h"

#include "cmd/run/source.h"
#include "lib/analysis/symbolicate/in_app.h"
#include "lib/base/file.h"
#include "lib/base/parallel.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"

static struct batch_entry *add(struct batch *batch, const char *name,
                               size_t size_bytes)
{
	struct batch_entry *entry = &batch->entries[batch->count++];

	*entry = (struct batch_entry){ .name = name };
	batch->bytes += size_bytes;
	return entry;
}

void batch_add_file(struct batch *batch, const struct input *input)
{
	add(batch, input->path, (size_t)input->size_bytes)->from_directory =
	        input->from_directory;
}

struct batch_entry *batch_add_content(struct batch *batch, const char *name,
                                      struct text content)
{
	struct batch_entry *entry = add(batch, name, content.size);

	entry->content = content;
	return entry;
}

bool batch_is_full(const struct batch *batch)
{
	return batch->count == BATCH_ENTRIES_MAX ||
	       batch->bytes >= BATCH_BYTES_MAX;
}

static struct error *read_file(const char *name, struct source *source,
                               struct bytes *ret)
{
	struct error *err = source_open(source, name);

	return err ? err : source_read_all(source, ret);
}

static struct error *read_entry(const struct batch *batch,
                                struct batch_entry *entry)
{
	SCOPED(source_release) struct source source = { 0 };
	struct bytes bytes = bytes_from_text(entry->content);
	struct error *err = NULL;

	if (!bytes.data)
		err = read_file(entry->name, &source, &bytes);
	if (err)
		return err;
	err = batch->takes_samples
	              ? parser_read_with_samples(bytes, &entry->arena,
	                                         &entry->reports)
	              : parser_read(bytes, &entry->arena, &entry->reports);
	if (err && batch->foreign)
		err = foreign_reword(err, batch->foreign);
	return error_prefix(err, "%s", entry->name);
}

void batch_parse_entry(size_t index, void *context)
{
	struct batch *batch = context;
	struct batch_entry *entry = &batch->entries[index];
	const char *member = NULL;
	size_t count = 0;

	if (entry->reports || entry->err)
		return;
	entry->err = read_entry(batch, entry);
	for (struct report *r = entry->reports; r; r = r->next) {
		// Each file of an archive is an input.
		if (r->member && r->member != member)
			count = 0;
		member = r->member;
		r->file = member ? entry->name : NULL;
		r->input = member ? arena_printf(&entry->arena, "%s: %s",
		                                 entry->name, member)
		                  : entry->name;
		r->input_index = count++;
		in_app_apply(batch->config, r, &entry->arena);
	}
}

void batch_parse(struct batch *batch, unsigned jobs)
{
	parallel_each(batch->count, jobs, batch_parse_entry, batch);
	batch_parse_again(batch);
}

void batch_parse_again(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_entry *entry = &batch->entries[i];

		if (!entry->err || error_code(entry->err) != ERROR_SHORTAGE)
			continue;
		error_free(entry->err);
		entry->err = NULL;
		batch_parse_entry(i, batch);
	}
}

void batch_clear(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		arena_release(&batch->entries[i].arena);
		error_free(batch->entries[i].err);
		error_free(batch->entries[i].refused);
	}
	batch->count = 0;
	batch->bytes = 0;
}

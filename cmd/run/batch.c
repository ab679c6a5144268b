#include "cmd/run/batch.h"

#include "cmd/run/source.h"
#include "lib/analysis/symbolicate/in_app.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/parallel.h"
#include "parsers/foreign.h"
#include "parsers/lag/lag.h"
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

static bool has_samples(struct bytes bytes)
{
	struct text head = text_first(bytes_text(bytes), LAG_HEAD_BYTES);

	return lag_format_has_images(lag_format_of(head));
}

static struct error *read_entry(const struct batch *batch,
                                struct batch_entry *entry)
{
	SCOPED(source_release) struct source source = { 0 };
	struct bytes bytes = bytes_from_text(entry->content);
	struct error *err = NULL;

	if (!bytes.data)
		err = source_open(&source, entry->name);
	if (!err && !bytes.data && batch->takes_samples)
		err = source_decode(&source, limit_get(LIMIT_UNPACKED));
	if (!err && !bytes.data)
		err = source_read_all(&source, &bytes);
	if (err)
		return err;
	if (batch->takes_samples && !source.decoded.is_archive &&
	    has_samples(bytes)) {
		err = lag_read_reports(bytes_text(bytes), &entry->arena,
		                       &entry->reports);
		return error_prefix(err, "%s", entry->name);
	}
	err = parser_read(bytes, &entry->arena, &entry->reports);
	if (err && batch->foreign)
		err = foreign_reword(err, batch->foreign);
	return error_prefix(err, "%s", entry->name);
}

static void parse_entry(size_t index, void *context)
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
	batch_parse_beside(batch, jobs, NULL, NULL);
}

void batch_parse_beside(struct batch *batch, unsigned jobs,
                        void (*own)(void *own_context), void *own_context)
{
	parallel_each_beside(batch->count, jobs, parse_entry, batch, own,
	                     own_context);
	// What others held at the time, descriptors above all, is free again.
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_entry *entry = &batch->entries[i];

		if (!entry->err || error_code(entry->err) != ERROR_SHORTAGE)
			continue;
		error_free(entry->err);
		entry->err = NULL;
		parse_entry(i, batch);
	}
}

void batch_clear(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		arena_release(&batch->entries[i].arena);
		error_free(batch->entries[i].err);
	}
	batch->count = 0;
	batch->bytes = 0;
}

#include "cmd/run/batch.h"

#include "cmd/run/source.h"
#include "lib/analysis/symbolicate/in_app.h"
#include "lib/base/file.h"
#include "lib/base/intern.h"
#include "lib/base/parallel.h"
#include "parsers/lag/lag.h"
#include "parsers/reader.h"

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

/** Samples that become reports. */
struct hangs {
	struct lag_reader reader;
	struct error *failed; ///< the first; NULL: none
	size_t failed_line;
};

static void take_hang(struct lag_report *from, void *context)
{
	struct sink *sink = ((struct hangs *)context)->reader.sink;

	sink_report(sink, lag_as_report(from, sink->arena));
}

static void fail_hang(size_t line, struct error *err, void *context)
{
	struct hangs *hangs = context;

	if (!hangs->failed)
		hangs->failed_line = line;
	error_keep_first(&hangs->failed, err);
}

/** A damaged report does not discard those that were read. */
static void note_failed(struct hangs *hangs, struct report *last,
                        struct arena *arena)
{
	if (!hangs->failed)
		return;
	last->truncated = true;
	report_add_failure(last, arena,
	                   report_line_place(arena, hangs->failed_line),
	                   arena_strdup(arena, error_message(hangs->failed)));
	error_free(hangs->failed);
}

static struct error *read_bytes(const struct batch *batch, struct bytes in,
                                struct batch_entry *entry)
{
	SCOPED(intern_release) struct intern names = { 0 };
	struct hangs hangs = { 0 };
	struct sink sink = {
		.arena = &entry->arena,
		.takes = batch->takes,
		.wants = batch->wants,
		.samples = &hangs.reader,
	};
	struct error *err;

	if (batch->takes & YIELDS_SAMPLES)
		lag_reader_init(&hangs.reader, &names, take_hang, fail_hang,
		                &hangs);
	err = read_input(in, &sink);
	lag_reader_release(&hangs.reader);
	entry->reports = sink.first;
	if (err) {
		error_free(hangs.failed);
		return err;
	}
	if (!sink.first)
		return hangs.failed ? error_prefix(hangs.failed, "line %zu",
		                                   hangs.failed_line)
		                    : error_new(ERROR_UNSUPPORTED,
		                                "no samples found");
	note_failed(&hangs, sink.last, sink.arena);
	return NULL;
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
	return error_prefix(read_bytes(batch, bytes, entry), "%s", entry->name);
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

// SPDX-License-Identifier: MIT
#include "cmd/run/batch.h"

#include "lib/analysis/symbolicate/in_app.h"
#include "lib/base/file.h"
#include "lib/base/intern.h"
#include "parsers/lag/lag.h"
#include "parsers/reader.h"

struct batch_entry *batch_add(struct batch *batch, enum batch_kind kind,
                              const char *name)
{
	struct batch_entry *entry = &batch->entries[batch->count++];

	*entry = (struct batch_entry){ .kind = kind, .name = name };
	return entry;
}

void batch_add_file(struct batch *batch, const struct input *input)
{
	batch_add(batch, BATCH_REPORTS, input->path)->from_directory =
	        input->from_directory;
	batch->bytes += (size_t)input->size_bytes;
}

struct batch_entry *batch_add_content(struct batch *batch, const char *name,
                                      struct text content)
{
	struct batch_entry *entry = batch_add(batch, BATCH_REPORTS, name);

	entry->content = content;
	batch->bytes += content.size;
	return entry;
}

struct batch_entry *batch_add_copy(struct batch *batch, struct text content)
{
	struct batch_entry *entry = batch_add_content(batch, NULL, TEXT_NONE);

	entry->is_copied = true;
	entry->copied_at = batch->text.size;
	entry->content.size = content.size;
	batch->bytes += content.size;
	str_add_text(&batch->text, content);
	return entry;
}

void batch_end_copies(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		if (batch->entries[i].is_copied)
			batch->entries[i].content.data =
			        batch->text.data + batch->entries[i].copied_at;
}

bool batch_is_full(const struct batch *batch)
{
	return batch->count >= BATCH_ENTRIES_MAX ||
	       batch->bytes >= BATCH_BYTES_MAX;
}

static struct error *read_file(const char *name, struct source *source,
                               struct bytes *ret)
{
	struct error *err = source_open(source, name);

	return err ? err : source_read_all(source, ret);
}

static void add_note(struct batch_entry *entry, enum notice_kind kind,
                     const char *place, const char *text)
{
	struct arena *arena = &entry->arena;

	ARENA_GROW(arena, entry->notes, entry->note_count, entry->note_cap);
	entry->notes[entry->note_count++] = (struct notice){
		.kind = kind,
		.place = place ? arena_strdup(arena, place) : NULL,
		.text = arena_strdup(arena, text),
	};
}

/** First failed hang of an input, or of each file of an archive. */
struct hang_failure {
	const char *member;    ///< or NULL
	const char *place;     ///< `line 7`, after the file
	const char *text;      ///< why
	enum error_code code;  ///< of the failure
	struct report *report; ///< last report of the same file; or NULL
};

/** Samples that become reports. */
struct hangs {
	struct lag_reader reader;
	struct batch_entry *entry;
	struct hang_failure *failures; ///< in the entry's arena
	size_t count;
	size_t cap;
};

/** The failure in the current file; or NULL. */
static struct hang_failure *failure_here(const struct hangs *hangs)
{
	struct hang_failure *last;

	if (!hangs->count)
		return NULL;
	last = &hangs->failures[hangs->count - 1];
	return last->member == hangs->reader.sink->member ? last : NULL;
}

static void take_hang(struct lag_report *from, void *context)
{
	struct hangs *hangs = context;
	struct sink *sink = hangs->reader.sink;
	struct hang_failure *failure = failure_here(hangs);
	struct report *report = lag_as_report(from, sink->arena);

	sink_report(sink, report);
	if (failure)
		failure->report = report;
}

static void fail_hang(size_t line, struct error *err, void *context)
{
	struct hangs *hangs = context;
	const struct sink *sink = hangs->reader.sink;
	struct arena *arena = sink->arena;
	const char *place = report_line_place(arena, line);

	if (!failure_here(hangs)) {
		if (sink->member)
			place = arena_printf(arena, "%s: %s", sink->member,
			                     place);
		ARENA_GROW(arena, hangs->failures, hangs->count, hangs->cap);
		hangs->failures[hangs->count++] = (struct hang_failure){
			.member = sink->member,
			.place = place,
			.text = arena_strdup(arena, error_message(err)),
			.code = error_code(err),
			.report = sink->last,
		};
	}
	error_free(err);
}

/** Keep the reports read before a damaged one. */
static void note_failed(struct hangs *hangs)
{
	struct batch_entry *entry = hangs->entry;

	for (size_t i = 0; i < hangs->count; i++) {
		const struct hang_failure *failure = &hangs->failures[i];
		struct report *report = failure->report;

		if (!report) {
			add_note(entry, NOTICE_FAILURE, failure->place,
			         failure->text);
			continue;
		}
		report->truncated = true;
		report_add_failure(report, &entry->arena, failure->place,
		                   failure->text);
	}
}

static struct error *fail_without_hangs(const struct hangs *hangs)
{
	const struct hang_failure *first = hangs->failures;

	if (!hangs->count)
		return error_new(ERROR_UNSUPPORTED, "no samples found");
	return error_new(first->code, "%s: %s", first->place, first->text);
}

static void take_notice(const struct notice *notice, const struct sink *sink)
{
	const struct hangs *hangs = sink->context;

	add_note(hangs->entry, notice->kind, notice->place, notice->text);
}

static struct error *read_bytes(const struct batch *batch, struct bytes in,
                                struct batch_entry *entry)
{
	SCOPED(intern_release) struct intern names = { 0 };
	struct hangs hangs = { .entry = entry };
	struct sink sink = {
		.arena = &entry->arena,
		.takes = batch->takes,
		.wants = batch->wants,
		.samples = &hangs.reader,
		.notice = take_notice,
		.context = &hangs,
	};
	struct error *err;

	entry->note_count = 0;
	if (batch->takes & YIELDS_SAMPLES)
		lag_reader_init(&hangs.reader, &names, take_hang, fail_hang,
		                &hangs);
	err = read_input(in, &sink);
	lag_reader_release(&hangs.reader);
	entry->reports = sink.first;
	if (err)
		return err;
	if (!sink.first)
		return fail_without_hangs(&hangs);
	note_failed(&hangs);
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

void batch_parse_entry(struct batch *batch, size_t index)
{
	struct batch_entry *entry = &batch->entries[index];
	const char *member = NULL;
	size_t count = 0;

	if (entry->kind != BATCH_REPORTS || entry->reports || entry->err)
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

static bool was_short(const struct batch_entry *entry)
{
	return entry->err && error_code(entry->err) == ERROR_SHORTAGE;
}

bool batch_was_short(const struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		if (was_short(&batch->entries[i]))
			return true;
	return false;
}

void batch_parse_again(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_entry *entry = &batch->entries[i];

		if (entry->kind != BATCH_REPORTS || !was_short(entry))
			continue;
		error_free(entry->err);
		entry->err = NULL;
		batch_parse_entry(batch, i);
	}
}

void batch_clear(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		arena_release(&batch->entries[i].arena);
		error_free(batch->entries[i].err);
		error_free(batch->entries[i].refused);
	}
	source_release(&batch->source);
	str_release(&batch->text);
	batch->count = 0;
	batch->bytes = 0;
}

// SPDX-License-Identifier: MIT
#include "cmd/run/symbol_search.h"

#include "cmd/run/missing_symbols.h"
#include "lib/analysis/symbolicate/device_names.h"
#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>

// Operands

/** Kind of an operand; both may be true. */
struct kind {
	bool is_place;
	bool is_report;
};

/** Does the file have symbols? */
static bool has_symbols(struct bytes head)
{
	return macho_sniff(head) || gsym_sniff(head);
}

/** An archive_visit. */
static struct error *judge_file(struct archive_file *file, void *context)
{
	uint8_t data[MACHO_HEAD_BYTES];
	struct bytes head = { .data = data };
	struct kind *kind = context;

	error_free(archive_peek(file, 0, data, sizeof(data), &head.size));
	if (has_symbols(head))
		kind->is_place = true;
	else if (text_ends(file->name, ".crash") ||
	         text_ends(file->name, ".ips"))
		kind->is_report = true;
	return NULL;
}

static struct kind judge(const char *operand)
{
	uint8_t data[ARCHIVE_HEAD_BYTES];
	struct bytes head = { .data = data };
	struct kind kind = { .is_report = true };

	if (!strcmp(operand, "-"))
		return kind;
	if (file_is_directory(operand) || archive_path_length(operand)) {
		kind.is_place = symbol_path_is_bundle(operand) ||
		                archive_path_length(operand);
		kind.is_report = !kind.is_place;
		return kind;
	}
	error_free(file_peek(operand, 0, data, sizeof(data), &head.size));
	if (has_symbols(head))
		return (struct kind){ .is_place = true };
	if (!archive_is(head))
		return kind;
	kind.is_report = false;
	error_free(archive_walk(operand, judge_file, &kind));
	// A file without either is refused as a report.
	kind.is_report |= !kind.is_place;
	return kind;
}

static struct command_line split(const struct command_line *line,
                                 struct symbol_operands *ret)
{
	struct command_line rest = *line;

	ret->reports = mem_zalloc(line->operand_count, sizeof(*ret->reports));
	ret->places = mem_zalloc(line->operand_count, sizeof(*ret->places));
	for (size_t i = 0; i < line->operand_count; i++) {
		struct kind kind = judge(line->operands[i]);

		if (kind.is_place)
			ret->places[ret->place_count++] = line->operands[i];
		if (kind.is_report)
			ret->reports[ret->report_count++] = line->operands[i];
	}
	rest.operands = ret->reports;
	rest.operand_count = ret->report_count;
	return rest;
}

/** Search the operands with symbols; as symbols_add_paths(). */
static enum exit_status add_places(const struct notices *notices,
                                   const struct symbol_operands *operands,
                                   struct symbol_store *store)
{
	for (size_t i = 0; i < operands->place_count; i++) {
		struct error *err =
		        symbol_store_add_path(store, operands->places[i]);

		if (err)
			return notice_refuse(notices, err);
	}
	return EXIT_DONE;
}

// The search

struct command_line symbol_search_split(struct symbol_search *search,
                                        const struct command_line *line)
{
	return split(line, &search->operands);
}

enum exit_status symbol_search_open(struct symbol_search *search,
                                    const struct command_line *reports,
                                    const struct symbol_paths *paths,
                                    unsigned jobs, bool quiet)
{
	const struct symbol_store_options options = {
		.jobs = jobs,
		.reader = (enum debug_reader)paths->debug_info,
		.reads_apart = true,
		.form = search->form,
		.cache = paths->no_cache ? NULL
		                         : symbols_open_cache(reports->config),
		.uses_catalog = !paths->no_cache,
	};
	enum exit_status status;

	search->store = symbol_store_new(&options);
	search->near.store = search->store;
	search->near.line = reports;
	search->near.off = paths->no_auto || reports->config->no_auto;
	search->near.quiet = quiet;
	status = add_places(reports->notices, &search->operands, search->store);
	if (status != EXIT_DONE)
		return status;
	return symbols_add_paths(reports->notices, search->store, paths,
	                         reports->config, quiet);
}

void symbol_search_begin(struct symbol_search *search,
                         struct report *const *reports, size_t count)
{
	symbol_store_trim(search->store);
	near_symbols_use(&search->near, reports, count);
}

void symbol_search_name(struct symbol_search *search,
                        struct report *const *reports, size_t count,
                        struct arena *arena)
{
	struct symbolicate_result result;

	symbol_search_begin(search, reports, count);
	device_names_demangle(reports, count, search->form, arena);
	symbolicate(reports, count, search->store, search->form, arena,
	            &result);
	missing_symbols_add(&search->damaged, &result, MISSING_DAMAGED);
}

enum exit_status symbol_search_finish(struct symbol_search *search,
                                      enum exit_status status)
{
	const struct notices *notices = search->near.line->notices;

	if (!search->near.quiet)
		missing_symbols_notice(notices, &search->damaged,
		                       symbol_store_index(search->store), true);
	return symbols_status(notices, search->store, search->near.quiet,
	                      status);
}

void symbol_search_release(struct symbol_search *search)
{
	near_symbols_release(&search->near);
	symbol_store_free(search->store);
	free(search->operands.reports);
	free(search->operands.places);
	missing_symbols_release(&search->damaged);
	search->operands = (struct symbol_operands){ 0 };
	search->store = NULL;
}

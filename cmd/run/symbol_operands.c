#include "cmd/run/symbol_operands.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/text/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** What an operand is; it may be both. */
struct kind {
	bool is_place;
	bool is_report;
};

static bool is_bundle(const char *path)
{
	static const char *const endings[] = { ".dSYM",      ".xcarchive",
		                               ".app",       ".appex",
		                               ".framework", ".xcframework" };
	struct text name = text_from(path);

	while (text_ends(name, "/"))
		name.size--;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (text_ends(name, endings[i]))
			return true;
	return false;
}

/** Something that has symbols of its own. */
static bool has_symbols(struct bytes head)
{
	return macho_sniff(head) || gsym_sniff(head);
}

/** A archive_visit. */
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
		kind.is_place = is_bundle(operand) ||
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
	// What holds neither is refused as a report is.
	kind.is_report |= !kind.is_place;
	return kind;
}

struct command_line symbol_operands_split(const struct command_line *line,
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

enum exit_status symbol_operands_add(const struct notices *notices,
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

void symbol_operands_release(struct symbol_operands *operands)
{
	free(operands->reports);
	free(operands->places);
	*operands = (struct symbol_operands){ 0 };
}

// SPDX-License-Identifier: MIT
#include "cmd/run/report_files.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Leaves room for number, extension and suffix (NAME_MAX: 255). */
#define STEM_BYTES_MAX 200

bool report_files_is_directory(const char *output)
{
	return output &&
	       (text_ends(text_from(output), "/") || file_is_directory(output));
}

static int compare_identities(const void *a, const void *b)
{
	const struct file_identity *x = a;
	const struct file_identity *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

struct error *report_files_init(struct report_files *files,
                                const char *directory, const char *extension,
                                const struct inputs *inputs)
{
	files->directory = directory;
	files->extension = extension;
	files->fd = -1;
	if (mkdir(directory, 0777) && errno != EEXIST)
		return error_os(errno, "cannot make directory '%s'", directory);
	files->fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (files->fd < 0)
		return error_os(errno, "cannot open '%s'", directory);
	files->inputs = mem_zalloc(inputs->count, sizeof(*files->inputs));
	for (size_t i = 0; i < inputs->count; i++)
		if (file_identity_read(inputs->items[i].path,
		                       &files->inputs[files->input_count]))
			files->input_count++;
	if (files->input_count)
		qsort(files->inputs, files->input_count, sizeof(*files->inputs),
		      compare_identities);
	return NULL;
}

static bool is_input(const struct report_files *files, const char *name)
{
	struct file_identity identity;
	size_t at;

	if (!file_identity_read_in(files->fd, name, &identity))
		return false;
	at = SORTED_SKIP(i, files->input_count,
	                 compare_identities(&files->inputs[i], &identity) < 0);
	return at < files->input_count &&
	       !compare_identities(&files->inputs[at], &identity);
}

/** Remove an extension of reports. */
static bool drop_extension(struct text *name)
{
	static const char *const extensions[] = {
		".gz",   ".crash", ".ips",     ".json", ".jsonl", ".ndjson",
		".zip",  ".txt",   ".plcrash", ".hang", ".spin",  ".panic",
		".diag", ".beta",  ".synced",  ".ca",   ".log",
	};

	for (size_t i = 0; i < ARRAY_SIZE(extensions); i++) {
		size_t size = strlen(extensions[i]);

		if (name->size > size && text_ends(*name, extensions[i])) {
			*name = text_first(*name, name->size - size);
			return true;
		}
	}
	return false;
}

/** The digits of `x.jsonl:12`, a line of a stream; else empty. */
static struct text line_number(struct text name)
{
	size_t colon = text_find_last_char(name, ':');
	struct text digits;

	if (colon == TEXT_NOWHERE || !colon)
		return TEXT_NONE;
	digits = text_after(name, colon + 1);
	for (size_t i = 0; i < digits.size; i++)
		if (!text_is_digit(digits.data[i]))
			return TEXT_NONE;
	return digits;
}

/** A name in an archive may contain control characters. */
static struct text visible_name(const char *member, struct str *room)
{
	utf8_add_visible(room, text_base_name(text_from(member)));
	for (size_t i = 0; i < room->size; i++)
		if (room->data[i] == '\t')
			room->data[i] = ' ';
	return str_text(room);
}

/**
 * Append the name of an input, or of its file in an archive, without
 * extensions.
 */
static void add_stem(struct str *stem, const struct report *report)
{
	SCOPED(str_release) struct str room = { 0 };
	const char *input = report->input ? report->input : "-";
	struct text name = report->member ? visible_name(report->member, &room)
	                                  : text_base_name(text_from(input));
	struct text line = line_number(name);

	if (line.size)
		name = text_first(name, name.size - line.size - 1);
	while (drop_extension(&name))
		;
	if (text_is(name, "-"))
		name = text_from("stdin");
	str_add_text(stem, utf8_first(name, STEM_BYTES_MAX));
	if (line.size) {
		str_add_char(stem, '-');
		str_add_text(stem, line);
	}
}

/** Names that differ only in case are equal on a Mac's disk. */
static uint32_t add_folded(struct intern *names, const struct str *name)
{
	SCOPED(str_release) struct str folded = { 0 };

	for (size_t i = 0; i < name->size; i++) {
		char c = name->data[i];

		str_add_char(&folded,
		             c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c);
	}
	return intern_add(names, str_text(&folded));
}

/** The next number of a stem: 1, 2, … */
static size_t next_number(struct report_files *files, const struct str *stem)
{
	uint32_t known = files->stems.count;
	uint32_t id = add_folded(&files->stems, stem);
	size_t count = id;

	if (id == known) {
		MEM_GROW(files->numbers, count, files->number_cap);
		files->numbers[id] = 0;
	}
	return ++files->numbers[id];
}

struct error *report_files_open(struct report_files *files,
                                const struct report *report, struct out **ret)
{
	SCOPED(str_release) struct str stem = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	uint32_t known;

	add_stem(&stem, report);
	do {
		size_t number = next_number(files, &stem);

		str_clear(&name);
		str_add_text(&name, str_text(&stem));
		if (number > 1) {
			str_add_char(&name, '-');
			str_add_number(&name, number);
		}
		str_addf(&name, ".%s", files->extension);
		known = files->names.count;
	} while (add_folded(&files->names, &name) != known ||
	         is_input(files, str_cstr(&name)));
	str_addf(&path, "%s%s%s", files->directory,
	         text_ends(text_from(files->directory), "/") ? "" : "/",
	         str_cstr(&name));
	return out_open_in(files->fd, str_cstr(&path), ret);
}

void report_files_release(struct report_files *files)
{
	if (files->directory && files->fd >= 0)
		close(files->fd);
	intern_release(&files->names);
	intern_release(&files->stems);
	free(files->numbers);
	free(files->inputs);
}

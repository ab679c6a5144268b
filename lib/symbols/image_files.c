// SPDX-License-Identifier: MIT
#include "lib/symbols/image_files.h"

#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <stdlib.h>
#include <string.h>

/** Max sound files to read: they are usually copies. */
#define SOUND_READ_MAX 2

/** Add entries that are not there under another path. */
static void add_new(struct image_files *files, const struct uuid_entry *entries,
                    size_t count, struct intern *keys)
{
	SCOPED(str_release) struct str key = { 0 };

	for (size_t i = 0; i < count; i++) {
		str_clear(&key);
		uuid_entry_add_key(&entries[i], &key);
		if (intern_add_new(keys, str_text(&key)))
			files->entries[files->count++] = entries[i];
	}
}

void image_files_init(struct image_files *files,
                      const struct uuid_entry *entries, size_t count)
{
	SCOPED(intern_release) struct intern keys = { 0 };

	*files = (struct image_files){
		.entries = mem_zalloc(count, sizeof(*entries)),
		.all = mem_zalloc(count, sizeof(*files->all)),
	};
	// Most images have one file.
	if (count == 1)
		files->entries[files->count++] = entries[0];
	else
		add_new(files, entries, count, &keys);
	files->first_count = files->count;
}

void image_files_add(struct image_files *files,
                     const struct uuid_entry *entries, size_t count)
{
	SCOPED(intern_release) struct intern keys = { 0 };
	SCOPED(mem_drop) struct uuid_entry *before = files->entries;
	size_t before_count = files->count;
	size_t max = before_count + count;

	files->entries = mem_zalloc(max, sizeof(*entries));
	files->count = 0;
	add_new(files, before, before_count, &keys);
	add_new(files, entries, count, &keys);
	files->all = mem_realloc(files->all, max, sizeof(*files->all));
	memset(files->all + before_count, 0,
	       (files->count - before_count) * sizeof(*files->all));
}

void image_files_release(struct image_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->all[i].reason);
		free(files->all[i].damage);
	}
	free(files->entries);
	free(files->all);
	*files = (struct image_files){ 0 };
}

static bool is_damaged(const struct symbol_image *image)
{
	return image->status != SYMBOL_FILE_FOUND || image->damage;
}

/** Has it debug information without known faults? */
static bool is_sound(const struct symbol_image *image)
{
	return !is_damaged(image) && image->has_debug_info;
}

/** Quality of an answer. */
enum worth {
	WORTH_NOTHING,
	WORTH_SYMBOL,
	// In a damaged part of a file:
	WORTH_FUNCTION, ///< name or line may be missing
	WORTH_DOUBTED,  ///< inlined calls may be missing
	WORTH_ALL,
};

/** Faults of the file found later do not change it. */
static enum worth worth_of(const struct symbol_answer *answer)
{
	if (answer->source != SYMBOL_DWARF)
		return answer->source == SYMBOL_NONE ? WORTH_NOTHING
		                                     : WORTH_SYMBOL;
	// Generated code has no line in any copy of the file.
	if (!answer->is_doubted)
		return WORTH_ALL;
	for (size_t i = 0; i < answer->count; i++)
		if (answer->calls[i].is_unnamed)
			return WORTH_FUNCTION;
	if (!answer->count || !answer->calls[0].line || !answer->calls[0].file)
		return WORTH_FUNCTION;
	return WORTH_DOUBTED;
}

static bool may_have_lines(const struct uuid_entry *entry)
{
	return uuid_entry_is_dsym(entry) || uuid_entry_is_gsym(entry);
}

/** Has it readable debug information, as far as known? */
static bool can_be_read(const struct image_file *file)
{
	return !file->cannot_read &&
	       (!file->tried || file->image.has_debug_info);
}

/** Is it over the max of read files? A GSYM needs no reading. */
static bool is_beyond(const struct image_files *files, size_t index)
{
	size_t read = 0;

	if (uuid_entry_is_gsym(&files->entries[index]))
		return false;
	// Count earlier files only, so the order of requests does not matter.
	for (size_t i = 0; i < index; i++)
		read += files->all[i].is_read;
	return read >= IMAGE_FILES_READ_MAX;
}

bool image_files_may_be_read(const struct image_files *files, size_t index)
{
	return can_be_read(&files->all[index]) && !is_beyond(files, index);
}

static bool has_sound_before(const struct image_files *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files->all[i].tried && is_sound(&files->all[i].image))
			return true;
	return false;
}

/** Do sound files show that file @p index has no better answer? */
static bool is_denied(const struct image_files *files, size_t index,
                      const struct symbol_answer *answer)
{
	const struct uuid_entry *entry = &files->entries[index];

	// A file added later needs only one denial by a sound file: it may not
	// have been known when other addresses were looked up.
	if (index >= files->first_count)
		return answer->denials;
	// A GSYM is derived from debug information or a symbol table.
	if (uuid_entry_is_gsym(entry))
		return answer->denials && answer->source != SYMBOL_NONE;
	return uuid_entry_is_dsym(entry) && answer->denials >= SOUND_READ_MAX;
}

size_t image_files_choose(const struct image_files *files, size_t index,
                          const struct symbol_answer *answers, size_t count,
                          size_t *asked)
{
	bool has_lines = may_have_lines(&files->entries[index]) &&
	                 image_files_may_be_read(files, index);
	size_t asked_count = 0;

	for (size_t i = 0; i < count; i++) {
		enum worth worth = worth_of(&answers[i]);

		if (worth == WORTH_ALL || is_denied(files, index, &answers[i]))
			continue;
		if (worth == WORTH_NOTHING || has_lines)
			asked[asked_count++] = i;
	}
	return asked_count;
}

/** Is there an address that no sound file has answered or denied? */
static bool is_open(const struct symbol_answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (worth_of(&answers[i]) != WORTH_ALL && !answers[i].denials)
			return true;
	return false;
}

bool image_files_want_more(const struct image_files *files,
                           const struct symbol_answer *answers, size_t count)
{
	return is_open(answers, count) ||
	       (!count && !has_sound_before(files, files->count));
}

void image_files_end(struct image_files *files,
                     const struct symbol_answer *answers, size_t count)
{
	if (!is_open(answers, count))
		return;
	for (size_t i = 0; i < files->count; i++)
		files->all[i].is_unread |= may_have_lines(&files->entries[i]) &&
		                           is_beyond(files, i);
}

size_t image_files_unread(const struct image_files *files,
                          const struct uuid_entry **ret_first)
{
	size_t count = 0;

	for (size_t i = 0; i < files->count; i++) {
		const struct image_file *file = &files->all[i];

		if (!file->is_unread || !can_be_read(file))
			continue;
		if (!count++)
			*ret_first = &files->entries[i];
	}
	return count;
}

bool image_files_want_state(const struct image_files *files, size_t index)
{
	if (files->all[index].tried ||
	    (index && (!may_have_lines(&files->entries[index]) ||
	               !image_files_may_be_read(files, index))))
		return false;
	return !has_sound_before(files, index);
}

bool image_files_is_first_read(const struct image_files *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files->all[i].image.has_debug_info)
			return false;
	return true;
}

/** Is the file sound at this address, and has no debug information for it? */
static bool is_denial(const struct image_file *file,
                      const struct symbol_answer *found)
{
	return file->is_read && !file->cannot_read && !found->is_doubted &&
	       found->source != SYMBOL_DWARF;
}

void image_files_take(struct image_files *files, size_t index,
                      const size_t *asked, const struct symbol_answer *found,
                      size_t asked_count, struct symbol_answer *answers)
{
	struct image_file *all = files->all;
	bool says_more = false;

	for (size_t i = 0; i < asked_count; i++) {
		struct symbol_answer *answer = &answers[asked[i]];
		struct symbol_answer before = *answer;

		if (worth_of(&found[i]) > worth_of(answer)) {
			*answer = found[i];
			answer->file = (uint32_t)index;
			answer->denials = before.denials;
			says_more |= answer->source == SYMBOL_DWARF;
		}
		answer->denials += is_denial(&all[index], &found[i]);
		// If a sound file has no answer either, damage has not hidden
		// one.
		if (answer->source != SYMBOL_DWARF)
			answer->is_doubted =
			        !answer->denials &&
			        (before.is_doubted || found[i].is_doubted);
	}
	for (size_t i = 0; says_more && i < index; i++)
		all[i].is_replaced |= all[i].image.has_debug_info;
}

static size_t choose_state(const struct image_files *files,
                           const size_t *answered)
{
	size_t best = 0;

	for (size_t i = 1; i < files->count; i++) {
		bool sound = is_sound(&files->all[i].image);
		bool best_sound = is_sound(&files->all[best].image);

		if (files->all[i].tried &&
		    (sound > best_sound ||
		     (sound == best_sound && answered[i] > answered[best])))
			best = i;
	}
	return best;
}

const struct symbol_image *image_files_state(struct image_files *files,
                                             const size_t *answered)
{
	size_t chosen = choose_state(files, answered);

	for (size_t i = 0; i < chosen; i++)
		files->all[i].is_replaced |= files->all[i].tried &&
		                             is_damaged(&files->all[i].image);
	return &files->all[chosen].image;
}

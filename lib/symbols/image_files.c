#include "lib/symbols/image_files.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/**
 * Files of one UUID that have their debug information read: copies, mostly, so
 * that what two without a fault do not know is not there.
 */
#define FILES_READ_MAX 8
#define SOUND_READ_MAX 2

void image_files_init(struct image_files *files,
                      const struct uuid_entry *entries, size_t count)
{
	*files = (struct image_files){
		.entries = mem_zalloc(count, sizeof(*entries)),
		.all = mem_zalloc(count, sizeof(*files->all)),
		.count = count,
	};
	memcpy(files->entries, entries, count * sizeof(*entries));
}

void image_files_release(struct image_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->all[i].reason);
	free(files->entries);
	free(files->all);
	*files = (struct image_files){ 0 };
}

static bool is_damaged(const struct symbol_image *image)
{
	return image->status != SYMBOL_FILE_FOUND || image->bad_unit_count;
}

/** Has it debug information, and no fault that is known? */
static bool is_sound(const struct symbol_image *image)
{
	return !is_damaged(image) && image->has_debug_info;
}

/** How much an answer says. */
enum worth {
	WORTH_NOTHING,
	WORTH_SYMBOL,
	// Of a file that is damaged:
	WORTH_FUNCTION, ///< a name is missing, or the line
	WORTH_DOUBTED,  ///< inlined calls may be missing
	WORTH_ALL,
};

static enum worth worth_of(const struct symbol_answer *answer,
                           const struct image_file *file)
{
	if (answer->source != SYMBOL_DWARF)
		return answer->source == SYMBOL_NONE ? WORTH_NOTHING
		                                     : WORTH_SYMBOL;
	// Code that the compiler made has no line, in any copy of the file.
	if (is_sound(&file->image))
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

bool image_files_may_be_read(const struct image_files *files, size_t index)
{
	const struct image_file *file = &files->all[index];
	size_t read = 0, sound = 0;

	if (file->cannot_read || (file->tried && !file->image.has_debug_info))
		return false;
	if (file->is_read)
		return true;
	for (size_t i = 0; i < files->count; i++) {
		read += files->all[i].is_read;
		sound += files->all[i].is_read &&
		         is_sound(&files->all[i].image);
	}
	return read < FILES_READ_MAX && sound < SOUND_READ_MAX;
}

static bool has_sound_before(const struct image_files *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files->all[i].tried && is_sound(&files->all[i].image))
			return true;
	return false;
}

/**
 * Has file @p index lines to give? A GSYM was made of the debug information: of
 * that which is sound it knows no more.
 */
static bool knows_lines(const struct image_files *files, size_t index)
{
	const struct uuid_entry *entry = &files->entries[index];

	return may_have_lines(entry) && image_files_may_be_read(files, index) &&
	       !(uuid_entry_is_gsym(entry) && has_sound_before(files, index));
}

size_t image_files_choose(const struct image_files *files, size_t index,
                          const struct symbol_answer *answers, size_t count,
                          size_t *asked)
{
	bool has_lines = knows_lines(files, index);
	size_t asked_count = 0;

	for (size_t i = 0; i < count; i++) {
		enum worth worth =
		        worth_of(&answers[i], &files->all[answers[i].file]);

		if (worth == WORTH_NOTHING || (worth != WORTH_ALL && has_lines))
			asked[asked_count++] = i;
	}
	return asked_count;
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

void image_files_take(struct image_files *files, size_t index,
                      const size_t *asked, const struct symbol_answer *found,
                      size_t asked_count, struct symbol_answer *answers)
{
	struct image_file *all = files->all;
	bool says_more = false;

	for (size_t i = 0; i < asked_count; i++) {
		struct symbol_answer *answer = &answers[asked[i]];

		if (worth_of(&found[i], &all[index]) <=
		    worth_of(answer, &all[answer->file]))
			continue;
		*answer = found[i];
		answer->file = (uint32_t)index;
		says_more |= answer->source == SYMBOL_DWARF;
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

#include "lib/symbols/image_files.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** So many files of one UUID have their debug information read at most. */
#define FILES_READ_MAX 8
/** Copies, mostly: what two without a fault do not know is not there. */
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
	return image->status != SYMBOL_FILE_FOUND || image->bad_unit_count ||
	       image->damage;
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
	// Of a file that is damaged there:
	WORTH_FUNCTION, ///< a name is missing, or the line
	WORTH_DOUBTED,  ///< inlined calls may be missing
	WORTH_ALL,
};

/** What was learnt of the file later does not change it. */
static enum worth worth_of(const struct symbol_answer *answer)
{
	if (answer->source != SYMBOL_DWARF)
		return answer->source == SYMBOL_NONE ? WORTH_NOTHING
		                                     : WORTH_SYMBOL;
	// Code that the compiler made has no line, in any copy of the file.
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

bool image_files_may_be_read(const struct image_files *files, size_t index)
{
	const struct image_file *file = &files->all[index];
	size_t read = 0;

	if (file->cannot_read || (file->tried && !file->image.has_debug_info))
		return false;
	// Those before it only: it is the same whatever was asked when.
	for (size_t i = 0; i < index; i++)
		read += files->all[i].is_read;
	return read < FILES_READ_MAX;
}

static bool has_sound_before(const struct image_files *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files->all[i].tried && is_sound(&files->all[i].image))
			return true;
	return false;
}

/** Is a copy of the debug information of no use: do sound files know no more?
 */
static bool is_denied(const struct uuid_entry *entry,
                      const struct symbol_answer *answer)
{
	// A GSYM was made of it, or of a symbol table.
	if (uuid_entry_is_gsym(entry))
		return answer->denials && answer->source != SYMBOL_NONE;
	return uuid_entry_is_dsym(entry) && answer->denials >= SOUND_READ_MAX;
}

size_t image_files_choose(const struct image_files *files, size_t index,
                          const struct symbol_answer *answers, size_t count,
                          size_t *asked)
{
	const struct uuid_entry *entry = &files->entries[index];
	bool has_lines = may_have_lines(entry) &&
	                 image_files_may_be_read(files, index);
	size_t asked_count = 0;

	for (size_t i = 0; i < count; i++) {
		enum worth worth = worth_of(&answers[i]);

		if ((worth == WORTH_NOTHING ||
		     (worth != WORTH_ALL && has_lines)) &&
		    !is_denied(entry, &answers[i]))
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

/** The file is sound there, and its debug information says nothing. */
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
		// What a sound file does not know, damage has not hidden.
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

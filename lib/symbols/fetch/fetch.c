// SPDX-License-Identifier: MIT
#include "lib/symbols/fetch/fetch.h"

#include "lib/base/arena.h"
#include "lib/base/file.h"
#include "lib/base/file_lock.h"
#include "lib/base/file_walk.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/fetch/program.h"
#include "lib/symbols/index/store_layout.h"
#include "lib/symbols/index/store_write.h"
#include "lib/symbols/index/uuid_index.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DIRECTORY   "fetched"
#define LOCK_NAME   ".lock"
#define MISS        "miss"
#define MALFORMED   "malformed"
#define PARTIAL     "partial."
#define MISS_S      3600
#define MALFORMED_S 86400
#define ASKED_MS    ((int64_t)MISS_S * 1000)
/** Max runs in that time: reports determine the number of UUIDs. */
#define RUNS_MAX 2000
/** Max time limits in a row; then stop fetching in this run. */
#define TOO_LONG_MAX 3

struct fetch {
	struct fetch_settings settings;
	char *store;         ///< directory of the files
	struct intern asked; ///< UUIDs, as long as a miss is recorded
	int64_t asked_ms;    ///< start of this period
	size_t run_count;    ///< runs of the program in this period
	size_t too_long;     ///< in a row
	bool is_off;         ///< program or directory are unusable
	bool is_swept;       ///< old marks were removed
	char *problem;
	size_t problem_count;
};

struct fetch *fetch_new(const struct fetch_settings *settings)
{
	struct fetch *fetch = mem_zalloc(1, sizeof(*fetch));
	SCOPED(str_release) struct str path = { 0 };

	fetch->settings = *settings;
	if (!settings->time_limit_ms)
		fetch->settings.time_limit_ms = FETCH_SECONDS * 1000;
	str_addf(&path, "%s/" DIRECTORY, settings->cache);
	fetch->store = mem_strndup(path.data, path.size);
	return fetch;
}

void fetch_free(struct fetch *fetch)
{
	if (!fetch)
		return;
	intern_release(&fetch->asked);
	free(fetch->store);
	free(fetch->problem);
	free(fetch);
}

const char *fetch_problem(const struct fetch *fetch, size_t *ret_count)
{
	*ret_count = fetch->problem_count;
	return fetch->problem;
}

static void note(struct fetch *fetch, const struct uuid *uuid, const char *what)
{
	SCOPED(str_release) struct str text = { 0 };
	char name[UUID_TEXT_SIZE];

	if (fetch->problem_count++)
		return;
	str_addf(&text, "%s: %s", uuid_format(uuid, name), what);
	fetch->problem = mem_strndup(text.data, text.size);
}

// The command

static const char *const places[] = { "{uuid}", "{debug-id}", "{path}",
	                              "{arch}", "{file}" };

enum place {
	PLACE_UUID,
	PLACE_DEBUG_ID,
	PLACE_PATH,
	PLACE_ARCH,
	PLACE_FILE,
	PLACES,
};

/** Take a placeholder at the start, if any. */
static enum place take_place(struct text *rest)
{
	for (size_t i = 0; i < PLACES; i++)
		if (text_take(rest, places[i]))
			return (enum place)i;
	return PLACES;
}

/** A UUID being fetched. */
struct asking {
	struct fetch *fetch;
	const struct uuid *uuid;
	const char *arch;
	struct str directory; ///< of the UUID
	struct str file;      ///< output of the program
};

/** A report names it, so it may be any text. */
static bool is_arch(const char *arch)
{
	size_t size = strspn(arch, "abcdefghijklmnopqrstuvwxyz"
	                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return size <= 16 && !arch[size];
}

static void add_place(const struct asking *asking, enum place place,
                      struct str *out)
{
	size_t store = strlen(asking->fetch->store);
	const char *path = str_cstr(&asking->directory) + store + 1;
	char text[UUID_TEXT_SIZE];

	if (place == PLACE_UUID)
		str_add(out, uuid_format(asking->uuid, text));
	else if (place == PLACE_PATH)
		str_add(out, path);
	else if (place == PLACE_ARCH)
		str_add(out, asking->arch && is_arch(asking->arch)
		                     ? asking->arch
		                     : "");
	else if (place == PLACE_FILE)
		str_add_text(out, str_text(&asking->file));
	else
		for (; *path; path++)
			if (*path != '/')
				str_add_char(out, *path);
}

static char *expand(const struct asking *asking, const char *argument,
                    struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	struct text rest = text_from(argument);

	while (rest.size) {
		enum place place = take_place(&rest);

		if (place != PLACES) {
			add_place(asking, place, &out);
			continue;
		}
		str_add_char(&out, rest.data[0]);
		rest = text_after(rest, 1);
	}
	return arena_text(arena, str_text(&out));
}

// Marks

static void mark_path(const struct asking *asking, const char *name,
                      struct str *out)
{
	str_addf(out, "%s/%s", str_cstr(&asking->directory), name);
}

/** Also false if the clock was set back. */
static bool is_young(const struct stat *info, int64_t seconds)
{
	int64_t age = time(NULL) - info->st_mtime;

	return age >= 0 && age < seconds;
}

static bool has_mark(const struct asking *asking, const char *name,
                     int64_t seconds)
{
	SCOPED(str_release) struct str path = { 0 };
	struct stat info;

	mark_path(asking, name, &path);
	return !lstat(str_cstr(&path), &info) && is_young(&info, seconds);
}

static void set_mark(const struct asking *asking, const char *name)
{
	SCOPED(str_release) struct str path = { 0 };
	int fd;

	mark_path(asking, name, &path);
	unlink(str_cstr(&path));
	fd = open(str_cstr(&path),
	          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		close(fd);
}

static void remove_mark(const struct asking *asking, const char *name)
{
	SCOPED(str_release) struct str path = { 0 };

	mark_path(asking, name, &path);
	unlink(str_cstr(&path));
}

/** Once per period of a miss, in case no mark could be written. */
static bool is_new(struct fetch *fetch, const struct uuid *uuid)
{
	int64_t now_ms = timestamp_now_ms();

	if (!fetch->asked_ms || now_ms - fetch->asked_ms > ASKED_MS) {
		intern_release(&fetch->asked);
		fetch->asked = (struct intern){ 0 };
		fetch->asked_ms = now_ms;
		fetch->run_count = 0;
	}
	return intern_add_new(&fetch->asked, uuid_key(uuid));
}

// Files

static bool give_files(const struct asking *asking, fetch_take take,
                       void *context)
{
	static const enum store_file files[] = { STORE_DEBUG_INFO,
		                                 STORE_EXECUTABLE };
	SCOPED(str_release) struct str path = { 0 };
	bool ret = false;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		str_clear(&path);
		store_layout_add(asking->fetch->store, asking->uuid, files[i],
		                 &path);
		if (access(str_cstr(&path), F_OK))
			continue;
		if (take)
			take(str_cstr(&path), context);
		ret = true;
	}
	// Mark the directory as used, to remove it later.
	if (ret)
		(void)utimensat(AT_FDCWD, str_cstr(&asking->directory), NULL,
		                AT_SYMLINK_NOFOLLOW);
	return ret;
}

/** Disk use of a UUID. */
struct held {
	const char *directory;
	uint64_t bytes;
	int64_t used_ns;
	bool is_done; ///< no files and no valid mark
};

struct holdings {
	struct arena arena;
	struct held *all;
	size_t count;
	size_t cap;
};

static int64_t modified_ns(const char *path)
{
	struct file_stamp stamp;
	struct stat info;

	if (file_stamp_read(path, &stamp))
		return stamp.modified_ns;
	return stat(path, &info) ? 0 : (int64_t)info.st_mtime * 1000000000;
}

static bool is_file_of_use(const char *name, int64_t age_s)
{
	if (!strcmp(name, MISS))
		return age_s < MISS_S;
	if (!strcmp(name, MALFORMED))
		return age_s < MALFORMED_S;
	return !text_starts(text_from(name), PARTIAL) || age_s < MISS_S;
}

static struct error *hold(const struct file_found *found, void *context)
{
	struct holdings *holdings = context;
	size_t slash = text_find_last_char(text_from(found->path), '/');
	struct held *held = NULL;
	int64_t age_s = time(NULL) - modified_ns(found->path) / 1000000000;

	// The lock file.
	if (found->path[slash + 1] == '.')
		return NULL;
	if (holdings->count)
		held = &holdings->all[holdings->count - 1];
	if (!held || strlen(held->directory) != slash ||
	    strncmp(held->directory, found->path, slash)) {
		const struct text name = { found->path, slash };

		ARENA_GROW(&holdings->arena, holdings->all, holdings->count,
		           holdings->cap);
		held = &holdings->all[holdings->count++];
		*held = (struct held){
			.directory = arena_text(&holdings->arena, name),
			.is_done = true,
		};
		held->used_ns = modified_ns(held->directory);
	}
	if (!is_file_of_use(found->path + slash + 1, age_s)) {
		unlink(found->path);
		return NULL;
	}
	held->bytes += found->size_bytes;
	held->is_done = false;
	return NULL;
}

static int compare_held(const void *a, const void *b)
{
	const struct held *x = a;
	const struct held *y = b;

	if (x->used_ns != y->used_ns)
		return x->used_ns < y->used_ns ? -1 : 1;
	return strcmp(x->directory, y->directory);
}

static struct error *remove_found(const struct file_found *found, void *context)
{
	(void)context;
	unlink(found->path);
	return NULL;
}

/** Remove the files not used for the longest time, except @p kept. */
static void keep_limit(struct fetch *fetch, const char *kept)
{
	struct holdings holdings = { 0 };
	uint64_t total = 0;

	error_free(file_walk(fetch->store, hold, &holdings, NULL));
	if (holdings.count)
		qsort(holdings.all, holdings.count, sizeof(*holdings.all),
		      compare_held);
	for (size_t i = 0; i < holdings.count; i++)
		total += holdings.all[i].bytes;
	for (size_t i = 0; i < holdings.count; i++) {
		struct held *held = &holdings.all[i];

		if (!strcmp(held->directory, kept))
			continue;
		if (total > fetch->settings.limit_bytes && held->bytes) {
			error_free(file_walk(held->directory, remove_found,
			                     NULL, NULL));
			total -= held->bytes;
			held->is_done = true;
		}
		if (held->is_done)
			rmdir(held->directory);
	}
	arena_release(&holdings.arena);
}

// Fetching

/** Keep the slice with the UUID from the program's file. */
static bool keep_slice(struct asking *asking, bool *ret_is_there)
{
	struct uuid_index *index = uuid_index_new();
	const struct uuid_entry *entries;
	enum store_added added = STORE_PASSED;
	bool kept = false;
	size_t count;

	// The file may be packed.
	error_free(uuid_index_add_place(index, str_cstr(&asking->file)));
	entries = uuid_index_find(index, asking->uuid, &count);
	*ret_is_there = count;
	for (size_t i = 0; i < count && !kept; i++) {
		SCOPED(str_release) struct str path = { 0 };
		SCOPED(error_drop)
		struct error *err = store_add(asking->fetch->store, &entries[i],
		                              &path, &added);

		kept = !err && (added == STORE_NEW || added == STORE_THERE);
	}
	uuid_index_free(index);
	return kept;
}

static void describe(const struct program_result *result, const char *program,
                     struct str *out)
{
	static const char *const ends[] = {
		[PROGRAM_ENDED] = "ended with status",
		[PROGRAM_CRASHED] = "was ended by signal",
	};

	if (result->end == PROGRAM_TOO_LONG)
		str_addf(out, "'%s' was ended at the time limit", program);
	else if (result->end == PROGRAM_TOO_LARGE)
		str_addf(out, "'%s' was ended at the limit of size", program);
	else
		str_addf(out, "'%s' %s %d", program, ends[result->end],
		         result->number);
	if (result->says[0])
		str_addf(out, ": %s", result->says);
}

static void fail(struct asking *asking, const char *mark, const char *text)
{
	set_mark(asking, mark);
	note(asking->fetch, asking->uuid, text);
}

/** Handle the program's result. */
static void take_result(struct asking *asking,
                        const struct program_result *result)
{
	struct fetch *fetch = asking->fetch;
	const char *program = fetch->settings.command[0];
	SCOPED(str_release) struct str text = { 0 };
	bool is_there = false;
	struct stat info;

	fetch->too_long = result->end == PROGRAM_TOO_LONG ? fetch->too_long + 1
	                                                  : 0;
	fetch->is_off |= fetch->too_long == TOO_LONG_MAX;
	if (result->end != PROGRAM_ENDED || result->number ||
	    lstat(str_cstr(&asking->file), &info)) {
		describe(result, program, &text);
		fail(asking, MISS, str_cstr(&text));
	} else if (!S_ISREG(info.st_mode) || !keep_slice(asking, &is_there)) {
		remove_mark(asking, MISS);
		str_addf(&text, "'%s' made a file that %s", program,
		         is_there ? "cannot be kept"
		                  : "has no symbols of this UUID");
		fail(asking, MALFORMED, str_cstr(&text));
	} else {
		remove_mark(asking, MISS);
		remove_mark(asking, MALFORMED);
		unlink(str_cstr(&asking->file));
		keep_limit(fetch, str_cstr(&asking->directory));
	}
}

static void run(struct asking *asking)
{
	struct fetch *fetch = asking->fetch;
	SCOPED(arena_release) struct arena arena = { 0 };
	char **arguments = arena_array(&arena, fetch->settings.count + 1,
	                               sizeof(*arguments));
	const struct program program = {
		.arguments = arguments,
		.time_limit_ms = fetch->settings.time_limit_ms,
		.file = str_cstr(&asking->file),
		.file_bytes_max = fetch->settings.limit_bytes,
	};
	struct program_result result;
	struct error *err;

	for (size_t i = 0; i < fetch->settings.count; i++)
		arguments[i] =
		        expand(asking, fetch->settings.command[i], &arena);
	arguments[fetch->settings.count] = NULL;
	// If this process is killed, as a slow reader may be, the mark prevents
	// another try.
	set_mark(asking, MISS);
	err = program_run(&program, &result);
	if (err) {
		remove_mark(asking, MISS);
		// The program would fail for other UUIDs, too.
		fetch->is_off = true;
		note(fetch, asking->uuid, error_message(err));
		error_free(err);
	} else {
		take_result(asking, &result);
	}
	unlink(str_cstr(&asking->file));
}

/** No other user may choose the cache's contents. */
static struct error *prepare(const struct asking *asking)
{
	struct cache_directory *directory;
	struct error *err =
	        store_make_directories(str_cstr(&asking->file), 0700);

	if (err)
		return err;
	directory = cache_directory_new(asking->fetch->store, 0);
	err = cache_directory_check(directory);
	cache_directory_free(directory);
	return err;
}

static void fetch_one(struct asking *asking)
{
	struct fetch *fetch = asking->fetch;
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(file_unlock) int lock = -1;
	struct error *err = prepare(asking);
	uint64_t number = 0;

	if (!fetch->is_swept && !err)
		keep_limit(fetch, str_cstr(&asking->directory));
	fetch->is_swept = true;
	for (size_t i = 0; i < 8; i++)
		number = number << 8 | asking->uuid->bytes[i];
	str_addf(&path, "%s/" LOCK_NAME, fetch->store);
	if (!err)
		err = file_lock(str_cstr(&path), 0600, number,
		                fetch->settings.time_limit_ms + 5000, &lock);
	if (err) {
		fetch->is_off |= error_code(err) != ERROR_LIMIT;
		note(fetch, asking->uuid, error_message(err));
		error_free(err);
		return;
	}
	// Another process may have fetched or tried it meanwhile.
	if (give_files(asking, NULL, NULL) || has_mark(asking, MISS, MISS_S) ||
	    has_mark(asking, MALFORMED, MALFORMED_S))
		return;
	if (fetch->run_count++ < RUNS_MAX)
		run(asking);
	else
		note(fetch, asking->uuid, "too many UUIDs in an hour");
}

void fetch_get(struct fetch *fetch, const struct uuid *uuid, const char *arch,
               fetch_take take, void *context)
{
	struct asking asking = { .fetch = fetch, .uuid = uuid, .arch = arch };

	if (uuid_is_zero(uuid))
		return;
	store_layout_add(fetch->store, uuid, STORE_DIRECTORY,
	                 &asking.directory);
	str_addf(&asking.file, "%s/" PARTIAL "%ld", str_cstr(&asking.directory),
	         (long)getpid());
	// Read marks under the lock: a mark exists during a fetch.
	if (!give_files(&asking, take, context) && !fetch->is_off &&
	    is_new(fetch, uuid)) {
		fetch_one(&asking);
		give_files(&asking, take, context);
	}
	str_release(&asking.file);
	str_release(&asking.directory);
}

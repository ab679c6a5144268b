#include "cmd/command.h"
#include "lib/base/out.h"
#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/uuid_index.h"
#include "lib/text/json/writer.h"

enum uuid_format { FORMAT_TEXT, FORMAT_JSON };

struct uuid_settings {
	const char *arch;
	unsigned format; ///< enum uuid_format
};

static const struct option options[] = {
	OPT_TEXT('a', "arch", struct uuid_settings, arch, "<arch>",
	         "list only slices of <arch>, such as arm64 or x86_64"),
	OPT_CHOICE('t', "format", struct uuid_settings, format, "text|json",
	           "output format"),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool uuid samples/Demo.dSYM",
	  "print the UUID of each slice of a dSYM" },
	{ "apmtool uuid --arch arm64 samples",
	  "list everything in a directory for one architecture" },
	{ "apmtool uuid --format json samples/Demo.dSYM",
	  "the same as JSON, for programs" },
	{ NULL, NULL },
};

/** One run: where the slices go, and how it went so far. */
struct listing {
	const struct uuid_settings *settings;
	struct out *out;
	struct json_writer json;
	bool found;  ///< some slice has been printed
	bool failed; ///< some operand or file could not be listed
};

static const char *type_name(uint32_t file_type)
{
	static const char *const names[] = {
		[MACHO_OBJECT] = "object", [MACHO_EXECUTE] = "executable",
		[MACHO_DYLIB] = "dylib",   [MACHO_DYLINKER] = "dylinker",
		[MACHO_BUNDLE] = "bundle", [MACHO_DSYM] = "dsym",
		[MACHO_KEXT] = "kext",
	};

	return file_type < ARRAY_SIZE(names) && names[file_type]
	               ? names[file_type]
	               : "other";
}

static void print_text(struct listing *l, const struct uuid_entry *entry)
{
	char uuid[UUID_TEXT_SIZE];

	out_addf(l->out, "UUID: %s (%s) ", uuid_format(&entry->uuid, uuid),
	         darwin_arch_label(entry->cpu_type, entry->cpu_subtype));
	out_add_visible(l->out, entry->path);
	out_add(l->out, "\n");
}

static void print_json(struct listing *l, const struct uuid_entry *entry)
{
	struct json_writer *w = &l->json;

	json_open_object(w, NULL);
	json_uuid(w, "uuid", &entry->uuid);
	json_text(w, "arch",
	          darwin_arch_label(entry->cpu_type, entry->cpu_subtype));
	json_text(w, "path", entry->path);
	json_text(w, "type", type_name(entry->file_type));
	json_close(w);
}

/** Whether @p entry was wanted and could be printed. */
static bool list_entry(struct listing *l, const struct uuid_entry *entry)
{
	const char *arch = l->settings->arch;

	if (arch &&
	    !darwin_arch_matches(arch, entry->cpu_type, entry->cpu_subtype))
		return false;
	if (uuid_is_zero(&entry->uuid)) {
		// Object files have none; only linked images do.
		if (entry->file_type != MACHO_OBJECT)
			command_warn("%s: slice %s has no UUID", entry->path,
			             darwin_arch_label(entry->cpu_type,
			                               entry->cpu_subtype));
		return false;
	}
	if (l->settings->format == FORMAT_JSON)
		print_json(l, entry);
	else
		print_text(l, entry);
	return true;
}

static void warn_of_problems(struct listing *l, const struct uuid_index *index)
{
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(index, &count);
	for (size_t i = 0; i < count; i++) {
		command_warn("%s: %s", problems[i].path, problems[i].reason);
		l->failed = true;
	}
}

static struct error *nothing_found(const struct listing *l, const char *path)
{
	if (l->settings->arch)
		return error_new(ERROR_NOT_FOUND,
		                 "no UUID for architecture '%s' in '%s'",
		                 l->settings->arch, path);
	return error_new(ERROR_NOT_FOUND, "no UUID in '%s'", path);
}

static void drop_index(struct uuid_index **index)
{
	uuid_index_free(*index);
}

/** An index of its own, so that a path given twice is listed twice. */
static void list_path(struct listing *l, const char *path)
{
	SCOPED(drop_index) struct uuid_index *index = uuid_index_new();
	SCOPED(error_drop) struct error *err = uuid_index_add(index, path);
	const struct uuid_entry *entries;
	bool found = false;
	size_t count;

	entries = uuid_index_all(index, &count);
	for (size_t i = 0; i < count; i++)
		if (list_entry(l, &entries[i]))
			found = true;
	warn_of_problems(l, index);
	if (!err && !found)
		err = nothing_found(l, path);
	if (err) {
		command_error(err);
		l->failed = true;
	}
	l->found |= found;
}

static void list_paths(struct listing *l, const struct command_line *line)
{
	bool is_json = l->settings->format == FORMAT_JSON;

	if (is_json) {
		json_open_object(&l->json, NULL);
		json_text(&l->json, "schema", "apmtool.uuids/1");
		json_open_array(&l->json, "slices");
	}
	for (size_t i = 0; i < line->operand_count; i++)
		list_path(l, line->operands[i]);
	if (is_json) {
		json_close(&l->json);
		json_close(&l->json);
		json_finish(&l->json);
	}
}

static enum exit_status uuid_run(const struct command_line *line)
{
	struct listing l = { .settings = line->settings };
	enum exit_status status = command_open_output(NULL, &l.out);

	if (status != EXIT_DONE)
		return status;
	l.json = json_writer_to(l.out);
	list_paths(&l, line);
	if (!l.found)
		status = EXIT_ALL_FAILED;
	else if (l.failed)
		status = EXIT_SOME_FAILED;
	return command_finish(l.out, status);
}

const struct command uuid_command = {
	.name = "uuid",
	.summary = "print the UUIDs of Mach-O files and dSYMs",
	.operands = "<path>...",
	.description =
	        "Prints one line for each slice of each Mach-O file: UUID, "
	        "architecture and path, as `dwarfdump --uuid` does. A path is "
	        "a file, a dSYM bundle, or a directory to search for both; "
	        "other files in a directory are skipped.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct uuid_settings),
	.run = uuid_run,
};

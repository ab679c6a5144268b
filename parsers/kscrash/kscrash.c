// SPDX-License-Identifier: MIT
#include "parsers/json/shape.h"
#include "parsers/kscrash/parts.h"
#include "parsers/reader.h"

#include <string.h>

static bool kscrash_sniff(const struct envelope *in)
{
	uint64_t names = in->names;

	// Samples of Matrix are in a record, or alone.
	if (names & JSON_HAS(STACK_STRING) || matrix_is_tree(in->text))
		return true;
	// KSCrash writes images first: a device that dies early leaves a report
	// without `crash`; one that dies in the handler may leave only the
	// earlier report.
	if (names & JSON_HAS(REPORT) &&
	    names & (JSON_HAS(CRASH) | JSON_HAS(BINARY_IMAGES) |
	             JSON_HAS(DUMP_TYPE)))
		return true;
	return names & JSON_HAS(RECRASH_REPORT);
}

// One report

static enum kscrash_error_type error_type_of(const cJSON *error)
{
	static const struct {
		const char *name;
		enum kscrash_error_type type;
	} types[] = {
		{ "nsexception", KSCRASH_ERROR_NSEXCEPTION },
		{ "cpp_exception", KSCRASH_ERROR_CPP_EXCEPTION },
		{ "deadlock", KSCRASH_ERROR_DEADLOCK },
		{ "user", KSCRASH_ERROR_USER },
		{ "hang", KSCRASH_ERROR_HANG },
		{ "profile", KSCRASH_ERROR_PROFILE },
	};
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(error, "type"));

	for (size_t i = 0; name && i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, name))
			return types[i].type;
	return KSCRASH_ERROR_OTHER;
}

/** A record of Matrix has its kind outside of `crash`. */
static void read_kind(const struct kscrash *ks)
{
	const cJSON *dump_type =
	        cJSON_GetObjectItemCaseSensitive(ks->root, "dump_type");
	const char *type =
	        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(ks->root, "report"),
	                "type"));
	struct report *report = ks->place.reader->report;

	if (report->kind ||
	    (!cJSON_IsNumber(dump_type) && !(type && !strcmp(type, "custom")) &&
	     !(ks->matrix && ks->matrix->tree_count)))
		return;
	report->kind = matrix_kind(dump_type, ks->place.reader->arena);
	matrix_set_kind(dump_type, report);
}

/**
 * @param story   The main report of the process: a minimal report does not
 *               identify it. Equal to @p root, or NULL.
 * @param matrix  Call trees of the report; may be NULL.
 */
static struct report *read_one(const struct json_place *where,
                               const cJSON *root, const cJSON *story,
                               const struct matrix *matrix, struct arena *arena)
{
	struct json_reader reader = {
		.report = report_new(arena),
		.arena = arena,
	};
	struct kscrash ks = { .place = *where, .root = root, .matrix = matrix };
	struct json_place crash_place;
	bool incomplete = false;

	reader.report->format = kscrash_reader.name;
	ks.place.reader = &reader;
	crash_place = (struct json_place)JSON_PLACE_MEMBER(&ks.place, "crash");
	ks.crash = json_place_member(&ks.place, root, "crash", JSON_OBJECT);
	ks.error =
	        json_place_member(&crash_place, ks.crash, "error", JSON_OBJECT);
	ks.system = json_place_member(&ks.place, root, "system", JSON_OBJECT);
	ks.error_type = error_type_of(ks.error);
	if (!ks.system && story)
		ks.system = cJSON_GetObjectItemCaseSensitive(story, "system");
	ks.images =
	        json_place_member(&ks.place, root, "binary_images", JSON_ARRAY);
	if (!ks.images && cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(
	                          story, "binary_images")))
		ks.images = cJSON_GetObjectItemCaseSensitive(story,
		                                             "binary_images");
	kscrash_read_system(&ks);
	kscrash_read_images(&ks);
	kscrash_read_error(&ks);
	kscrash_read_ending(&ks);
	kscrash_read_profile(&ks);
	kscrash_read_state(&ks);
	kscrash_read_threads(&ks);
	if (matrix)
		matrix_read_trees(matrix, &ks.place);
	read_kind(&ks);
	kscrash_read_extra(&ks);
	report_place_frames(reader.report);
	if (json_as_bool(cJSON_GetObjectItemCaseSensitive(root, "incomplete"),
	                 &incomplete) &&
	    incomplete) {
		reader.report->truncated = true;
		json_place_note(
		        &ks.place, "incomplete",
		        "the reporter did not finish: the rest is lost");
	}
	return reader.report;
}

// A report within a report

/** A minimal report is that of a crash of the reporter itself. */
static bool is_minimal(const cJSON *root)
{
	const cJSON *crash = cJSON_GetObjectItemCaseSensitive(root, "crash");
	const char *type =
	        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(root, "report"),
	                "type"));

	return (type && !strcmp(type, "minimal")) ||
	       (cJSON_GetObjectItemCaseSensitive(crash, "crashed_thread") &&
	        !cJSON_GetObjectItemCaseSensitive(crash, "threads"));
}

/** The story, and how the reporter crashed while it wrote that. */
struct pair {
	const cJSON *story;
	const cJSON *handler; ///< NULL: it did not crash
	struct json_place story_place;
	struct json_place handler_place;
};

/**
 * Find the main report and the handler's: since 3.0 the earlier report is
 * inside the later one, in 2.x the reverse. A report alone in an empty one is
 * the main report.
 */
static struct pair distinguish(const cJSON *root)
{
	const cJSON *inner =
	        cJSON_GetObjectItemCaseSensitive(root, "recrash_report");
	struct json_place outer_place = JSON_PLACE_ROOT(NULL);
	struct json_place inner_place = { .name = "recrash_report",
		                          .index = JSON_NO_INDEX };
	bool has_outer =
	        cJSON_GetObjectItemCaseSensitive(root, "crash") ||
	        cJSON_GetObjectItemCaseSensitive(root, "binary_images");

	if (!cJSON_IsObject(inner))
		return (struct pair){ .story = root,
			              .story_place = outer_place };
	if (has_outer && !is_minimal(root) && is_minimal(inner))
		return (struct pair){ root, inner, outer_place, inner_place };
	return (struct pair){ inner, has_outer ? root : NULL, inner_place,
		              outer_place };
}

/** The handler's crash becomes the next report. */
static void add_handler_crash(const struct pair *pair, struct arena *arena,
                              struct report *story)
{
	struct report *handler = read_one(&pair->handler_place, pair->handler,
	                                  pair->story, NULL, arena);
	const struct report_thread *thread = report_crashed_thread(handler);
	const char *signal = handler->exception.signal;

	// KSCrash's own text has these words between both.
	if (!report_section(handler, KSCRASH_INFORMATION))
		report_add_section(handler, arena, KSCRASH_INFORMATION,
		                   "Handler crashed while reporting");
	story->origin = "report 1";
	handler->origin = "report 2";
	story->next = handler;
	report_add_note(
	        story, arena, "recrash_report",
	        arena_printf(arena,
	                     "the reporter itself crashed%s%s%s%s%s while it "
	                     "wrote this: see the next report",
	                     signal ? " (" : "", signal ? signal : "",
	                     signal ? ")" : "",
	                     thread && thread->name ? " in thread " : "",
	                     thread && thread->name ? thread->name : ""));
}

/** Is there any content? */
static bool says_something(const cJSON *root)
{
	const cJSON *crash = cJSON_GetObjectItemCaseSensitive(root, "crash");

	return cJSON_GetArrayItem(crash, 0) ||
	       cJSON_GetArrayItem(
	               cJSON_GetObjectItemCaseSensitive(root, "system"), 0) ||
	       cJSON_GetArrayItem(
	               cJSON_GetObjectItemCaseSensitive(root, "binary_images"),
	               0);
}

static struct error *read_pair(const cJSON *root, const struct matrix *matrix,
                               struct arena *arena, struct report **ret)
{
	struct pair pair = distinguish(root);

	if (!says_something(pair.story) && pair.handler)
		pair = (struct pair){ .story = pair.handler,
			              .story_place = pair.handler_place };
	if (!says_something(pair.story) && !matrix->tree_count &&
	    !cJSON_GetObjectItemCaseSensitive(pair.story, "stack_string"))
		return error_new(ERROR_FORMAT,
		                 "an empty KSCrash report: no crash, no "
		                 "system, no binary_images");
	*ret = read_one(&pair.story_place, pair.story, NULL, matrix, arena);
	if (pair.handler && says_something(pair.handler))
		add_handler_crash(&pair, arena, *ret);
	return NULL;
}

// The document

/** Only a call tree of Matrix. */
static struct report *read_bare_tree(struct text in, struct arena *arena)
{
	SCOPED(matrix_release) struct matrix matrix = { 0 };
	const struct json_place place = JSON_PLACE_ROOT(NULL);

	matrix_take_bare(in, &matrix);
	return read_one(&place, NULL, NULL, &matrix, arena);
}

static struct error *kscrash_read(const struct envelope *envelope,
                                  struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct text in = envelope->text;
	SCOPED(matrix_release) struct matrix matrix = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct report *report = NULL;
	const cJSON *root;
	struct error *err;
	size_t used;

	if (matrix_is_tree(in)) {
		sink_report(sink, read_bare_tree(in, arena));
		return NULL;
	}
	matrix_find(in, &matrix);
	err = json_salvage(matrix.document, &used, &doc);
	if (err)
		return err;
	root = json_root(doc);
	if (!cJSON_IsObject(root))
		return error_new(ERROR_FORMAT, "%s",
		                 json_unexpected(root, "an object", arena));
	err = read_pair(root, &matrix, arena, &report);
	if (err)
		return err;
	json_note_document(doc, NULL, report, arena);
	if (!json_fault(doc) && text_trim_left(text_after(in, used)).size)
		report_add_note(report, arena, "report",
		                "unexpected data follows the report: it was "
		                "not read");
	sink_report(sink, report);
	return NULL;
}

const struct reader kscrash_reader = {
	.name = "kscrash",
	.summary = "KSCrash reports of all versions, Matrix's lag files (JSON)",
	.yields = YIELDS_REPORTS,
	.sniff = kscrash_sniff,
	.read = kscrash_read,
};

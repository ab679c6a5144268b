// SPDX-License-Identifier: MIT
#include "cmd/server/symbolicate.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/out.h"
#include "lib/text/json/pull.h"
#include "lib/text/json/writer.h"

/** Digits of a UUID; the age follows, which is 0 for Mach-O files. */
#define UUID_DIGITS 32

#define NO_MODULE SYMBOLICATE_MODULES_MAX

struct request_reader {
	struct json_pull *pull;
	struct arena *arena;
	struct symbolicate_request *request;
	size_t job_cap, module_cap, stack_cap, frame_cap;
	struct error *err; ///< the first
};

static void fail_expected(struct request_reader *reader,
                          const struct json_event *event, const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };

	json_pull_path(reader->pull, &text);
	str_addf(&text, "%sexpected %s, found ", text.size ? ": " : "",
	         expected);
	json_event_add_found(&text, event);
	error_keep_first(&reader->err,
	                 error_new(ERROR_FORMAT, "%s", str_cstr(&text)));
}

static void fail_limit(struct request_reader *reader, const char *what,
                       size_t most)
{
	error_keep_first(
	        &reader->err,
	        error_new(ERROR_LIMIT, "more than %zu %s", most, what));
}

static bool begin_array(struct request_reader *reader, const char *expected)
{
	const struct json_event *event = json_pull_next(reader->pull);

	if (event->type == JSON_EVENT_ARRAY)
		return true;
	fail_expected(reader, event, expected);
	return false;
}

/** The next element of an array; NULL: its end. */
static const struct json_event *next_element(struct request_reader *reader)
{
	const struct json_event *event = json_pull_next(reader->pull);

	return reader->err || event->type == JSON_EVENT_END_ARRAY ||
	                       event->type == JSON_EVENT_DONE
	               ? NULL
	               : event;
}

/** Expect the end of an array of two. */
static void end_pair(struct request_reader *reader, const char *expected)
{
	const struct json_event *event = json_pull_next(reader->pull);

	if (event->type != JSON_EVENT_END_ARRAY)
		fail_expected(reader, event, expected);
}

static const char *take_text(struct request_reader *reader,
                             const char *expected)
{
	const struct json_event *event = json_pull_next(reader->pull);

	if (event->type != JSON_EVENT_TEXT)
		fail_expected(reader, event, expected);
	else if (event->text.size > SYMBOLICATE_NAME_MAX)
		fail_limit(reader, "bytes in a name", SYMBOLICATE_NAME_MAX);
	else
		return arena_text(reader->arena, event->text);
	return NULL;
}

static struct uuid uuid_of(const char *id)
{
	struct text digits = text_from(id);
	struct uuid uuid = { .bytes = { 0 } };

	if (digits.size > UUID_DIGITS &&
	    text_count_hex_digits(digits) == digits.size)
		(void)!uuid_parse(text_first(digits, UUID_DIGITS), &uuid);
	return uuid;
}

/** Escape the name once, not for each frame. */
static struct text member_of(struct request_reader *reader, const char *name)
{
	SCOPED(str_release) struct str member = { 0 };

	str_add(&member, "\"module\":");
	json_writer_add(&member, name);
	return text_from(arena_text(reader->arena, str_text(&member)));
}

static void read_module(struct request_reader *reader)
{
	static const char expected[] = "a name and an id";
	struct symbolicate_request *request = reader->request;
	struct symbolicate_module module;

	if (request->module_count == SYMBOLICATE_MODULES_MAX) {
		fail_limit(reader, "modules", SYMBOLICATE_MODULES_MAX);
		return;
	}
	module.name = take_text(reader, expected);
	module.id = reader->err ? NULL : take_text(reader, expected);
	if (!reader->err)
		end_pair(reader, expected);
	if (reader->err)
		return;
	module.uuid = uuid_of(module.id);
	module.member = member_of(reader, module.name);
	ARENA_GROW(reader->arena, request->modules, request->module_count,
	           reader->module_cap);
	request->modules[request->module_count++] = module;
}

static void read_modules(struct request_reader *reader)
{
	const struct json_event *event;

	if (!begin_array(reader, "an array of modules"))
		return;
	while ((event = next_element(reader)))
		if (event->type == JSON_EVENT_ARRAY)
			read_module(reader);
		else
			fail_expected(reader, event, "a name and an id");
}

/**
 * A module number or offset of a frame. A negative one means: unknown.
 */
static uint64_t take_number(struct request_reader *reader, bool *ret_is_known)
{
	const struct json_event *event = json_pull_next(reader->pull);
	struct text digits = event->text;
	uint64_t number = 0;

	*ret_is_known = !text_take(&digits, "-");
	if (event->type != JSON_EVENT_NUMBER ||
	    !number_decimal(digits, &number))
		fail_expected(reader, event, "a whole number");
	return number;
}

/** Modules are counted within the job until number_modules(). */
static void read_frame(struct request_reader *reader)
{
	struct symbolicate_request *request = reader->request;
	struct symbolicate_frame frame = { .module = NO_MODULE };
	bool has_module, has_offset = true;
	uint64_t module;

	if (request->frame_count == SYMBOLICATE_FRAMES_MAX) {
		fail_limit(reader, "frames", SYMBOLICATE_FRAMES_MAX);
		return;
	}
	module = take_number(reader, &has_module);
	if (!reader->err)
		frame.offset = take_number(reader, &has_offset);
	if (!reader->err)
		end_pair(reader, "a module and an offset");
	if (reader->err)
		return;
	if (!has_offset)
		frame.offset = UINT64_MAX;
	if (has_module)
		frame.module = module < NO_MODULE ? (uint32_t)module
		                                  : NO_MODULE + 1;
	ARENA_GROW(reader->arena, request->frames, request->frame_count,
	           reader->frame_cap);
	request->frames[request->frame_count++] = frame;
}

static void read_stack(struct request_reader *reader)
{
	struct symbolicate_request *request = reader->request;
	const struct json_event *event;

	// An empty stack takes few bytes in the request, but more here.
	if (request->stack_count == SYMBOLICATE_FRAMES_MAX) {
		fail_limit(reader, "stacks", SYMBOLICATE_FRAMES_MAX);
		return;
	}
	while ((event = next_element(reader)))
		if (event->type == JSON_EVENT_ARRAY)
			read_frame(reader);
		else
			fail_expected(reader, event, "a module and an offset");
	ARENA_GROW(reader->arena, request->stack_ends, request->stack_count,
	           reader->stack_cap);
	request->stack_ends[request->stack_count++] = request->frame_count;
}

static void read_stacks(struct request_reader *reader)
{
	const struct json_event *event;

	if (!begin_array(reader, "an array of stacks"))
		return;
	while ((event = next_element(reader)))
		if (event->type == JSON_EVENT_ARRAY)
			read_stack(reader);
		else
			fail_expected(reader, event, "an array of frames");
}

/** Change module numbers of the job to those of the request. */
static void number_modules(struct request_reader *reader, size_t first_module,
                           size_t first_frame)
{
	struct symbolicate_request *request = reader->request;
	size_t count = request->module_count - first_module;

	for (size_t i = first_frame; i < request->frame_count; i++) {
		struct symbolicate_frame *frame = &request->frames[i];

		if (frame->module == NO_MODULE)
			continue;
		if (frame->module >= count) {
			error_keep_first(
			        &reader->err,
			        error_new(ERROR_FORMAT,
			                  "jobs[%zu].stacks: a frame names a "
			                  "module that is not in memoryMap",
			                  request->job_count));
			return;
		}
		frame->module += (uint32_t)first_module;
	}
}

/** The parts of a job that were read; each may come once. */
struct job_parts {
	size_t first_module;
	size_t first_frame;
	bool has_modules;
	bool has_stacks;
};

static struct job_parts begin_job(const struct request_reader *reader)
{
	return (struct job_parts){
		.first_module = reader->request->module_count,
		.first_frame = reader->request->frame_count,
	};
}

/** Read the member @p name of a job; false: an unknown member. */
static bool read_part(struct request_reader *reader, struct text name,
                      struct job_parts *parts)
{
	bool is_modules = text_is(name, "memoryMap");
	bool *has;

	if (!is_modules && !text_is(name, "stacks"))
		return false;
	has = is_modules ? &parts->has_modules : &parts->has_stacks;
	if (*has)
		error_keep_first(
		        &reader->err,
		        error_new(ERROR_FORMAT, "%s: given twice",
		                  is_modules ? "memoryMap" : "stacks"));
	else if (is_modules)
		read_modules(reader);
	else
		read_stacks(reader);
	*has = true;
	return true;
}

static void end_job(struct request_reader *reader,
                    const struct job_parts *parts)
{
	struct symbolicate_request *request = reader->request;

	if (reader->err)
		return;
	if (!parts->has_modules || !parts->has_stacks) {
		reader->err = error_new(
		        ERROR_FORMAT, "jobs[%zu]: no %s", request->job_count,
		        parts->has_modules ? "stacks" : "memoryMap");
		return;
	}
	if (request->job_count == SYMBOLICATE_MODULES_MAX) {
		fail_limit(reader, "jobs", SYMBOLICATE_MODULES_MAX);
		return;
	}
	number_modules(reader, parts->first_module, parts->first_frame);
	ARENA_GROW(reader->arena, request->jobs, request->job_count,
	           reader->job_cap);
	request->jobs[request->job_count++] = (struct symbolicate_job){
		.stack_end = request->stack_count,
		.module_end = request->module_count,
	};
}

static void read_job(struct request_reader *reader)
{
	struct job_parts parts = begin_job(reader);
	const struct json_event *event;

	while (!reader->err &&
	       (event = json_pull_next(reader->pull))->type == JSON_EVENT_NAME)
		if (!read_part(reader, event->text, &parts))
			json_pull_skip(reader->pull);
	end_job(reader, &parts);
}

static void read_jobs(struct request_reader *reader)
{
	const struct json_event *event;

	if (!begin_array(reader, "an array of jobs"))
		return;
	while ((event = next_element(reader)))
		if (event->type == JSON_EVENT_OBJECT)
			read_job(reader);
		else
			fail_expected(reader, event, "an object");
}

/** A request without `jobs` is a job itself. */
static void read_request(struct request_reader *reader)
{
	const struct json_event *event = json_pull_next(reader->pull);
	struct job_parts parts = begin_job(reader);
	bool has_jobs = false;

	if (event->type != JSON_EVENT_OBJECT) {
		fail_expected(reader, event, "an object");
		return;
	}
	while (!reader->err && (event = json_pull_next(reader->pull))->type ==
	                               JSON_EVENT_NAME) {
		if (text_is(event->text, "jobs") && !has_jobs &&
		    !parts.has_modules && !parts.has_stacks) {
			has_jobs = true;
			read_jobs(reader);
		} else if (has_jobs ||
		           !read_part(reader, event->text, &parts)) {
			json_pull_skip(reader->pull);
		}
	}
	if (!has_jobs)
		end_job(reader, &parts);
}

struct error *symbolicate_read(struct text body, struct arena *arena,
                               struct symbolicate_request *ret)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(body, 0);
	struct symbolicate_request request = { 0 };
	struct request_reader reader = { .pull = pull,
		                         .arena = arena,
		                         .request = &request };
	struct error *fault;

	if (body.size > SYMBOLICATE_BYTES_MAX)
		return error_new(ERROR_LIMIT, "the request is larger than %s",
		                 limit_size(SYMBOLICATE_BYTES_MAX).text);
	json_pull_limit(pull);
	read_request(&reader);
	// Where the JSON is malformed, reader.err only follows from that.
	fault = json_pull_take_error(pull);
	if (!fault && json_pull_truncated(pull))
		fault = error_new(ERROR_FORMAT, "the request ends early");
	if (fault) {
		error_free(reader.err);
		return fault;
	}
	if (reader.err)
		return reader.err;
	*ret = request;
	return NULL;
}

// The report

/** Between the starts of images; a larger offset gets no name. */
#define IMAGE_BYTES ((uint64_t)1 << 32)

static bool is_asked(const struct symbolicate_request *request,
                     const struct symbolicate_frame *frame)
{
	return frame->module != NO_MODULE && frame->offset < IMAGE_BYTES - 1 &&
	       !uuid_is_zero(&request->modules[frame->module].uuid);
}

static void add_images(const struct symbolicate_request *request,
                       struct str *out)
{
	for (size_t i = 0; i < request->module_count; i++) {
		char uuid[UUID_TEXT_SIZE];

		str_addf(out, "%s{\"source\":\"P\",\"base\":", i ? "," : "");
		str_add_number(out, (i + 1) * IMAGE_BYTES);
		str_add(out, ",\"size\":");
		str_add_number(out, IMAGE_BYTES - 1);
		str_addf(out, ",\"uuid\":\"%s\",\"name\":\"%zu\"}",
		         uuid_format(&request->modules[i].uuid, uuid), i);
	}
}

/** A frame in each image: only images with frames are looked up. */
static void add_first_thread(const struct symbolicate_request *request,
                             struct str *out)
{
	str_add(out, "{\"frames\":[");
	for (size_t i = 0; i < request->module_count; i++)
		str_addf(out, "%s{\"imageIndex\":%zu,\"imageOffset\":0}",
		         i ? "," : "", i);
	str_add(out, "]},");
}

/**
 * All frames but the innermost are return addresses, which are looked up one
 * byte earlier: add that byte. The innermost frame is not from the request.
 */
static void add_second_thread(const struct symbolicate_request *request,
                              struct str *out)
{
	str_add(out, "{\"frames\":[{\"imageIndex\":0,\"imageOffset\":0}");
	for (size_t i = 0; i < request->frame_count; i++) {
		const struct symbolicate_frame *frame = &request->frames[i];

		if (!is_asked(request, frame))
			continue;
		str_add(out, ",{\"imageIndex\":");
		str_add_number(out, frame->module);
		str_add(out, ",\"imageOffset\":");
		str_add_number(out, frame->offset + 1);
		str_add_char(out, '}');
	}
	str_add(out, "]}");
}

void symbolicate_add_report(const struct symbolicate_request *request,
                            struct str *out)
{
	str_add(out, "{\"bug_type\":\"309\"}\n{\"usedImages\":[");
	add_images(request, out);
	str_add(out, "],\"threads\":[");
	add_first_thread(request, out);
	add_second_thread(request, out);
	str_add(out, "]}\n");
}

// The response

/** A call, in the arena. */
struct named_call {
	const char *function; ///< NULL: not known
	const char *file;
	uint64_t line; ///< 0: not known
	uint64_t function_offset;
	bool has_offset;
	bool is_inline;
};

/** A frame and the calls inlined there, innermost first. */
struct named_frame {
	struct named_call call;
	struct named_call *inlines;
	size_t inline_count;
};

/** Reads the frames of a report, one after the other. */
struct frame_cursor {
	struct json_pull *pull;
	bool has_begun;
	struct arena arena; ///< of the last frame
};

static void cursor_release(struct frame_cursor *cursor)
{
	json_pull_free(cursor->pull);
	arena_release(&cursor->arena);
}

/** Skip to the value of the member @p name of an object. */
static bool find_member(struct json_pull *pull, const char *name)
{
	const struct json_event *event;

	while ((event = json_pull_next(pull))->type == JSON_EVENT_NAME) {
		if (text_is(event->text, name))
			return true;
		json_pull_skip(pull);
	}
	return false;
}

static const char *text_or_null(struct json_pull *pull, struct arena *arena)
{
	const struct json_event *event = json_pull_next(pull);

	if (event->type == JSON_EVENT_TEXT)
		return arena_text(arena, event->text);
	json_pull_skip(pull);
	return NULL;
}

static bool take_u64(struct json_pull *pull, uint64_t *ret)
{
	const struct json_event *event = json_pull_next(pull);

	if (event->type == JSON_EVENT_NUMBER &&
	    number_decimal(event->text, ret))
		return true;
	json_pull_skip(pull);
	return false;
}

/** Read the members of a frame. */
static struct named_call read_call(struct frame_cursor *cursor)
{
	struct json_pull *pull = cursor->pull;
	struct named_call call = { 0 };
	const char *path = NULL;
	const struct json_event *event;

	while ((event = json_pull_next(pull))->type == JSON_EVENT_NAME) {
		if (text_is(event->text, "symbol"))
			call.function = text_or_null(pull, &cursor->arena);
		else if (text_is(event->text, "symbol_offset"))
			call.has_offset = take_u64(pull, &call.function_offset);
		else if (text_is(event->text, "file"))
			call.file = text_or_null(pull, &cursor->arena);
		else if (text_is(event->text, "path"))
			path = text_or_null(pull, &cursor->arena);
		else if (text_is(event->text, "line"))
			(void)!take_u64(pull, &call.line);
		else if (text_is(event->text, "inline"))
			call.is_inline = json_pull_next(pull)->truth;
		else
			json_pull_skip(pull);
	}
	if (path)
		call.file = path;
	return call;
}

/** Read calls up to one that is not inlined; false: the thread ends. */
static bool read_frame_calls(struct frame_cursor *cursor,
                             struct named_frame *ret)
{
	size_t cap = 0;

	*ret = (struct named_frame){ 0 };
	arena_clear(&cursor->arena);
	while (json_pull_next(cursor->pull)->type == JSON_EVENT_OBJECT) {
		struct named_call call = read_call(cursor);

		if (!call.is_inline) {
			ret->call = call;
			return true;
		}
		ARENA_GROW(&cursor->arena, ret->inlines, ret->inline_count,
		           cap);
		ret->inlines[ret->inline_count++] = call;
	}
	return false;
}

/** Go to the frames of the request, in the thread of add_second_thread(). */
static bool begin_frames(struct frame_cursor *cursor)
{
	struct json_pull *pull = cursor->pull;
	struct named_frame innermost;

	if (json_pull_next(pull)->type != JSON_EVENT_OBJECT ||
	    !find_member(pull, "threads") ||
	    json_pull_next(pull)->type != JSON_EVENT_ARRAY ||
	    json_pull_next(pull)->type != JSON_EVENT_OBJECT)
		return false;
	// Skip the thread of add_first_thread().
	json_pull_skip(pull);
	return json_pull_next(pull)->type == JSON_EVENT_OBJECT &&
	       find_member(pull, "frames") &&
	       json_pull_next(pull)->type == JSON_EVENT_ARRAY &&
	       read_frame_calls(cursor, &innermost);
}

/** Read the next frame of the request. */
static struct error *next_frame(struct frame_cursor *cursor,
                                struct named_frame *ret)
{
	if (!cursor->has_begun)
		cursor->has_begun = begin_frames(cursor);
	if (cursor->has_begun && read_frame_calls(cursor, ret))
		return NULL;
	return error_new(ERROR_FORMAT, "frames are missing in the report");
}

static void add_call(struct json_writer *w, const struct named_call *call)
{
	json_text(w, "function", call->function);
	json_text(w, "file", call->file);
	if (call->line)
		json_number(w, "line", call->line);
}

static void add_frame(struct json_writer *w,
                      const struct symbolicate_request *request,
                      const struct symbolicate_frame *frame, size_t number,
                      const struct named_frame *named)
{
	json_open_object(w, NULL);
	json_number(w, "frame", number);
	if (frame->module == NO_MODULE)
		json_text(w, "module", "<unknown>");
	else
		json_members(w, request->modules[frame->module].member);
	json_address(w, "module_offset", frame->offset);
	// The profiler ignores a name without an offset.
	if (named->call.function && named->call.has_offset &&
	    named->call.function_offset) {
		add_call(w, &named->call);
		// Less the byte that add_threads() added.
		json_address(w, "function_offset",
		             named->call.function_offset - 1);
	}
	if (named->inline_count) {
		json_open_array(w, "inlines");
		for (size_t i = 0; i < named->inline_count; i++) {
			json_open_object(w, NULL);
			add_call(w, &named->inlines[i]);
			json_close(w);
		}
		json_close(w);
	}
	json_close(w);
}

static struct error *add_stack(struct json_writer *w,
                               const struct symbolicate_request *request,
                               size_t first, size_t end,
                               struct frame_cursor *cursor)
{
	json_open_array(w, NULL);
	for (size_t i = first; i < end; i++) {
		const struct symbolicate_frame *frame = &request->frames[i];
		struct named_frame named = { 0 };
		struct error *err = NULL;

		if (cursor && is_asked(request, frame))
			err = next_frame(cursor, &named);
		if (err)
			return err;
		add_frame(w, request, frame, i - first, &named);
	}
	json_close(w);
	return NULL;
}

/** Find which images of the report have symbols. */
static void find_modules(struct text document, bool *found, size_t count)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(document, 0);

	if (json_pull_next(pull)->type != JSON_EVENT_OBJECT ||
	    !find_member(pull, "images") ||
	    json_pull_next(pull)->type != JSON_EVENT_ARRAY)
		return;
	for (size_t i = 0;
	     i < count && json_pull_next(pull)->type == JSON_EVENT_OBJECT; i++)
		if (find_member(pull, "symbols")) {
			found[i] = text_is(json_pull_next(pull)->text, "found");
			while (json_pull_next(pull)->type == JSON_EVENT_NAME)
				json_pull_skip(pull);
		}
}

static void add_found(struct json_writer *w,
                      const struct symbolicate_request *request, size_t first,
                      size_t end, const bool *found)
{
	SCOPED(str_release) struct str key = { 0 };
	SCOPED(str_release) struct str member = { 0 };

	json_open_object(w, "found_modules");
	for (size_t i = first; i < end; i++) {
		const struct symbolicate_module *module = &request->modules[i];

		str_clear(&key);
		str_clear(&member);
		str_addf(&key, "%s/%s", module->name, module->id);
		json_writer_add(&member, str_cstr(&key));
		str_add(&member, found[i] ? ":true" : ":false");
		json_members(w, str_text(&member));
	}
	json_close(w);
}

static struct error *add_results(struct json_writer *w,
                                 const struct symbolicate_request *request,
                                 const bool *found, struct frame_cursor *cursor)
{
	size_t stack = 0, frame = 0, module = 0;

	for (size_t i = 0; i < request->job_count; i++) {
		const struct symbolicate_job *job = &request->jobs[i];

		json_open_object(w, NULL);
		json_open_array(w, "stacks");
		for (; stack < job->stack_end; stack++) {
			size_t end = request->stack_ends[stack];
			struct error *err =
			        add_stack(w, request, frame, end, cursor);

			if (err)
				return err;
			frame = end;
		}
		json_close(w);
		add_found(w, request, module, job->module_end, found);
		module = job->module_end;
		json_close(w);
	}
	return NULL;
}

struct error *symbolicate_add_response(
        const struct symbolicate_request *request, struct text document,
        struct str *out)
{
	SCOPED(cursor_release)
	struct frame_cursor cursor = { .pull = json_pull_new(document, 0) };
	SCOPED(mem_drop)
	bool *found = mem_zalloc(request->module_count + 1, sizeof(*found));
	struct out *text = out_memory();
	struct json_writer writer = json_writer_compact(text);
	struct error *err;

	out_set_content(text, OUT_BINARY);
	find_modules(document, found, request->module_count);
	json_open_object(&writer, NULL);
	json_open_array(&writer, "results");
	err = add_results(&writer, request, found,
	                  document.size ? &cursor : NULL);
	if (!err) {
		json_close(&writer);
		json_close(&writer);
		str_add_text(out, str_text(out_str(text)));
	}
	out_abandon(text);
	return err;
}

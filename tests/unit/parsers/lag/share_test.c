#include "lib/text/json/pull.h"
#include "parsers/lag/lag.h"

#include "lib/base/str.h"
#include "tests/unit/parsers/lag/lag_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SHARE_BYTES ((size_t)300)

/** An input that comes piece by piece. */
struct feed {
	struct text left;
	size_t small_reads; ///< of jobs that share an array
};

static size_t feed_read(void *context, char *buffer, size_t size)
{
	struct feed *feed = context;
	struct text got = text_first(feed->left, size < 100 ? size : 100);

	feed->small_reads += size <= SHARE_BYTES;
	if (got.size)
		memcpy(buffer, got.data, got.size);
	feed->left = text_after(feed->left, got.size);
	return got.size;
}

/** All that is read of an input, and what is said of it. */
static size_t read_by(unsigned jobs, struct text in, struct str *out)
{
	struct lag_reading reading;
	struct feed feed = { .left = in };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(feed_read, &feed, 0);
	SCOPED(error_drop) struct error *err = NULL;

	lag_reading_begin(&reading);
	reading.reader.jobs = jobs;
	reading.reader.share_bytes = SHARE_BYTES;
	err = lag_read_documents(&reading.reader, pull);
	lag_reader_end(&reading.reader);
	str_add_text(out, str_text(&reading.out));
	if (err)
		str_addf(out, "error %s\n", error_message(err));
	lag_reading_release(&reading);
	return feed.small_reads;
}

/** Jobs read what one reads; @return whether several had some of it. */
static bool assert_same(struct text in)
{
	SCOPED(str_release) struct str one = { 0 };
	SCOPED(str_release) struct str several = { 0 };
	size_t small_reads;

	assert_int_equal(read_by(1, in, &one), 0);
	small_reads = read_by(3, in, &several);
	assert_string_equal(str_cstr(&several), str_cstr(&one));
	return small_reads > in.size / SHARE_BYTES / 4;
}

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % limit;
}

/** How the samples of an input are written. */
enum form {
	FORM_SYMBOLS,
	FORM_PLACES, ///< each frame an object, over several lines
	FORM_BARE,   ///< nothing but stacks
	FORM_REPORT, ///< inside of a report, whose order comes last
	FORMS,
};

static void add_frames(struct str *out, enum form form, uint32_t *state)
{
	uint32_t depth = 1 + random_below(state, 6);

	for (uint32_t i = 0; i < depth; i++) {
		uint32_t which = random_below(state, 5 + i);

		str_add(out, i ? ", " : "");
		if (form == FORM_BARE)
			str_addf(out, "%u", 0xf0000000 - 4096 * (1 + which));
		else if (form == FORM_PLACES)
			str_addf(out,
			         "{\"address\":\"0x1%03x\",\"symbol\":\"f%u\","
			         "\"image\":\"Demo\"}",
			         which, which);
		else
			str_addf(out, "\"-[View%u],{ \\\"stack\\\" %u\"", which,
			         i);
	}
}

static void add_sample(struct str *out, enum form form, uint32_t *state)
{
	if (form == FORM_BARE) {
		str_add(out, "[");
		add_frames(out, form, state);
		str_add(out, "]");
		return;
	}
	str_add(out, form == FORM_PLACES ? "{\n \"stack\": [" : "{\"stack\":[");
	add_frames(out, form, state);
	str_add(out, "]");
	if (!random_below(state, 3))
		str_addf(out, ",\"cost_ms\":%u", random_below(state, 90));
	str_add(out, "}");
}

static const struct {
	const char *before;
	const char *between;
	const char *after;
} forms[FORMS] = {
	[FORM_SYMBOLS] = { "[", ",", "]\n" },
	[FORM_PLACES] = { "[\n", ",\n", "\n]\n" },
	[FORM_BARE] = { "[", ", ", "]" },
	[FORM_REPORT] = { "{\"id\":\"r\",\"samples\":[", ",",
	                  "],\"order\":\"leaf-first\",\"interval_ms\":20}" },
};

static void add_input(struct str *out, enum form form, uint32_t seed)
{
	uint32_t state = seed;

	str_add(out, forms[form].before);
	for (size_t i = 0; i < 200; i++) {
		str_add(out, i ? forms[form].between : "");
		add_sample(out, form, &state);
	}
	str_add(out, forms[form].after);
}

static void jobs_read_what_one_reads(void **state UNUSED)
{
	for (unsigned form = 0; form < FORMS; form++) {
		SCOPED(str_release) struct str in = { 0 };

		add_input(&in, (enum form)form, 7);
		assert_true(assert_same(str_text(&in)));
	}
}

static void messages_do_not_depend_on_who_reads(void **state UNUSED)
{
	static const char *const odd[] = {
		"7",
		"[]",
		"{}",
		"{\"stack\":[]}",
		"{\"stack\":[\"a\"],\"cost_ms\":\"much\"}",
		"{\"stack\":[\"a\", 0, null]}",
		"{\"stack\":\"a\"}",
		"{\"stack\":[{\"depth\":0,\"count\":3,\"symbol\":\"a\"}]}",
		"{\"stack\":[\"a\\u0000\\ud800\"]}",
		"{\"stack\":[\"a\" \"b\"]}",
		"{\"stack\":[\"a\"]},",
		"]",
		"{\"samples\":[{\"stack\":[\"a\"]}]}",
	};

	for (unsigned form = 0; form < FORMS; form++) {
		for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
			SCOPED(str_release) struct str in = { 0 };

			add_input(&in, (enum form)form, 11);
			in.size -= strlen(forms[form].after);
			str_addf(&in, "%s%s", forms[form].between, odd[i]);
			str_add(&in, forms[form].between);
			add_input(&in, (enum form)form, 13);
			assert_true(assert_same(str_text(&in)));
		}
	}
}

static void damage_is_the_same_for_all(void **state UNUSED)
{
	static const char bytes[] = "\"{}[],:\\ \n\x00\xff"
	                            "1";
	uint32_t random = 3;

	for (size_t i = 0; i < 1000; i++) {
		SCOPED(str_release) struct str in = { 0 };

		add_input(&in, (enum form)(i % FORMS), 17);
		for (size_t k = 0; k < 1 + i % 3; k++)
			in.data[random_below(&random, (uint32_t)in.size)] =
			        bytes[random_below(&random, sizeof(bytes) - 1)];
		if (!(i % 4))
			in.size = random_below(&random, (uint32_t)in.size);
		assert_same(str_text(&in));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_read_what_one_reads),
		cmocka_unit_test(messages_do_not_depend_on_who_reads),
		cmocka_unit_test(damage_is_the_same_for_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

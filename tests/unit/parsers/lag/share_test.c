#include "lib/text/json/pull.h"
#include "parsers/lag/lag.h"

#include "lib/base/str.h"
#include "tests/unit/parsers/lag/lag_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SHARE_BYTES ((size_t)300)
/** More than a reader has in its window: it takes all jobs some reading. */
#define LARGE_BYTES ((size_t)8000)

/** An input that comes piece by piece. */
struct feed {
	struct text left;
	struct json_pull *pull; ///< that reads it
	size_t most;            ///< of a read
	size_t share_bytes;     ///< of a job
	size_t given;
	size_t small_reads; ///< of jobs that share an array
	size_t most_held;   ///< that was given, and not passed for good
};

/** How many read it if several do. */
#define JOBS      3u
#define MANY_JOBS 16u

static size_t feed_read(void *context, char *buffer, size_t size)
{
	struct feed *feed = context;
	struct text got =
	        text_first(feed->left, size < feed->most ? size : feed->most);

	feed->small_reads += size <= SHARE_BYTES;
	// Slow enough that all jobs come to wait for their turn.
	if (feed->share_bytes == LARGE_BYTES)
		(void)nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	feed->given += got.size;
	if (feed->given - json_pull_used(feed->pull) > feed->most_held)
		feed->most_held = feed->given - json_pull_used(feed->pull);
	if (got.size)
		memcpy(buffer, got.data, got.size);
	feed->left = text_after(feed->left, got.size);
	return got.size;
}

/** All that is read of an input, and what is said of it. */
static struct feed read_by(unsigned jobs, size_t share_bytes, struct text in,
                           struct str *out)
{
	struct lag_reading reading;
	struct feed feed = {
		.left = in,
		.most = share_bytes / 3,
		.share_bytes = share_bytes,
	};
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(feed_read, &feed, 0);
	SCOPED(error_drop) struct error *err = NULL;

	feed.pull = pull;
	lag_reading_begin(&reading);
	reading.reader.jobs = jobs;
	reading.reader.share_bytes = share_bytes;
	err = lag_read_documents(&reading.reader, pull);
	lag_reader_end(&reading.reader);
	str_add_text(out, str_text(&reading.out));
	if (err)
		str_addf(out, "error %s\n", error_message(err));
	lag_reading_release(&reading);
	return feed;
}

/** Jobs read what one reads; @return whether several had some of it. */
static bool assert_same(struct text in)
{
	SCOPED(str_release) struct str one = { 0 };
	SCOPED(str_release) struct str several = { 0 };
	size_t small_reads;

	assert_int_equal(read_by(1, SHARE_BYTES, in, &one).small_reads, 0);
	small_reads = read_by(JOBS, SHARE_BYTES, in, &several).small_reads;
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
		"{\"stack\":[\"a\"]}]",
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

static void add_samples(struct str *out, size_t bytes)
{
	uint32_t state = 19;
	size_t end = out->size + bytes;

	add_sample(out, FORM_SYMBOLS, &state);
	while (out->size < end) {
		str_add(out, ",");
		add_sample(out, FORM_SYMBOLS, &state);
	}
}

/** Many jobs read the same, and hold a few pieces of each at most. */
static void assert_held(struct text in)
{
	SCOPED(str_release) struct str one = { 0 };
	SCOPED(str_release) struct str several = { 0 };
	const struct feed alone = read_by(1, LARGE_BYTES, in, &one);
	const struct feed feed = read_by(MANY_JOBS, LARGE_BYTES, in, &several);

	assert_string_equal(str_cstr(&several), str_cstr(&one));
	assert_true(feed.most_held > alone.most_held);
	assert_true(feed.most_held <
	            alone.most_held + 2 * MANY_JOBS * LARGE_BYTES);
}

static void little_is_held_of_what_is_read_again(void **state UNUSED)
{
	SCOPED(str_release) struct str odd = { 0 };
	SCOPED(str_release) struct str small = { 0 };

	str_add(&odd, "[");
	str_add(&small, "[");
	for (size_t i = 0; i < 60; i++) {
		str_add(&odd,
		        i ? ",{\"stack\":[\"a\"],\"cost_ms\":\"b\"}," : "");
		add_samples(&odd, 3 * LARGE_BYTES);
		str_addf(&small, "%s{\"id\":\"%zu\",\"samples\":[",
		         i ? "," : "", i);
		add_samples(&small, 3 * LARGE_BYTES);
		str_add(&small, "]}");
	}
	str_add(&odd, "]");
	str_add(&small, "]");
	assert_held(str_text(&odd));
	assert_held(str_text(&small));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_read_what_one_reads),
		cmocka_unit_test(messages_do_not_depend_on_who_reads),
		cmocka_unit_test(damage_is_the_same_for_all),
		cmocka_unit_test(little_is_held_of_what_is_read_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

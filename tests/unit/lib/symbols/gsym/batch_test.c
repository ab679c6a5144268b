#include "lib/symbols/gsym/batch.h"

#include "lib/base/mem.h"
#include "lib/symbols/gsym/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FUNCTIONS   3000u
#define FUNCTION_AT 0x1000u
/** From the start of one function to that of the next one. */
#define STEP      0x40u
#define ADDRESSES (FUNCTIONS * 2)
#define BLOCK     64u

struct fixture {
	struct arena arena;
	struct str image;
	struct str sums;
	struct gsym_guard guard;
	struct gsym gsym;
	uint64_t *addresses;
	struct gsym_answer *answers;
};

/** Functions with a line each and holes between them. */
static void write_image(struct fixture *f)
{
	struct debug_file files[] = { { "", "" }, { "/src", "pump.c" } };
	struct debug_function *functions =
	        arena_array(&f->arena, FUNCTIONS, sizeof(*functions));
	struct debug_line *lines =
	        arena_array(&f->arena, FUNCTIONS, sizeof(*lines));
	const struct debug_info info = { .files = files,
		                         .file_count = 2,
		                         .functions = functions,
		                         .function_count = FUNCTIONS };
	const struct uuid uuid = { { 1, 2, 3 } };

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint64_t low = FUNCTION_AT + i * STEP;

		lines[i] = (struct debug_line){ low, 1, i + 1 };
		functions[i] = (struct debug_function){
			.range = { low, low + STEP / 2 },
			.name = arena_printf(&f->arena, "_Z5pump%uv", i),
			.lines = &lines[i],
			.line_count = 1,
		};
	}
	assert_null(gsym_write(&info, &uuid, &f->image));
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));
	struct bytes body;

	write_image(f);
	body = bytes_from_text(str_text(&f->image));
	guard_add_sums(body, BLOCK, &f->sums);
	assert_true(guard_init(&f->guard, body, BLOCK,
	                       bytes_from_text(str_text(&f->sums))));
	assert_null(gsym_open_guarded(body, &f->guard, 0, &f->gsym));
	f->addresses = arena_array(&f->arena, ADDRESSES, sizeof(uint64_t));
	f->answers = arena_array(&f->arena, ADDRESSES, sizeof(*f->answers));
	// In functions, and in the holes behind them.
	for (size_t i = 0; i < ADDRESSES; i++)
		f->addresses[i] = FUNCTION_AT + i * (STEP / 2) + 4;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	guard_release(&f->guard);
	str_release(&f->sums);
	str_release(&f->image);
	arena_release(&f->arena);
	mem_drop(&f);
	return 0;
}

static void look_up(struct fixture *f, struct gsym_walk *walk, size_t count,
                    unsigned jobs)
{
	walk->gsym = &f->gsym;
	// What an earlier look-up found is not taken for an answer.
	memset(f->answers, 0xff, ADDRESSES * sizeof(*f->answers));
	gsym_walk_lookup_all(walk, f->addresses, count, jobs, &f->arena,
	                     f->answers);
}

static void threads_find_what_one_finds(void **state)
{
	const size_t counts[] = { 1, 1023, 2048, 3001, ADDRESSES };
	struct fixture *f = *state;

	for (unsigned jobs = 1; jobs < 4; jobs++) {
		for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
			struct gsym_walk walk = { 0 };

			look_up(f, &walk, counts[i], jobs);
			assert_int_equal(walk.lookups, counts[i]);
			for (size_t k = 0; k < counts[i]; k++) {
				assert_int_equal(f->answers[k].count,
				                 k % 2 ? 0 : 1);
				if (f->answers[k].count)
					assert_int_equal(
					        f->answers[k].calls->line,
					        k / 2 + 1);
			}
		}
	}
	assert_false(f->guard.damaged);
}

/** What it costs does not depend on who does it, and is never forgotten. */
static void the_cost_is_that_of_all_pieces(void **state)
{
	struct fixture *f = *state;
	struct gsym_walk one = { 0 };
	struct gsym_walk several = { 0 };

	look_up(f, &one, ADDRESSES, 1);
	look_up(f, &several, ADDRESSES, 3);
	assert_true(one.work > 0);
	assert_int_equal(one.work, several.work);
	// Beyond what is allowed nothing more is found.
	for (size_t count = 1; count <= ADDRESSES; count += ADDRESSES - 1) {
		several.work = UINT64_MAX / 2;
		look_up(f, &several, count, 3);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(f->answers[i].count, 0);
	}
}

static void damage_is_noticed_by_any_thread(void **state)
{
	struct fixture *f = *state;

	for (size_t at = f->image.size / 2; at < f->image.size; at += 997) {
		struct gsym_walk walk = { 0 };

		f->image.data[at] ^= 4;
		look_up(f, &walk, ADDRESSES, 2);
		f->image.data[at] ^= 4;
		assert_true(f->guard.damaged);
		guard_release(&f->guard);
		assert_true(guard_init(
		        &f->guard, bytes_from_text(str_text(&f->image)), BLOCK,
		        bytes_from_text(str_text(&f->sums))));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(threads_find_what_one_finds,
		                                set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_cost_is_that_of_all_pieces,
		                                set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_noticed_by_any_thread,
		                                set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
/**
 * Test only: a flame graph of collapsed stacks.
 *
 *     flame [-f FORMAT] [-i] [-t TITLE] [-w WIDTH] [-m MIN_WIDTH] NEW [OLD]
 *
 * A frame is a name, or "image`name"; what has no image, or the image Demo, is
 * the app's. A sample costs 50 ms; -c has the picture show costs. What is
 * written goes to standard output, how long that took to standard error.
 */
#include "formatters/formatter.h"
#include "lib/base/arena.h"
#include "lib/base/file.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_before.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define INPUT_LIMIT_BYTES ((size_t)1 << 30)
#define SAMPLE_US         50000

/** Names to frames, by open addressing. */
struct names {
	struct calltree_frame *frames;
	struct text *texts;
	uint32_t count;
	uint32_t slots[1 << 20]; ///< frame + 1; 0: free
	struct arena arena;
};

static uint32_t find_frame(struct names *names, struct text text)
{
	const uint32_t mask = ARRAY_SIZE(names->slots) - 1;
	uint32_t at = (uint32_t)hash_bytes(0, text.data, text.size) & mask;
	size_t tick = text_find_char(text, '`');
	struct calltree_frame *frame;

	for (; names->slots[at]; at = (at + 1) & mask)
		if (text_equal(names->texts[names->slots[at] - 1], text))
			return names->slots[at] - 1;
	if (names->count > mask / 2) {
		fprintf(stderr, "flame: too many names\n");
		exit(EXIT_FAILURE);
	}
	names->slots[at] = names->count + 1;
	names->texts[names->count] = text;
	frame = &names->frames[names->count];
	if (tick != TEXT_NOWHERE)
		frame->image =
		        arena_text(&names->arena, text_first(text, tick));
	frame->name = arena_text(
	        &names->arena,
	        tick == TEXT_NOWHERE ? text : text_after(text, tick + 1));
	frame->kind = !frame->image || !strcmp(frame->image, "Demo")
	                      ? CALLTREE_APP
	                      : CALLTREE_SYSTEM;
	frame->is_symbol = true;
	return names->count++;
}

static uint32_t add_stack(struct calltree *tree, struct names *names,
                          struct text stack)
{
	uint32_t node = CALLTREE_ROOT;

	for (;;) {
		size_t end = text_find_char(stack, ';');

		if (end == TEXT_NOWHERE)
			end = stack.size;
		node = calltree_child(
		        tree, node, find_frame(names, text_first(stack, end)));
		if (end == stack.size)
			return node;
		stack = text_after(stack, end + 1);
	}
}

static void add_file(struct calltree *tree, struct names *names,
                     struct text rest)
{
	struct text line;

	while (text_next_line(&rest, &line)) {
		size_t blank = text_find_last_char(line, ' ');
		uint64_t count;
		uint32_t node;

		if (blank == TEXT_NOWHERE ||
		    !number_decimal(text_after(line, blank + 1), &count))
			continue;
		node = add_stack(tree, names, text_first(line, blank));
		tree->nodes[node].self_samples += count;
		tree->nodes[node].self_cost_us += count * SAMPLE_US;
	}
}

static struct text read_text(const char *path, struct file_data *file)
{
	struct error *err = file_read(path, INPUT_LIMIT_BYTES, file);

	if (err) {
		fprintf(stderr, "flame: %s\n", error_message(err));
		exit(EXIT_FAILURE);
	}
	return bytes_text(file->bytes);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int draw(const struct calltree *tree, const char *format,
                const struct format_options *options)
{
	const struct formatter *formatter = formatter_find(format);
	double start = now_ms();
	struct out *out;
	struct error *err = out_open(NULL, &out);

	if (!err) {
		formatter->calltree(tree, options, out);
		err = out_close(out);
	}
	if (err) {
		fprintf(stderr, "flame: %s\n", error_message(err));
		error_free(err);
		return EXIT_FAILURE;
	}
	fprintf(stderr, "%" PRIu32 " nodes in %.1f ms\n", tree->node_count,
	        now_ms() - start);
	return EXIT_SUCCESS;
}

static int run(char **paths, const char *format, bool by_cost,
               const struct format_options *options)
{
	SCOPED(calltree_release) struct calltree tree = { .by_cost = by_cost };
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(file_release) struct file_data old_file = { 0 };
	struct names *names = mem_zalloc(1, sizeof(*names));
	SCOPED(calltree_before_release) struct calltree_before before = { 0 };
	size_t lines = ARRAY_SIZE(names->slots);
	int status;

	names->frames = mem_zalloc(lines, sizeof(*names->frames));
	names->texts = mem_zalloc(lines, sizeof(*names->texts));
	calltree_add(&tree, NULL, 0);
	if (paths[1]) {
		add_file(&tree, names, read_text(paths[1], &old_file));
		calltree_turn(&tree, &before);
	}
	add_file(&tree, names, read_text(paths[0], &file));
	calltree_sum(&tree);
	calltree_before_sum(&before, &tree);
	tree.frames = names->frames;
	tree.frame_count = names->count;
	status = draw(&tree, format, options);
	arena_release(&names->arena);
	free(names->frames);
	free(names->texts);
	free(names);
	return status;
}

int main(int argc, char **argv)
{
	struct format_options options = { 0 };
	const char *format = "svg";
	bool by_cost = false;
	int option;

	while ((option = getopt(argc, argv, "cf:im:t:w:")) != -1) {
		uint64_t width = 0;

		if (option == 'c')
			by_cost = true;
		else if (option == 'f')
			format = optarg;
		else if (option == 'i')
			options.icicle = true;
		else if (option == 'm')
			options.min_width = strtod(optarg, NULL);
		else if (option == 't')
			options.title = optarg;
		else if (option == 'w' &&
		         number_decimal(text_from(optarg), &width))
			options.width = (unsigned)width;
		else
			return 2;
	}
	if (optind >= argc || !formatter_find(format))
		return 2;
	return run(argv + optind, format, by_cost, &options);
}

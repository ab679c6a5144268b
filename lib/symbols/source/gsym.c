// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/gsym.h"

#include "lib/base/arena.h"
#include "lib/base/mem.h"
#include "lib/symbols/source/source.h"

#include <stdlib.h>

/** A GSYM file of any writer. */
struct gsym_file {
	struct gsym gsym;
	struct gsym_walk walk;
};

static void find(const struct symbol_finder *finder)
{
	const struct symbol_locator at = { .own = { finder->size_bytes } };
	struct uuid uuid;
	struct error *err = gsym_peek_uuid(finder->head, &uuid);

	if (err)
		finder->problem(finder, err);
	else
		finder->found(finder, &uuid, &at);
}

static void describe(const struct symbol_locator *at, struct symbol_facts *ret)
{
	*ret = (struct symbol_facts){
		.role = SYMBOL_ROLE_MADE,
		.type = "gsym",
		.any_cpu = true,
		.is_64 = true,
		.size_bytes = at->own[0],
	};
}

static struct error *open_gsym(struct bytes file,
                               const struct symbol_locator *at UNUSED,
                               void **ret)
{
	struct gsym_file *self = mem_zalloc(1, sizeof(*self));
	struct error *err = gsym_open_foreign(file, &self->gsym);

	if (err) {
		free(self);
		return err;
	}
	self->walk.gsym = &self->gsym;
	*ret = self;
	return NULL;
}

static void state(const void *self, struct symbol_state *ret)
{
	const struct gsym_file *file = self;

	*ret = (struct symbol_state){
		.uuid = file->gsym.uuid,
		.base_address = file->gsym.base_address,
		.span_bytes = gsym_span(&file->gsym),
		.has_lines = true,
		.debug = { .slice = file->gsym.image },
	};
}

static struct error *check_whole(const void *self)
{
	const struct gsym_file *file = self;

	return gsym_check_whole(&file->gsym);
}

static void resolve(void *self, const uint64_t *addresses, size_t count,
                    struct symbol_sink *sink)
{
	struct gsym_file *file = self;
	SCOPED(arena_release) struct arena scratch = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct gsym_answer answer;
		struct symbol_found found = { 0 };

		file->walk.met_damage = false;
		if (gsym_walk_lookup(&file->walk, addresses[i], &scratch,
		                     &answer))
			found.calls = &answer;
		found.is_doubted = file->walk.met_damage;
		sink->take(sink, i, &found);
		arena_clear(&scratch);
	}
}

const struct symbol_source gsym_source = {
	.sniff = gsym_sniff,
	.find = find,
	.describe = describe,
	.open = open_gsym,
	.state = state,
	.check_whole = check_whole,
	.resolve = resolve,
	.close = free,
};

#include "lib/symbols/gsym/batch.h"

#include "lib/base/parallel.h"

/** Fewer addresses are not worth a second thread. */
#define SHARED_LEAST 2048
/** Small pieces, so that all threads end at about the same time. */
#define PIECE_ADDRESSES 512
#define PIECES_MAX      32

struct piece {
	struct gsym_walk walk;
	uint64_t work_before;
	size_t first;
	size_t count;
	struct arena arena;
};

struct batch {
	const uint64_t *addresses;
	struct gsym_answer *answers;
	struct piece pieces[PIECES_MAX];
};

static void look_up(struct gsym_walk *walk, const struct batch *batch,
                    size_t first, size_t count, struct arena *arena)
{
	for (size_t i = first; i < first + count; i++) {
		if ((i - first) % GSYM_FETCHED_AT_ONCE == 0)
			gsym_walk_fetch(walk, batch->addresses + i,
			                first + count - i);
		batch->answers[i] = (struct gsym_answer){ 0 };
		gsym_walk_lookup(walk, batch->addresses[i], arena,
		                 &batch->answers[i]);
	}
}

static void look_up_piece(size_t index, void *context)
{
	struct batch *batch = context;
	struct piece *piece = &batch->pieces[index];

	look_up(&piece->walk, batch, piece->first, piece->count, &piece->arena);
}

/** Each piece may cost its share of what is left, if anything is. */
static void cut(const struct gsym_walk *walk, size_t count, size_t pieces,
                struct batch *batch)
{
	uint64_t allowed = gsym_walk_allowed(walk);
	uint64_t left = allowed > walk->work ? allowed - walk->work : 0;

	for (size_t i = 0; i < pieces; i++) {
		struct piece *piece = &batch->pieces[i];
		size_t first = count / pieces * i;

		*piece = (struct piece){
			.walk = *walk,
			.first = first,
			.count = i + 1 < pieces ? count / pieces
			                        : count - first,
		};
		if (left)
			piece->walk.work = allowed - left / pieces;
		piece->work_before = piece->walk.work;
	}
}

void gsym_walk_lookup_all(struct gsym_walk *walk, const uint64_t *addresses,
                          size_t count, unsigned jobs, struct arena *arena,
                          struct gsym_answer *answers)
{
	struct batch batch = { .addresses = addresses, .answers = answers };
	size_t pieces = count / PIECE_ADDRESSES;

	gsym_walk_foresee(walk, count);
	if (count < SHARED_LEAST) {
		look_up(walk, &batch, 0, count, arena);
		return;
	}
	if (pieces > PIECES_MAX)
		pieces = PIECES_MAX;
	cut(walk, count, pieces, &batch);
	parallel_each(pieces, jobs, look_up_piece, &batch);
	walk->lookups += count;
	for (size_t i = 0; i < pieces; i++) {
		struct piece *piece = &batch.pieces[i];

		walk->work += piece->walk.work - piece->work_before;
		arena_join(arena, &piece->arena);
	}
}

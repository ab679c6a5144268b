// SPDX-License-Identifier: MIT
#include "lib/analysis/session/exit_reason.h"
#include "lib/model/jetsam_answer.h"
#include "parsers/session/record.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Two victims, so that records of the seeds find one by some trait. */
static void add_victims(struct exit_kills *kills)
{
	const struct jetsam_process processes[] = {
		{ .name = "Demo", .pid = { 612, true }, .reason = "highwater" },
		{ .uuid = { { 1 } }, .reason = "low-swap" },
	};
	struct jetsam_victim victims[] = {
		{ .process = &processes[0] },
		{ .process = &processes[1],
		  .app_state = JETSAM_APP_STATE_FOREGROUND },
	};
	struct jetsam_answer answer = { .victims = victims, .victim_count = 2 };

	const struct report report = {
		.date_time = "2026-01-31T09:08:07Z",
		.hardware_model = "iPhone12,3",
		.jetsam_answer = &answer,
	};

	exit_kills_add(kills, &report, "log.ips");
}

/** Each record has an answer, and the answer its evidence. */
static void judge(const struct session_file *file, struct arena *arena,
                  bool any_victims)
{
	SCOPED(exit_kills_release) struct exit_kills kills = { 0 };

	if (any_victims)
		add_victims(&kills);
	for (const struct session *s = file->first; s; s = s->next) {
		struct exit_answer answer;

		exit_reason_of_session(s, arena, &answer);
		exit_reason_use_logs(s, &kills, arena, &answer);
		if (!answer.evidence || !exit_reason_name(answer.reason))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct session_file file = { 0 };
	struct error *err = session_record_parse(in, &arena, &file);

	// Either a record or a reason.
	if (!err != !!file.first)
		abort();
	// Most runs have no log of a kill.
	judge(&file, &arena, false);
	judge(&file, &arena, true);
	error_free(err);
	return 0;
}

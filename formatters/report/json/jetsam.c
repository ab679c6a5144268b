// SPDX-License-Identifier: MIT
#include "formatters/report/json/jetsam.h"

static void add_number(struct json_writer *w, const char *key,
                       struct jetsam_number number)
{
	if (number.known)
		json_number(w, key, number.value);
}

static void add_memory(struct json_writer *w, const struct jetsam *jetsam,
                       const struct jetsam_answer *answer)
{
	const struct jetsam_memory *memory = &jetsam->memory;

	json_open_object(w, "memory");
	add_number(w, "page_bytes", answer->page_bytes);
	json_bool(w, "page_bytes_assumed", answer->page_bytes_assumed);
	json_open_array(w, "rows");
	for (size_t i = 0; i < answer->row_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "name", answer->rows[i].name);
		json_number(w, "bytes", answer->rows[i].bytes);
		add_number(w, "permille", answer->rows[i].permille);
		json_bool(w, "part", answer->rows[i].is_part);
		json_close(w);
	}
	json_close(w);
	add_number(w, "compression_percent", answer->compression_percent);
	add_number(w, "uncompressed_pages", memory->uncompressed);
	add_number(w, "compressions", memory->compressions);
	add_number(w, "decompressions", memory->decompressions);
	add_number(w, "zone_map_cap_bytes", memory->zone_map_cap);
	add_number(w, "zone_map_bytes", memory->zone_map_size);
	json_text(w, "largest_zone", memory->largest_zone);
	add_number(w, "largest_zone_bytes", memory->largest_zone_size);
	json_close(w);
}

static void add_process(struct json_writer *w, const char *key,
                        const struct jetsam_usage *usage)
{
	const struct jetsam_process *process = usage->process;

	json_open_object(w, key);
	json_number(w, "index", process->index);
	json_text(w, "name", process->name);
	add_number(w, "pid", process->pid);
	json_uuid(w, "uuid", &process->uuid);
	add_number(w, "pages", process->pages);
	add_number(w, "footprint_bytes", usage->footprint_bytes);
	if (process->kernel) {
		add_number(w, "limit_bytes", process->kernel->limit_bytes);
		json_text(w, "limit_name", process->kernel->limit_name);
	}
	add_number(w, "lifetime_bytes", usage->lifetime_bytes);
	add_number(w, "purgeable_pages", process->purgeable_pages);
	add_number(w, "resident_pages", process->resident_pages);
	add_number(w, "compressed_pages", process->compressed_pages);
	add_number(w, "age_ms", usage->age_ms);
	add_number(w, "idle_ms", usage->idle_ms);
	add_number(w, "cpu_time_us", process->cpu_time_us);
	add_number(w, "fds", process->fds);
	add_number(w, "regions", process->regions);
	add_number(w, "coalition", process->coalition);
	if (process->has_priority)
		json_signed(w, "priority", process->priority);
	json_text(w, "band", usage->band);
	json_text(w, "states", process->states_text);
	json_text(w, "freeze_skip_reason", process->freeze_skip_reason);
	if (process->cs_flags.known)
		json_address(w, "cs_flags", process->cs_flags.value);
	add_number(w, "cs_trust_level", process->cs_trust_level);
	json_text(w, "reason", process->reason);
	add_number(w, "kill_delay_us", usage->kill_delay_us);
	add_number(w, "kill_order", usage->kill_order);
	add_number(w, "since_kill_us", usage->since_kill_us);
	add_number(w, "generation", process->generation);
	json_close(w);
}

static void add_victims(struct json_writer *w,
                        const struct jetsam_answer *answer)
{
	json_open_array(w, "victims");
	for (size_t i = 0; i < answer->victim_count; i++) {
		const struct jetsam_victim *victim = &answer->victims[i];

		json_open_object(w, NULL);
		add_process(w, "process", victim->usage);
		json_text(w, "stand", jetsam_app_state_name(victim->app_state));
		json_text(w, "evidence", victim->evidence);
		json_text(w, "meaning", victim->meaning);
		json_text(w, "advice", victim->advice);
		json_bool(w, "at_fault", victim->at_fault);
		json_bool(w, "largest", victim->is_largest);
		add_number(w, "limit_bytes", victim->limit_bytes);
		json_close(w);
	}
	json_close(w);
}

static void add_coalitions(struct json_writer *w,
                           const struct jetsam_answer *answer)
{
	json_open_array(w, "coalitions");
	for (size_t i = 0; i < answer->coalition_count; i++) {
		const struct jetsam_coalition *sum = &answer->coalitions[i];

		json_open_object(w, NULL);
		json_number(w, "id", sum->id);
		json_text(w, "name", sum->name);
		json_number(w, "processes", sum->process_count);
		json_number(w, "pages", sum->pages);
		add_number(w, "bytes", sum->bytes);
		json_close(w);
	}
	json_close(w);
}

static void add_reference(struct json_writer *w,
                          const struct jetsam_reference *reference)
{
	if (!reference->device)
		return;
	json_open_object(w, "limit_hint");
	json_text(w, "device", reference->device);
	json_decimal(w, "limit_mib", reference->limit_mib);
	json_decimal(w, "ram_mib", reference->ram_mib);
	json_text(w, "os", reference->os);
	json_text(w, "source", reference->source);
	json_bool(w, "disagrees", reference->disagrees);
	json_close(w);
}

void json_add_jetsam(struct json_writer *w, const struct jetsam *jetsam,
                     const struct jetsam_answer *answer)
{
	json_open_object(w, "jetsam");
	json_open_array(w, "verdict");
	for (size_t i = 0; i < answer->verdict_count; i++)
		json_text(w, NULL, answer->verdict[i]);
	json_close(w);
	json_text(w, "model", answer->model);
	json_text(w, "kernel", jetsam->kernel);
	json_text(w, "event_reason", jetsam->event_reason);
	add_number(w, "event_code", jetsam->event_code);
	add_number(w, "time_delta_ms", jetsam->time_delta_ms);
	json_text(w, "largest_process", jetsam->largest_name);
	add_victims(w, answer);
	add_reference(w, &answer->reference);
	add_memory(w, jetsam, answer);
	json_number(w, "process_count", jetsam->process_count);
	json_open_array(w, "processes");
	for (size_t i = 0; i < answer->ranking_count; i++)
		add_process(w, NULL, answer->ranking[i]);
	json_close(w);
	add_coalitions(w, answer);
	json_close(w);
}

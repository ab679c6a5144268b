// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/groups.h"

#include "lib/analysis/crash/group/group_rows.h"
#include "lib/base/map.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/source_path.h"
#include "lib/base/timestamp.h"
#include "lib/model/launch.h"

#include <inttypes.h>
#include <stdlib.h>

/** Longer names of users and devices are truncated. */
#define VALUE_BYTES 200

// Grouping criteria

/** `com.example.demo 2.1 (210)`; empty if unknown. */
static void add_app(const struct report *report, struct str *out)
{
	const char *name = report->identifier ? report->identifier
	                                      : report->process.name;

	if (name)
		str_add(out, name);
	if (name && report->version)
		str_add_char(out, ' ');
	report_add_version(report, out);
}

static void add_value(enum crash_tally_kind kind, const struct report *report,
                      struct str *out)
{
	const char *value = NULL;

	switch (kind) {
	case CRASH_TALLY_USER:
		value = report->reporter_key;
		break;
	case CRASH_TALLY_APP:
		add_app(report, out);
		break;
	case CRASH_TALLY_DEVICE:
		value = report->hardware_model;
		break;
	case CRASH_TALLY_SYSTEM:
		value = report->os_version;
		break;
	case CRASH_TALLY_KINDS:
		break;
	}
	if (value)
		str_add(out, value);
}

/** The text of the group of a report. */
static void add_text(const struct crash_groups *groups,
                     const struct report *report,
                     const struct signature *signature, struct str *out)
{
	const struct signature_frame *first = signature->first;
	const char *text = NULL;

	switch (groups->by) {
	case CRASH_BY_SIGNATURE:
		signature_add_text(signature,
		                   signature_size(signature, groups->algorithm,
		                                  groups->level),
		                   out);
		return;
	case CRASH_BY_CLASS:
		text = signature->class_name;
		break;
	case CRASH_BY_FRAME:
		text = signature->core[0];
		break;
	case CRASH_BY_IMAGE:
		text = first ? first->image : NULL;
		break;
	case CRASH_BY_APP:
		add_value(CRASH_TALLY_APP, report, out);
		break;
	case CRASH_BY_DEVICE:
		add_value(CRASH_TALLY_DEVICE, report, out);
		break;
	case CRASH_BY_SYSTEM:
		add_value(CRASH_TALLY_SYSTEM, report, out);
		break;
	case CRASH_BY_OWNER:
		text = first && first->path && groups->owners
		               ? owners_find(groups->owners, first->path)
		               : NULL;
		break;
	}
	if (text)
		str_add(out, text);
	if (!out->size)
		str_add(out, "(not known)");
}

// Raw hashes

static uint64_t hash_raw(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_raw(const void *table, uint32_t index, const void *key)
{
	const struct crash_raw *raws = table;

	return raws[index].hash == *(const uint64_t *)key;
}

static const struct map_keys raw_keys = { hash_raw, is_raw };

static void add_raw(struct crash_groups *groups, uint64_t hash, uint32_t group)
{
	struct crash_raw *raw;
	uint32_t at;

	if (groups->raw_count == CRASH_GROUPS_TALLIES_MAX)
		return;
	MEM_GROW(groups->raws, groups->raw_count, groups->raw_cap);
	at = map_add(&groups->raw_map, &raw_keys, groups->raws, &hash,
	             groups->raw_count);
	if (at == groups->raw_count)
		groups->raws[groups->raw_count++] = (struct crash_raw){
			.hash = hash,
			.named = MAP_NONE,
			.places = MAP_NONE,
		};
	raw = &groups->raws[at];
	if (groups->groups[group].has_places && raw->places == MAP_NONE)
		raw->places = group;
	if (!groups->groups[group].has_places && raw->named == MAP_NONE)
		raw->named = group;
}

void crash_groups_join(struct crash_groups *groups)
{
	for (uint32_t i = 0; i < groups->identities.count; i++)
		groups->groups[i].joined = i;
	if (groups->by != CRASH_BY_SIGNATURE)
		return;
	for (size_t i = 0; i < groups->raw_count; i++) {
		const struct crash_raw *raw = &groups->raws[i];

		if (raw->named == MAP_NONE || raw->places == MAP_NONE)
			continue;
		// The first one: a report belongs to one group.
		if (groups->groups[raw->places].joined == raw->places)
			groups->groups[raw->places].joined = raw->named;
	}
}

// Counting

/** Of an incident. */
enum {
	COUNTED_WHOLE,
	COUNTED_TRUNCATED, ///< and no whole report
};

bool crash_groups_identify(struct crash_groups *groups,
                           const struct report *report, struct fingerprint *ret)
{
	struct fingerprints *known = &groups->incidents[groups->side];
	SCOPED(str_release) struct str key = { 0 };
	struct uuid incident;

	// Other text than a UUID may be shared by several reports.
	if (!report->incident ||
	    !uuid_parse(text_from(report->incident), &incident) ||
	    uuid_is_zero(&incident) ||
	    known->count >= CRASH_GROUPS_INCIDENTS_MAX)
		return false;
	str_add_text(&key, (struct text){ (const char *)incident.bytes,
	                                  sizeof(incident.bytes) });
	// The log of a panic and that of a crash are two reports.
	str_add(&key, report->kind ? report->kind : "");
	*ret = fingerprint_of(known, key.data, key.size);
	return true;
}

bool crash_groups_is_counted(struct crash_groups *groups,
                             const struct fingerprint *incident,
                             bool is_truncated)
{
	bool is_new;
	uint32_t *counted = fingerprints_find(&groups->incidents[groups->side],
	                                      incident, &is_new);
	bool is_better = !is_new && *counted == COUNTED_TRUNCATED &&
	                 !is_truncated;

	if (is_new || is_better)
		*counted = is_truncated ? COUNTED_TRUNCATED : COUNTED_WHOLE;
	groups->counted_twice += is_better;
	groups->duplicates += !is_new && !is_better;
	return !is_new && !is_better;
}

bool crash_groups_is_duplicate(struct crash_groups *groups,
                               const struct report *report)
{
	struct fingerprint incident;

	return crash_groups_identify(groups, report, &incident) &&
	       crash_groups_is_counted(groups, &incident, report->truncated);
}

static void tally(struct crash_groups *groups, uint32_t group,
                  enum crash_tally_kind kind, const struct report *report)
{
	SCOPED(str_release) struct str value = { 0 };
	struct crash_tally tally = { .group = group, .kind = (uint32_t)kind };
	uint32_t before = groups->tally_ids.count;
	struct text bytes = { (const char *)&tally, sizeof(tally) };
	uint32_t at;

	add_value(kind, report, &value);
	if (!value.size)
		return;
	if (before == CRASH_GROUPS_TALLIES_MAX ||
	    groups->values.count == CRASH_GROUPS_TALLIES_MAX) {
		groups->is_truncated = true;
		return;
	}
	tally.value = intern_add(&groups->values,
	                         text_first(str_text(&value), VALUE_BYTES));
	at = intern_add(&groups->tally_ids, bytes);
	groups->tally_counts = mem_grow(groups->tally_counts,
	                                &groups->tally_cap, (size_t)before + 1,
	                                sizeof(*groups->tally_counts));
	if (at == before)
		groups->tally_counts[at] = 0;
	groups->tally_counts[at]++;
}

static void note_date(struct crash_groups *groups, struct crash_group *group,
                      const char *date)
{
	int64_t ms;

	if (!date || !timestamp_parse(text_from(date), &ms))
		return;
	if (!group->has_dates || ms < group->first_ms)
		group->first_ms = ms;
	if (!group->has_dates || ms > group->last_ms)
		group->last_ms = ms;
	group->has_dates = true;
	if (!groups->draws)
		return;
	if (!group->trend)
		group->trend =
		        arena_alloc(&groups->arena, sizeof(*group->trend));
	trend_add(group->trend, ms);
}

/** Name of a report for people: its input, and which of several in it. */
static const char *name_report(struct crash_groups *groups,
                               const struct report *report)
{
	const char *input = report->input ? report->input : "-";

	if (report->origin)
		return arena_printf(&groups->arena, "%s: %s", input,
		                    report->origin);
	return arena_strdup(&groups->arena, input);
}

/**
 * The identity of a group: criterion and kind. For JavaScript errors also the
 * hash, which alone contains the message.
 */
static uint32_t find_group(struct crash_groups *groups, const struct str *text,
                           enum signature_kind kind, bool has_places,
                           const uint64_t *hashes)
{
	SCOPED(str_release) struct str identity = { 0 };

	if (groups->by == CRASH_BY_SIGNATURE)
		str_addf(&identity, "%u%d\n", kind, has_places);
	if (groups->by == CRASH_BY_SIGNATURE &&
	    groups->algorithm == SIGNATURE_APM && groups->level &&
	    text_starts(str_text(text), SIGNATURE_CLASS_JAVASCRIPT))
		str_addf(&identity, "%" PRIx64 "\n", hashes[groups->level - 1]);
	str_add_text(&identity, str_text(text));
	if (groups->identities.count == CRASH_GROUPS_MAX)
		return intern_find(&groups->identities, str_text(&identity));
	return intern_add(&groups->identities, str_text(&identity));
}

static void begin_group(struct crash_groups *groups, uint32_t at,
                        const struct report *report,
                        const struct signature *signature,
                        const struct str *text)
{
	const struct signature_frame *first = signature->first;
	struct crash_group *group;

	groups->groups = mem_grow(groups->groups, &groups->group_cap,
	                          (size_t)at + 1, sizeof(*group));
	group = &groups->groups[at];
	*group = (struct crash_group){
		.kind = signature->kind,
		.text = arena_text(&groups->arena, str_text(text)),
		.example = name_report(groups, report),
		.joined = at,
	};
	memcpy(group->hashes, signature->hashes, sizeof(group->hashes));
	if (!first || !first->path)
		return;
	group->file = arena_strdup(&groups->arena, first->path);
	group->line = first->line;
}

static void add_member(struct crash_groups *groups, uint32_t group,
                       const struct report *report)
{
	MEM_GROW(groups->members, groups->member_count, groups->member_cap);
	groups->members[groups->member_count++] = (struct crash_member){
		.group = group,
		.name = name_report(groups, report),
	};
}

static void note_launch(struct crash_groups *groups, struct crash_group *group,
                        enum at_launch at_launch)
{
	bool is_one = at_launch == AT_LAUNCH_YES;

	group->knows_launch |= at_launch != AT_LAUNCH_UNKNOWN;
	group->at_launch[groups->side] += is_one;
	groups->at_launch += is_one;
}

/** Update a group with a counted report. */
static void count_report(struct crash_groups *groups, uint32_t at,
                         const struct report *report)
{
	struct crash_group *group = &groups->groups[at];

	group->count++;
	group->sides[groups->side]++;
	note_launch(groups, group, report_at_launch(report));
	note_date(groups, group, report->date_time);
	for (unsigned i = 0; i < CRASH_TALLY_KINDS; i++)
		tally(groups, at, (enum crash_tally_kind)i, report);
	if (groups->keeps_members)
		add_member(groups, at, report);
}

void crash_groups_add(struct crash_groups *groups, const struct report *report,
                      const struct signature *signature, bool is_new)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t size =
	        signature_size(signature, groups->algorithm, groups->level);
	enum signature_kind kind = signature_kind_at(signature, size);
	bool has_places = signature_has_places(signature, size);
	uint32_t before = groups->identities.count;
	struct crash_group *group;
	uint32_t at;

	add_text(groups, report, signature, &text);
	at = find_group(groups, &text, kind, has_places, signature->hashes);
	groups->count += is_new;
	if (at == INTERN_NONE) {
		groups->dropped += is_new;
		return;
	}
	if (at == before)
		begin_group(groups, at, report, signature, &text);
	group = &groups->groups[at];
	group->kind = at == before ? kind : group->kind;
	group->has_places = has_places;
	if (groups->draws && is_new)
		crash_stacks_add(&groups->stacks, at, signature);
	if (signature->has_raw_hash && !group->has_raw_hash) {
		group->has_raw_hash = true;
		group->raw_hash = signature->raw_hash;
	}
	if (signature->has_raw_hash)
		add_raw(groups, signature->raw_hash, at);
	if (is_new)
		count_report(groups, at, report);
}

/** Beyond SIGNATURE_JETSAM: there is no kind of this name. */
static enum signature_kind find_kind(const char *name)
{
	enum signature_kind kind = SIGNATURE_APP;

	while (kind <= SIGNATURE_JETSAM &&
	       (!name || strcmp(name, signature_kind_name(kind)) != 0))
		kind++;
	return kind;
}

static struct error *check_row(const struct crash_groups *groups,
                               const struct group_row *row)
{
	const char *algorithm = signature_algorithm_name(groups->algorithm);

	if (!row->signature || find_kind(row->kind) > SIGNATURE_JETSAM)
		return error_new(ERROR_FORMAT,
		                 "expected groups by signature, found a row "
		                 "without 'signature' or 'kind'");
	if (!row->algorithm || strcmp(row->algorithm, algorithm) != 0)
		return error_new(ERROR_USAGE,
		                 "the groups are by '%s', not by '%s': see "
		                 "--algorithm",
		                 row->algorithm ? row->algorithm : "-",
		                 algorithm);
	if (row->level != groups->level)
		return error_new(ERROR_USAGE,
		                 "the groups are of level %u, not %u: see "
		                 "--level",
		                 (unsigned)row->level, groups->level);
	return NULL;
}

_Static_assert(GROUP_ROW_HASHES == SIGNATURE_LEVELS, "one of each level");

struct error *crash_groups_add_row(struct crash_groups *groups,
                                   const struct group_row *row)
{
	SCOPED(str_release) struct str text = { 0 };
	uint32_t before = groups->identities.count;
	struct crash_group *group;
	enum signature_kind kind = find_kind(row->kind);
	struct error *err = check_row(groups, row);
	uint32_t at;

	if (err)
		return err;
	str_add(&text, row->signature);
	at = find_group(groups, &text, kind, row->has_places, row->hashes);
	groups->count = number_sum(groups->count, row->count);
	if (at == INTERN_NONE) {
		groups->dropped = number_sum(groups->dropped, row->count);
		return NULL;
	}
	groups->groups = mem_grow(groups->groups, &groups->group_cap,
	                          (size_t)at + 1, sizeof(*group));
	group = &groups->groups[at];
	if (at == before) {
		*group = (struct crash_group){
			.kind = kind,
			.has_places = row->has_places,
			.text = arena_text(&groups->arena, str_text(&text)),
			.example = arena_strdup(&groups->arena, row->example),
			.file = arena_strdup(
			        &groups->arena,
			        source_path(row->file, &groups->arena)),
			.line = row->line,
			.joined = at,
		};
		memcpy(group->hashes, row->hashes, sizeof(group->hashes));
	}
	group->count = number_sum(group->count, row->count);
	group->sides[groups->side] =
	        number_sum(group->sides[groups->side], row->count);
	group->at_launch[groups->side] =
	        number_sum(group->at_launch[groups->side], row->at_launch);
	group->knows_launch |= row->at_launch > 0;
	for (size_t i = 0; i < row->raw_count; i++)
		add_raw(groups, row->raw_hashes[i], at);
	return NULL;
}

void crash_groups_add_unsigned(struct crash_groups *groups)
{
	groups->unsigned_count++;
}

void crash_groups_release(struct crash_groups *groups)
{
	arena_release(&groups->arena);
	crash_stacks_release(&groups->stacks);
	intern_release(&groups->identities);
	intern_release(&groups->values);
	intern_release(&groups->tally_ids);
	map_release(&groups->raw_map);
	fingerprints_release(&groups->incidents[0]);
	fingerprints_release(&groups->incidents[1]);
	free(groups->groups);
	free(groups->tally_counts);
	free(groups->raws);
	free(groups->members);
}

#include "lib/analysis/lag/cells.h"

#include "lib/base/units.h"

const char *lag_cell_ms(struct arena *arena, uint64_t us)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, us, 1000);
	return arena_text(arena, str_text(&text));
}

const char *lag_cell_percent(struct arena *arena, uint64_t part, uint64_t whole)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_fixed(&text, units_share(part, whole, 10000), 100, 2);
	return arena_text(arena, str_text(&text));
}

const char *lag_cell_stack(struct arena *arena,
                           const struct profile_functions *functions,
                           const uint32_t *stack, size_t count)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (i)
			str_add(&text, " - ");
		str_add(&text, functions->frames[stack[i]].name);
	}
	return arena_text(arena, str_text(&text));
}

const char *lag_cell_sample_kind(enum sample_kind kind)
{
	static const char *const names[SAMPLE_KINDS] = {
		[SAMPLE_KIND_NONE] = "none",     [SAMPLE_KIND_STALL] = "stall",
		[SAMPLE_KIND_CPU] = "cpu",       [SAMPLE_KIND_DISK] = "disk",
		[SAMPLE_KIND_LAUNCH] = "launch",
	};

	return names[kind];
}

const char *lag_cell_kind(bool is_app)
{
	return is_app ? "app" : "system";
}

const char *lag_cell_name(const struct lag_hang *hang, struct arena *arena)
{
	SCOPED(str_release) struct str name = { 0 };

	lag_hang_name(hang, &name);
	return arena_text(arena, str_text(&name));
}

void lag_evidence_add(const struct profile_functions *functions,
                      struct str *out)
{
	static const struct {
		enum calltree_evidence evidence;
		const char *name;
	} ways[CALLTREE_EVIDENCES] = {
		{ CALLTREE_BY_RULE, "by rule" },
		{ CALLTREE_BY_IMAGE, "by image" },
		{ CALLTREE_BY_SYMBOL, "by symbol" },
		{ CALLTREE_BY_DEFAULT, "by default" },
	};
	size_t counts[CALLTREE_EVIDENCES] = { 0 };
	bool is_first = true;

	for (uint32_t i = 0; i < profile_functions_count(functions); i++)
		counts[functions->frames[i].evidence]++;
	for (size_t i = 0; i < CALLTREE_EVIDENCES; i++) {
		size_t count = counts[ways[i].evidence];

		if (!count)
			continue;
		str_addf(out, "%s%s (%zu%s)", is_first ? "" : ", ",
		         ways[i].name, count,
		         !is_first    ? ""
		         : count == 1 ? " function"
		                      : " functions");
		is_first = false;
	}
}

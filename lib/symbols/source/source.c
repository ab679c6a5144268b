// SPDX-License-Identifier: MIT
#include "lib/symbols/source/source.h"

static const struct symbol_source *const sources[] = {
#define SOURCE(kind, name) [SYMBOL_KIND_##kind] = &name##_source,
#include "lib/symbols/source/sources.def"
#undef SOURCE
};

const struct symbol_source *symbol_source_of(enum symbol_kind kind)
{
	return (size_t)kind < ARRAY_SIZE(sources) ? sources[kind] : NULL;
}

enum symbol_kind symbol_kind_sniff(struct bytes head)
{
	size_t kind = 0;

	while (kind < ARRAY_SIZE(sources) && !sources[kind]->sniff(head))
		kind++;
	return (enum symbol_kind)kind;
}

struct error *open_source_open(struct open_source *ret, enum symbol_kind kind,
                               struct bytes file,
                               const struct symbol_locator *at)
{
	const struct symbol_source *source = symbol_source_of(kind);
	struct open_source open = { .kind = kind, .at = *at, .source = source };
	struct error *err;

	*ret = (struct open_source){ 0 };
	if (!source)
		return error_new(ERROR_UNSUPPORTED, "it has no symbols");
	err = source->open(file, at, &open.self);
	if (err)
		return err;
	source->state(open.self, &open.state);
	*ret = open;
	return NULL;
}

void open_source_close(struct open_source *open)
{
	if (open->self)
		open->source->close(open->self);
	*open = (struct open_source){ 0 };
}

bool open_source_has_debug(const struct open_source *open)
{
	return debug_info_present(&open->state.debug);
}

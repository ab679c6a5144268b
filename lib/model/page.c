// SPDX-License-Identifier: MIT
#include "lib/model/page.h"

struct page *page_new(struct arena *arena, const char *name)
{
	struct page *page = arena_alloc(arena, sizeof(*page));

	*page = (struct page){ .name = name };
	return page;
}

void page_add_verdict(struct page *page, struct arena *arena, const char *line)
{
	ARENA_GROW(arena, page->verdict, page->verdict_count,
	           page->verdict_cap);
	page->verdict[page->verdict_count++] = line;
}

void page_add_fact(struct page *page, struct arena *arena, const char *key,
                   const char *label, const char *value)
{
	if (!value)
		return;
	ARENA_GROW(arena, page->facts, page->fact_count, page->fact_cap);
	page->facts[page->fact_count++] = (struct page_fact){
		.key = key,
		.label = label,
		.value = value,
	};
}

void page_add_table(struct page *page, struct arena *arena, const char *title,
                    const struct table *table, const char *note)
{
	if (!table->row_count)
		return;
	ARENA_GROW(arena, page->tables, page->table_count, page->table_cap);
	page->tables[page->table_count++] = (struct page_table){
		.title = title,
		.table = table,
		.note = note,
	};
}

const char *confidence_name(enum confidence confidence)
{
	switch (confidence) {
	case CONFIDENCE_POSSIBLE:
		return "possible";
	case CONFIDENCE_LIKELY:
		return "likely";
	case CONFIDENCE_CERTAIN:
		return "certain";
	}
	return "possible";
}

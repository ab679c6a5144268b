#include "cmd/run/symbol_search.h"

#include "cmd/run/missing_symbols.h"
#include "lib/analysis/symbolicate/device_names.h"
#include "lib/analysis/symbolicate/symbolicate.h"

struct command_line symbol_search_split(struct symbol_search *search,
                                        const struct command_line *line)
{
	return symbol_operands_split(line, &search->operands);
}

enum exit_status symbol_search_open(struct symbol_search *search,
                                    const struct command_line *reports,
                                    const struct symbol_paths *paths,
                                    unsigned jobs, bool quiet)
{
	enum exit_status status;

	search->store = symbol_store_new(jobs);
	symbol_store_start_spawner(search->store);
	if (search->form == DEMANGLE_NONE)
		symbol_store_keep_mangled(search->store);
	search->near.store = search->store;
	search->near.line = reports;
	search->near.off = paths->no_auto || reports->config->no_auto;
	search->near.quiet = quiet;
	status = symbol_operands_add(reports->notices, &search->operands,
	                             search->store);
	if (status != EXIT_DONE)
		return status;
	return symbols_add_paths(reports->notices, search->store, paths,
	                         reports->config, quiet);
}

void symbol_search_begin(struct symbol_search *search,
                         struct report *const *reports, size_t count)
{
	symbol_store_trim(search->store);
	near_symbols_use(&search->near, reports, count);
}

void symbol_search_name(struct symbol_search *search,
                        struct report *const *reports, size_t count,
                        struct arena *arena)
{
	struct symbolicate_result result;

	symbol_search_begin(search, reports, count);
	device_names_demangle(reports, count, search->form, arena);
	symbolicate(reports, count, search->store, search->form, arena,
	            &result);
	missing_symbols_add(&search->damaged, &result, MISSING_DAMAGED);
}

enum exit_status symbol_search_finish(struct symbol_search *search,
                                      enum exit_status status)
{
	const struct notices *notices = search->near.line->notices;

	if (!search->near.quiet)
		missing_symbols_notice(notices, &search->damaged,
		                       symbol_store_index(search->store), true);
	return symbols_status(notices, search->store, search->near.quiet,
	                      status);
}

void symbol_search_release(struct symbol_search *search)
{
	near_symbols_release(&search->near);
	symbol_store_free(search->store);
	symbol_operands_release(&search->operands);
	missing_symbols_release(&search->damaged);
	search->store = NULL;
}

#include "lib/analysis/lag/sites.h"

#include "lib/analysis/symbolicate/in_app.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/model/app_image.h"
#include "lib/symbols/demangle/demangle.h"

#include <stdlib.h>
#include <string.h>

/** An image as all reports of a build see it. */
struct lag_site_image {
	const char *name;
	const char *path; ///< NULL: not known
	struct uuid uuid;
	enum calltree_kind kind;
};

struct lag_site {
	uint32_t image;   ///< INTERN_NONE: in no image
	uint32_t symbol;  ///< the device's, in names; INTERN_NONE
	uint64_t offset;  ///< from the load address; the address where there
	                  ///< is no image
	uint64_t address; ///< of the first report that had it; 0: not said
	bool moved;       ///< another had it at another address
	bool exact;
	enum calltree_kind kind; ///< where it lies in no image
	uint32_t first_call;
	uint32_t call_count;
};

/** A bare symbol: known, and then a call or none. */
struct lag_bare {
	bool known;
	bool left_out;
	struct lag_call call;
};

void lag_sites_init(struct lag_sites *sites, struct intern *names,
                    struct lag_functions *functions)
{
	*sites = (struct lag_sites){
		.names = names,
		.functions = functions,
		.rule_budget = LAG_RULES_BUDGET,
	};
}

void lag_sites_release(struct lag_sites *sites)
{
	arena_release(&sites->arena);
	intern_release(&sites->image_ids);
	intern_release(&sites->site_ids);
	free(sites->images);
	free(sites->sites);
	free(sites->calls);
	free(sites->bare[CALLTREE_APP]);
	free(sites->bare[CALLTREE_SYSTEM]);
	*sites = (struct lag_sites){ 0 };
}

// Rules

/** Is the function left out? Else its kind and @p ret_cut are set. */
static bool is_left_out(struct lag_sites *sites, struct lag_place *place,
                        const char *path, bool *ret_cut)
{
	const struct lag_rule_subject subject = {
		.image = place->image,
		.path = path,
		.symbol = place->symbol,
	};
	const struct lag_rule *undecided = NULL;
	const struct lag_rule *rule = NULL;

	*ret_cut = false;
	if (sites->rules)
		rule = lag_rules_find(sites->rules, &subject,
		                      &sites->rule_budget, &undecided);
	// Which one is told must not depend on who came first.
	if (undecided && (!sites->undecided || undecided < sites->undecided))
		sites->undecided = undecided;
	if (!rule)
		return false;
	if (rule->action == LAG_RULE_BUSINESS)
		place->kind = CALLTREE_APP;
	if (rule->action == LAG_RULE_SYSTEM)
		place->kind = CALLTREE_SYSTEM;
	*ret_cut = rule->action == LAG_RULE_CUT_BELOW;
	return rule->action == LAG_RULE_IGNORE;
}

// Bare symbols

enum calltree_kind lag_sites_bare_kind(const struct lag_report *report)
{
	if (report->image_count)
		return CALLTREE_SYSTEM;
	for (size_t i = 0; i < report->frame_count; i++)
		if (report->frames[i].image != INTERN_NONE)
			return CALLTREE_SYSTEM;
	return CALLTREE_APP;
}

/** C++ names as people wrote them; other names as they are. */
static const char *readable(struct lag_sites *sites, const char *symbol)
{
	struct text name = text_from(symbol);

	if (text_starts(name, "__Z"))
		return demangle(name, true, &sites->arena);
	if (text_starts(name, "_Z"))
		return demangle(name, false, &sites->arena);
	return symbol;
}

static struct lag_bare judge_bare(struct lag_sites *sites, uint32_t name,
                                  enum calltree_kind kind)
{
	struct lag_place place = {
		.symbol = readable(sites, intern_cstr(sites->names, name)),
		.kind = kind,
	};
	struct lag_bare bare = { .known = true };

	bare.left_out = is_left_out(sites, &place, NULL, &bare.call.cut);
	if (!bare.left_out)
		bare.call.function =
		        lag_functions_add(sites->functions, &place);
	return bare;
}

struct lag_calls lag_sites_bare(struct lag_sites *sites, uint32_t name,
                                enum calltree_kind kind)
{
	size_t cap = sites->bare_cap[kind];
	struct lag_bare *bare;

	if (name >= cap) {
		sites->bare[kind] = mem_grow(sites->bare[kind],
		                             &sites->bare_cap[kind],
		                             (size_t)name + 1, sizeof(*bare));
		memset(sites->bare[kind] + cap, 0,
		       (sites->bare_cap[kind] - cap) * sizeof(*bare));
	}
	bare = &sites->bare[kind][name];
	if (!bare->known)
		*bare = judge_bare(sites, name, kind);
	return (struct lag_calls){ .items = &bare->call,
		                   .count = !bare->left_out };
}

// Images

/** The app's own, by the config's rules and by where apps are kept. */
static enum calltree_kind kind_of(const struct lag_sites *sites,
                                  const struct lag_report *report,
                                  const struct lag_image *image)
{
	const struct app_process process = {
		.name = report->app,
		.path = report->app_path,
		.platform = report->platform,
	};
	struct app_image judged = {
		.name = image->name,
		.path = image->path,
		.own = image->own,
	};
	const struct in_app_image asked = {
		.name = image->name,
		.path = image->path,
	};
	size_t work = IN_APP_WORK_MAX;
	size_t undecided;

	if (sites->config)
		judged.rule =
		        in_app_judge(sites->config, &asked, &work, &undecided);
	return app_image_is_own(&judged, &process) ? CALLTREE_APP
	                                           : CALLTREE_SYSTEM;
}

/** A path without the directory that each installation of an app has. */
static void add_path(struct text path, struct str *out)
{
	while (path.size) {
		struct text part = text_first(path, text_find_char(path, '/'));
		struct uuid uuid;

		if (!uuid_parse(part, &uuid))
			str_add_text(out, part);
		str_add_char(out, '/');
		path = text_after(path, part.size + 1);
	}
}

/**
 * The number of an image: one for each name of it that rules may ask for. Each
 * installation of an app has its own path, so that counts only where a rule
 * asks for paths.
 */
static uint32_t add_image(struct lag_sites *sites,
                          const struct lag_report *report,
                          const struct lag_image *image)
{
	SCOPED(str_release) struct str identity = { 0 };
	enum calltree_kind kind = kind_of(sites, report, image);
	uint32_t count = sites->image_ids.count;
	uint32_t number;

	str_add_char(&identity, kind == CALLTREE_APP ? 'a' : 's');
	str_add_bytes(&identity, &image->uuid, sizeof(image->uuid));
	str_add(&identity, image->name);
	if (sites->rules && sites->rules->has_paths && image->path) {
		str_add_char(&identity, '\0');
		add_path(text_from(image->path), &identity);
	}
	number = intern_add(&sites->image_ids, str_text(&identity));
	if (number < count)
		return number;
	sites->images = mem_grow(sites->images, &sites->image_cap,
	                         (size_t)number + 1, sizeof(*sites->images));
	sites->images[number] = (struct lag_site_image){
		.name = arena_strdup(&sites->arena, image->name),
		.path = image->path ? arena_strdup(&sites->arena, image->path)
		                    : NULL,
		.uuid = image->uuid,
		.kind = kind,
	};
	return number;
}

// Sites

static struct lag_place place_of(const struct lag_sites *sites,
                                 const struct lag_site *site)
{
	struct lag_place place = {
		.address = site->address,
		.has_address = site->address || site->symbol == INTERN_NONE,
		.moved = site->moved,
		.kind = site->kind,
	};
	const struct lag_site_image *image;

	if (site->symbol != INTERN_NONE)
		place.symbol = intern_cstr(sites->names, site->symbol);
	if (site->image == INTERN_NONE)
		return place;
	image = &sites->images[site->image];
	place.image = image->name;
	place.uuid = image->uuid;
	place.kind = image->kind;
	// An image that only the frame names has no load address.
	place.in_image = site->offset != site->address;
	place.offset = site->offset;
	return place;
}

static void add_call(struct lag_sites *sites, struct lag_site *site,
                     struct lag_place *place)
{
	const char *path = site->image == INTERN_NONE
	                           ? NULL
	                           : sites->images[site->image].path;
	struct lag_call call = { 0 };

	if (is_left_out(sites, place, path, &call.cut))
		return;
	call.function = lag_functions_add(sites->functions, place);
	MEM_GROW(sites->calls, sites->call_count, sites->call_cap);
	sites->calls[sites->call_count++] = call;
	site->call_count++;
}

/** Set the calls of a site: the symbol file's, or what the device said. */
static void name_site(struct lag_sites *sites, struct lag_site *site,
                      const struct symbol_answer *answer)
{
	struct lag_place place = place_of(sites, site);

	site->first_call = (uint32_t)sites->call_count;
	if (!answer || !answer->count) {
		if (place.symbol)
			place.symbol = readable(sites, place.symbol);
		add_call(sites, site, &place);
		return;
	}
	// The innermost comes first there.
	for (size_t i = answer->count; i--;) {
		const struct symbol_call *call = &answer->calls[i];
		struct lag_place named = place;

		named.symbol = call->name;
		named.file = call->file;
		named.line = call->line;
		add_call(sites, site, &named);
	}
}

/** A report has it at another address than the first. */
static void set_moved(struct lag_sites *sites, uint32_t number)
{
	struct lag_site *site = &sites->sites[number];

	if (site->moved)
		return;
	site->moved = true;
	if (number >= sites->named_count)
		return;
	for (uint32_t i = 0; i < site->call_count; i++)
		lag_functions_move(sites->functions,
		                   sites->calls[site->first_call + i].function);
}

static uint32_t add_site(struct lag_sites *sites, const struct lag_site *site)
{
	const uint64_t identity[] = {
		site->offset,
		(uint64_t)site->image << 32 | site->symbol,
		(uint64_t)site->kind << 1 | site->exact,
	};
	uint32_t count = sites->site_ids.count;
	uint32_t number = intern_add(
	        &sites->site_ids,
	        (struct text){ (const char *)identity, sizeof(identity) });

	if (number < count) {
		if (sites->sites[number].address != site->address)
			set_moved(sites, number);
		return number;
	}
	sites->sites = mem_grow(sites->sites, &sites->site_cap,
	                        (size_t)number + 1, sizeof(*sites->sites));
	sites->sites[number] = *site;
	if (!sites->waits) {
		name_site(sites, &sites->sites[number], NULL);
		sites->named_count = number + 1;
	}
	return number;
}

/** An image of a report, by its name. */
struct named_image {
	uint32_t name;  ///< in the report's names
	uint32_t index; ///< in the report's images
};

/** A report whose frames are looked at, and what is known of its images. */
struct placing {
	struct lag_sites *sites;
	const struct lag_report *report;
	uint32_t *numbers; ///< by image; INTERN_NONE: not asked for yet
	/** By name, the first of each name first; NULL: not asked for yet. */
	struct named_image *named;
};

static void placing_release(struct placing *placing)
{
	free(placing->numbers);
	free(placing->named);
}

static uint32_t number_of(struct placing *placing, size_t image)
{
	uint32_t *number = &placing->numbers[image];

	if (*number == INTERN_NONE)
		*number = add_image(placing->sites, placing->report,
		                    &placing->report->images[image]);
	return *number;
}

static int compare_named(const void *a, const void *b)
{
	const struct named_image *left = a;
	const struct named_image *right = b;

	if (left->name != right->name)
		return left->name < right->name ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

static void find_names(struct placing *placing)
{
	const struct lag_report *report = placing->report;
	size_t count = report->image_count;

	placing->named = mem_zalloc(count + 1, sizeof(*placing->named));
	for (size_t i = 0; i < count; i++)
		placing->named[i] = (struct named_image){
			.name = intern_find(report->names,
			                    text_from(report->images[i].name)),
			.index = (uint32_t)i,
		};
	qsort(placing->named, count, sizeof(*placing->named), compare_named);
}

/**
 * The image that a frame names and has no place in: the report's first of that
 * name, or one that nothing else is known of. Frames and images may both be
 * many.
 */
static uint32_t add_named_image(struct placing *placing, uint32_t name)
{
	const struct lag_report *report = placing->report;
	const struct lag_image unknown = {
		.name = intern_cstr(report->names, name),
	};
	size_t low = 0;
	size_t high = report->image_count;

	if (!placing->named)
		find_names(placing);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (placing->named[middle].name < name)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < report->image_count && placing->named[low].name == name)
		return number_of(placing, placing->named[low].index);
	return add_image(placing->sites, report, &unknown);
}

void lag_sites_add(struct lag_sites *sites, const struct lag_report *report,
                   uint32_t *ret)
{
	enum calltree_kind bare = lag_sites_bare_kind(report);
	SCOPED(placing_release)
	struct placing placing = {
		.sites = sites,
		.report = report,
		.numbers = mem_alloc((report->image_count + 1) *
		                     sizeof(*placing.numbers)),
	};

	for (size_t i = 0; i < report->image_count; i++)
		placing.numbers[i] = INTERN_NONE;
	for (size_t i = 0; i < report->frame_count; i++) {
		const struct lag_frame *frame = &report->frames[i];
		struct lag_site site = {
			.image = INTERN_NONE,
			.symbol = frame->symbol,
			.offset = frame->address,
			.address = frame->address,
			.exact = frame->exact,
			.kind = bare,
		};

		if (frame->placed != LAG_NO_IMAGE) {
			site.image = number_of(&placing, frame->placed);
			site.offset = frame->address -
			              report->images[frame->placed].base;
		} else if (frame->image != INTERN_NONE) {
			site.image = add_named_image(&placing, frame->image);
		}
		ret[i] = add_site(sites, &site);
	}
}

struct lag_calls lag_sites_calls(const struct lag_sites *sites, uint32_t site)
{
	const struct lag_site *found = &sites->sites[site];

	return (struct lag_calls){
		.items = sites->calls + found->first_call,
		.count = found->call_count,
	};
}

void lag_sites_identify(const struct lag_sites *sites, uint32_t site,
                        struct str *out)
{
	const struct lag_site *found = &sites->sites[site];

	if (found->image != INTERN_NONE)
		str_add_text(out, sites->image_ids.texts[found->image]);
	str_add_bytes(out, &found->offset, sizeof(found->offset));
	// Where nothing else tells them apart.
	if (!found->address && found->symbol != INTERN_NONE)
		str_add_text(out, sites->names->texts[found->symbol]);
}

// Names

/** A site that waits for its name. */
struct wanted {
	struct lag_sites *sites;
	struct lag_site *site;
	const struct uuid *uuid;
};

static int compare_wanted(const void *a, const void *b)
{
	const struct wanted *left = a;
	const struct wanted *right = b;
	int order = uuid_compare(left->uuid, right->uuid);

	if (order)
		return order;
	if (left->site->offset != right->site->offset)
		return left->site->offset < right->site->offset ? -1 : 1;
	return (int)left->site->exact - (int)right->site->exact;
}

static const struct uuid *uuid_of(const struct lag_sites *sites,
                                  const struct lag_site *site)
{
	static const struct uuid none = { { 0 } };

	// A frame that only names its image has no place to look up.
	return site->image == INTERN_NONE || site->offset == site->address
	               ? &none
	               : &sites->images[site->image].uuid;
}

/** All that wait, by image. */
static struct wanted *gather(struct lag_sites *const *all, size_t count,
                             size_t *ret_count)
{
	struct wanted *wanted = NULL;
	size_t cap = 0;

	*ret_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct lag_sites *sites = all[i];

		for (uint32_t k = sites->named_count; k < sites->site_ids.count;
		     k++) {
			struct lag_site *site = &sites->sites[k];

			MEM_GROW(wanted, *ret_count, cap);
			wanted[(*ret_count)++] = (struct wanted){
				.sites = sites,
				.site = site,
				.uuid = uuid_of(sites, site),
			};
		}
		sites->named_count = sites->site_ids.count;
	}
	if (wanted)
		qsort(wanted, *ret_count, sizeof(*wanted), compare_wanted);
	return wanted;
}

static size_t add_request(const struct wanted *wanted, size_t count,
                          struct symbol_query *queries,
                          struct symbol_answer *answers,
                          struct symbol_request *ret)
{
	size_t size = 0;

	while (size < count && uuid_equal(wanted[size].uuid, wanted->uuid)) {
		queries[size] = (struct symbol_query){
			.offset = wanted[size].site->offset,
			.is_return_address = !wanted[size].site->exact,
		};
		size++;
	}
	*ret = (struct symbol_request){
		.uuid = *wanted->uuid,
		.queries = queries,
		.count = size,
		.answers = answers,
	};
	return size;
}

void lag_sites_name(struct lag_sites *const *all, size_t count,
                    struct symbol_store *store)
{
	size_t wanted_count;
	SCOPED(mem_drop)
	struct wanted *wanted = gather(all, count, &wanted_count);
	SCOPED(mem_drop)
	struct symbol_query *queries =
	        mem_zalloc(wanted_count, sizeof(*queries));
	SCOPED(mem_drop)
	struct symbol_answer *answers =
	        mem_zalloc(wanted_count, sizeof(*answers));
	SCOPED(mem_drop)
	struct symbol_request *requests =
	        mem_zalloc(wanted_count, sizeof(*requests));
	size_t request_count = 0;

	for (size_t i = 0; i < wanted_count;)
		i += add_request(&wanted[i], wanted_count - i, &queries[i],
		                 &answers[i], &requests[request_count++]);
	symbol_store_resolve(store, requests, request_count);
	for (size_t i = 0; i < wanted_count; i++)
		name_site(wanted[i].sites, wanted[i].site, &answers[i]);
	symbol_store_trim(store);
}

// SPDX-License-Identifier: MIT
#include "cmd/run/frame_rules.h"

#include "lib/analysis/crash/explain/explain.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"

static struct error *read_file(const char *path, struct lag_rules *rules)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err = file_read(path, limit_get(LIMIT_REPORT), &file);

	if (err && error_code(err) == ERROR_LIMIT)
		err = limit_error_of(LIMIT_REPORT, err);
	if (err)
		return err;
	return lag_rules_add(bytes_text(file.bytes), path,
	                     &lag_rules_of_crashes, rules);
}

struct error *frame_rules_read(const struct option_list *files,
                               struct lag_rules *ret, size_t *ret_user_count)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && files && i < files->count; i++)
		err = read_file(files->items[i], ret);
	if (ret_user_count)
		*ret_user_count = ret->count;
	if (!err)
		err = lag_rules_add_meanings(ret);
	return err ? err : explain_check_rules(ret);
}

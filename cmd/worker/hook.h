// SPDX-License-Identifier: MIT
/**
 * Places at which tests kill a worker. With APMTOOL_WORKER_HOOK=PLACE:COUNT,
 * the worker kills itself when it passes PLACE for the COUNTth time. Only
 * builds with tests have hooks.
 */
#ifndef APMTOOL_CMD_WORKER_HOOK_H
#define APMTOOL_CMD_WORKER_HOOK_H

#ifdef APMTOOL_WORKER_HOOKS
/** @param set  The value of the variable, or NULL. */
void hook_begin(const char *set);
void hook(const char *place);
#else
static inline void hook_begin(const char *set)
{
	(void)set;
}
static inline void hook(const char *place)
{
	(void)place;
}
#endif

#endif

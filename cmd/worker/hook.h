// SPDX-License-Identifier: MIT
/**
 * Places at which tests kill a worker: APMTOOL_WORKER_HOOK is `PLACE:COUNT`,
 * and the worker kills itself when it comes to the place for that time.
 * Programs that are built without tests have none.
 */
#ifndef APMTOOL_CMD_WORKER_HOOK_H
#define APMTOOL_CMD_WORKER_HOOK_H

#ifdef APMTOOL_WORKER_HOOKS
/** @param set  The variable; NULL: no place. */
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

// SPDX-License-Identifier: MIT
#include "lib/darwin/hangs.h"

#include "lib/base/mem.h"
#include "lib/base/text.h"

const struct hang_allowance *hang_allowance_find(const char *scenario)
{
	static const struct hang_allowance allowances[] = {
		{ "launch", 20, "a launch" },
		{ "resume", 10, "coming to the foreground" },
		{ "suspend", 10, "going to the background" },
		{ "quit", 6, "quitting" },
		{ "background", 180, "work in the background" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(allowances); i++)
		if (text_same(allowances[i].scenario, scenario))
			return &allowances[i];
	return NULL;
}

const struct hang_event *hang_event_find(const char *event)
{
	static const struct hang_event events[] = {
		{ "Completed Runloop Hang", "completed", NULL },
		{ "Timed Out Runloop Hang", "timed out", NULL },
		{ "Debugger Attached Runloop Hang", "debugger attached", NULL },
		{ "Extended Launch Runloop Hang", "extended launch", "launch" },
		{ "App Exit Runloop Hang", "app exit", "quit" },
		{ "Non-Responsive Task Runloop Hang", "non-responsive task",
		  NULL },
		{ "User Switched Away Runloop Hang", "switched away", NULL },
		{ "Runloop and Slow Fence Hang", "slow fence", NULL },
		{ "Blown Fence Hang", "blown fence", NULL },
		{ "Blown CA Fence Hang", "blown fence", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (text_same(events[i].event, event))
			return &events[i];
	return NULL;
}
